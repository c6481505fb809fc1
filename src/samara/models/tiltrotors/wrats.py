"""A WRATS-like tiltrotor in hover: four blades, soft in plane, on a flexible wing."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from samara.blocks.pid import PID
from samara.elements.aero.aerofoils.naca0012 import naca0012
from samara.elements.aero.inflow.inflow import Inflow
from samara.elements.aero.rotors.rotor import Rotor
from samara.elements.aero.surfaces.beam import AeroBeam3
from samara.elements.aero.surfaces.body import AeroBody
from samara.elements.aero.surfaces.strip import Stations
from samara.elements.aero.wind.air import Air
from samara.elements.beams.add_beam import add_beam
from samara.elements.beams.span import Span
from samara.elements.bodies.body import Body
from samara.elements.control.motors.servo_motor import ServoMotor
from samara.elements.control.regulators.speed_regulator import SpeedRegulator
from samara.elements.deformable.hinge import DeformableHinge
from samara.elements.joints.revolute import Revolute
from samara.elements.joints.universal import Universal
from samara.elements.laws.linear import LinearLaw
from samara.method.method import Method
from samara.method.timeline import Timeline
from samara.model import Constant, Cosine, Drive, Model, Node, Parameter, Placement
from samara.models.aero_options import GustsOption, InflowOption, inflow_of
from samara.models.controls import Control, Controllable, control
from samara.models.quantity import PITCH
from samara.models.registry import Quantity, ReadyModel, checked
from samara.models.source_count import source_equations
from samara.models.tiltrotors.pitch_linkage import DELTA3, PitchControls, PitchLinkage
from samara.models.tiltrotors.proprotor_blade import ProprotorBlade, bearing_axes
from samara.models.tiltrotors.semispan_wing import Wing, add_wing
from samara.rotations import rotation_x

BLADE_KINDS = ("rigid", "elastic")
BLADES = 4
RATE = 600.0  # Hz: "slightly below 600 Hz", 40 steps per turn
SPEED_RPM = 875.0  # nominal in hover
TOLERANCE = 1e-6  # of Newton's method in long runs: joints stay closed to 1e-9 m or so
EQUATIONS = 174  # that the source prints: rigid blades, control system, wing by its modes, aerodynamics

#: What the sources do not print, and is made up here.
STAND_IN = (
    "WRATS data are not published in the sources: blade mass, hinge and lag frequency at rest are those of an "
    "invented surrogate, chord and twist those of the V-22 at 0.2 scale; wing, pylon, flap spring, drive, control "
    "system and elastic sections are made up"
)
HINGE = 0.0762  # m, flap and lag, from the shaft; surrogate
BLADE = ProprotorBlade(radius=1.161, cutout=0.2, mass=1.09)  # 0.2 of the V-22's radius; mass of the surrogate
LAG_HZ, LAG_DAMPING = 5.2, 0.40  # at rest, and of critical at rest: surrogate; the largest damping that was tested
FLAP_HZ, FLAP_DAMPING = 2.5, 0.01  # of the flexure, at rest
MAST = 0.3  # m, from the wing's elastic axis to the hub
HORN, LINK = 0.05, 0.15  # m, pitch horn and pitch link
RIGGED = np.deg2rad(8.0)  # pitch at which the horns are level
#: Of the control system about the pitch axis of a blade [N m/rad, s]; the links have half of its compliance.
CONTROL_STIFFNESS, CONTROL_DAMPING, LINKS_SHARE = 2500.0, 1e-4, 0.5
#: With what flaps and lags but does not feather condensed into it: four cuffs of 0.1 kg at the hinges.
HUB = {"mass": 4.4, "inertia": (0.0213, 0.0213, 0.0325)}
#: Stiff enough in chord and torsion that the regressing lag mode, near 8 Hz at 875 rpm, is clear of ground resonance.
WING = Wing(
    length=1.1,
    mass=4.0,
    EI_beam=1.95e4,
    EI_chord=1e5,
    GJ=3e4,
    pylon_mass=18.0,
    pylon_inertia=(0.5, 0.5, 0.3),
    pylon_ahead=0.0,
    damping=0.015,
)
#: Elastic blade: extension [N], torsion, flap and lag bending [N m^2]. First torsion then lies near 100 Hz, on the
#: control system, as the three-blade model's does in the source.
EA, GJ, EI_FLAP, EI_LAG = 4e6, 255.0, 90.0, 1500.0
BEAMS = 3
BEAM_DAMPING = 1e-4  # s, proportional to stiffness


@checked("wrats")
def build(
    blades: Annotated[str, Quantity("", "rigid, or elastic: three-node beams", choices=BLADE_KINDS)] = "rigid",
    collective_deg: Annotated[
        Controllable,
        Quantity("deg", "pitch at 75 %; a number is reached along half a cosine; parameter collective", **PITCH),
    ] = 8.0,
    speed_rpm: Annotated[float, Quantity("rpm", "of the rotor, held by its drive", positive=True)] = SPEED_RPM,
    lag_damping: Annotated[float, Quantity("1", "of the lag damper, by critical at rest", lower=0.0)] = LAG_DAMPING,
    beams: Annotated[
        int, Quantity("", "three-node beams per elastic blade", positive=True, needs=("blades", "elastic"))
    ] = BEAMS,
    theta1c_deg: Annotated[
        Controllable, Quantity("deg", "cyclic pitch, cosine of the azimuth; parameter theta1c", **PITCH)
    ] = 0.0,
    theta1s_deg: Annotated[
        Controllable, Quantity("deg", "cyclic pitch, sine of the azimuth; parameter theta1s", **PITCH)
    ] = 0.0,
    wind: Annotated[Controllable, Quantity("m/s", "along x, across the shaft; parameter wind")] = 0.0,
    gust: GustsOption = (),
    wing: Annotated[bool, Quantity("", "whether the pylon stands on a wing of four modes, or is held")] = True,
    wing_stiffness: Annotated[float, Quantity("1", "factor on the stiffness of the wing", positive=True)] = 1.0,
    flap_hz: Annotated[float, Quantity("Hz", "of a blade on its flap flexure, at rest", lower=0.0)] = FLAP_HZ,
    lag_hz: Annotated[float, Quantity("Hz", "of a blade on its lag spring, at rest", lower=0.0)] = LAG_HZ,
    control_stiffness: Annotated[
        float, Quantity("N m/rad", "of the control system about a blade's pitch axis", positive=True)
    ] = CONTROL_STIFFNESS,
    delta3_deg: Annotated[float, Quantity("deg", "pitch-flap coupling: flap up, pitch down", **DELTA3)] = 0.0,
    inflow: InflowOption = "momentum",
    points: Annotated[
        int, Quantity("", "aerodynamic stations of a rigid blade, or of each beam; 0: 5, or 2", lower=0.0)
    ] = 0,
) -> Model:
    """A rotor of four blades in hover on the tip of a wing, after the WRATS model in its soft-in-plane configuration.

        wing, 4 modes - pylon -bearing, drive- hub -flap and lag hinge- cuff -pitch bearing- blade
                        pylon -actuators- swashplate -pitch links- horns of the blades

    The hub is semi-articulated: a flap flexure and a lag hinge with spring and damper at one radius, and a pitch
    bearing outboard. A drive with proportional and integral speed control turns it. Swashplate, elastic actuators and
    elastic links turn the blades, see `PitchLinkage`; links stand at the flap hinge, unless `delta3_deg` moves them.
    Pitch comes up within the first second, unless a drive says how. Plates and cuffs have no mass. Air at sea level,
    NACA 0012, uniform inflow with memory.

    Each control is a number, a `Parameter` or a drive, and pitch is

        collective + theta1c cos(psi) + theta1s sin(psi),    psi: azimuth of the blade from x, as it turns

    From the sources (Morandini and others 2005; Ghiringhelli and others 2000): four blades, semi-articulated and
    soft in plane, 0.2 scale, 875 rpm, control system in detail, wing by component modes. Everything else is a stand-in,
    see `STAND_IN`.
    """
    model = Model("wrats", gravity=(0.0, 0.0, -9.81), stand_in=STAND_IN)
    pylon = add_wing(model, "wing", WING.stiffer(wing_stiffness)) if wing else model.ground
    centre = Placement((0.0, 0.0, MAST))
    hub = _add_shaft(model, pylon, centre, speed_rpm * np.pi / 30)
    air = Air.standard(wind=(control("wind", wind, "m/s").drive, 0.0, 0.0), gusts=gust)
    rotor = _add_rotor(model, pylon, hub, centre, speed_rpm * np.pi / 30, air, inflow_of("wrats", inflow))
    linkage = PitchLinkage(
        blades=BLADES, horn=HORN, link=LINK, rigged=RIGGED, stiffness=control_stiffness,
        damping=CONTROL_DAMPING * control_stiffness, hinge=HINGE, delta3=np.deg2rad(delta3_deg), share=LINKS_SHARE,
    )  # fmt: skip
    controls = [
        _collective(collective_deg), control("theta1c", theta1c_deg, given="deg"),
        control("theta1s", theta1s_deg, given="deg"),
    ]  # fmt: skip
    yielded = linkage.give_way(controls[0].start, BLADE.body()["inertia"][0], speed_rpm * np.pi / 30)
    pitches = linkage.add(
        model, "swashplate", mast=pylon, turning=hub, place=centre, controls=controls, yielded=yielded
    )
    for k in range(BLADES):
        name, azimuth = f"blade_{k + 1}", 2 * np.pi * k / BLADES
        root = _add_root(model, name, hub, pitches, azimuth, ((flap_hz, FLAP_DAMPING), (lag_hz, lag_damping)))
        if blades == "rigid":
            _add_rigid(model, name, root, rotor, points or 5)
        else:
            _add_elastic(model, name, root, rotor, beams, points or 2)
    return model


def _collective(value: Any) -> Control:
    """As it is given, if that is a drive; a number or a parameter is reached within a second."""
    found = control("collective", value, given="deg")
    if isinstance(value, Drive) or (callable(value) and not isinstance(value, Parameter)):
        return found
    return Control(found.drive * Cosine(1.0, 1.0), 0.0)


def _add_rotor(
    model: Model, pylon: Node, hub: Node, centre: Placement, speed: float, air: Air, inflow: Inflow
) -> Rotor:
    """The rotor that collects the air loads."""
    names = [f"blade_{k + 1}" for k in range(BLADES)]
    rotor = Rotor(
        pylon, hub, disk=pylon.local(centre), radius=BLADE.radius, speed=speed, air=air, inflow=inflow,
        solidity=BLADE.solidity(BLADES), start=1.0, blades=names,
    )  # fmt: skip
    return model.add("rotor", rotor)


def _add_shaft(model: Model, pylon: Node, centre: Placement, speed: float) -> Node:
    """The hub in its bearing, with its drive."""
    hub = model.node("hub", centre.position, angular_velocity=(0.0, 0.0, speed))
    model.add("hub.body", Body(hub, **HUB))  # type: ignore[arg-type]
    held: dict[str, Any] = {"place_a": pylon.local(centre)}
    model.add("bearing", Revolute(pylon, hub, **held))
    law = PID(proportional=20.0, integral=60.0, lower=-400.0, upper=400.0, corner=20.0)
    target = Constant(Parameter("speed", speed, "rad/s"))
    governor = model.add("governor", SpeedRegulator(pylon, hub, law=law, target=target, unit="N m", scale=10.0, **held))
    model.add("drive", ServoMotor(pylon, hub, governor.output, **held))
    return hub


def _add_root(
    model: Model, name: str, hub: Node, pitches: PitchControls, azimuth: float, springs: tuple[tuple[float, float], ...]
) -> Node:
    """The root of a blade at the flap and lag hinge, on its cuff and its pitch link."""
    flat, theta = pitches.linkage.flat(azimuth), pitches.pitch(azimuth)
    cuff = _add_cuff(model, name, hub, flat, springs)
    spin, speed = cuff.angular_velocity, float(hub.angular_velocity[2])
    turning = spin + speed * pitches.pitch_slope(azimuth) * flat[:, 0]
    axes = flat @ rotation_x(theta)
    root = model.node(name, cuff.position, axes, velocity=cuff.velocity, angular_velocity=turning)
    span = Placement((0, 0, 0), bearing_axes(1))
    places: dict[str, Any] = {"place_a": cuff.local(Placement(cuff.position, flat) @ span), "place_b": span}
    model.add(f"{name}.pitch", Revolute(cuff, root, **places))
    pitches.add_link(model, f"{name}.pitch_link", root, (-HINGE, 0.0, 0.0), azimuth)
    return root


def _inertia_about_hinge() -> float:
    body = BLADE.body()
    return body["inertia"][1] + body["mass"] * (body["com"][0] - HINGE) ** 2


def _add_cuff(model: Model, name: str, hub: Node, R: np.ndarray, springs: tuple[tuple[float, float], ...]) -> Node:
    """What flaps and lags but does not feather, with springs (frequency at rest [Hz], damping) of both."""
    at, spin = hub.position + R @ [HINGE, 0.0, 0.0], hub.angular_velocity
    cuff = model.node(f"{name}.cuff", at, R, velocity=hub.velocity_at(at), angular_velocity=spin, static=True)
    model.add(f"{name}.hinge", Universal(hub, cuff, at=at, axis=R[:, 0], axis_x=R[:, 1]))  # arms: flap y, lag z
    inertia, laws = _inertia_about_hinge(), []
    for hertz, ratio in springs:
        w = 2 * np.pi * hertz
        laws.append(LinearLaw(inertia * w**2, damping=2 * ratio * inertia * w))
    frames = {"place_a": hub.local(Placement(at, R)), "place_b": Placement()}
    model.add(f"{name}.spring", DeformableHinge(hub, cuff, law=(None, *laws), **frames))
    return cuff


def _add_rigid(model: Model, name: str, root: Node, rotor: Rotor, points: int) -> None:
    body = BLADE.body()
    com = (body["com"][0] - HINGE, 0.0, 0.0)
    model.add(f"{name}.body", Body(root, mass=body["mass"], inertia=body["inertia"], com=com))
    place = Placement((-HINGE, 0.0, 0.0))
    model.add(
        f"{name}.air", AeroBody(root, place=place, stations=BLADE.stations(points), aerofoil=naca0012(), rotor=rotor)
    )


def _add_elastic(model: Model, name: str, root: Node, rotor: Rotor, beams: int, points: int) -> None:
    """Beams from the cutout to the tip; the root's node carries the rest, which is rigid."""
    x = np.linspace(BLADE.cutout, BLADE.radius, 2 * beams + 1)
    mass = np.array([BLADE.mass_per_length(v) for v in x])
    polar = mass * (BLADE.gyration * np.array([BLADE.chord(v) for v in x])) ** 2
    span = Span(station=x, mass=mass, EA=EA, GJ=GJ, EI_y=EI_FLAP, EI_z=EI_LAG, inertia_z=polar)
    model.add(f"{name}.grip", Body(root, mass=0.05, inertia=(1e-4, 1e-4, 1e-4)))
    place = Placement((BLADE.cutout - HINGE, 0.0, 0.0))
    nodes = add_beam(model, name, span, root=root, place=place, elements=beams, damping=BEAM_DAMPING)
    half = 0.5 * (BLADE.radius - BLADE.cutout) / beams
    for e in range(beams):
        middle = BLADE.cutout + (2 * e + 1) * half
        model.add(
            f"{name}.air{e + 1}",
            AeroBeam3(
                *nodes[2 * e : 2 * e + 3],
                place_a=place if e == 0 else None,
                stations=_along_beam(middle, half, points),
                aerofoil=naca0012(),
                rotor=rotor,
            ),
        )


def _along_beam(middle: float, half: float, count: int) -> Stations:
    """Stations of an element, x from -1 to 1."""
    s = BLADE.stations(count, middle - half, middle + half)
    return Stations((s.x - middle) / half, s.length, s.chord, s.cosine, s.sine, s.centre, s.control)


def equations(blades: str = "rigid") -> dict[str, int | None]:
    """How many equations a step solves.

    paper:  as it is printed, for rigid blades alone. source: this model by the rules of the paper's program, see
    `samara.models.source_count`. samara: as Samara does.
    """
    from samara.system import System

    model = build(blades=blades)
    return {
        "paper": EQUATIONS if blades == "rigid" else None,
        "source": source_equations(model),
        "samara": System(model).unknowns.size,
    }


WRATS = ReadyModel(
    "wrats",
    build,
    "a WRATS-like rotor of four blades, soft in plane, in hover on a flexible wing",
    source="Morandini, Masarati and Mantegazza, 31st European Rotorcraft Forum, 2005; nearly all numbers are stand-ins",
    timeline=Timeline(end=5.0, step=1.0 / RATE),
    method=Method(tolerance=1e-8),
    plot=("rotor.speed", "rotor.thrust", "blade_1.spring.rotation", "pylon.position"),
)
