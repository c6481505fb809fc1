"""A WRATS-like tiltrotor in hover: four blades, soft in plane, on a flexible wing."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from samara.elements.aero.air import Air
from samara.elements.aero.beam import AeroBeam3
from samara.elements.aero.body import AeroBody
from samara.elements.aero.inflow import Momentum
from samara.elements.aero.naca0012 import naca0012
from samara.elements.aero.rotor import Rotor
from samara.elements.aero.strip import Stations
from samara.elements.beams.add_beam import add_beam
from samara.elements.beams.span import Span
from samara.elements.bodies.body import Body
from samara.elements.control.motor import ServoMotor
from samara.elements.control.pid import PID
from samara.elements.control.speed import SpeedRegulator
from samara.elements.deformable.hinge import DeformableHinge
from samara.elements.joints.prescribed_angle import PrescribedAngle
from samara.elements.joints.revolute import Revolute
from samara.elements.joints.universal import Universal
from samara.elements.laws.linear import LinearLaw
from samara.model import Constant, Cosine, Model, ModelError, Node, Parameter, Placement
from samara.models.proprotor_blade import ProprotorBlade
from samara.models.registry import Quantity, ReadyModel
from samara.models.semispan_wing import Wing, add_wing
from samara.models.tiltrotor import ABOUT_SPAN
from samara.rotations import rotation_z

BLADE_KINDS = ("rigid", "elastic")
BLADES = 4
RATE = 600.0  # Hz: "slightly below 600 Hz", 40 steps per turn
SPEED_RPM = 875.0  # nominal in hover
TOLERANCE = 1e-6  # of Newton's method in long runs: joints stay closed to 1e-9 m or so
EQUATIONS = 174  # of the source: rigid blades, control system, wing by its modes, aerodynamics

#: What the sources do not print, and is made up here.
STAND_IN = (
    "WRATS data are not published in the sources: blade mass, hinge and lag frequency at rest are those of an "
    "invented surrogate, chord and twist those of the V-22 at 0.2 scale; wing, pylon, flap spring, drive and "
    "elastic sections are made up"
)
HINGE = 0.0762  # m, flap and lag, from the shaft; surrogate
BLADE = ProprotorBlade(radius=1.161, cutout=0.2, mass=1.09)  # 0.2 of the V-22's radius; mass of the surrogate
LAG_HZ, LAG_DAMPING = 5.2, 0.40  # at rest, and of critical at rest: surrogate; the largest damping that was tested
FLAP_HZ, FLAP_DAMPING = 2.5, 0.01  # of the flexure, at rest
MAST = 0.3  # m, from the wing's elastic axis to the hub
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
#: Elastic blade: extension [N], torsion, flap and lag bending [N m^2]. First torsion then lies near 100 Hz, as the
#: three-blade model's does in the source.
EA, GJ, EI_FLAP, EI_LAG = 4e6, 210.0, 90.0, 1500.0
BEAMS = 3
BEAM_DAMPING = 1e-4  # s, proportional to stiffness


def build(
    blades: Annotated[str, Quantity("", "rigid, or elastic: three-node beams")] = "rigid",
    collective_deg: Annotated[float, Quantity("deg", "pitch at 75 %, reached along half a cosine")] = 8.0,
    speed_rpm: Annotated[float, Quantity("rpm", "of the rotor, held by its drive", positive=True)] = SPEED_RPM,
    lag_damping: Annotated[float, Quantity("1", "of the lag damper, by critical at rest")] = LAG_DAMPING,
    beams: Annotated[int, Quantity("", "three-node beams per elastic blade", positive=True)] = BEAMS,
) -> Model:
    """A rotor of four blades in hover on the tip of a wing, after the WRATS model in its soft-in-plane configuration.

        wing, 4 modes - pylon -bearing, drive- hub -flap and lag hinge- cuff -pitch bearing- blade

    The hub is semi-articulated: a flap flexure and a lag hinge with spring and damper at one radius, and a pitch
    bearing outboard. A drive with proportional and integral speed control turns it. Pitch comes up within the first
    second. Air at sea level, NACA 0012, uniform inflow with memory.

    From the sources (Morandini and others 2005; Ghiringhelli and others 2000): four blades, semi-articulated and
    soft in plane, 0.2 scale, 875 rpm, wing by component modes. Everything else is a stand-in, see `STAND_IN`.
    """
    if blades not in BLADE_KINDS:
        raise ModelError(f"wrats: blades must be one of {', '.join(BLADE_KINDS)}, got {blades!r}")
    model = Model("wrats", gravity=(0.0, 0.0, -9.81), stand_in=STAND_IN)
    speed = speed_rpm * np.pi / 30
    pylon = add_wing(model, "wing", WING)
    centre = Placement((0.0, 0.0, MAST))
    spin = np.array([0.0, 0.0, speed])
    hub = model.node("hub", centre.position, angular_velocity=spin)
    model.add("hub.body", Body(hub, mass=4.0, inertia=(0.02, 0.02, 0.03)))
    held: dict[str, Any] = {"place_a": pylon.local(centre)}
    model.add("bearing", Revolute(pylon, hub, **held))
    law = PID(proportional=20.0, integral=60.0, lower=-400.0, upper=400.0, corner=20.0)
    target = Constant(Parameter("speed", speed, "rad/s"))
    governor = model.add("governor", SpeedRegulator(pylon, hub, law=law, target=target, unit="N m", scale=10.0, **held))
    model.add("drive", ServoMotor(pylon, hub, governor.output, **held))
    rotor = model.add(
        "rotor",
        Rotor(
            pylon,
            hub,
            disk=pylon.local(centre),
            radius=BLADE.radius,
            speed=speed,
            air=Air.standard(),
            inflow=Momentum(),
            solidity=BLADE.solidity(BLADES),
            start=1.0,
            blades=[f"blade_{k + 1}" for k in range(BLADES)],
        ),
    )
    collective = Constant(Parameter("collective", np.deg2rad(collective_deg), "rad")) * Cosine(1.0, 1.0)
    for k in range(BLADES):
        name, R = f"blade_{k + 1}", rotation_z(2 * np.pi * k / BLADES)
        cuff = _add_cuff(model, name, hub, R, spin, lag_damping)
        root = model.node(name, cuff.position, R, velocity=cuff.velocity, angular_velocity=spin)
        span = Placement((0, 0, 0), ABOUT_SPAN)
        places: dict[str, Any] = {"place_a": span, "place_b": span}
        model.add(f"{name}.bearing", Revolute(cuff, root, **places))
        model.add(f"{name}.pitch", PrescribedAngle(cuff, root, angle=collective, **places))
        if blades == "rigid":
            _add_rigid(model, name, root, rotor)
        else:
            _add_elastic(model, name, root, rotor, beams)
    return model


def _inertia_about_hinge() -> float:
    body = BLADE.body()
    return body["inertia"][1] + body["mass"] * (body["com"][0] - HINGE) ** 2


def _add_cuff(model: Model, name: str, hub: Node, R: np.ndarray, spin: np.ndarray, lag_damping: float) -> Node:
    """What flaps and lags but does not feather, with spring and damper of both."""
    at = hub.position + R @ [HINGE, 0.0, 0.0]
    cuff = model.node(f"{name}.cuff", at, R, velocity=np.cross(spin, at - hub.position), angular_velocity=spin)
    model.add(f"{name}.cuff.body", Body(cuff, mass=0.1, inertia=(1e-4, 1e-4, 1e-4)))
    model.add(f"{name}.hinge", Universal(hub, cuff, at=at, axis=R[:, 0], axis_x=R[:, 1]))  # arms: flap y, lag z
    inertia, laws = _inertia_about_hinge(), []
    for hertz, ratio in ((FLAP_HZ, FLAP_DAMPING), (LAG_HZ, lag_damping)):
        w = 2 * np.pi * hertz
        laws.append(LinearLaw(inertia * w**2, damping=2 * ratio * inertia * w))
    frames = {"place_a": hub.local(Placement(at, R)), "place_b": Placement()}
    model.add(f"{name}.spring", DeformableHinge(hub, cuff, law=(None, *laws), **frames))
    return cuff


def _add_rigid(model: Model, name: str, root: Node, rotor: Rotor) -> None:
    body = BLADE.body()
    com = (body["com"][0] - HINGE, 0.0, 0.0)
    model.add(f"{name}.body", Body(root, mass=body["mass"], inertia=body["inertia"], com=com))
    place = Placement((-HINGE, 0.0, 0.0))
    model.add(f"{name}.air", AeroBody(root, place=place, stations=BLADE.stations(5), aerofoil=naca0012(), rotor=rotor))


def _add_elastic(model: Model, name: str, root: Node, rotor: Rotor, beams: int) -> None:
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
                stations=_along_beam(middle, half),
                aerofoil=naca0012(),
                rotor=rotor,
            ),
        )


def _along_beam(middle: float, half: float, count: int = 2) -> Stations:
    """Stations of an element, x from -1 to 1."""
    s = BLADE.stations(count, middle - half, middle + half)
    return Stations((s.x - middle) / half, s.length, s.chord, s.cosine, s.sine, s.centre, s.control)


def parallel_equations(model: Model) -> int:
    """Of a model with elastic blades as Quaranta et al. 2000 count theirs: 1097, 1673, 4841 with 8, 16, 60 beams.

    12 for each node of a beam, the root's left out, of three blades; 521 for the rest, which the source does not list.
    """
    nodes = sum(name.startswith("blade_1.n") and node.kind == "dynamic" for name, node in model.nodes.items())
    return 3 * 12 * nodes + 521


def equations(blades: str = "rigid") -> dict[str, int | None]:
    """How many equations a step solves: as the source prints it, for rigid blades alone, and as Samara does."""
    from samara.system import System

    return {"source": EQUATIONS if blades == "rigid" else None, "samara": System(build(blades=blades)).unknowns.size}


WRATS = ReadyModel(
    "wrats",
    build,
    "a WRATS-like rotor of four blades, soft in plane, in hover on a flexible wing",
    source="Morandini, Masarati and Mantegazza, 31st European Rotorcraft Forum, 2005; nearly all numbers are stand-ins",
    duration=5.0,
    step=1.0 / RATE,
    plot=("rotor.speed", "rotor.thrust", "blade_1.spring.rotation", "pylon.position"),
    tolerance=1e-8,
)
