"""Advanced tiltrotor in a wind tunnel: a gimballed rotor of three blades that the wind turns."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from samara.elements.aero.air import Air
from samara.elements.aero.body import AeroBody
from samara.elements.aero.inflow import Momentum
from samara.elements.aero.naca0012 import naca0012
from samara.elements.aero.rotor import Rotor
from samara.elements.bodies.body import Body
from samara.elements.control.integral import Integral
from samara.elements.control.lag import Lag
from samara.elements.control.servo import RotaryServo
from samara.elements.control.speed import SpeedRegulator
from samara.elements.deformable.hinge import DeformableHinge
from samara.elements.joints.gimbal import Gimbal
from samara.elements.joints.revolute import Revolute
from samara.elements.laws.linear import LinearLaw
from samara.elements.rotor.gimbal_of_joints import add_gimbal_of_joints
from samara.model import Input, Model, ModelError, Node, Parameter, Placement, Sine, State
from samara.models.proprotor_blade import ProprotorBlade
from samara.models.registry import Quantity, ReadyModel
from samara.models.semispan_wing import Wing, add_wing
from samara.rotations import rotation_x, rotation_y, rotation_z

GIMBALS = ("joint", "joints")
BLADES = 3
RATE = 1000.0  # Hz, of table I
SPEED = 2 * np.pi * RATE / 87  # rad/s: 87 steps per turn at 1 kHz
WIND = 50.0  # m/s: 10 m/s are "about 20 %" of it
GUST_FREQUENCY = 2 * np.pi * 0.2  # rad/s: that of the source
TOLERANCE = 1e-6  # of Newton's method in long runs: joints stay closed to 1e-9 m or so

#: What the source does not print, and is made up here.
STAND_IN = (
    "only rotor speed, tunnel speed and scale are those of the paper: radius, mass, wing, pylon, hub spring, pitch "
    "linkage and control gain are made up; chord and twist are those of the V-22"
)
BLADE = ProprotorBlade(radius=1.48, cutout=0.25, mass=4.0)
BEARING = 0.15  # m, pitch bearing from the shaft
PRECONE = np.deg2rad(2.0)
MAST = 0.5  # m, from the wing's elastic axis to the hub
HUB_SPRING = LinearLaw(400.0, damping=1.0)  # N m/rad, N m s/rad
LINKAGE_HZ, LINKAGE_DAMPING = 100.0, 0.05  # of a blade that feathers against its linkage
GAIN = 0.15  # rad/s of pitch for 1 rad/s of error
ACTUATOR = 0.005  # s, lag of the collective when it is commanded from outside
PITCH_LIMITS = np.deg2rad([20.0, 75.0])
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
)
#: Axes of the disk in the world: thrust, z, against the wind, which blows along x; azimuth zero is up.
DISK = np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
#: Axes of a hinge about the span, in those of a blade: its z is the blade's x.
ABOUT_SPAN = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
#: Equations of table I, by (wing, gimbal).
TABLE_I = {(True, "joints"): 159, (False, "joints"): 151, (True, "joint"): 139, (False, "joint"): 131}


def build(
    wing: Annotated[bool, Quantity("", "whether the pylon stands on a wing of four modes, or is held")] = True,
    gimbal: Annotated[str, Quantity("", "joint: one element; joints: made of base joints")] = "joint",
    wind: Annotated[float, Quantity("m/s", "airstream along the shaft", positive=True)] = WIND,
    speed: Annotated[float, Quantity("rad/s", "of the rotor at the start, and its set point", positive=True)] = SPEED,
    gain: Annotated[float, Quantity("1", "of the controller: rad/s of pitch for 1 rad/s above the set point")] = GAIN,
    outside: Annotated[
        bool, Quantity("", "whether the controller is outside: it feeds the input `collective`")
    ] = False,
    gust: Annotated[float, Quantity("m/s", "by which the airstream swings, at 0.2 Hz")] = 0.0,
    gust_start: Annotated[float, Quantity("s", "when it begins to")] = 5.0,
) -> Model:
    """The unpowered rotor at its speed, in an airstream that is steady or swings; see `tiltrotor` for its parts."""
    pitch = BLADE.windmill_pitch(naca0012(), Air.standard(), wind, speed)
    stream = Sine(gust, GUST_FREQUENCY, offset=wind, start=gust_start) if gust else wind
    return tiltrotor(
        wing=wing, gimbal=gimbal, wind=stream, target=speed, speed=speed, pitch=pitch, gain=gain, outside=outside
    )


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
) -> Model:
    """The wind-tunnel model of Morandini, Masarati and Mantegazza, 31st European Rotorcraft Forum, 2005.

        ground | wing, 4 modes - pylon -bearing- mast -gimbal- hub -pitch bearings- three rigid blades

    The shaft lies along the wind. No motor: the wind turns the rotor, and an integral controller feeds the integral of
    the speed error into the collective pitch, as in the source:

        d(pitch)/dt = gain (speed - target)

    More pitch, less speed. Each blade's servo has the stiffness of a pitch linkage and stands on the mast, as a
    swashplate does: when the gimbal tilts, pitch follows the mast, not the hub, which is what brings the disc back.
    There is no pitch-flap coupling by an offset horn.

    From the source: three blades, gimbal, stiff in plane, single load path, four wing modes, scale 1:2.5, 87 steps a
    turn at 1 kHz (689.7 rpm), the integral law, an airstream of about 50 m/s. Not printed there and made up here:
    everything else. The radius is such that the nominal hover speed (twice 689.7 rpm) gives a tip speed of 214 m/s.
    Chord and twist are the V-22's (see `samara.models.proprotor_blade`), the section a NACA 0012, inflow uniform by
    momentum theory. The gain is such that the error is about that of the source.

    wing, gimbal: the variants of table I. wind, target: drives or numbers, airstream [m/s] and set point of the speed
    [rad/s]. speed, pitch: of rotor and blades at the start [rad/s, rad].

    outside: the controller is left to somebody else. The input ``collective`` [rad] then commands an actuator with a
    lag of 5 ms (made up), `collective`, whose state the servos follow; target and gain are not used.
    """
    if gimbal not in GIMBALS:
        raise ModelError(f"tiltrotor: gimbal must be one of {', '.join(GIMBALS)}, got {gimbal!r}")
    model = Model("tiltrotor", gravity=(0.0, 0.0, -9.81), stand_in=STAND_IN)
    craft = add_wing(model, "wing", WING) if wing else model.ground
    centre = Placement((-MAST, 0.0, 0.0), DISK)
    spin = speed * DISK[:, 2]
    mast = model.node("mast", centre.position, DISK, angular_velocity=spin)
    model.add("mast.body", Body(mast, mass=5.0, inertia=(0.02, 0.02, 0.02)))
    model.add("bearing", Revolute(craft, mast, place_a=craft.local(centre)))
    hub = model.node("hub", centre.position, DISK, angular_velocity=spin)
    model.add("hub.body", Body(hub, mass=8.0, inertia=(0.1, 0.1, 0.15)))
    if gimbal == "joint":
        model.add("gimbal", Gimbal(mast, hub))
    else:
        add_gimbal_of_joints(model, "gimbal", mast, hub)
    model.add("hub.spring", DeformableHinge(mast, hub, law=(HUB_SPRING, HUB_SPRING, None)))
    air = Air.standard(wind=(wind, 0.0, 0.0))
    rotor = model.add(
        "rotor",
        Rotor(
            craft,
            hub,
            disk=craft.local(centre),
            radius=BLADE.radius,
            speed=SPEED,
            air=air,
            inflow=Momentum(),
            solidity=BLADE.solidity(BLADES),
            start=0.0,
            blades=[f"blade_{k + 1}" for k in range(BLADES)],
        ),
    )
    command = _add_command(model, pitch) if outside else _add_governor(model, craft, mast, centre, target, pitch, gain)
    for k in range(BLADES):
        _add_blade(model, f"blade_{k + 1}", mast, hub, rotor, command, 2 * np.pi * k / BLADES, pitch, spin)
    return model


def _add_governor(
    model: Model, craft: Node, mast: Node, centre: Placement, target: Any, pitch: float, gain: float
) -> State:
    """The integral controller of the source, inside the model; its answer, the collective pitch."""
    lower, upper = PITCH_LIMITS
    # tunable; the regulator's error is target - speed, and more pitch means less speed
    per_error = Parameter("regulator_gain", -gain, description="rad/s of pitch for 1 rad/s below the set point")
    law = Integral(gain=per_error, lower=lower, upper=upper, corner=np.deg2rad(2.0))
    governor = model.add(
        "governor",
        SpeedRegulator(
            craft, mast, place_a=craft.local(centre), law=law, target=target, start=pitch, unit="rad", scale=0.01
        ),
    )
    return governor.output


def _add_command(model: Model, pitch: float) -> State:
    """The collective pitch as somebody outside commands it, behind an actuator."""
    command = Input("collective", initial=pitch, unit="rad")
    return model.add("collective", Lag(command=command, time=ACTUATOR, start=pitch, unit="rad", scale=0.01)).output


def _add_blade(
    model: Model,
    name: str,
    mast: Node,
    hub: Node,
    rotor: Rotor,
    command: State,
    azimuth: float,
    pitch: float,
    spin: np.ndarray,
) -> None:
    """A rigid blade, its node at the centre of mass, on its pitch bearing, with a servo and the loads of the air."""
    flat = hub.rotation @ rotation_z(azimuth) @ rotation_y(-PRECONE)
    body = BLADE.body()
    reach = np.array(body.pop("com"))
    arm = flat @ reach
    axes = flat @ rotation_x(pitch)
    blade = model.node(name, hub.position + arm, axes, velocity=np.cross(spin, arm), angular_velocity=spin)
    model.add(f"{name}.body", Body(blade, **body))
    at = Placement(np.array([BEARING, 0.0, 0.0]) - reach, ABOUT_SPAN)
    held = Placement(blade.position, flat) @ at
    model.add(f"{name}.bearing", Revolute(hub, blade, place_a=hub.local(held), place_b=at))
    feather, linkage = body["inertia"][0], 2 * np.pi * LINKAGE_HZ
    model.add(
        f"{name}.servo",
        RotaryServo(
            mast,
            blade,
            command,
            place_a=mast.local(held),
            place_b=at,
            stiffness=feather * linkage**2,
            damping=2 * LINKAGE_DAMPING * feather * linkage,
        ),
    )
    stations = BLADE.stations(5)
    model.add(f"{name}.air", AeroBody(blade, place=-reach, stations=stations, aerofoil=naca0012(), rotor=rotor))


def equations(wing: bool = True, gimbal: str = "joint") -> dict[str, int]:
    """How many equations a step of a variant solves: as table I prints it, and as Samara does.

    The source counts 12 a node with inertia, as its velocities are unknowns, 25 a gimbal of base joints and 5 its own,
    8 for four modes; here a node has 6, a mode one, the gimbal 4, and 9 states are those of the rotor and its inflow.
    """
    from samara.system import System

    return {"source": TABLE_I[wing, gimbal], "samara": System(build(wing=wing, gimbal=gimbal)).unknowns.size}


TILTROTOR = ReadyModel(
    "tiltrotor",
    build,
    "a gimballed tiltrotor that the wind turns, its speed held by the collective pitch",
    source="Morandini, Masarati and Mantegazza, 31st European Rotorcraft Forum, 2005; most numbers are stand-ins",
    duration=5.0,
    step=1.0 / RATE,
    plot=("rotor.speed", "governor.output.value", "rotor.thrust", "hub.spring.rotation"),
    tolerance=1e-8,
)
