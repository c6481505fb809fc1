"""A tandem helicopter in free flight: two contra-rotating rotors, one behind the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from samara.elements.aero.aerofoils.naca0012 import naca0012
from samara.elements.aero.inflow.wakes import RotorWake
from samara.method.timeline import Timeline
from samara.model import Model, Placement
from samara.models import parts
from samara.models.registry import Quantity, ReadyModel, checked
from samara.rotations import rotation_y

if TYPE_CHECKING:
    from samara.analysis import Trim

STAND_IN = (
    "size, mass, rotor speed and distance of the rotors are about those of a CH-47, from memory, not checked against "
    "print; blades, hinges, controls and gains are made up"
)
RADIUS, CHORD, CUTOUT, SPEED = 9.14, 0.81, 1.8, 23.6  # m, rad/s
#: Hubs from the centre of mass, aft and up [m], and forward tilt of their shafts [rad].
HUBS = {"front": (-5.95, 2.1, np.radians(6.0)), "rear": (5.95, 3.5, np.radians(4.0))}
FLAP, BEARING, BLADE_MASS = 0.20, 0.60, 150.0  # m, m, kg
AIR: Any = {"station": (CUTOUT, RADIUS), "twist": np.radians((7.0, 0.0)), "aerofoil": naca0012(), "points": 6}
BLADE = parts.Blade.uniform(RADIUS, BEARING, BLADE_MASS, CHORD, **AIR)
CUFF = parts.MassProperties(10.0, (0.4, 0.0, 0.0), (0.2, 0.2, 0.2))
HINGES = parts.Hinges(flap=parts.BladeHinge(FLAP, carries=CUFF), pitch=parts.BladeHinge(BEARING))
FUSELAGE = parts.Airframe(parts.MassProperties(14000.0, (0.0, 0.0, -0.17), (4.5e4, 2.5e5, 2.35e5)), (4.0, 35.0, 40.0))
#: Nose up by more pitch in front, nose right by tilting the front rotor to the right and the rear one to the left.
CONTROLS = parts.FlightControls(
    parts.Autopilot({"roll": (0.3, 0.25), "pitch": (0.25, 0.3), "heading": (0.4, 0.5)}, authority=np.radians(6.0)),
    mix={
        "front.collective": {"collective": 1.0, "longitudinal": 1.0}, "front.lateral": {"lateral": 1.0, "pedal": 1.0},
        "rear.collective": {"collective": 1.0, "longitudinal": -1.0}, "rear.lateral": {"lateral": 1.0, "pedal": -1.0},
    },
    limits={"collective": (-0.05, 0.4), "lateral": (-0.2, 0.2), "longitudinal": (-0.15, 0.15), "pedal": (-0.2, 0.2)},
    sticks={"collective": 0.05, "lateral": 0.3, "longitudinal": 0.2, "pedal": 0.5},
)  # fmt: skip
#: Steady level flight as `trim` finds it, over the airspeed [m/s]: controls and attitude [rad].
TRIM = {
    "airspeed": (0.0, 10.0, 20.0, 40.0, 60.0), "collective": (0.10328, 0.08981, 0.06666, 0.05232, 0.07452),
    "lateral": (-0.01313, -0.00995, -0.00519, -0.00151, -0.0004),
    "longitudinal": (0.00356, 0.00472, 0.00551, 0.00587, 0.00623),
    "pedal": (-0.00457, -0.0071, -0.00804, -0.00839, -0.01101),
    "pitch": (0.09439, 0.0745, 0.05753, 0.01698, -0.04654), "roll": (-0.00064, -0.00043, -0.00039, -0.00061, -0.00106),
}  # fmt: skip
TURN, STEPS, WEIGHT = 2.0 * np.pi / SPEED, 72, 9.81 * (14000.0 + 2 * 3 * (BLADE_MASS + 10.0))


@checked("tandem")
def build(
    airspeed: Annotated[float, Quantity("m/s", "through the air", lower=0.0, upper=TRIM["airspeed"][-1])] = 0.0,
    wind: Annotated[float, Quantity("m/s", "head wind; parameter wind")] = 0.0,
    release: Annotated[float, Quantity("s", "when it is let go; until then blades and wakes settle", lower=0.0)] = 1.5,
    clockwise: Annotated[bool, Quantity("", "front rotor seen from above; else the mirror image")] = False,
) -> Model:
    """Two overlapping articulated rotors of three blades, 11.9 m apart, in trimmed level flight.

    Pitch is controlled by differential collective pitch, roll by lateral cyclic pitch, heading by differential lateral
    cyclic pitch. See `STAND_IN` for the numbers. The interaction of the rotors is a stand-in too: the wake of each
    acts on the other (`RotorWake`), and each has its own uniform inflow.
    """
    return tandem(parts.Flight(parts.between(TRIM, airspeed, clockwise), airspeed, wind, release), clockwise)


def tandem(flight: parts.Flight, clockwise: bool = False) -> Model:
    """The machine of `build` in any flight condition."""
    model = Model("tandem", gravity=(0.0, 0.0, -9.81), stand_in=STAND_IN)
    craft, air, told = flight.add(model, CONTROLS)
    rotor: Any = None
    for name, other, way in (("front", "rear", 1.0), ("rear", "front", -1.0)):
        sense, (aft, up, tilt) = int(-way if clockwise else way), HUBS[name]
        place = Placement((aft, 0.0, up), rotation_y(-tilt))
        steered = (told[f"{name}.collective"], told[f"{name}.lateral"], None)
        plate = parts.IdealSwashplate.steered(craft, place, sense, steered, *BLADE.control_spring(SPEED))
        part = parts.ArticulatedRotor(BLADE, parts.Shaft(SPEED, sense), 3, induced=8.0, hinges=HINGES)
        at: Any = {"place": craft.place @ place, "air": air, "wakes": [RotorWake(f"{other}.rotor")]}
        rotor = part.add(model, f"{name}.", craft=craft, control=plate, **at).rotor
    FUSELAGE.add(model, craft, rotor=rotor)
    return model


def trim(
    airspeed: float = 0.0, guess: dict[str, float] | None = None, clockwise: bool = False, **manoeuvre: Any
) -> Trim:
    """Controls and attitude of steady flight [rad], with the fuselage held; manoeuvre: see `parts.trim_flight`."""
    first = parts.between(TRIM, airspeed, clockwise) | (guess or {})
    clock: dict[str, Any] = {"period": TURN, "step": TURN / STEPS}
    return parts.trim_flight(lambda flight: tandem(flight, clockwise), first, WEIGHT, airspeed, **clock, **manoeuvre)


TANDEM = ReadyModel(
    "tandem", build,
    "a tandem helicopter in free flight: two rotors one behind the other, with an autopilot",
    source="made up (stand-in), about the size of a CH-47, from memory", timeline=Timeline(end=8.0, step=TURN / STEPS),
    plot=("fuselage.position", "front.rotor.thrust", "rear.rotor.thrust", "autopilot.pitch.measured"),
)  # fmt: skip
