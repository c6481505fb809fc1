"""Parts of the helicopter: mass, fuselage and tail surfaces, shafts, autopilot and holding device."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from samara.arguments import finite, known
from samara.blocks.pid import PID
from samara.elements.aero.aerofoils.linear_aerofoil import ThinAerofoil
from samara.elements.aero.inflow.wakes import RotorWake
from samara.elements.aero.rotors.rotor import Rotor
from samara.elements.aero.surfaces.body import AeroBody
from samara.elements.aero.surfaces.body_coefficients import BodyCoefficients, CoefficientTables, QuadraticCoefficients
from samara.elements.aero.surfaces.drag import Drag
from samara.elements.aero.surfaces.fuselage import Fuselage
from samara.elements.aero.surfaces.strip import Stations
from samara.elements.aero.wind.air import Air
from samara.elements.aero.wind.gusts import Gust
from samara.elements.bodies.body import Body
from samara.elements.control.regulators.attitude_regulator import AttitudeRegulator
from samara.elements.deformable.joint import DeformableJoint
from samara.elements.joints.prescribed_motion.prescribed_angle import PrescribedAngle
from samara.elements.joints.revolute import Revolute
from samara.elements.joints.total import TotalJoint
from samara.elements.laws.damper import DamperLaw
from samara.elements.laws.driven import DrivenLaw
from samara.model import (
    ArgumentError,
    Constant,
    Cosine,
    Drive,
    Expression,
    Model,
    ModelError,
    Motion,
    Node,
    Placement,
    State,
)
from samara.models.articulated_rotors import puma, tail_rotor
from samara.models.controls import Control, control
from samara.models.ground.landing_gear import LandingGear
from samara.rotations import rotation_z

# as in Padfield's table of the SA 330, see `helicopter.build`
MASS = 5805.0  # of the whole machine [kg]
I_XX, I_YY, I_ZZ, I_XZ = 9638.0, 33240.0, 25889.0, 2226.0  # about its centre of mass [kg m^2]
HUB = np.array([0.005, 0.0, 2.157])  # from the centre of mass: aft, to the right, up [m]
TAIL = np.array([9.005, 0.0, 1.587])  # tail rotor's hub
TAILPLANE, FIN = 1.34, 1.395  # areas [m^2]
TAIL_ARM = 9.0  # of both [m]
TAILPLANE_SETTING = -0.0262  # rad
# stand-ins
AREAS = (2.4, 15.0, 10.0)  # flat-plate areas of the fuselage, along, across, from above [m^2]
WAKE = 1.4  # of the main rotor's induced velocity, felt by the fuselage
TAILPLANE_HEIGHT, FIN_HEIGHT = 0.5, 1.0  # m
TAILPLANE_SPAN, FIN_SPAN = 1.8, 1.6  # m
#: Of the autopilot: rad of pitch of the blades for a rad, and for a rad/s, of the machine; and how much of it at most.
GAINS = {"roll": (0.15, 0.06), "pitch": (0.35, 0.30), "heading": (0.40, 0.25)}
AUTHORITY = np.deg2rad(8.0)
LAG = 0.05  # of the derivative [s]
#: What coefficients of the fuselage refer to [m^2, m]; and points of the tables that stand in for measured ones [rad].
REFERENCE_AREA, REFERENCE_LENGTH = 10.0, 10.0
ALPHA, BETA = np.radians(np.arange(-180.0, 181.0, 5.0)), np.radians(np.arange(-90.0, 91.0, 5.0))
FUSELAGES = ("plates", "slender", "tables")

#: Damper that holds the machine until it is let go [N s/m, N m s/rad]: 100 N move it by 1 um/s; and how it fades [s].
HOLD, FADE = 1e8, 0.5
#: Look of the fuselage, made up: aft of the centre of mass, half width, half height, height of its middle [m].
HULL = np.array([
    (-4.75, 0.06, 0.06, -0.45), (-4.45, 0.4, 0.35, -0.45), (-3.7, 0.72, 0.7, -0.3), (-2.6, 0.92, 1.05, 0.0),
    (-1.6, 0.98, 1.2, 0.1), (1.8, 0.98, 1.2, 0.1), (3.3, 0.72, 0.9, 0.4), (4.8, 0.4, 0.5, 0.75),
    (8.9, 0.2, 0.26, 0.95), (9.4, 0.05, 0.08, 1.0),
])  # fmt: skip
#: Power to which its sections are rounded: 1 would be an ellipse, 0 a rectangle.
ROUNDED = 0.7
#: From the node's axes (aft, right, up) to those of attitude (forward, right, down).
FORWARD = Placement((0.0, 0.0, 0.0), np.diag([-1.0, 1.0, -1.0]))


@dataclass(frozen=True)
class Loading:
    """Loading of the machine: total mass [kg]; com: its centre of mass, aft, right, up of the fuselage's node [m].

    By default it is at the node. The inertia about it remains that of the table.
    """

    mass: float = MASS
    com: Sequence[float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Surroundings:
    """The air and the ground.

    altitude [m], offset [K]: of the standard atmosphere, see `Air.standard`; stratified: density varies with height.
    wind: over the ground [m/s]: a single number is a headwind, along x; or three, along x, y and z of the world. Each
    is a number (parameters wind, wind_y, wind_z), a `Parameter` or a drive. gusts: added to it.
    ground: height of the ground in the world, for ground effect on the main rotor [m]; None: no ground effect.
    """

    altitude: float = 0.0
    offset: float = 0.0
    stratified: bool = False
    wind: Any = 0.0
    gusts: Gust | Sequence[Gust] = ()
    ground: float | None = None

    def winds(self) -> list[Control]:
        """Wind along x, y and z."""
        along = self.wind if isinstance(self.wind, (tuple, list, np.ndarray)) else (self.wind, 0.0, 0.0)
        if len(along) != 3:
            raise ModelError(f"helicopter: wind must be a head wind or three components, got {len(along)}")
        names = ("wind", "wind_y", "wind_z")
        return [control(name, value, "m/s") for name, value in zip(names, along, strict=True)]

    def air(self, winds: Sequence[Control]) -> Air:
        wind = tuple(w.drive for w in winds)
        return Air.standard(self.altitude, self.offset, wind=wind, gusts=self.gusts, stratified=self.stratified)


#: Loading and surroundings that are meant where none are given.
USUAL, CALM = Loading(), Surroundings()
#: Arguments of `build` that `helicopter` has in other words.
AIR, CENTRE = ("altitude", "offset", "stratified", "gusts"), ("com_aft", "com_right", "com_up")
REWORDED = (*AIR, "ground", "height", "mass", *CENTRE, "climb_deg", "sideslip_deg")


def reworded(who: str, given: Mapping[str, Any], takes: Callable) -> dict[str, Any]:
    """Options of `helicopter` (`takes`) from those of `build` as well: air and ground, loading, angles in degrees."""
    own = [p.name for p in inspect.signature(takes).parameters.values() if p.kind is p.KEYWORD_ONLY]
    known(who, given, [*own, *REWORDED])
    found = {name: value for name, value in given.items() if name not in REWORDED}
    air: dict[str, Any] = {name: given[name] for name in AIR if name in given}
    if given.get("ground", False):
        air["ground"] = -given.get("height", 5.0)
    elif "height" in given:
        raise ArgumentError(f"{who}: height is over the ground that the rotor feels: give ground=True too")
    if air:
        found["surroundings"] = replace(given.get("surroundings") or CALM, **air)
    loading: Loading = given.get("loading") or USUAL
    com = tuple(given.get(name, at) for name, at in zip(CENTRE, loading.com, strict=True))
    found["loading"] = Loading(given.get("mass", loading.mass), com)
    for name in ("climb", "sideslip"):
        if f"{name}_deg" in given:
            found[name] = float(np.radians(finite(f"{who}: {name}_deg", given[f"{name}_deg"])))
    return found


def hold(model: Model, fuselage: Node, values: Mapping[str, Drive], heading: float, release: float) -> None:
    """A joint if the machine is never released, otherwise a damper to a node that flies along until the release."""
    if release == np.inf:
        stand = model.prescribed("stand", Motion(rotation=(0.0, values["pitch"], 0.0)), rotation=rotation_z(-heading))
        turned = (-values["roll"], 0.0, 0.0)
        model.add("hold", TotalJoint(stand, fuselage, place_a=Placement(), place_b=Placement(), rotation=turned))
    elif release > 0.0:
        fade = min(FADE, release)
        stiff = DrivenLaw(DamperLaw(HOLD), Cosine(-1.0, fade, start=release - fade, initial=1.0))
        along = tuple(Constant(v) * Expression(lambda t: t) for v in fuselage.velocity)
        track = model.prescribed("track", Motion(position=along), frame=fuselage)
        # axes of the track: where the fuselage is does not matter then, so that its carrier is free to follow it
        model.add("hold", DeformableJoint(track, fuselage, law=(stiff,) * 6, axes="d"))


def hold_turning(model: Model, fuselage: Node, turned: Sequence[Drive]) -> None:
    """A joint to a stand that turns by a rotation vector in the fuselage's axes."""
    stand = model.prescribed("stand", Motion(rotation=turned), frame=fuselage)
    model.add("hold", TotalJoint(stand, fuselage, place_a=Placement(), place_b=Placement()))


def add_shaft(
    model: Model, prefix: str, fuselage: Node, place: Placement, spin: float, prescribed: bool = True
) -> Node:
    """A massless hub that turns at a constant speed relative to the fuselage, which takes the torque.

    prescribed: whether the speed is held; otherwise the hub is driven by something else.
    """
    z = place.rotation[:, 2]
    motion = {"velocity": fuselage.velocity_at(place.position), "angular_velocity": spin * z}
    hub = model.node(f"{prefix}hub", place.position, place.rotation, static=True, **motion)
    frames: dict[str, Any] = {"place_a": fuselage.local(place), "place_b": Placement()}
    model.add(f"{prefix}shaft", Revolute(fuselage, hub, **frames))
    if prescribed:
        model.add(f"{prefix}engine", PrescribedAngle(fuselage, hub, angle=Expression(lambda t: spin * t), **frames))
    return hub


def add_autopilot(
    model: Model, fuselage: Node, targets: Mapping[str, Drive], sense: int, augmented: bool
) -> dict[str, State]:
    """Three attitude regulators; returns what each adds to the blade pitch [rad], by angle."""
    signs, added = {"roll": -sense, "pitch": 1.0, "heading": -sense}, {}
    for angle, (proportional, derivative) in GAINS.items():
        k = signs[angle] * augmented
        law = PID(
            proportional=k * proportional, derivative=k * derivative, lag=LAG, lower=-AUTHORITY, upper=AUTHORITY,
            corner=0.25 * AUTHORITY,
        )  # fmt: skip
        regulator = AttitudeRegulator(
            model.ground, fuselage, place_a=FORWARD, place_b=FORWARD, angle=angle, law=law, target=targets[angle],
            unit="rad", scale=0.01,
        )  # fmt: skip
        added[angle] = model.add(f"autopilot.{angle}", regulator).output
    return added


def add_fuselage(
    model: Model,
    node: Node,
    air: Air,
    rotor: Rotor,
    gear: LandingGear | None = None,
    loading: Loading = USUAL,
    kind: str | BodyCoefficients = "plates",
    wakes: Sequence[RotorWake] = (),
    parts: Sequence[tuple[float, Sequence[float]]] = (),
) -> None:
    """Mass, drag or coefficients, tailplane and fin, subject to wakes; parts: see `body`."""
    model.add("fuselage.body", Body(node, **body(gear, loading, parts)))
    around = np.linspace(0.0, 2 * np.pi, 20, endpoint=False)
    rounded = [np.sign(w) * np.abs(w) ** ROUNDED for w in (np.cos(around), np.sin(around))]
    rings = [np.column_stack([0 * around + x, w * rounded[0], z + h * rounded[1]]) for x, w, h, z in HULL]
    model.adorn("fuselage.hull", node, rings)
    wake: dict[str, Any] = {"rotor": rotor, "factor": WAKE}
    if kind == "plates":
        model.add("fuselage.drag", Drag(node, area=AREAS, **wake))
    else:
        sizes: dict[str, Any] = {"area": REFERENCE_AREA, "length": REFERENCE_LENGTH}
        load = Fuselage(node, place=FORWARD, coefficients=coefficients(kind), **sizes, **wake)
        model.add("fuselage.air", load)
    # span frames: x along the span, y forward
    level = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    upright = np.array([[0.0, -1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]])
    for name, area, span, axes, height, setting in (
        ("tailplane", TAILPLANE, TAILPLANE_SPAN, level, TAILPLANE_HEIGHT, TAILPLANE_SETTING),
        ("fin", FIN, FIN_SPAN, upright, FIN_HEIGHT, 0.0),
    ):
        slope = 2 * np.pi / (1.0 + 2.0 * area / span**2)  # lifting line, elliptic
        along = Stations.gauss(-0.5 * span, 0.5 * span, 3, area / span, setting)
        section = ThinAerofoil(slope=slope, cd_0=0.01, stall=np.deg2rad(20.0))
        place = Placement((TAIL_ARM, 0.0, height), axes)
        model.add(name, AeroBody(node, place=place, stations=along, aerofoil=section, air=air, wakes=wakes))


def coefficients(kind: str | BodyCoefficients) -> BodyCoefficients:
    """Fuselage coefficients, by `REFERENCE_AREA` and `REFERENCE_LENGTH`, in axes forward, right, down at the node.

    "slender": flat plates plus Munk's moment of a slender body with the hull's volume; "tables": the same, tabulated
    every five degrees like wind-tunnel data. Both are stand-ins. Or coefficients of your own.
    """
    if isinstance(kind, BodyCoefficients):
        return kind
    if kind not in FUSELAGES:
        raise ModelError(
            f"helicopter: fuselage must be one of {', '.join(FUSELAGES)}, or coefficients such as "
            f"CoefficientTables(...), got {kind!r}"
        )
    form = QuadraticCoefficients.slender(AREAS, hull_volume(), REFERENCE_AREA, REFERENCE_LENGTH)
    if kind == "slender":
        return form
    values = np.zeros((len(ALPHA), len(BETA), 6))
    for i, a in enumerate(ALPHA):
        for j, b in enumerate(BETA):
            n = (np.cos(a) * np.cos(b), np.sin(b), np.sin(a) * np.cos(b))
            values[i, j] = form.coefficients(n, a, b)
    values[-1] = values[0]
    values[:, 0], values[:, -1] = values[0, 0], values[0, -1]
    return CoefficientTables.sampled(ALPHA, BETA, values)


def hull_volume() -> float:
    """Volume of the drawn hull by the trapezoidal rule [m^3]."""
    around = np.linspace(0.0, np.pi / 2, 200)
    y, z = np.cos(around) ** ROUNDED, np.sin(around) ** ROUNDED
    quarter = float(np.sum(0.5 * (y[1:] + y[:-1]) * np.diff(z)))
    section = 4.0 * quarter * HULL[:, 1] * HULL[:, 2]
    return float(np.sum(0.5 * (section[1:] + section[:-1]) * np.diff(HULL[:, 0])))


def body(
    gear: LandingGear | None = None,
    loading: Loading = USUAL,
    parts: Sequence[tuple[float, Sequence[float]]] = (),
) -> dict[str, Any]:
    """Mass, centre and inertia of the fuselage: the whole machine less its rotors and feet as point masses.

    parts: (mass [kg], place [m]) of further parts with bodies of their own.
    """
    span = puma.blade()
    rotors: tuple[tuple[float, np.ndarray], ...] = (
        (puma.BLADES * span.piece(span.station[0], puma.RADIUS).mass, HUB),
        (tail_rotor.BLADES * tail_rotor.MASS, TAIL),
        *((leg.mass, np.array(leg.at)) for leg in (gear.legs if gear else ())),
        *((mass, np.array(place)) for mass, place in parts),
    )
    centre = np.asarray(loading.com, float)
    if centre.shape != (3,) or not np.isfinite(centre).all():
        raise ModelError(f"helicopter: com must be three numbers, aft, right, up [m], got {loading.com!r}")
    mass = loading.mass - sum(m for m, _ in rotors)
    if not mass > 0.0:
        raise ModelError(f"helicopter: mass of {loading.mass:g} kg is less than that of its rotors and gear")
    com = (loading.mass * centre - np.sum([m * p for m, p in rotors], axis=0)) / mass
    inertia = np.array([[I_XX, 0.0, -I_XZ], [0.0, I_YY, 0.0], [-I_XZ, 0.0, I_ZZ]])
    for m, p in (*rotors, (mass, com)):
        d = p - centre
        inertia = inertia - m * (d @ d * np.eye(3) - np.outer(d, d))
    if np.linalg.eigvalsh(inertia)[0] <= 0.0:
        raise ModelError(
            f"helicopter: with its centre of mass at {tuple(map(float, centre))} m the fuselage has no inertia left: "
            "the table's is that of the whole machine"
        )
    return {"mass": mass, "com": com, "inertia": inertia}
