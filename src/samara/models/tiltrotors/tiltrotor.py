"""Advanced tiltrotor in a wind tunnel: a gimballed three-bladed rotor driven by the wind."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from samara.blocks.integral import Integral
from samara.elements.aero.aerofoils.naca0012 import naca0012
from samara.elements.aero.inflow.inflow import Inflow, Momentum
from samara.elements.aero.wind.air import Air
from samara.elements.aero.wind.gusts import Gust
from samara.elements.bodies.body import Body
from samara.elements.control.blocks.lag import Lag
from samara.elements.control.regulators.speed_regulator import SpeedRegulator
from samara.elements.deformable.hinge import DeformableHinge
from samara.elements.joints.gimbal import Gimbal
from samara.elements.joints.revolute import Revolute
from samara.elements.laws.linear import LinearLaw
from samara.elements.rotor.gimbal_of_joints import add_gimbal_of_joints
from samara.method.method import Method
from samara.method.timeline import Timeline
from samara.model import Constant, Input, Model, ModelError, Node, Parameter, Placement, Sine, State
from samara.models.aero_options import InflowOption, inflow_of
from samara.models.controls import Control, Controllable, control
from samara.models.parts.blade import Blade
from samara.models.parts.hinges import BladeHinge, Hinges
from samara.models.parts.masses import MassProperties
from samara.models.parts.rotors import ArticulatedRotor
from samara.models.parts.shaft import Shaft
from samara.models.quantity import PITCH
from samara.models.registry import Quantity, ReadyModel, checked
from samara.models.source_count import source_equations
from samara.models.tiltrotors.pitch_linkage import DELTA3, PitchLinkage
from samara.models.tiltrotors.proprotor_blade import ProprotorBlade
from samara.models.tiltrotors.semispan_wing import Wing, add_wing

GIMBALS = ("joint", "joints")
BLADES = 3
RATE = 1000.0  # Hz, of table I
SPEED = 2 * np.pi * RATE / 87  # rad/s: 87 steps per turn at 1 kHz
WIND = 50.0  # m/s: 10 m/s are "about 20 %" of it
GUST_FREQUENCY = 2 * np.pi * 0.2  # rad/s: that of the source
TOLERANCE = 1e-6  # of Newton's method in long runs: joints stay closed to 1e-9 m or so

#: What the source does not print, and is made up here.
STAND_IN = (
    "only rotor speed, tunnel speed and scale are those of the paper: radius, mass, wing, pylon, hub spring, "
    "swashplate, pitch links and control gain are made up; chord and twist are those of the V-22"
)
BLADE = ProprotorBlade(radius=1.48, cutout=0.25, mass=4.0)
POINTS = 5  # aerodynamic stations of a blade
BEARING = 0.15  # m, pitch bearing from the shaft
PRECONE = np.deg2rad(2.0)
MAST = 0.5  # m, from the wing's elastic axis to the hub
HUB_SPRING, HUB_DAMPING = 400.0, 1.0  # N m/rad, N m s/rad
HORN, LINK = 0.12, 0.25  # m, pitch horn and pitch link
RIGGED = np.deg2rad(40.0)  # pitch at which the horns are level
LINKAGE_HZ, LINKAGE_DAMPING = 100.0, 0.05  # of a blade that feathers against its control system
#: Of the control system about the pitch axis of a blade [N m/rad].
CONTROL_STIFFNESS = BLADE.body()["inertia"][0] * (2 * np.pi * LINKAGE_HZ) ** 2
GAIN = 0.15  # rad/s of pitch for 1 rad/s of error
ACTUATOR = 0.005  # s, lag of the collective when it is commanded from outside
PITCH_LIMITS = np.deg2rad([20.0, 75.0])
#: The mast, 5 kg, has no inertia of its own: the pylon carries it, and its inertia about the shaft is the hub's.
WING = Wing(
    length=1.6,
    mass=10.0,
    EI_beam=1.3e5,
    EI_chord=3.5e5,
    GJ=1.3e5,
    pylon_mass=50.0,
    pylon_inertia=(3.0, 1.0, 3.0),
    pylon_ahead=0.1,
    damping=0.01,
).carrying(mass=5.0, ahead=MAST, inertia=0.02)
HUB = {"mass": 8.0, "inertia": (0.1, 0.1, 0.17)}
#: Axes of the disk in the world: thrust, z, against the wind, which blows along x; azimuth zero is up.
DISK = np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
#: Of `build`, for pitch.
ARGUMENTS = ("collective_deg", "theta1c_deg", "theta1s_deg")
#: Equations of table I, by (wing, gimbal).
TABLE_I = {(True, "joints"): 159, (False, "joints"): 151, (True, "joint"): 139, (False, "joint"): 131}


@checked("tiltrotor")
def build(
    wing: Annotated[bool, Quantity("", "whether the pylon stands on a wing of four modes, or is held")] = True,
    gimbal: Annotated[str, Quantity("", "joint: one element; joints: made of base joints", choices=GIMBALS)] = "joint",
    wind: Annotated[Controllable, Quantity("m/s", "airstream along the shaft; parameter wind", positive=True)] = WIND,
    speed: Annotated[float, Quantity("rad/s", "of the rotor at the start, and its set point", positive=True)] = SPEED,
    gain: Annotated[float, Quantity("1", "of the controller: rad/s of pitch for 1 rad/s above the set point")] = GAIN,
    outside: Annotated[
        bool, Quantity("", "whether the controller is outside: it feeds the input `collective`")
    ] = False,
    gust: Annotated[float | Gust, Quantity("m/s", "by which the airstream swings, at 0.2 Hz; or a gust")] = 0.0,
    gust_start: Annotated[float, Quantity("s", "when it begins to", lower=0.0)] = 5.0,
    governed: Annotated[
        bool, Quantity("", "whether a controller holds the speed, or pitch stays at the start's")
    ] = True,
    collective_deg: Annotated[
        Controllable,
        Quantity("deg", "added to the pitch that the controller or the start gives; parameter added", **PITCH),
    ] = 0.0,
    theta1c_deg: Annotated[
        Controllable, Quantity("deg", "cyclic pitch, cosine of the azimuth; parameter theta1c", **PITCH)
    ] = 0.0,
    theta1s_deg: Annotated[
        Controllable, Quantity("deg", "cyclic pitch, sine of the azimuth; parameter theta1s", **PITCH)
    ] = 0.0,
    wing_stiffness: Annotated[float, Quantity("1", "factor on the stiffness of the wing", positive=True)] = 1.0,
    hub_spring: Annotated[float, Quantity("N m/rad", "of the gimbal; 0: none", lower=0.0)] = HUB_SPRING,
    control_stiffness: Annotated[
        float, Quantity("N m/rad", "of the control system about a blade's pitch axis", positive=True)
    ] = CONTROL_STIFFNESS,
    delta3_deg: Annotated[float, Quantity("deg", "pitch-flap coupling: flap up, pitch down", **DELTA3)] = 0.0,
    inflow: InflowOption = "momentum",
    points: Annotated[int, Quantity("", "aerodynamic stations of a blade", positive=True)] = POINTS,
    clockwise: Annotated[
        bool, Quantity("", "whether the rotor turns the other way; the wing stays where it is")
    ] = False,
) -> Model:
    """The unpowered rotor at its speed, in an airstream that is steady or swings; see `tiltrotor` for its parts."""
    stream = control("wind", wind, "m/s")
    pitch = BLADE.windmill_pitch(naca0012(), Air.standard(), stream.start, speed)
    blown, gusts = stream.drive, tuple[Gust, ...]()
    if isinstance(gust, Gust):
        gusts = (gust,)
    elif gust:
        blown = blown + Sine(gust, GUST_FREQUENCY, start=gust_start)
    return tiltrotor(
        wing=wing, gimbal=gimbal, wind=blown, gusts=gusts, target=speed, speed=speed, pitch=pitch, gain=gain,
        outside=outside, governed=governed, controls_deg=(collective_deg, theta1c_deg, theta1s_deg),
        wing_stiffness=wing_stiffness, hub_spring=hub_spring, control_stiffness=control_stiffness,
        delta3=np.deg2rad(delta3_deg), inflow=inflow_of("tiltrotor", inflow), points=points, clockwise=clockwise,
    )  # fmt: skip


def tiltrotor(
    *,
    wing: bool,
    gimbal: str,
    wind: Any,
    target: Any,
    speed: float,
    pitch: float,
    gain: float = GAIN,
    outside: bool = False,
    governed: bool = True,
    controls_deg: tuple[Any, Any, Any] = (0.0, 0.0, 0.0),
    gusts: tuple[Gust, ...] = (),
    wing_stiffness: float = 1.0,
    hub_spring: float = HUB_SPRING,
    control_stiffness: float = CONTROL_STIFFNESS,
    delta3: float = 0.0,
    inflow: Inflow | None = None,
    points: int = POINTS,
    clockwise: bool = False,
) -> Model:
    """The wind-tunnel model of Morandini, Masarati and Mantegazza, 31st European Rotorcraft Forum, 2005.

        ground | wing, 4 modes - pylon -bearing- mast -gimbal- hub -pitch bearings- three rigid blades
                                 pylon -actuators- swashplate -pitch links- horns of the blades

    The shaft lies along the wind. No motor: the wind turns the rotor, and an integral controller feeds the integral of
    the speed error into the collective pitch, as in the source:

        d(pitch)/dt = gain (speed - target)

    More pitch, less speed. The controller's answer is what the three actuators of the swashplate follow; the mast
    leads the rotating plate. When the gimbal tilts, pitch follows the mast, not the hub, which is what brings the disc
    back: the links stand on the axis about which their blades flap, unless `delta3` moves them. The actuators have the
    stiffness of the control system, plates and mast no mass, links are rigid: with three blades every pitch of the
    blades is a motion of the plate. See `PitchLinkage`. At the start it has given way to the propeller moment.

    From the source: three blades, gimbal, stiff in plane, single load path, four wing modes, scale 1:2.5, 87 steps a
    turn at 1 kHz (689.7 rpm), the integral law, by the swashplate, an airstream of about 50 m/s. Not printed there and
    made up here: everything else. The radius is such that the nominal hover speed (twice 689.7 rpm) gives a tip speed
    of 214 m/s. Chord and twist are the V-22's (see `samara.models.tiltrotors.proprotor_blade`), the section a NACA
    0012, inflow uniform by momentum theory. The gain is such that the error is about that of the source.

    wing, gimbal: the variants of table I. wind, target: drives or numbers, airstream [m/s] and set point of the speed
    [rad/s]. speed, pitch: of rotor and blades at the start [rad/s, rad].

    outside: the controller is left to somebody else. The input ``collective`` [rad] then commands an actuator with a
    lag of 5 ms (made up), `collective`, whose state the actuators follow; target and gain are not used.
    governed: without it there is no controller at all: pitch stays at that of the start.

    controls_deg: added collective pitch and cyclic pitch [deg], each a number, a `Parameter` or a drive:

        pitch = collective + theta1c cos(psi) + theta1s sin(psi),    psi: azimuth of the blade from up, as it turns

    hub_spring, control_stiffness [N m/rad]; wing_stiffness: a factor; delta3 [rad]; clockwise: turns the other way.
    """
    if gimbal not in GIMBALS:
        raise ModelError(f"tiltrotor: gimbal must be one of {', '.join(GIMBALS)}, got {gimbal!r}")
    if hub_spring < 0.0:
        raise ModelError(f"tiltrotor: hub_spring must not be negative, got {hub_spring:g} N m/rad")
    model = Model("tiltrotor", gravity=(0.0, 0.0, -9.81), stand_in=STAND_IN)
    craft = add_wing(model, "wing", WING.stiffer(wing_stiffness)) if wing else model.ground
    sense = -1 if clockwise else 1
    centre = Placement((-MAST, 0.0, 0.0), DISK)
    mast, hub = _add_shaft(model, craft, centre, sense * speed * DISK[:, 2], gimbal, hub_spring)
    air = Air.standard(wind=(wind, 0.0, 0.0), gusts=gusts)
    linkage = _linkage(control_stiffness, delta3, sense)
    named = zip(("added", "theta1c", "theta1s"), controls_deg, ARGUMENTS, strict=True)
    controls = [control(name, value, given="deg", argument=argument) for name, value, argument in named]
    commands: list[tuple[State, float]] = []
    if outside:
        commands.append((_add_command(model, pitch), pitch))
    elif governed:
        commands.append((_add_governor(model, craft, mast, centre, sense, target, pitch, gain), pitch))
    else:
        controls[0] = Control(
            Constant(Parameter("collective", pitch, "rad")) + controls[0].drive, pitch + controls[0].start
        )
    pitches = linkage.add(
        model, "swashplate", mast=craft, turning=mast, place=centre, controls=controls, commands=commands,
        yielded=linkage.give_way(pitch, BLADE.body()["inertia"][0], speed),
    )  # fmt: skip
    rotor = _rotor(speed, sense, inflow or Momentum(), points)
    rotor.add(model, craft=craft, hub=hub, place=centre, air=air, control=pitches)
    return model


def _rotor(speed: float, sense: int, inflow: Inflow, points: int) -> ArticulatedRotor:
    """Rigid blades on pitch bearings, each with its node at the centre of mass."""
    body = BLADE.body()
    blade = Blade(
        BLADE.radius, MassProperties(**body), surface=BLADE.planform(naca0012()), points=points, node=body["com"][0]
    )
    return ArticulatedRotor(
        blade, Shaft(speed, sense), BLADES, precone=PRECONE, hinges=Hinges(pitch=BladeHinge(BEARING)),
        inflow=inflow, induced=0.0, nominal=SPEED, solidity=BLADE.solidity(BLADES),
    )  # fmt: skip


def _linkage(stiffness: float, delta3: float, sense: int) -> PitchLinkage:
    """Swashplate, links and horns, with the stiffness of the control system about a blade's pitch axis [N m/rad]."""
    damping = 2 * LINKAGE_DAMPING * np.sqrt(max(stiffness, 0.0) * BLADE.body()["inertia"][0])
    return PitchLinkage(
        blades=BLADES, horn=HORN, link=LINK, rigged=RIGGED, stiffness=stiffness, delta3=delta3, damping=damping,
        precone=PRECONE, sense=sense,
    )  # fmt: skip


def _add_shaft(
    model: Model, craft: Node, centre: Placement, spin: np.ndarray, gimbal: str, spring: float
) -> tuple[Node, Node]:
    """The mast in its bearing and, on a gimbal with its spring, the hub."""
    mast = model.node("mast", centre.position, DISK, angular_velocity=spin, static=True)
    model.add("bearing", Revolute(craft, mast, place_a=craft.local(centre)))
    hub = model.node("hub", centre.position, DISK, angular_velocity=spin)
    model.add("hub.body", Body(hub, **HUB))  # type: ignore[arg-type]
    if gimbal == "joint":
        model.add("gimbal", Gimbal(mast, hub))
    else:
        add_gimbal_of_joints(model, "gimbal", mast, hub)
    law = LinearLaw(spring, damping=HUB_DAMPING)
    model.add("hub.spring", DeformableHinge(mast, hub, law=(law, law, None)))
    return mast, hub


def _add_governor(
    model: Model, craft: Node, mast: Node, centre: Placement, sense: int, target: Any, pitch: float, gain: float
) -> State:
    """The integral controller of the source, inside the model; its answer, the collective pitch."""
    lower, upper = PITCH_LIMITS
    # tunable; the regulator's error is target - speed, and more pitch means less speed
    per_error = Parameter("regulator_gain", -gain, description="rad/s of pitch for 1 rad/s below the set point")
    law = Integral(gain=per_error, lower=lower, upper=upper, corner=np.deg2rad(2.0))
    ahead = centre @ Placement((0.0, 0.0, 0.0), np.diag([1.0, sense, sense]))  # z: about which it turns
    governor = model.add(
        "governor",
        SpeedRegulator(
            craft, mast, place_a=craft.local(ahead), law=law, target=target, start=pitch, unit="rad", scale=0.01
        ),
    )
    return governor.output


def _add_command(model: Model, pitch: float) -> State:
    """The collective pitch as somebody outside commands it, behind an actuator."""
    command = Input("collective", initial=pitch, unit="rad")
    return model.add("collective", Lag(command=command, time=ACTUATOR, start=pitch, unit="rad", scale=0.01)).output


def equations(wing: bool = True, gimbal: str = "joint") -> dict[str, int]:
    """How many equations a step of a variant solves.

    paper:  as table I prints it. source: this model by the rules of its program, see `samara.models.source_count`.
    samara: as Samara does.
    """
    from samara.system import System

    model = build(wing=wing, gimbal=gimbal)
    return {
        "paper": TABLE_I[wing, gimbal], "source": source_equations(model), "samara": System(model).unknowns.size,
    }  # fmt: skip


TILTROTOR = ReadyModel(
    "tiltrotor",
    build,
    "a gimballed tiltrotor that the wind turns, its speed held by the collective pitch",
    source="Morandini, Masarati and Mantegazza, 31st European Rotorcraft Forum, 2005; most numbers are stand-ins",
    timeline=Timeline(end=5.0, step=1.0 / RATE),
    method=Method(tolerance=1e-9),
    plot=("rotor.speed", "governor.output.value", "rotor.thrust", "hub.spring.rotation"),
)
