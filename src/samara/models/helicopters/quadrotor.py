"""A quadrotor in free flight: four stiff propellers on electric motors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from samara.elements.aero.aerofoils.linear_aerofoil import ThinAerofoil
from samara.elements.control.motors.dc_motor import DCMotor
from samara.method.timeline import Timeline
from samara.model import Constant, Model, Parameter, Placement
from samara.models import parts
from samara.models.registry import Quantity, ReadyModel, checked

if TYPE_CHECKING:
    from samara.analysis import Trim

STAND_IN = "all numbers are made up, of the size of a multicopter of 1.2 kg with propellers of 10 inches"
RADIUS, CHORD, CUTOUT, BLADE_MASS = 0.127, 0.024, 0.02, 0.005  # m, kg
SECTION = ThinAerofoil(slope=5.0, cd_0=0.02, stall=np.radians(14.0))
AIR: Any = {"station": (CUTOUT, RADIUS), "twist": np.radians((20.0, 9.0)), "aerofoil": SECTION, "points": 6}
BLADE = parts.Blade.uniform(RADIUS, 0.0, BLADE_MASS, CHORD, **AIR)
ARM, HEIGHT, SPEED = 0.16, 0.03, 550.0  # of the motors aft and aside, and up [m]; rad/s
BELL = parts.MassProperties(0.03, (0.0, 0.0, 0.0), (6e-6, 6e-6, 1e-5))
# motors from front right on, to the left round: aft and right in arms, sense of rotation
MOTORS = {"motor_1": (-1, 1, 1), "motor_2": (-1, -1, -1), "motor_3": (1, -1, 1), "motor_4": (1, 1, -1)}
MOTOR: Any = {"constant": 0.0105, "resistance": 0.12, "inductance": 5e-5}  # N m/A, ohm, H
FUSELAGE = parts.Airframe(parts.MassProperties(1.04, (0.0, 0.0, -0.01), (0.009, 0.009, 0.016)), (0.012, 0.012, 0.02))
GAINS = {"roll": (2.0, 0.5), "pitch": (2.0, 0.5), "heading": (3.0, 1.5)}
AUTOPILOT = parts.Autopilot(GAINS, authority=2.0, lag=0.01, unit="V", scale=1.0)
LIMITS = {"collective": (0.0, 11.0), "lateral": (-3.0, 3.0), "longitudinal": (-3.0, 3.0), "pedal": (-3.0, 3.0)}
STICKS = {"collective": 1.0, "lateral": 0.4, "longitudinal": 0.4, "pedal": 1.0}
#: Hover, as `trim` and `voltage` find it [V, rad].
HOVER = dict.fromkeys((*LIMITS, "pitch", "roll"), 0.0) | {"collective": 5.9406}
TURN, STEPS, WEIGHT = 2.0 * np.pi / SPEED, 24, 9.81 * (1.04 + 4 * (0.03 + 2 * BLADE_MASS))


@checked("quadrotor")
def build(
    airspeed: Annotated[float, Quantity("m/s", "through the air at the start, trimmed to hover", lower=0.0)] = 0.0,
    wind: Annotated[float, Quantity("m/s", "head wind; parameter wind")] = 0.0,
    release: Annotated[float, Quantity("s", "when it is let go; until then motors and wakes settle", lower=0.0)] = 0.6,
    clockwise: Annotated[bool, Quantity("", "propeller in front on the right; else the mirror image")] = False,
) -> Model:
    """Four stiff propellers of two blades in an X, on motors whose voltages an autopilot and the pilot's sticks mix.

    Speeds result from voltages and airloads. Each propeller has its own uniform inflow, a stand-in: their interaction
    is neglected. All numbers are stand-ins.
    """
    return quadrotor(parts.Flight(HOVER, airspeed, wind, release), clockwise)


def quadrotor(flight: parts.Flight, clockwise: bool = False) -> Model:
    """The machine of `build` in any flight condition [V, rad]; if never released, with prescribed propeller speeds."""
    model = Model("quadrotor", gravity=(0.0, 0.0, -9.81), stand_in=STAND_IN)
    motors = {name: (aft, -y, -sense) if clockwise else (aft, y, sense) for name, (aft, y, sense) in MOTORS.items()}
    mix = {
        name: {"collective": 1.0, "lateral": -float(y), "longitudinal": -float(aft), "pedal": float(sense)}
        for name, (aft, y, sense) in motors.items()
    }
    controls = parts.FlightControls(AUTOPILOT, mix, LIMITS, time=0.01, rate=200.0, unit="V", sticks=STICKS)
    craft, air, told = flight.add(model, controls)
    FUSELAGE.add(model, craft, air)
    speeds = {axis: Parameter(f"speed.{axis}", SPEED if axis == "collective" else 0.0, "rad/s") for axis in LIMITS}
    for name, (aft, y, sense) in motors.items():
        place = craft.place @ Placement((ARM * aft, ARM * y, HEIGHT))
        rate = sum((share * Constant(speeds[axis]) for axis, share in mix[name].items()), start=Constant(0.0))
        shaft = parts.Shaft(SPEED, sense, BELL, False, rate if flight.held else None)
        rotor = parts.HingelessRotor(BLADE, shaft, 2, induced=4.5)
        hub = rotor.add(model, f"{name}.", craft=craft, place=place, air=air).hub
        if not flight.held:
            way = Placement((0.0, 0.0, 0.0), np.diag([1.0, sense, sense]))
            ends: Any = {"place_a": craft.local(place) @ way, "place_b": way}
            model.add(f"{name}.motor", DCMotor(craft, hub, voltage=told[name].state, **ends, **MOTOR))
    return model


def trim(clockwise: bool = False) -> Trim:
    """Speeds of the propellers [rad/s] and attitude [rad] of hover, with the craft held; see `voltage`."""
    first = {f"speed.{axis}": 0.0 for axis in LIMITS} | {"speed.collective": SPEED, "pitch": 0.0, "roll": 0.0}
    model = quadrotor(parts.Flight(HOVER, release=np.inf), clockwise)
    turn: Any = {"period": lambda controls: 2.0 * np.pi / controls["speed.collective"], "steps": STEPS}
    return parts.trim_held(model, first, WEIGHT, tolerance=1e-5, **turn)


def voltage(found: Trim) -> float:
    """Voltage of all motors at a trim [V]: V = R Q / k + k w."""
    speed, k, results = found.controls["speed.collective"], MOTOR["constant"], found.results
    assert results is not None
    return MOTOR["resistance"] * float(results["motor_1.rotor.power"].mean()) / speed / k + k * speed


QUADROTOR = ReadyModel(
    "quadrotor", build,
    "a quadrotor in free flight: four stiff propellers on electric motors, with an autopilot",
    source="made up (stand-in)", timeline=Timeline(end=3.0, step=TURN / STEPS),
    plot=("fuselage.position", "motor_1.rotor.thrust", "motor_1.motor.angle_rate", "autopilot.roll.measured"),
)  # fmt: skip
