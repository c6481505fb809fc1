"""Main rotor of the SA 330 Puma with its swashplate on three servo-hydraulic actuators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from samara.elements.control.blocks.signal_sum import SignalSum
from samara.elements.control.sensors.motion_sensor import MotionSensor
from samara.elements.hydraulic.cylinders.linear_actuator import LinearActuator
from samara.elements.hydraulic.fluids.linear_fluid import LinearFluid
from samara.elements.hydraulic.sources.pressure_source import PressureSource
from samara.elements.hydraulic.valves.servo_valve import ServoValve
from samara.elements.laws.damper import DamperLaw
from samara.method.timeline import Timeline
from samara.model import Drive, Junction, Model, Node, Placement
from samara.models.articulated_rotors import puma
from samara.models.articulated_rotors.lag_damper import KINDS as LAG_DAMPERS
from samara.models.articulated_rotors.puma_blade import planform
from samara.models.controls import Controllable, at_start
from samara.models.quantity import PITCH
from samara.models.registry import Quantity, ReadyModel, checked

#: Mineral oil: density, bulk modulus and viscosity, 8e-5 m^2/s times the density, of Makinen, Ellman and Piche (1997).
OIL = {"reference_density": 870.0, "bulk_modulus": 1.7052e9, "viscosity": 8e-5 * 870.0}
SUPPLY, RETURN = 20.7e6, 0.5e6  # Pa, absolute: 3000 psi, as in most helicopters; stand-in
#: Stand-ins for the two plates, of the size of the machine.
PLATES = {
    "fixed_body": {"mass": 15.0, "inertia": (0.6, 0.6, 1.2)},
    "rotating_body": {"mass": 20.0, "inertia": (0.8, 0.8, 1.6)},
}
STAND_IN = "actuators, valves, their loop and the masses of the swashplate"


@dataclass(frozen=True)
class ServoActuator:
    """A cylinder with a servo valve and a position loop; all numbers are stand-ins of typical size.

    The stroke is measured from the commanded length at the start, where the piston is at mid-stroke.

        valve command = gain (commanded length - length)

    area: of the piston, both sides [m^2]; volume: of each chamber at mid-stroke, with its line [m^3]; speed: no-load
    speed with the valve fully open [m/s]; bandwidth: of the loop, gain times speed [rad/s]; frequency: of the spool
    [rad/s]; viscous: friction of the seals [N s/m]; leakage: past the piston [kg/(s Pa)].
    """

    area: float = 1.5e-3
    volume: float = 3e-4
    speed: float = 0.25
    bandwidth: float = 60.0
    frequency: float = 500.0
    viscous: float = 3e3
    leakage: float = 1e-11
    discharge: float = 0.6

    def valve_area(self, fluid: LinearFluid, drop: float) -> float:
        """Area of an edge [m^2] for a piston speed `speed`, with half of the pressure drop [Pa] across each edge."""
        jet = self.discharge * np.sqrt(drop / float(fluid.reference_density))
        return self.area * self.speed / float(jet)

    def add(
        self,
        model: Model,
        name: str,
        mast: Node,
        plate: Node,
        ends: tuple[np.ndarray, np.ndarray],
        length: Drive,
        *,
        supply: Junction,
        back: Junction,
        fluid: LinearFluid,
    ) -> None:
        """Adds cylinder, valve and loop between two nodes; ends: in the world; length: commanded [m]."""
        middle = 0.5 * (supply.value + back.value)
        chambers = [model.pressure(f"{name}.chamber_{k}", middle) for k in (1, 2)]
        seal = DamperLaw(self.viscous)
        model.add(
            name,
            LinearActuator(
                mast, plate, chambers[0], p2=chambers[1], ends=ends, fluid=fluid, area_1=self.area,
                volume_1=self.volume, leakage=self.leakage, seal=seal, length=at_start(length),
            ),
        )  # fmt: skip
        places: dict[str, Any] = {"place_a": mast.local(Placement(ends[0])), "place_b": plate.local(Placement(ends[1]))}
        sensor = model.add(f"{name}.sensor", MotionSensor(mast, plate, quantity="distance", **places))
        gain = self.bandwidth / self.speed
        loop = model.add(f"{name}.loop", SignalSum([length, sensor.output], gains=(gain, -gain)))
        area = self.valve_area(fluid, supply.value - back.value)
        model.add(
            f"{name}.valve",
            ServoValve(
                supply, back, *chambers, fluid=fluid, area=area, frequency=self.frequency, command=loop.output,
                discharge=self.discharge,
            ),
        )  # fmt: skip


class Hydraulics:
    """Supply and return lines of a machine, and the actuators connected to them."""

    def __init__(self, actuator: ServoActuator | None = None) -> None:
        self.actuator, self._ends = actuator or ServoActuator(), dict[Model, tuple[Junction, Junction]]()
        self.fluid = LinearFluid(**OIL)

    def __call__(
        self, model: Model, name: str, mast: Node, plate: Node, ends: tuple[np.ndarray, np.ndarray], length: Drive
    ) -> None:
        """Adds an actuator, and with the first one the supply and return lines: see `AddActuator`."""
        if model not in self._ends:
            supply, back = model.pressure("supply", SUPPLY), model.pressure("return", RETURN)
            model.add("pump", PressureSource(supply, fluid=self.fluid, pressure=SUPPLY))
            model.add("tank", PressureSource(back, fluid=self.fluid, pressure=RETURN))
            self._ends[model] = supply, back
        supply, back = self._ends[model]
        self.actuator.add(model, name, mast, plate, ends, length, supply=supply, back=back, fluid=self.fluid)


@checked("puma-hydraulic")
def build(
    blades: Annotated[str, Quantity("", "rigid or elastic", choices=puma.KINDS)] = "rigid",
    collective_deg: Annotated[Controllable, Quantity("deg", "pitch that is asked for", **PITCH)] = puma.CONTROLS_DEG[0],
    theta1c_deg: Annotated[Controllable, Quantity("deg", "cyclic, cosine of the azimuth", **PITCH)] = puma.CONTROLS_DEG[
        1
    ],
    theta1s_deg: Annotated[Controllable, Quantity("deg", "cyclic, sine of the azimuth", **PITCH)] = puma.CONTROLS_DEG[
        2
    ],
    airspeed: Annotated[Controllable, Quantity("m/s", "of the tunnel; also a parameter")] = puma.AIRSPEED,
    bandwidth: Annotated[float, Quantity("rad/s", "of the loop around an actuator", positive=True)] = 60.0,
    lag_damper: Annotated[
        str, Quantity("", "linear, or hydraulic with relief valves (a stand-in)", choices=LAG_DAMPERS)
    ] = "linear",
) -> Model:
    """The rotor of `puma`, flight 123 by default, with the swashplate held by three cylinders with servo valves.

    Each actuator has a position loop whose command is the length of the rigid link in `puma`. The blades load the
    swashplate through their pitch links, and it moves with the compliance of oil, valves and loops. The chambers start
    at half the supply pressure, so a run begins with a transient of about 0.1 s.

    Supply, oil, cylinders, valves, loops and masses of the plates are stand-ins (`ServoActuator`); the rotor is that
    of `puma`, with its own stand-ins.
    """
    hydraulics: Any = Hydraulics(ServoActuator(bandwidth=bandwidth))
    model = puma.turning(
        planform(), blades, "free", (collective_deg, theta1c_deg, theta1s_deg), airspeed,
        actuators={"actuator": hydraulics, **PLATES}, lag_damper=lag_damper,
    )  # fmt: skip
    model.name = "puma-hydraulic"
    model.stand_in = f"{model.stand_in}; {STAND_IN}"
    return model


PUMA_HYDRAULIC = ReadyModel(
    "puma-hydraulic",
    build,
    "main rotor of the Puma on three servo-hydraulic actuators: flight 123",
    source="as puma; actuators are stand-ins",
    timeline=Timeline(end=2.0, step=2.5e-3),
    plot=("rotor.thrust", "blade_1.pitch.angle", "swashplate.actuator_1.stroke", "swashplate.actuator_1.push"),
)
