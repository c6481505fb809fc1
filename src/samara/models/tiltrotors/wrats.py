"""A WRATS-like tiltrotor in hover: four blades, soft in plane, on a flexible wing."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from samara.blocks.pid import PID
from samara.elements.aero.aerofoils.naca0012 import naca0012
from samara.elements.aero.wind.air import Air
from samara.elements.beams.span import Span
from samara.elements.bodies.body import Body
from samara.elements.control.motors.servo_motor import ServoMotor
from samara.elements.control.regulators.speed_regulator import SpeedRegulator
from samara.elements.joints.revolute import Revolute
from samara.method.method import Method
from samara.method.timeline import Timeline
from samara.model import Constant, Cosine, Drive, Model, Node, Parameter, Placement
from samara.models.aero_options import GustsOption, InflowOption, inflow_of
from samara.models.controls import Control, Controllable, control
from samara.models.parts.blade import Blade
from samara.models.parts.hinges import BladeHinge, Flexure, Hinges
from samara.models.parts.masses import MassProperties
from samara.models.parts.rotors import ArticulatedRotor
from samara.models.parts.shaft import Shaft
from samara.models.quantity import PITCH
from samara.models.registry import Quantity, ReadyModel, checked
from samara.models.source_count import source_equations
from samara.models.tiltrotors.pitch_linkage import DELTA3, PitchLinkage
from samara.models.tiltrotors.proprotor_blade import ProprotorBlade
from samara.models.tiltrotors.semispan_wing import Wing, add_wing

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
    made = ArticulatedRotor(
        _blade(beams if blades == "elastic" else 0, points), Shaft(speed_rpm * np.pi / 30), BLADES,
        hinges=_hinges((flap_hz, FLAP_DAMPING), (lag_hz, lag_damping)), inflow=inflow_of("wrats", inflow),
        solidity=BLADE.solidity(BLADES),
    )  # fmt: skip
    made.add(model, craft=pylon, hub=hub, place=centre, air=air, control=pitches)
    return model


def _collective(value: Any) -> Control:
    """As it is given, if that is a drive; a number or a parameter is reached within a second."""
    found = control("collective", value, given="deg")
    if isinstance(value, Drive) or (callable(value) and not isinstance(value, Parameter)):
        return found
    return Control(found.drive * Cosine(1.0, 1.0), 0.0)


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


def _hinges(flap: tuple[float, float], lag: tuple[float, float]) -> Hinges:
    """A flexure with springs, of each (frequency at rest [Hz], part of critical damping), and the pitch bearing."""
    body, laws = BLADE.body(), []
    inertia = body["inertia"][1] + body["mass"] * (body["com"][0] - HINGE) ** 2
    for hertz, ratio in (flap, lag):
        w = 2 * np.pi * hertz
        laws.append((inertia * w**2, 2 * ratio * inertia * w))
    return Hinges(flexure=Flexure(HINGE, laws[0], laws[1]), pitch=BladeHinge(HINGE))


def _blade(beams: int, points: int) -> Blade:
    """Rigid, or with beams from the cutout to the tip, whose root carries the rest, which is rigid."""
    surface = BLADE.planform(naca0012())
    if not beams:
        return Blade(BLADE.radius, MassProperties(**BLADE.body()), surface=surface, points=points or 5)
    x = np.linspace(BLADE.cutout, BLADE.radius, 2 * beams + 1)
    mass = np.array([BLADE.mass_per_length(v) for v in x])
    polar = mass * (BLADE.gyration * BLADE.chord(x)) ** 2
    return Blade(
        BLADE.radius, MassProperties(0.05, (HINGE, 0.0, 0.0), (1e-4, 1e-4, 1e-4)), beams=beams, ends=x[::2].tolist(),
        span=Span(station=x, mass=mass, EA=EA, GJ=GJ, EI_y=EI_FLAP, EI_z=EI_LAG, inertia_z=polar),
        damping=BEAM_DAMPING, surface=surface, points=points or 2,
    )  # fmt: skip


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
