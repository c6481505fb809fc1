"""A coaxial helicopter in free flight: two contra-rotating rotors on one mast."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from samara.elements.aero.aerofoils.naca0012 import naca0012
from samara.elements.aero.inflow.wakes import RotorWake
from samara.method.timeline import Timeline
from samara.model import Model, Placement
from samara.models import parts
from samara.models.registry import Quantity, ReadyModel, checked

if TYPE_CHECKING:
    from samara.analysis import Trim

STAND_IN = "size, mass, blades, springs, controls and gains are made up, for a machine of a ton with rotors of 8 m"
RADIUS, CHORD, CUTOUT, SPEED = 4.0, 0.2, 0.8, 45.0  # m, rad/s
HEIGHTS = {"upper": 2.0, "lower": 1.2}  # of the hubs over the centre of mass [m]
FLAP, BEARING, BLADE_MASS, SPRING = 0.12, 0.30, 11.0, 8000.0  # m, m, kg, N m/rad
AIR: Any = {"station": (CUTOUT, RADIUS), "twist": np.radians((6.4, 0.0)), "aerofoil": naca0012(), "points": 6}
BLADE = parts.Blade.uniform(RADIUS, BEARING, BLADE_MASS, CHORD, **AIR)
CUFF = parts.MassProperties(1.0, (0.2, 0.0, 0.0), (0.01, 0.01, 0.01))
HINGES = parts.Hinges(flap=parts.BladeHinge(FLAP, SPRING, carries=CUFF), pitch=parts.BladeHinge(BEARING))
FUSELAGE = parts.Airframe(parts.MassProperties(1020.0, (0.0, 0.0, -0.12), (500.0, 1500.0, 1300.0)), (0.8, 4.0, 5.0))
#: A rotor that turns to the left, counter-clockwise, turns the nose to the right.
CONTROLS = parts.FlightControls(
    parts.Autopilot({"roll": (0.3, 0.15), "pitch": (0.4, 0.25), "heading": (0.3, 0.3)}, authority=np.radians(6.0)),
    mix={"left_turning": {"collective": 1.0, "pedal": 1.0}, "right_turning": {"collective": 1.0, "pedal": -1.0},
         "lateral": {"lateral": 1.0}, "longitudinal": {"longitudinal": 1.0}},
    limits={"collective": (-0.05, 0.35), "lateral": (-0.2, 0.2), "longitudinal": (-0.2, 0.2), "pedal": (-0.15, 0.15)},
    sticks={"collective": 0.05, "lateral": 0.3, "longitudinal": 0.3, "pedal": 0.5},
)  # fmt: skip
#: Steady level flight as `trim` finds it, over the airspeed [m/s]: controls and attitude [rad].
TRIM = {
    "airspeed": (0.0, 10.0, 20.0, 30.0, 40.0), "collective": (0.09499, 0.06972, 0.04677, 0.0492, 0.06651),
    "lateral": (0.0, 0.00905, 0.00316, 0.00038, 0.00051), "pedal": (-0.00237, -0.00139, 0.0002, -0.00023, 0.00006),
    "longitudinal": (0.0, -0.014, -0.02274, -0.03358, -0.04937),
    "pitch": (0.0, -0.00618, -0.02079, -0.0449, -0.07779), "roll": (0.0, -0.00335, -0.00096, -0.00002, -0.00007),
}  # fmt: skip
TURN, STEPS = 2.0 * np.pi / SPEED, 72
WEIGHT = 9.81 * (1020.0 + 2 * 3 * (BLADE_MASS + 1.0))


@checked("coaxial")
def build(
    airspeed: Annotated[float, Quantity("m/s", "through the air", lower=0.0, upper=TRIM["airspeed"][-1])] = 0.0,
    wind: Annotated[float, Quantity("m/s", "head wind; parameter wind")] = 0.0,
    release: Annotated[float, Quantity("s", "when it is let go; until then blades and wakes settle", lower=0.0)] = 1.0,
    clockwise: Annotated[bool, Quantity("", "upper rotor seen from above; else the mirror image")] = False,
) -> Model:
    """Two articulated rotors of three blades, one 0.8 m above the other, in trimmed level flight.

    Pedal and heading are controlled by differential collective pitch. All numbers are stand-ins, and so is the
    interaction of the rotors: the wake of each acts on the other (`RotorWake`), and each has its own uniform inflow.
    """
    return coaxial(parts.Flight(parts.between(TRIM, airspeed, clockwise), airspeed, wind, release), clockwise)


def coaxial(flight: parts.Flight, clockwise: bool = False) -> Model:
    """The machine of `build` in any flight condition."""
    model = Model("coaxial", gravity=(0.0, 0.0, -9.81), stand_in=STAND_IN)
    craft, air, told = flight.add(model, CONTROLS)
    rotor: Any = None
    for name, other, sense in (("upper", "lower", 1), ("lower", "upper", -1)):
        sense = -sense if clockwise else sense
        place = Placement((0.0, 0.0, HEIGHTS[name]))
        collective = told["left_turning" if sense > 0 else "right_turning"]
        steered = (collective, told["lateral"], told["longitudinal"])
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
    return parts.trim_flight(lambda flight: coaxial(flight, clockwise), first, WEIGHT, airspeed, **clock, **manoeuvre)


COAXIAL = ReadyModel(
    "coaxial", build,
    "a coaxial helicopter in free flight: two rotors that turn against each other, with an autopilot",
    source="made up (stand-in)", timeline=Timeline(end=6.0, step=TURN / STEPS),
    plot=("fuselage.position", "upper.rotor.thrust", "lower.rotor.thrust", "autopilot.roll.measured"),
)  # fmt: skip
