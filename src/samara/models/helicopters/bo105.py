"""The BO-105C in free flight, with a hingeless main rotor, from published data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from samara.elements.aero.aerofoils.linear_aerofoil import ThinAerofoil
from samara.elements.aero.aerofoils.naca0012 import naca0012
from samara.elements.aero.surfaces.body_coefficients import QuadraticCoefficients
from samara.method.timeline import Timeline
from samara.model import Model
from samara.models import parts
from samara.models.aero_options import InflowOption, inflow_of
from samara.models.helicopters.conventional import MIX, STICKS, Conventional, Hull, TailSurface
from samara.models.registry import Quantity, ReadyModel, checked

if TYPE_CHECKING:
    from samara.analysis import Trim

STAND_IN = (
    "NACA 0012 for the modified NACA 23012, the flap frequency, places of rotors and tail surfaces, tail blades, "
    "fuselage drag and moment, control stiffness and the autopilot are made up"
)
RADIUS, CHORD, SPEED = 4.91, 0.27, 44.4  # m, m, rad/s
INERTIA = 219.5  # of a blade about the shaft [kg m^2]
# stand-ins
FLAPPING = 1.12  # flap frequency by the rotor's speed
HINGE, CUTOUT = 0.1 * RADIUS, 0.22 * RADIUS  # of the equivalent flap hinge [m]
#: Of a blade that is uniform from the shaft on, what is outboard of the hinge; and its inertia about the hinge.
BLADE_MASS = 3.0 * INERTIA / RADIUS**2 * (1.0 - HINGE / RADIUS)
HINGE_INERTIA = BLADE_MASS * (RADIUS - HINGE) ** 2 / 3.0
#: Spring of the hinge: frequency^2 = 1 + 3 e / (2 (R - e)) + spring / (inertia speed^2).
SPRING = (FLAPPING**2 - 1.0 - 1.5 * HINGE / (RADIUS - HINGE)) * HINGE_INERTIA * SPEED**2
TWIST = np.radians(-8.0) * np.array([CUTOUT / RADIUS, 1.0])
MAIN = parts.ArticulatedRotor(
    parts.Blade.uniform(
        RADIUS, HINGE, BLADE_MASS, CHORD, station=(CUTOUT, RADIUS), twist=TWIST, aerofoil=naca0012(), tip_loss=0.97,
    ),
    parts.Shaft(SPEED), 4, precone=np.radians(2.5), induced=10.0,
    hinges=parts.Hinges(flap=parts.BladeHinge(HINGE, SPRING), pitch=parts.BladeHinge(HINGE)),
)  # fmt: skip
TAIL_RADIUS, TAIL_CHORD, TAIL_GEAR = 0.95, 0.18, 21.0 / 4.0
TAIL_HINGE, TAIL_CUTOUT, TAIL_MASS = 0.02, 0.20, 1.5  # m, m, kg
TAIL = parts.ArticulatedRotor(
    parts.Blade.uniform(
        TAIL_RADIUS, TAIL_HINGE, TAIL_MASS, TAIL_CHORD, station=(TAIL_CUTOUT, TAIL_RADIUS), aerofoil=naca0012(),
        points=6, tip_loss=0.95,
    ),
    parts.Shaft(TAIL_GEAR * SPEED), 2, induced=12.0,
    hinges=parts.Hinges(flap=parts.BladeHinge(TAIL_HINGE, delta3=np.pi / 4), pitch=parts.BladeHinge(TAIL_HINGE)),
)  # fmt: skip
MASS = parts.MassProperties(2096.0, (0.0, 0.0, 0.0), (1803.0, 4892.0, 4428.0))
HUB, TAIL_HUB = (0.0, 0.0, 1.50), (6.0, 0.0, 1.70)
HULL = Hull((0.0, 0.0, 0.0), QuadraticCoefficients.slender((1.2, 6.5, 5.0), 4.0, 1.0, 1.0), 1.0, 1.0, wake=1.2)
SURFACES = {
    "stabilizer": TailSurface(
        (4.6, 0.0, 0.3), 0.809, ThinAerofoil(slope=3.9, cd_0=0.01, stall=np.radians(16.0)), wake=1.9,
    ),
    "fin": TailSurface(
        (5.4, 0.0, 0.8), 0.80, ThinAerofoil(slope=2.7, alpha_0=np.radians(4.0), cd_0=0.01, stall=np.radians(20.0)),
        lift="left", pressure=0.7,
    ),
}  # fmt: skip
CONTROLS = parts.FlightControls(
    parts.Autopilot({"roll": (0.06, 0.03), "pitch": (0.15, 0.12), "heading": (0.40, 0.25)}, np.radians(6.0)),
    mix=MIX,
    limits={"collective": (0.0, 0.5), "lateral": (-0.2, 0.2), "longitudinal": (-0.25, 0.25), "pedal": (-0.5, 0.2)},
    sticks=STICKS,
)  # fmt: skip
#: Steady level flight as `trim` finds it, over the airspeed [m/s]: controls and attitude [rad].
TRIM = {
    "airspeed": (0.0, 5.0, 10.0, 15.0, 20.0, 30.0, 40.0, 50.0, 60.0),
    "collective": (0.25114, 0.24708, 0.23707, 0.22619, 0.21826, 0.21344, 0.22041, 0.23766, 0.26584),
    "lateral": (-0.00647, -0.02083, -0.02976, -0.03206, -0.03117, -0.02779, -0.02546, -0.02575, -0.02858),
    "longitudinal": (0.00261, -0.00303, -0.0079, -0.01275, -0.0188, -0.03233, -0.0457, -0.06343, -0.08763),
    "pedal": (-0.16274, -0.15398, -0.13038, -0.10189, -0.07973, -0.05855, -0.05453, -0.06109, -0.07867),
    "pitch": (0.05332, 0.0484, 0.04278, 0.03684, 0.03402, 0.01988, -0.00633, -0.03639, -0.0694),
    "roll": (-0.04642, -0.03762, -0.02803, -0.02092, -0.01679, -0.01485, -0.01803, -0.02446, -0.03407),
}
#: Look of the fuselage, made up: aft of the centre of mass, half width, half height, height of its middle [m].
OUTLINE = (
    (-2.6, 0.1, 0.1, -0.5), (-2.2, 0.5, 0.4, -0.45), (-1.3, 0.75, 0.75, -0.2), (1.2, 0.75, 0.75, 0.0),
    (2.2, 0.5, 0.6, 0.1), (2.6, 0.25, 0.25, 0.3), (5.6, 0.12, 0.15, 0.4), (6.1, 0.05, 0.3, 1.2),
)  # fmt: skip
BO105_MACHINE = Conventional(
    "bo105", STAND_IN, MASS, MAIN, HUB, np.radians(3.0), TAIL, TAIL_HUB, 0.0, HULL, SURFACES, CONTROLS, TRIM, OUTLINE
)
TURN, STEPS = 2.0 * np.pi / SPEED, 90
#: Turns of the main rotor after which the tail rotor is where it was too.
TURNS = 4


@checked("bo105")
def build(
    airspeed: Annotated[float, Quantity("m/s", "through the air", lower=0.0, upper=TRIM["airspeed"][-1])] = 0.0,
    wind: Annotated[float, Quantity("m/s", "head wind; parameter wind")] = 0.0,
    release: Annotated[float, Quantity("s", "when it is let go; until then blades and wakes settle", lower=0.0)] = 1.0,
    inflow: InflowOption = "pitt-peters",
) -> Model:
    """The BO-105C of NASA CR-3144 at 2096 kg and sea level, in trimmed level flight.

    Four blades without lag hinges; an equivalent hinge at 0.1 R with a spring gives them the flap frequency of a
    hingeless rotor, 1.12 per revolution. Radius, chord, speed, twist, tilt of the shaft, flap inertia, the tail
    rotor's size, the stabilizer's area, mass and inertias: R. K. Heffley, W. F. Jewell, J. M. Lehman, R. A. Van Winkle,
    A compilation and analysis of helicopter handling qualities data, NASA CR-3144 (1979), from a public
    transcription that was not checked against print. The tail rotor turns 21/4 times as fast as the main rotor, not
    5.24 times, so that both repeat their azimuth after four turns.

    Stand-ins: the NACA 0012 for the modified NACA 23012; the flap frequency (1.08 to 1.15 is usual for the type) and
    its split into offset and spring; precone, cut-outs; positions of rotors and tail surfaces; the fin; mass, hinges
    and delta-3 of the tail rotor; drag and moment of the fuselage, and the wake's effect on it; control stiffness and
    autopilot. inflow: of the main rotor; the tail rotor's is uniform. Validation: docs/validation/bo105.md.
    """
    flight = parts.Flight(parts.between(TRIM, airspeed), airspeed, wind, release)
    return BO105_MACHINE.with_inflow(inflow_of("bo105", inflow)).model(flight)


def trim(
    airspeed: float = 0.0, guess: dict[str, float] | None = None, inflow: Any = "pitt-peters", **options: Any
) -> Trim:
    """Controls and attitude of steady level flight [rad], with the fuselage held in a headwind."""
    made = BO105_MACHINE.with_inflow(inflow_of("bo105", inflow))
    return made.trim(airspeed, guess, STEPS, TURNS, **options)


def machine(airspeed: float = 0.0) -> Conventional:
    """The BO-105C; no setting depends on the airspeed."""
    return BO105_MACHINE


BO105 = ReadyModel(
    "bo105", build, "BO-105C in free flight, with a hingeless rotor and an autopilot",
    source="NASA CR-3144 (public transcription; partly stand-in)", timeline=Timeline(end=6.0, step=TURN / STEPS),
    plot=("fuselage.position", "main.rotor.thrust", "tail.rotor.thrust", "autopilot.roll.measured"),
)  # fmt: skip
