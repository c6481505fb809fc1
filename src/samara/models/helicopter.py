"""A conventional helicopter of the Puma's size, free in space: main rotor, fuselage, tail rotor, autopilot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from samara.elements import PID, AttitudeRegulator, Body, Lock, PrescribedAngle, Revolute, TotalJoint
from samara.elements.aero import AeroBody, Air, Drag, Stations, ThinAerofoil
from samara.model import Constant, Drive, Expression, Model, Node, Parameter, Placement, Step, as_drive
from samara.models import puma, tail_rotor
from samara.models.registry import Quantity, ReadyModel
from samara.rotations import exp_so3, rotation_y

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
#: After these five turns both rotors are where they were; the step that divides it is the 2.5 ms of 400 Hz, nearly.
PERIOD = 5 * puma.TURN
STEP = puma.TURN / 90
CONTROLS = ("collective", "theta1c", "theta1s", "pedal", "pitch", "roll")
#: From the node's axes (aft, right, up) to those of attitude (forward, right, down).
FORWARD = Placement((0.0, 0.0, 0.0), np.diag([-1.0, 1.0, -1.0]))
STAND_IN = (
    "fuselage drag, tail surfaces' shapes, tail blades but for their number and size, control system and autopilot are "
    "made up; masses and inertias are Padfield's of the SA 330, quoted and not checked against print"
)


def build(
    airspeed: Annotated[float, Quantity("m/s", "head wind in which the machine stands; also a parameter")] = 0.0,
    collective_deg: Annotated[float, Quantity("deg", "pitch at the blades' root; parameter collective")] = 13.0,
    theta1c_deg: Annotated[float, Quantity("deg", "cyclic pitch, cosine of the azimuth; parameter theta1c")] = 0.0,
    theta1s_deg: Annotated[float, Quantity("deg", "cyclic pitch, sine of the azimuth; parameter theta1s")] = 0.0,
    pedal_deg: Annotated[float, Quantity("deg", "pitch of the tail rotor; parameter pedal")] = 12.0,
    pitch_deg: Annotated[float, Quantity("deg", "attitude, nose up; parameter pitch")] = 5.0,
    roll_deg: Annotated[float, Quantity("deg", "attitude, right side down; parameter roll")] = 2.0,
    release: Annotated[float, Quantity("s", "when the fuselage is let go")] = 2.0,
    blades: Annotated[str, Quantity("", "of the main rotor: rigid or elastic")] = "rigid",
    augmented: Annotated[bool, Quantity("", "whether the autopilot is on")] = True,
    clockwise: Annotated[bool, Quantity("", "main rotor seen from above, as the Puma's; else the mirror image")] = True,
) -> Model:
    """Free flight."""
    attitude = (pitch_deg, roll_deg)
    controls = (collective_deg, theta1c_deg, theta1s_deg, pedal_deg)
    return helicopter(
        controls, attitude, airspeed=airspeed, release=release, blades=blades, augmented=augmented, clockwise=clockwise
    )


def helicopter(
    controls_deg: tuple[float, float, float, float],
    attitude_deg: tuple[float, float],
    *,
    airspeed: float = 0.0,
    release: float | None = 2.0,
    blades: str = "rigid",
    augmented: bool = True,
    clockwise: bool = True,
    commands: Mapping[str, Any] | None = None,
) -> Model:
    """The helicopter."""
    sense = -1 if clockwise else 1
    model = Model("helicopter", gravity=(0.0, 0.0, -GRAVITY), stand_in=STAND_IN)
    pitch, roll = np.radians(attitude_deg)
    told = {name: as_drive(value) for name, value in (commands or {}).items()}
    attitude = {
        "pitch": Parameter("pitch", pitch, "rad"), "roll": Parameter("roll", roll, "rad"),
        "heading": Parameter("heading", 0.0, "rad"),
    }  # fmt: skip
    fuselage = model.node("fuselage", rotation=exp_so3(np.array([-roll, pitch, 0.0])))
    if release is None:
        turned = (-Constant(attitude["roll"]), Constant(attitude["pitch"]), 0.0)
        model.add("hold", TotalJoint(model.ground, fuselage, rotation=turned))
    else:
        every = (True, True, True)
        engaged = Step(0.0, time=release, before=1.0)
        model.add("hold", Lock(model.ground, fuselage, engaged=engaged, time=100.0, hold_position=every, hold_rotation=every))
    wind = Constant(Parameter("airspeed", airspeed, "m/s"))
    air = Air.standard(wind=(wind, 0.0, 0.0))
    names = ("collective", "theta1c", "theta1s", "pedal")
    sticks = {n: Parameter(n, np.radians(v), "rad") for n, v in zip(names, controls_deg, strict=True)}
    outputs = _add_autopilot(model, fuselage, attitude, told, sense, augmented)

    shaft = fuselage.place @ Placement(HUB, rotation_y(-SHAFT))
    hub = _add_shaft(model, "main.", fuselage, shaft, sense * puma.SPEED)
    control = tuple(Constant(sticks[n]) + told[n] if n in told else Constant(sticks[n]) for n in names[:3])
    # the servo's pitch counts from x about z, the autopilot's in the sense of rotation
    servos = ((outputs["roll"], (0.0, sense, 0.0)), (outputs["pitch"], (0.0, 0.0, 1.0)))
    rotor = puma.add_rotor(
        model, "main.", mast=fuselage, hub=hub, place=shaft, air=air, controls=control,
        start=np.radians(controls_deg[:3]), sense=sense, blades=blades, induced=10.0,
        actuators={"stiffness": ACTUATOR, "damping": ACTUATOR_DAMPING, "servos": servos},
    )  # fmt: skip
    side = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, sense], [0.0, -sense, 0.0]])  # x aft, z where the thrust goes
    place = fuselage.place @ Placement(TAIL, side)
    hub = _add_shaft(model, "tail.", fuselage, place, sense * tail_rotor.SPEED)
    tail_rotor.add_tail_rotor(
        model, "tail.", mast=fuselage, hub=hub, place=place, air=air, pedal=sticks["pedal"], added=outputs["heading"],
        start=float(np.radians(controls_deg[3])), sense=sense,
    )  # fmt: skip
    _add_fuselage(model, fuselage, air, rotor)
    return model


def _add_shaft(model: Model, prefix: str, fuselage: Node, place: Placement, spin: float) -> Node:
    """A hub without mass that turns at a constant speed against the fuselage, which feels the torque."""
    z = place.rotation[:, 2]
    hub = model.node(f"{prefix}hub", place.position, place.rotation, angular_velocity=spin * z, static=True)
    frames = {"place_a": fuselage.local(place), "place_b": Placement()}
    model.add(f"{prefix}shaft", Revolute(fuselage, hub, **frames))
    model.add(f"{prefix}engine", PrescribedAngle(fuselage, hub, angle=Expression(lambda t: spin * t), **frames))
    return hub


def _add_autopilot(
    model: Model, fuselage: Node, target: dict[str, Parameter], told: dict[str, Drive], sense: int, augmented: bool
) -> dict:
    """Three regulators of attitude; what each adds to the pitch of the blades [rad], by angle."""
    signs = {"roll": -sense, "pitch": 1.0, "heading": -sense}
    added = {}
    for angle, (proportional, derivative) in GAINS.items():
        k = signs[angle] * augmented
        law = PID(
            proportional=k * proportional, derivative=k * derivative, lag=LAG, lower=-AUTHORITY, upper=AUTHORITY,
            corner=0.25 * AUTHORITY,
        )  # fmt: skip
        aim = Constant(target[angle]) + told[angle] if angle in told else Constant(target[angle])
        regulator = AttitudeRegulator(
            model.ground, fuselage, place_a=FORWARD, place_b=FORWARD, angle=angle, law=law, target=aim, unit="rad",
            scale=0.01,
        )  # fmt: skip
        added[angle] = model.add(f"autopilot.{angle}", regulator).output
    return added


def _add_fuselage(model: Model, fuselage: Node, air: Air, rotor: Any) -> None:
    """Mass, drag, tailplane and fin."""
    model.add("fuselage.body", Body(fuselage, **body()))
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


def body() -> dict[str, Any]:
    """Mass, centre and inertia of the fuselage: the whole machine less its rotors, points at their hubs."""
    span = puma.blade()
    rotors = (
        (puma.BLADES * span.piece(span.station[0], puma.RADIUS).mass, HUB),
        (tail_rotor.BLADES * tail_rotor.MASS, TAIL),
    )
    mass = MASS - sum(m for m, _ in rotors)
    com = -sum(m * p for m, p in rotors) / mass
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
    """Trim."""
    from samara.analysis import trim as find

    first = {"collective": 13.0, "theta1c": 0.0, "theta1s": 0.0, "pedal": 12.0, "pitch": 4.0, "roll": 2.0}
    start = {name: np.radians(value) for name, value in (first | dict(guess or {})).items()}
    if not clockwise and guess is None:
        start["roll"] = -start["roll"]
    degrees = {name: float(np.degrees(value)) for name, value in start.items()}
    model = helicopter(
        tuple(degrees[n] for n in CONTROLS[:4]), tuple(degrees[n] for n in CONTROLS[4:]), airspeed=airspeed,
        release=None, blades=blades, clockwise=clockwise,
    )  # fmt: skip
    targets = {f"hold.{load}.{axis}": 0.0 for load in ("force", "couple") for axis in "xyz"}
    return find(
        model, start, targets, period=PERIOD, step=STEP, sizes=dict.fromkeys(targets, WEIGHT), tolerance=tolerance,
        settle=1e-5, outputs=("*",),
    )  # fmt: skip


HELICOPTER = ReadyModel(
    "helicopter", build, "x", source="y", duration=10.0, step=2.5e-3, plot=("fuselage.position",), tolerance=1e-8
)
