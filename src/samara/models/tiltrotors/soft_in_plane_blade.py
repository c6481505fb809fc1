"""Blades of the soft-in-plane tiltrotor: lag hinge with spring, damper and lock, pitch bearing, rigid or elastic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.elements.aero.aerofoils.naca0012 import naca0012
from samara.elements.beams.span import Span
from samara.elements.control.servos.rotary_servo import RotaryServo
from samara.elements.joints.lock import Lock
from samara.elements.loads.rotary_actuator import RotaryActuator
from samara.model import Constant, Model, Node, Parameter, Placement, State, Step
from samara.models.parts.blade import AddedBlade, Blade
from samara.models.parts.hinges import BladeHinge, Hinges
from samara.models.parts.masses import MassProperties
from samara.models.tiltrotors.proprotor_blade import ProprotorBlade
from samara.models.tiltrotors.tiltrotor_manoeuvres import pulse
from samara.rotations import rotation_z

BLADES = 3
BLADE = ProprotorBlade(radius=1.161, cutout=0.2, mass=1.09)  # mass of the surrogate, shape of the V-22
HINGE, LAG_HZ = 0.0762, 5.2  # m, from the shaft; at rest; surrogate
MOMENT, INERTIA = 0.5694705, 0.440770167  # about the lag hinge [kg m, kg m^2]; surrogate
LAG_SPRING = INERTIA * (2 * np.pi * LAG_HZ) ** 2  # N m/rad
FEATHER = 2.5e-3  # inertia about the span [kg m^2]
LINKAGE_HZ, LINKAGE_DAMPING = 100.0, 0.05  # of a blade that feathers against its linkage
PULSE = 0.1  # s, length of the couples
LOCKING = 0.01  # s
#: Elastic blade: extension [N], torsion, flap and lag bending [N m^2]; first torsion near 100 Hz, as in the source.
EA, GJ, EI_FLAP, EI_LAG = 4e6, 210.0, 90.0, 1.5e4
#: Turns the axes of a pitch bearing about the span: x from up to ahead.
AHEAD = np.round(rotation_z(-0.5 * np.pi))
BEAM_DAMPING = 1e-4  # s, proportional to stiffness


def mass_along(x: np.ndarray) -> np.ndarray:
    """Mass per length [kg/m] at x from the hinge [m]: the parabola with mass, moment and inertia of the surrogate.

        mu = m / L (1 + a P1(s) + b P2(s)),   s = 2 x / L - 1,   P: Legendre's polynomials

    from the moments of s: those of s and s^2 are a / 3 and 1 / 3 + 2 b / 15. Sections' own inertia is left out.
    """
    length = BLADE.radius - HINGE
    first, second = MOMENT / (BLADE.mass * length), (INERTIA - FEATHER) / (BLADE.mass * length**2)
    a = 3.0 * (2.0 * first - 1.0)
    b = 7.5 * (4.0 * second - 4.0 * first + 1.0 - 1.0 / 3.0)
    s = 2.0 * np.asarray(x) / length - 1.0
    return BLADE.mass / length * (1.0 + a * s + b * (1.5 * s**2 - 0.5))


@dataclass(frozen=True)
class MastServos:
    """A servo with the stiffness of a pitch linkage for each blade, which stands on the mast.

    command: a state, the pitch; start: its value at the start [rad].
    """

    mast: Node
    command: State
    start: float

    def pitch(self, azimuth: float) -> float:
        """At the start [rad]."""
        return self.start

    def pitch_slope(self, azimuth: float) -> float:
        """It does not change with the azimuth."""
        return 0.0

    def attach(self, model: Model, blade: AddedBlade) -> None:
        """Adds name.servo."""
        w = 2 * np.pi * LINKAGE_HZ
        # x ahead: where the blade lags, the angle against the mast depends on it
        near, far = (place @ Placement((0.0, 0.0, 0.0), AHEAD) for place in blade.frames["pitch"].values())
        servo = RotaryServo(
            self.mast, blade.root, self.command, place_a=self.mast.local(blade.arm.place @ near), place_b=far,
            stiffness=FEATHER * w**2, damping=2 * LINKAGE_DAMPING * FEATHER * w,
        )  # fmt: skip
        model.add(f"{blade.name}.servo", servo)


def hinges(lag_damping: float) -> Hinges:
    """Lag, ahead when positive, with spring and damper; the pitch bearing at the same place."""
    damper = 2.0 * lag_damping * np.sqrt(LAG_SPRING * INERTIA)
    return Hinges(lag=BladeHinge(HINGE, LAG_SPRING, damper, reverse=True), pitch=BladeHinge(HINGE))


def blade(beams: int) -> Blade:
    """Rigid, or of beams from the hinge to the tip."""
    surface = BLADE.planform(naca0012())
    if not beams:
        centre = MOMENT / BLADE.mass
        lag = INERTIA - BLADE.mass * centre**2
        flat = MassProperties(BLADE.mass, (HINGE + centre, 0.0, 0.0), (FEATHER, lag - FEATHER, lag))
        return Blade(BLADE.radius, flat, surface=surface, points=5)
    length = BLADE.radius - HINGE
    x = np.linspace(0.0, length, 81)
    span = Span(
        station=HINGE + x, mass=mass_along(x), EA=EA, GJ=GJ, EI_y=EI_FLAP, EI_z=EI_LAG, inertia_z=FEATHER / length
    )
    points = 2 if beams <= 16 else 1
    return Blade(BLADE.radius, span=span, beams=beams, damping=BEAM_DAMPING, surface=surface, points=points)


def add_lock(model: Model, blade: AddedBlade, release: float) -> None:
    """A lock of the lag hinge that opens at `release` [s]."""
    engaged = Step(0.0, time=release, before=1.0)
    frames: Any = blade.frames["lag"]
    lock = Lock(*blade.ends["lag"], engaged=engaged, time=LOCKING, **frames)
    model.add(f"{blade.name}.lock", lock)


def add_couple(model: Model, blade: AddedBlade, push: int, couple: Parameter, at: float) -> None:
    """A couple in the lag hinge that pushes the blade ahead (1) or back (-1)."""
    torque = Constant(couple) * pulse(float(push), at, PULSE)
    frames: Any = blade.frames["lag"]
    model.add(f"{blade.name}.couple", RotaryActuator(*blade.ends["lag"], torque=torque, **frames))
