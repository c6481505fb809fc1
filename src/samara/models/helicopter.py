"""A conventional helicopter of the Puma's size, free in space: main rotor, fuselage, tail rotor, autopilot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from samara.elements.aero.air import Air
from samara.elements.aero.body import AeroBody
from samara.elements.aero.drag import Drag
from samara.elements.aero.rotor import Rotor
from samara.elements.aero.strip import Stations
from samara.elements.aero.thin import ThinAerofoil
from samara.elements.bodies.body import Body
from samara.elements.control.attitude import AttitudeRegulator
from samara.elements.control.pid import PID
from samara.elements.deformable.joint import DeformableJoint
from samara.elements.joints.prescribed_angle import PrescribedAngle
from samara.elements.joints.revolute import Revolute
from samara.elements.joints.total import TotalJoint
from samara.elements.laws.damper import DamperLaw
from samara.elements.laws.driven import DrivenLaw
from samara.model import (
    Constant,
    Cosine,
    Drive,
    Expression,
    Model,
    ModelError,
    Motion,
    Node,
    Parameter,
    Placement,
    State,
    as_drive,
)
from samara.models import puma, tail_rotor
from samara.models.deck import KINDS as DECKS
from samara.models.deck import Deck, deck_of
from samara.models.landing_gear import KINDS as GEARS
from samara.models.landing_gear import STAND_IN as GEAR_STAND_IN
from samara.models.landing_gear import LandingGear, gear_of
from samara.models.registry import Quantity, ReadyModel
from samara.rotations import euler_from_rotation, rotation_from_euler, rotation_y, rotation_z

if TYPE_CHECKING:
    from samara.analysis.trim import Trim

# as in Padfield's table of the SA 330, see `build`
MASS = 5805.0  # of the whole machine [kg]
I_XX, I_YY, I_ZZ, I_XZ = 9638.0, 33240.0, 25889.0, 2226.0  # about its centre of mass [kg m^2]
HUB = np.array([0.005, 0.0, 2.157])  # from the centre of mass: aft, to the right, up [m]
SHAFT = np.deg2rad(5.0)  # forward tilt of the shaft
TAIL = np.array([9.005, 0.0, 1.587])  # tail rotor's hub
TAILPLANE, FIN = 1.34, 1.395  # areas [m^2]
TAIL_ARM = 9.0  # of both [m]
TAILPLANE_SETTING = -0.0262  # rad
# stand-ins
AREAS = (2.4, 15.0, 10.0)  # flat-plate areas of the fuselage, along, across, from above [m^2]
WAKE = 1.4  # of the main rotor's induced velocity, felt by the fuselage
TAILPLANE_HEIGHT, FIN_HEIGHT = 0.5, 1.0  # m
TAILPLANE_SPAN, FIN_SPAN = 1.8, 1.6  # m
ACTUATOR, ACTUATOR_DAMPING = 1e7, 1e4  # of the swashplate's actuators [N/m, N s/m]
#: Of the autopilot: rad of pitch of the blades for a rad, and for a rad/s, of the machine; and how much of it at most.
GAINS = {"roll": (0.15, 0.06), "pitch": (0.35, 0.30), "heading": (0.40, 0.25)}
AUTHORITY = np.deg2rad(8.0)
LAG = 0.05  # of the derivative [s]

GRAVITY = 9.81
WEIGHT = MASS * GRAVITY
#: Damper that holds the machine until it is let go [N s/m, N m s/rad]: 100 N move it by 1 um/s; and how it fades [s].
HOLD, FADE, RELEASE = 1e8, 0.5, 2.0
#: After these five turns both rotors are where they were; the step that divides it is the 2.5 ms of 400 Hz, nearly.
PERIOD = 5 * puma.TURN
STEP = puma.TURN / 90
CONTROLS = ("collective", "theta1c", "theta1s", "pedal", "pitch", "roll")
#: Trims that `trim` found [deg], where it starts from; the first column is hover, where `build` starts.
GUESS = {
    "airspeed": (0.0, 10.0, 20.0, 40.0, 60.0),
    "collective": (11.97, 11.19, 10.10, 9.87, 11.67),
    "theta1c": (0.35, 0.54, 0.62, 0.97, 1.87),
    "theta1s": (2.66, 1.95, 1.32, -0.15, -2.81),
    "pedal": (8.42, 6.91, 4.36, 2.87, 3.59),
    "pitch": (2.25, 1.97, 1.57, 0.03, -1.92),
    "roll": (2.71, 2.33, 1.76, 1.47, 2.04),
}
HOVER = tuple(GUESS[name][0] for name in CONTROLS)
#: Look of the fuselage, made up: aft of the centre of mass, half width, half height, height of its middle [m].
HULL = np.array([
    (-4.75, 0.06, 0.06, -0.45), (-4.45, 0.4, 0.35, -0.45), (-3.7, 0.72, 0.7, -0.3), (-2.6, 0.92, 1.05, 0.0),
    (-1.6, 0.98, 1.2, 0.1), (1.8, 0.98, 1.2, 0.1), (3.3, 0.72, 0.9, 0.4), (4.8, 0.4, 0.5, 0.75),
    (8.9, 0.2, 0.26, 0.95), (9.4, 0.05, 0.08, 1.0),
])  # fmt: skip
#: From the node's axes (aft, right, up) to those of attitude (forward, right, down).
FORWARD = Placement((0.0, 0.0, 0.0), np.diag([-1.0, 1.0, -1.0]))
STAND_IN = (
    "fuselage drag, tail surfaces' shapes, tail blades but for their number and size, control system and autopilot are "
    "made up; masses and inertias are Padfield's of the SA 330, quoted and not checked against print"
)


def build(
    airspeed: Annotated[float, Quantity("m/s", "speed of flight through the air")] = 0.0,
    collective_deg: Annotated[float, Quantity("deg", "pitch at the blades' root; parameter collective")] = HOVER[0],
    theta1c_deg: Annotated[float, Quantity("deg", "cyclic pitch, cosine of the azimuth; parameter theta1c")] = HOVER[1],
    theta1s_deg: Annotated[float, Quantity("deg", "cyclic pitch, sine of the azimuth; parameter theta1s")] = HOVER[2],
    pedal_deg: Annotated[float, Quantity("deg", "pitch of the tail rotor; parameter pedal")] = HOVER[3],
    pitch_deg: Annotated[float, Quantity("deg", "attitude, nose up; parameter pitch")] = HOVER[4],
    roll_deg: Annotated[float, Quantity("deg", "attitude, right side down; parameter roll")] = HOVER[5],
    release: Annotated[float, Quantity("s", "when the fuselage is free; until then blades and wakes settle")] = RELEASE,
    blades: Annotated[str, Quantity("", "of the main rotor: rigid or elastic")] = "rigid",
    augmented: Annotated[bool, Quantity("", "whether the autopilot is on")] = True,
    clockwise: Annotated[bool, Quantity("", "main rotor seen from above, as the Puma's; else the mirror image")] = True,
    wind: Annotated[float, Quantity("m/s", "head wind: over the ground it flies at airspeed - wind; parameter")] = 0.0,
    gear: Annotated[str, Quantity("", f"landing gear, a stand-in: {', '.join(GEARS)}")] = "none",
    deck: Annotated[str, Quantity("", f"what is below it: {', '.join(DECKS)}")] = "none",
    clearance: Annotated[float, Quantity("m", "of its gear above the deck at the start", True)] = 3.0,
) -> Model:
    """A helicopter of the Puma's size in free flight, in trimmed hover by default.

        fuselage -shaft- main hub: swashplate, four blades with lag, flap and pitch hinges (`puma.add_rotor`)
                 -shaft- tail hub: five blades with skewed flap hinges and pitch bearings (`add_tail_rotor`)
                 drag in the wake of the main rotor, tailplane, fin, autopilot

    The fuselage's node is at the centre of mass of the whole machine, with axes aft, to the right, up. Both shafts turn
    at constant speeds against the fuselage, which feels their torques. Each rotor has its own air loads and its own
    uniform inflow by momentum theory; the wake of the main rotor blows on the fuselage, but not on the tail.

    It flies towards -x, through air that is still unless there is a `wind`: in a head wind as fast as `airspeed` it
    stands over its place. The two are the same but for rounding (`samara.solve.carrier`). Attitude is given by the
    Euler angles of `AttitudeRegulator`, from axes forward, right, down: first heading (zero at the start), then pitch,
    then roll; in axes aft, right, up R = Rz(-heading) Ry(pitch) Rx(-roll).

    Until `release` a damper between the fuselage and a node "track", which flies along, so stiff that nothing moves
    against it, lets blades and wakes settle; over its last half second it fades away. With controls and attitude of
    `trim`, as ``build(airspeed=V, **arguments(trim(V)))``, the machine then stays on its track. Zero: it is free from
    the start, with straight blades.

    Autopilot: three regulators hold roll, pitch and heading; they add to theta1c, theta1s and the tail rotor's pitch

        proportional (target - angle) - derivative rate,     8 degrees at most

    Targets are the parameters pitch, roll and heading. Height and speed are not held. The swashplate's actuators and
    the pitch links of the tail blades have a stiffness, since rigid ones could not follow a state.

    Numbers. Main rotor: see `samara.models.puma`. Mass 5805 kg, inertias, positions of the hubs, tilt of the shaft, 5
    tail blades of 1.56 m, solidity 0.19, delta-3 of 45 degrees, gearing 4.82 (24/5 here, see `tail_rotor.GEAR`), areas,
    arm and setting of tailplane and fin: the SA 330 of G. D. Padfield, Helicopter Flight Dynamics, 2nd edition, 2007,
    appendix 4B, quoted and not checked against print. The rotors' masses are taken off as points at their
    hubs. Air: standard day at sea level. Stand-ins, made up: flat-plate areas of the fuselage (2.4, 15, 10 m^2) and
    1.4 times the induced velocity on it (3 % download), heights and spans of the tail surfaces (on the centre line,
    slope by lifting-line theory), tail blades but for the above, stiffness of the controls, gains of the autopilot,
    sense of the tail rotor (lower blade forward), the landing gear (`samara.models.landing_gear`), whose mass is taken
    off the fuselage. The ready model landing has the same machine on its way down, with more to choose.
    """
    degrees = (collective_deg, theta1c_deg, theta1s_deg, pedal_deg, pitch_deg, roll_deg)
    settings = dict(zip(CONTROLS, degrees, strict=True))
    legs = gear_of(gear)
    return helicopter(
        settings, airspeed=airspeed, wind=wind, release=release, blades=blades, augmented=augmented,
        clockwise=clockwise, gear=legs, deck=deck_of(deck, None if legs is None else legs.low, clearance),
    )  # fmt: skip


def held(settings: Mapping[str, float], **options: Any) -> Model:
    """The helicopter held in a head wind by a joint, which knows what is missing: "hold.force" and "hold.couple".

    Its attitude follows the parameters pitch and roll; the joint's axes are those of "stand", which pitches and does
    not roll. options: airspeed, blades, augmented, clockwise as in `helicopter`.
    """
    return helicopter(settings, release=np.inf, wind=options.get("airspeed", 0.0), **options)


def helicopter(
    settings: Mapping[str, float],
    *,
    airspeed: float = 0.0,
    wind: float = 0.0,
    release: float = RELEASE,
    blades: str = "rigid",
    augmented: bool = True,
    clockwise: bool = True,
    commands: Mapping[str, Any] | None = None,
    gear: LandingGear | None = None,
    deck: Deck | None = None,
    name: str = "helicopter",
) -> Model:
    """The helicopter of `build` with these controls and this attitude, {name of `CONTROLS`: degrees}.

    commands: drives that are added: to "collective", "theta1c", "theta1s" (the pilot's stick), or to the autopilot's
              targets "roll", "pitch", "heading" [rad].
    gear, deck: landing gear, and what it may touch. name: of the model.
    """
    sense, told = (-1 if clockwise else 1), {name: as_drive(value) for name, value in (commands or {}).items()}
    known = (*CONTROLS[:3], *GAINS)
    for command in told:
        if command not in known:
            raise ModelError(f"helicopter: no command is called {command!r}; there are {', '.join(known)}")
    if blades not in puma.KINDS:
        raise ModelError(f"helicopter: blades must be one of {', '.join(puma.KINDS)}, got {blades!r}")
    made_up = STAND_IN if gear is None else f"{STAND_IN}; {GEAR_STAND_IN}"
    model = Model(name, gravity=(0.0, 0.0, -GRAVITY), stand_in=made_up)
    start = {name: float(np.radians(settings[name])) for name in CONTROLS}
    turned = rotation_from_euler("ZYX", (0.0, start["pitch"], start["roll"]))
    # past straight up or down the same attitude is that of a machine that looks back
    start |= dict(zip(("heading", "pitch", "roll"), map(float, euler_from_rotation("ZYX", turned)), strict=True))
    values = {name: Constant(Parameter(name, value, "rad")) for name, value in start.items()}
    sums = {name: drive + told[name] if name in told else drive for name, drive in values.items()}
    attitude = FORWARD.rotation @ turned @ FORWARD.rotation
    fuselage = model.node("fuselage", rotation=attitude, velocity=(wind - airspeed, 0.0, 0.0))
    _hold(model, fuselage, values, start["heading"], release)
    air = Air.standard(wind=(Constant(Parameter("wind", wind, "m/s")), 0.0, 0.0))
    added = _add_autopilot(model, fuselage, sums, sense, augmented)

    shaft = fuselage.place @ Placement(HUB, rotation_y(-SHAFT))
    hub = _add_shaft(model, "main.", fuselage, shaft, sense * puma.SPEED)
    # the swashplate's azimuth counts about z, that of theta1c in the sense of rotation
    servos = ((added["roll"], (0.0, sense, 0.0)), (added["pitch"], (0.0, 0.0, 1.0)))
    rotor = puma.add_rotor(
        model, "main.", mast=fuselage, hub=hub, place=shaft, air=air, controls=tuple(sums[n] for n in CONTROLS[:3]),
        start=[start[n] for n in CONTROLS[:3]], sense=sense, blades=blades, induced=10.0,
        actuators={"stiffness": ACTUATOR, "damping": ACTUATOR_DAMPING, "servos": servos},
    )  # fmt: skip
    side = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, sense], [0.0, -sense, 0.0]])  # x aft, z to port if clockwise
    place = fuselage.place @ Placement(TAIL, side)
    hub = _add_shaft(model, "tail.", fuselage, place, sense * tail_rotor.SPEED)
    tail_rotor.add_tail_rotor(
        model, "tail.", mast=fuselage, hub=hub, place=place, air=air, pedal=values["pedal"].value,
        added=added["heading"], start=start["pedal"], sense=sense,
    )  # fmt: skip
    _add_fuselage(model, fuselage, air, rotor, gear)
    if gear is not None:
        gear.add(model, fuselage, deck)
    return model


def _hold(model: Model, fuselage: Node, values: Mapping[str, Drive], heading: float, release: float) -> None:
    """A joint if the machine is never released, else a damper to a node that flies along, until it is."""
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


def _add_shaft(model: Model, prefix: str, fuselage: Node, place: Placement, spin: float) -> Node:
    """A hub without mass that turns at a constant speed against the fuselage, which feels the torque."""
    z = place.rotation[:, 2]
    motion = {"velocity": fuselage.velocity_at(place.position), "angular_velocity": spin * z}
    hub = model.node(f"{prefix}hub", place.position, place.rotation, static=True, **motion)
    frames: dict[str, Any] = {"place_a": fuselage.local(place), "place_b": Placement()}
    model.add(f"{prefix}shaft", Revolute(fuselage, hub, **frames))
    model.add(f"{prefix}engine", PrescribedAngle(fuselage, hub, angle=Expression(lambda t: spin * t), **frames))
    return hub


def _add_autopilot(
    model: Model, fuselage: Node, targets: Mapping[str, Drive], sense: int, augmented: bool
) -> dict[str, State]:
    """Three regulators of attitude; what each adds to the pitch of the blades [rad], by angle."""
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


def _add_fuselage(model: Model, fuselage: Node, air: Air, rotor: Rotor, gear: LandingGear | None) -> None:
    """Mass, drag, tailplane and fin."""
    model.add("fuselage.body", Body(fuselage, **body(gear)))
    around = np.linspace(0.0, 2 * np.pi, 20, endpoint=False)
    rounded = [np.sign(w) * np.abs(w) ** 0.7 for w in (np.cos(around), np.sin(around))]
    rings = [np.column_stack([0 * around + x, w * rounded[0], z + h * rounded[1]]) for x, w, h, z in HULL]
    model.adorn("fuselage.hull", fuselage, rings)
    model.add("fuselage.drag", Drag(fuselage, area=AREAS, rotor=rotor, factor=WAKE))
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
        model.add(name, AeroBody(fuselage, place=place, stations=along, aerofoil=section, air=air))


def body(gear: LandingGear | None = None) -> dict[str, Any]:
    """Mass, centre and inertia of the fuselage: the whole machine less its rotors and feet, points where they are."""
    span = puma.blade()
    rotors: tuple[tuple[float, np.ndarray], ...] = (
        (puma.BLADES * span.piece(span.station[0], puma.RADIUS).mass, HUB),
        (tail_rotor.BLADES * tail_rotor.MASS, TAIL),
        *((leg.mass, np.array(leg.at)) for leg in (gear.legs if gear else ())),
    )
    mass = MASS - sum(m for m, _ in rotors)
    com = -np.sum([m * p for m, p in rotors], axis=0) / mass
    inertia = np.array([[I_XX, 0.0, -I_XZ], [0.0, I_YY, 0.0], [-I_XZ, 0.0, I_ZZ]])
    for m, p in (*rotors, (mass, com)):
        inertia = inertia - m * (p @ p * np.eye(3) - np.outer(p, p))
    return {"mass": mass, "com": com, "inertia": inertia}


def trim(
    airspeed: float = 0.0,
    guess: Mapping[str, float] | None = None,
    *,
    blades: str = "rigid",
    clockwise: bool = True,
    tolerance: float = 1e-4,
) -> Trim:
    """Controls and attitude for steady level flight at an airspeed [m/s], without sideslip.

    Six unknowns, collective, theta1c, theta1s, pedal, pitch and roll, for six balances: in a head wind of that speed a
    joint holds the fuselage, and the means of its force and couple over five turns, after which both rotors are where
    they were, must vanish. The autopilot is part of it: it is asked for the attitude that is held, and adds next to
    nothing. See `sm.trim`.

    guess: {control: degrees}, the trims of `GUESS` if none. tolerance: of each force by the weight, and of each couple
    by the weight times a metre.
    """
    from samara.analysis import trim as find  # marches: loaded only when it is needed

    first = {name: float(np.interp(airspeed, GUESS["airspeed"], GUESS[name])) for name in CONTROLS}
    first["roll"] *= 1.0 if clockwise else -1.0
    settings = first | dict(guess or {})
    model = held(settings, airspeed=airspeed, blades=blades, clockwise=clockwise)
    targets: dict[Any, float] = {f"hold.{load}.{axis}": 0.0 for load in ("force", "couple") for axis in "xyz"}
    return find(
        model, {name: float(np.radians(settings[name])) for name in CONTROLS}, targets, period=PERIOD, step=STEP,
        sizes=dict.fromkeys(targets, WEIGHT), tolerance=tolerance, settle=1e-5, outputs=("*",),
    )  # fmt: skip


def arguments(found: Trim) -> dict[str, float]:
    """What a trim found, as arguments of `build`."""
    return {f"{name}_deg": float(np.degrees(value)) for name, value in found.controls.items()}


def equations(model: Model) -> dict[str, int]:
    """How many equations a step solves: counted as the source of the Puma does, and as Samara does.

    source: by the rules of `puma.source_equations`: 6 per node without inertia, 12 one with it; 6 abstract nodes of the
    controls; 6 for each driven shaft, 21 for the joints of the swashplate, 19 a main blade, 10 a tail blade (two
    hinges), 3 a regulator. No ground is needed.
    samara: 6 per node, one a constraint, nine states a rotor, three a regulator.
    """
    from samara.system import System  # compiles: loaded only when it is needed

    kinds = [node.kind for node in model.nodes.values()]
    nodes = 6 * kinds.count("static") + 12 * kinds.count("dynamic")
    joints = 2 * 6 + 21 + 19 * puma.BLADES + 10 * tail_rotor.BLADES
    return {"source": nodes + 6 + joints + 3 * len(GAINS), "samara": System(model).unknowns.size}


HELICOPTER = ReadyModel(
    "helicopter",
    build,
    "a conventional helicopter of the Puma's size in free flight, with a full tail rotor and an autopilot",
    source=(
        "main rotor as in the ready model puma; mass, inertia and tail rotor: Padfield, Helicopter Flight Dynamics, "
        "2007, the SA 330 of appendix 4B (quoted, not checked against print); the rest are stand-ins"
    ),
    duration=12.0,
    step=2.5e-3,
    plot=("fuselage.position", "autopilot.roll.measured", "autopilot.pitch.measured", "main.rotor.thrust"),
)
