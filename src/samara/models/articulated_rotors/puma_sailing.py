"""The Puma's rotor with droop and anti-flap stops, slow or still in the wind: rotor sailing.

Fancello, Morandini, Masarati, Helicopter rotor sailing by non-smooth dynamics co-simulation, Archive of Mechanical
Engineering 61(2), 2014: engagement and disengagement of the rotor, and the still rotor in a gust front.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from samara.elements.aero.wind.air import Air
from samara.elements.aero.wind.gusts import Front, Gust, OneMinusCosine
from samara.elements.contact.angle_stop import AngleStop
from samara.elements.joints.prescribed_motion.prescribed_angle import PrescribedAngle
from samara.elements.joints.revolute import Revolute
from samara.elements.laws.contact_laws.hertz import FloresLaw
from samara.elements.laws.contact_laws.stop import StopLaw
from samara.elements.springs.torsion import Torsion
from samara.method.method import Method
from samara.method.timeline import Timeline
from samara.model import Constant, Drive, Expression, Model, Motion, Node, Placement
from samara.models.articulated_rotors.puma import BLADES, KINDS, RADIUS, SPEED, add_rotor
from samara.models.ground.ship import ShipMotion
from samara.models.quantity import AROUND
from samara.models.registry import Quantity, ReadyModel, checked
from samara.tracing import fmax, fmin

CASES = ("engagement", "gust")
STOPS = ("unilateral", "penalty", "none")
#: Angles of the droop and anti-flap stops [deg], and where the flap hinge is from them in the paper.
DROOP_DEG, ANTIFLAP_DEG = -10.0, 10.0
#: Peak of the stand-in gust [m/s]: as in the paper, it lifts blade 1 to its anti-flap stop; 25 m/s lift it to -3.8 deg.
GUST = 35.0
#: The paper's run: how long the rotor winds up, turns at full speed, and winds down [s].
WINDUP, HOLD = 20.0, 10.0
DENSITY, SOUND = 1.225, 340.3  # standard air at sea level
#: Impact rate that the continuous law's restitution is meant for [rad/s]: the paper detects it, ours is given.
IMPACT_RATE = 0.5


@checked("puma-sailing")
def build(
    case: Annotated[
        str, Quantity("", "engagement, or gust: the still rotor in a gust front", choices=CASES)
    ] = "engagement",
    stops: Annotated[str, Quantity("", "of flapping", choices=STOPS)] = "unilateral",
    blades: Annotated[str, Quantity("", "rigid or elastic (five three-node beams each)", choices=KINDS)] = "elastic",
    restitution: Annotated[float, Quantity("1", "of the stops", lower=0.0, upper=1.0)] = 0.8,
    stiffness: Annotated[float, Quantity("N m/rad^1.5", "of penalty stops", True)] = 1e9,
    gust: Annotated[float, Quantity("m/s", "peak of the gust; stand-in: the paper does not print it")] = GUST,
    gust_duration: Annotated[float, Quantity("s", "from calm to calm; stand-in", True)] = 4.0,
    gust_deg: Annotated[
        float, Quantity("deg", "where gust and wind blow to, from blade 1 (x, aft) to y", **AROUND)
    ] = 90.0,
    wind: Annotated[float, Quantity("m/s", "steady wind along the same direction")] = 0.0,
    density: Annotated[float, Quantity("kg/m^3", "of the air", True)] = DENSITY,
    speed: Annotated[float, Quantity("1", "of the full rotor speed, that engagement leads to", True)] = 1.0,
    windup: Annotated[float, Quantity("s", "how long engagement, and disengagement, take", True)] = WINDUP,
    hold: Annotated[float, Quantity("s", "how long the rotor turns at full speed between them", True)] = HOLD,
    roll_deg: Annotated[
        float, Quantity("deg", "amplitude of the ship's roll, about x; stand-in", lower=-89.0, upper=89.0)
    ] = 0.0,
    pitch_deg: Annotated[
        float, Quantity("deg", "amplitude of its pitch, about y; stand-in", lower=-89.0, upper=89.0)
    ] = 0.0,
    heave: Annotated[float, Quantity("m", "amplitude of its heave; stand-in")] = 0.0,
    roll_period: Annotated[float, Quantity("s", "of roll", True)] = 10.0,
    pitch_period: Annotated[float, Quantity("s", "of pitch", True)] = 6.0,
    heave_period: Annotated[float, Quantity("s", "of heave", True)] = 8.0,
    hub_height: Annotated[float, Quantity("m", "of the hub above the axes of roll and pitch; stand-in")] = 10.0,
) -> Model:
    """Four blades that start on their droop stops at -10 degrees, unloaded: gravity is applied from the start.

    engagement: the speed rises as Omega (1 - cos(pi t / windup)) / 2, stays constant, and falls in the same way;
    controls are zero, the air is still. (Equation 9 of the paper lacks the factor one half: it would give twice the
    speed.) gust: the hub is at rest, the collective pitch is 10 degrees, and a gust front travels along y, across
    blade 1.

    stops: "unilateral" stops are rigid (`AngleStop`); "penalty" is a Hertzian law about the flap hinge (`FloresLaw`,
    equation 8) with a given impact rate.

    With roll, pitch or heave the rotor is on a ship (`ShipMotion`), whose node "ship" is `hub_height` below the hub:
    the mast moves with it, and the hub turns on the mast. Wind and gust are those over the sea, without an air wake of
    the ship.

    Stand-ins: the profile of the gust, 1 - cosine of 4 s with a peak of 35 m/s (the paper's figure 6 has no numbers;
    its gust lifts blade 1 onto the anti-flap stop, and so does this one), the motion of the ship, and those of
    the ready model puma.
    """
    model = Model(
        "puma-sailing",
        gravity=(0.0, 0.0, -9.81),
        stand_in="profile of the gust; motion of the ship; lengths of links; rigid controls",
    )
    sense = -1  # clockwise seen from above
    still = case == "gust"
    along = np.array([np.cos(np.radians(gust_deg)), np.sin(np.radians(gust_deg)), 0.0])

    def angle(t):
        return 0.0 * t if still else sense * speed * SPEED * turned(t, windup, hold)

    ship = ShipMotion(
        float(np.radians(roll_deg)), float(np.radians(pitch_deg)), heave, (roll_period, pitch_period, heave_period)
    )
    mast, hub = _add_hub(model, ship, hub_height, Expression(angle))
    gusts: tuple[Gust, ...] = ()
    if still and gust:
        one = OneMinusCosine(gust * along, gust_duration, 0.5)
        gusts = (Front(one, along, abs(gust), point=-RADIUS * along),)
    air = Air(density, SOUND, wind=tuple(wind * along), gusts=gusts)
    controls = np.radians([10.0 if still else 0.0, 0.0, 0.0])
    add_rotor(
        model, mast=mast, hub=hub, air=air, controls=tuple(Constant(c) for c in controls), start=controls,
        sense=sense, blades=blades, speed=0.0, flap=float(np.radians(DROOP_DEG)), induced=0.0,
    )  # fmt: skip
    for k in range(BLADES):
        _add_stops(model, f"blade_{k + 1}", stops, restitution, stiffness)
    return model


def turned(t, windup: float, hold: float):
    """Rotation angle divided by full speed for the run-up, the constant-speed phase and the run-down [s]."""

    def rise(x):
        x = fmin(fmax(x, 0.0), windup)
        return 0.5 * x - windup / (2.0 * np.pi) * np.sin(np.pi * x / windup)

    full = fmin(fmax(t - windup, 0.0), hold)
    return rise(t) + full + rise(windup) - rise(2.0 * windup + hold - fmax(t, windup + hold))


def _add_hub(model: Model, ship: ShipMotion, height: float, angle: Drive) -> tuple[Node, Node]:
    """The support and the hub, at the origin: the hub is prescribed on the ground, or turns on a shaft on a ship."""
    if ship.still:
        return model.ground, model.prescribed("hub", Motion(rotation=(0, 0, angle)))
    mast = ship.add(model, position=(0.0, 0.0, -height))
    hub = model.node("hub", static=True)
    frames: dict[str, Any] = {"place_a": Placement((0.0, 0.0, height)), "place_b": Placement()}
    model.add("shaft", Revolute(mast, hub, **frames))
    model.add("engine", PrescribedAngle(mast, hub, angle=angle, **frames))
    return mast, hub


def _add_stops(model: Model, blade: str, kind: str, restitution: float, stiffness: float) -> None:
    flap = model.elements[f"{blade}.flap"]
    assert isinstance(flap, Revolute)
    ends = np.radians([DROOP_DEG, ANTIFLAP_DEG])
    frames: dict[str, Any] = {"place_a": flap.place_a, "place_b": flap.place_b}
    if kind == "unilateral":
        more = {**frames, "restitution": restitution}
        model.add(f"{blade}.droop", AngleStop(flap.a, flap.b, limit=float(ends[0]), side="lower", **more))
        model.add(f"{blade}.antiflap", AngleStop(flap.a, flap.b, limit=float(ends[1]), side="upper", **more))
    elif kind == "penalty":
        law = StopLaw(FloresLaw(stiffness, restitution, IMPACT_RATE), *ends)
        model.add(f"{blade}.stops", Torsion(flap.a, flap.b, law=law, **frames))


PUMA_SAILING = ReadyModel(
    "puma-sailing",
    build,
    "the Puma's rotor with droop and anti-flap stops, engaged and disengaged, or still in a gust",
    source="Fancello et al. 2014; blades as in puma (profile of the gust and lengths of links are stand-ins)",
    timeline=Timeline(end=5.0, step=1e-3),
    method=Method(tolerance=1e-7),
    plot=("blade_1.flap.angle", "blade_1.lag.angle"),
)
