"""The soft-in-plane tiltrotor of the stability study: three blades with lag hinges on a gimbal, on a semispan wing."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import numpy as np

from samara.elements.aero.aerofoils.naca0012 import naca0012
from samara.elements.aero.inflow.inflow import Inflow
from samara.elements.aero.wind.air import Air
from samara.elements.bodies.body import Body
from samara.elements.control.blocks.lag import Lag
from samara.elements.deformable.hinge import DeformableHinge
from samara.elements.joints.gimbal import Gimbal
from samara.elements.joints.prescribed_motion.prescribed_angle import PrescribedAngle
from samara.elements.joints.prismatic import Prismatic
from samara.elements.joints.revolute import Revolute
from samara.elements.laws.linear import LinearLaw
from samara.elements.springs.axial import Axial
from samara.method.method import Method
from samara.method.timeline import Timeline
from samara.model import Constant, Model, Node, Parameter, Placement
from samara.models.aero_options import INFLOWS, inflow_of
from samara.models.parts.rotors import ArticulatedRotor
from samara.models.parts.shaft import Shaft
from samara.models.quantity import PITCH
from samara.models.registry import Quantity, ReadyModel, checked
from samara.models.source_count import source_equations
from samara.models.tiltrotors.semispan_wing import AXES, Wing, add_wing
from samara.models.tiltrotors.soft_in_plane_blade import BLADE, BLADES, MastServos, add_couple, add_lock, blade, hinges
from samara.models.tiltrotors.tiltrotor_manoeuvres import conversion, wind_up
from samara.rotations import rotation_y

BLADE_KINDS, WINGS = ("rigid", "elastic"), ("chord", "modes")
RATE = 600.0  # Hz: 40 steps per turn
SPEED_RPM = 888.0
WIND_UP, RELEASE, COUPLE_AT = 10.0, 3.0, 11.0  # s
CONVERSION_RATE, SMOOTHING = np.deg2rad(9.0), 1.0  # rad/s, s
#: Equations that the paper prints, by beams per blade: 24 for each beam of a blade, and 521 for the rest of its model.
PRINTED = {8: 1097, 16: 1673, 60: 4841}

#: What the source does not print, and is made up here.
STAND_IN = (
    "the source prints rotor speed, laws of the manoeuvres and dampings: blade mass, hinge, lag spring, wing frequency "
    "and mass are an invented surrogate that meets what it says of stability; chord and twist are the V-22's, the rest "
    "is made up"
)
WING_HZ, HUB_MASS = 6.648630836805093, 25.0  # of wing chord bending; what moves with it, blades and all [kg]; surrogate
WING_DAMPING = 0.015  # of critical: 0.002 of the structure, and the air's share; surrogate
MAST = 0.3  # m, from the conversion axis to the hub
NACELLE, MAST_BODY, HUB_BODY = 8.0, 1.5, 2.0  # kg
HUB_SPRING = LinearLaw(400.0, damping=1.0)  # of the gimbal [N m/rad, N m s/rad]
#: Between the drive, which follows the law, and the mast [N m/rad, N m s/rad]: the rotor swings at 2 Hz against it, and
#: hardly follows the nacelle's yaw at the wing's frequencies.
DRIVE = LinearLaw(285.0, damping=4.0)
ACTUATOR = 0.005  # s, of the collective
#: A wing of four modes: with nacelle and rotor at rest on it beam bending 5 Hz, chord bending 6.57 Hz, torsion 15 Hz.
#: At the hub chord bending has the surrogate's mass; its frequency is 1 % lower, so that growth is about the same.
WING = Wing(
    length=1.1,
    mass=4.0,
    EI_beam=1.4968e4,
    EI_chord=2.57e4,
    GJ=7743.0,
    pylon_mass=16.64,
    pylon_inertia=(0.2, 0.2, 0.1),
    pylon_ahead=0.0,
    damping=WING_DAMPING,
)


@checked("soft-in-plane")
def build(
    blades: Annotated[str, Quantity("", "rigid, or elastic: three-node beams", choices=BLADE_KINDS)] = "rigid",
    beams: Annotated[
        int, Quantity("", "per elastic blade: 8, 16, 60 in the source", positive=True, needs=("blades", "elastic"))
    ] = 8,
    lag_damping: Annotated[float, Quantity("1", "of the lag damper, by critical at rest", lower=0.0)] = 0.2,
    wing: Annotated[
        str, Quantity("", "chord: bending in the wing's plane alone; modes: four modes", choices=WINGS)
    ] = "chord",
    wing_stiffness: Annotated[float, Quantity("1", "factor on the wing's stiffness", positive=True)] = 1.0,
    wing_damping: Annotated[float, Quantity("1", "of the wing's modes, by critical", lower=0.0)] = WING_DAMPING,
    speed_rpm: Annotated[float, Quantity("rpm", "of the rotor; parameter speed", positive=True)] = SPEED_RPM,
    windup: Annotated[
        float, Quantity("s", "that the rotor takes to its speed; 0: it has it at the start", lower=0.0)
    ] = WIND_UP,
    release: Annotated[float, Quantity("s", "when lag hinges are let go; 0: no lock", lower=0.0)] = RELEASE,
    stagger: Annotated[
        float, Quantity("s", "from the release of a lag hinge to that of the next blade's", lower=0.0)
    ] = 0.02,
    couple: Annotated[float, Quantity("N m", "opposite couples in the lag hinges of two blades; parameter")] = 20.0,
    couple_at: Annotated[float, Quantity("s", "when they act, for 0.1 s", lower=0.0)] = COUPLE_AT,
    collective_deg: Annotated[
        float, Quantity("deg", "pitch at 75 % of the radius; parameter collective", **PITCH)
    ] = 3.5,
    air: Annotated[bool, Quantity("", "whether the blades feel the air")] = False,
    inflow: Annotated[
        str | Inflow, Quantity("", "model of the wake", choices=tuple(INFLOWS), needs=("air", True))
    ] = "momentum",
    wind: Annotated[float, Quantity("m/s", "airstream, along the wing's chord from the front")] = 0.0,
    nacelle_deg: Annotated[
        float, Quantity("deg", "at the start: 90 helicopter, 0 aeroplane", lower=0.0, upper=180.0)
    ] = 90.0,
    convert_at: Annotated[float, Quantity("s", "when it turns to 0 deg, at 9 deg/s; 0: never", lower=0.0)] = 0.0,
    smoothing: Annotated[float, Quantity("s", "that the turn takes to begin, and to end", positive=True)] = SMOOTHING,
) -> Model:
    """The wind-tunnel model of Quaranta, Masarati and Mantegazza, 26th European Rotorcraft Forum, 2000, as we have it.

        ground -wing- pylon -conversion hinge- nacelle -elastic drive- mast -gimbal- hub -lag hinge- cuff -pitch- blade

    Three blades, each with a lag hinge, a spring and a viscous damper; a pitch bearing outboard of it, whose linkage
    stands on the mast. An elastic drive turns the mast by a law (`wind_up`), and a lock holds the lag hinges until
    `release`; a `stagger` between the blades, made up, unbalances the rotor for a moment, which the source's wing shows
    too. At `couple_at` opposite couples push blades 1 and 2, so that its centre of mass leaves the shaft. From
    `convert_at` on the nacelle turns forward by a driven hinge.

    wing "chord" is the surrogate: the pylon slides along the airstream on a spring, a mass of 25 kg in all at 6.65 Hz,
    which meets the regressing lag mode at 90 % of 888 rpm. "modes" is a cantilever with four modes of about that chord
    frequency; a conversion needs it, since the first has no stiffness elsewhere to bend.

    collective: the pitch linkage follows it within 5 ms. In an aeroplane's wind take `windmill_collective`. Air at sea
    level, NACA 0012, uniform inflow by momentum theory; no gravity, so that all starts at rest. For numbers see
    `STAND_IN`.
    """
    model = Model("soft-in-plane", stand_in=STAND_IN)
    speed = speed_rpm * np.pi / 30
    pylon = (_add_slide if wing == "chord" else _add_modes)(model, wing_stiffness, wing_damping)
    nacelle = _add_nacelle(model, pylon, np.deg2rad(nacelle_deg), convert_at, smoothing)
    mast, hub = _add_hub(model, nacelle, speed, windup)
    pitch = np.deg2rad(collective_deg)
    command = Constant(Parameter("collective", pitch, "rad"))
    collective = model.add("collective", Lag(command=command, time=ACTUATOR, start=pitch, unit="rad", scale=0.01))
    made = ArticulatedRotor(
        blade(beams if blades == "elastic" else 0), Shaft(speed), BLADES, hinges=hinges(lag_damping),
        inflow=inflow_of("soft-in-plane", inflow), induced=0.0 if windup or wind else 3.0,
        solidity=BLADE.solidity(BLADES),
    )  # fmt: skip
    stream = Air.standard(wind=(Parameter("wind", wind, "m/s"), 0.0, 0.0)) if air else None
    servos = MastServos(mast, collective.output, pitch)
    added = made.add(model, craft=nacelle, hub=hub, place=hub.place, air=stream, control=servos)
    push = Parameter("couple", couple, "N m")
    for k, one in enumerate(added.blades):
        if release:
            add_lock(model, one, release + k * stagger)
        if k < 2:
            add_couple(model, one, (1, -1)[k], push, couple_at)
    return model


def _add_slide(model: Model, stiffness: float, damping: float) -> Node:
    """Chord bending alone: the pylon slides along x."""
    pylon = model.node("pylon", (0.0, 0.0, 0.0), AXES)
    mass = HUB_MASS - NACELLE - MAST_BODY - HUB_BODY - BLADES * BLADE.mass
    model.add("pylon.body", Body(pylon, mass=mass, inertia=WING.pylon_inertia))
    along: dict[str, Any] = {"at": (0, 0, 0), "axis": (1, 0, 0)}
    model.add("wing", Prismatic(model.ground, pylon, **along))
    k = HUB_MASS * (2 * np.pi * WING_HZ) ** 2
    # damping is given of the wing as it is: less stiffness, the same fraction
    law = LinearLaw(k * stiffness, damping=2 * damping * np.sqrt(k * stiffness * HUB_MASS))
    model.add("wing.spring", Axial(model.ground, pylon, law=law, **along))
    return pylon


def _add_modes(model: Model, stiffness: float, damping: float) -> Node:
    """Four modes of a cantilever."""
    f = stiffness
    scaled = replace(WING, EI_beam=f * WING.EI_beam, EI_chord=f * WING.EI_chord, GJ=f * WING.GJ, damping=damping)
    return add_wing(model, "wing", scaled)


def _add_nacelle(model: Model, pylon: Node, angle: float, convert_at: float, smoothing: float) -> Node:
    """On the conversion hinge; its z axis is that of the shaft, up at 90 degrees, forward (-x) at 0."""
    nacelle = model.node("nacelle", pylon.position, rotation_y(angle - 0.5 * np.pi))
    model.add("nacelle.body", Body(nacelle, mass=NACELLE, inertia=(0.1, 0.1, 0.05)))
    span: dict[str, Any] = {"at": pylon.position, "axis": (0.0, -1.0, 0.0)}
    model.add("conversion", Revolute(pylon, nacelle, **span))
    tilt = conversion(angle, CONVERSION_RATE, convert_at, smoothing) if convert_at and angle else Constant(0.0)
    model.add("actuator", PrescribedAngle(pylon, nacelle, angle=tilt, **span))
    return nacelle


def _add_hub(model: Model, nacelle: Node, speed: float, windup: float) -> tuple[Node, Node]:
    """Mast that follows the law of the shaft, and hub on its gimbal."""
    centre = nacelle.place @ Placement((0.0, 0.0, MAST))
    spin = (0.0 if windup else speed) * centre.rotation[:, 2]
    mast, hub = (model.node(n, centre.position, centre.rotation, angular_velocity=spin) for n in ("mast", "hub"))
    model.add("mast.body", Body(mast, mass=MAST_BODY, inertia=(0.01, 0.01, 0.01)))
    model.add("hub.body", Body(hub, mass=HUB_BODY, inertia=(0.02, 0.02, 0.03)))
    held: dict[str, Any] = {"place_a": nacelle.local(centre)}
    model.add("bearing", Revolute(nacelle, mast, **held))
    turned = (0, 0, wind_up(Parameter("speed", speed, "rad/s"), windup))
    model.add("shaft", DeformableHinge(nacelle, mast, law=(None, None, DRIVE), rest=turned, **held))
    model.add("gimbal", Gimbal(mast, hub))
    model.add("hub.spring", DeformableHinge(mast, hub, law=(HUB_SPRING, HUB_SPRING, None)))
    return mast, hub


def windmill_collective(wind: float, speed_rpm: float = SPEED_RPM) -> float:
    """Collective pitch [deg] at which an airstream along the shaft [m/s] turns the rotor without torque."""
    pitch = BLADE.windmill_pitch(naca0012(), Air.standard(), wind, speed_rpm * np.pi / 30)
    return float(np.rad2deg(pitch))


def equations(beams: int) -> dict[str, int | None]:
    """How many equations a step solves with elastic blades.

    paper:  as it is printed, of another model: 24 for a beam of a blade, which has two nodes of twelve, and 521 for the
            rest, much of which (swashplate, wing of beams) is not here; None for other numbers of beams
    source: this model by the rules of the paper's program, see `samara.models.source_count`
    samara: as Samara does
    """
    from samara.system import System

    model = build(blades="elastic", beams=beams)
    return {
        "paper": PRINTED.get(beams), "source": source_equations(model), "samara": System(model).unknowns.size,
    }  # fmt: skip


SOFT_IN_PLANE = ReadyModel(
    "soft-in-plane",
    build,
    "a soft-in-plane tiltrotor on a wing: wind-up, lag lock, couples on two blades, conversion",
    source="Quaranta, Masarati and Mantegazza, 26th European Rotorcraft Forum, 2000; numbers are a surrogate",
    timeline=Timeline(end=15.0, step=1.0 / RATE),
    method=Method(tolerance=1e-8),
    plot=("pylon.position", "blade_1.lag.angle", "blade_2.lag.angle", "mast.angular_velocity"),
)
