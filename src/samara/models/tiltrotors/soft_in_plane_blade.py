"""Blades of the soft-in-plane tiltrotor: lag hinge with spring, damper and lock, pitch bearing, rigid or elastic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.elements.aero.aerofoils.naca0012 import naca0012
from samara.elements.aero.rotors.rotor import Rotor
from samara.elements.aero.surfaces.beam import AeroBeam3
from samara.elements.aero.surfaces.body import AeroBody
from samara.elements.aero.surfaces.strip import Stations
from samara.elements.beams.add_beam import add_beam
from samara.elements.beams.span import Span
from samara.elements.bodies.body import Body
from samara.elements.control.servos.rotary_servo import RotaryServo
from samara.elements.joints.lock import Lock
from samara.elements.joints.revolute import Revolute
from samara.elements.laws.linear import LinearLaw
from samara.elements.loads.rotary_actuator import RotaryActuator
from samara.elements.springs.torsion import Torsion
from samara.model import Constant, Model, Node, Parameter, Placement, State, Step
from samara.models.tiltrotors.proprotor_blade import ProprotorBlade
from samara.models.tiltrotors.tiltrotor import ABOUT_SPAN
from samara.models.tiltrotors.tiltrotor_manoeuvres import pulse
from samara.rotations import rotation_x, rotation_z

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
class Blades:
    """What the blades share. beams: per blade, 0 for rigid blades; the others as in `soft_in_plane.build`."""

    model: Model
    mast: Node
    hub: Node
    rotor: Rotor | None
    collective: State
    pitch: float
    beams: int
    lag_damping: float
    couple: Parameter
    couple_at: float

    def add(self, name: str, azimuth: float, push: int, release: float) -> None:
        """A blade at an azimuth of the hub, pushed ahead (1), back (-1) or not at all by the couple.

        release: when its lag lock opens [s]; 0: there is none.
        """
        hub, spin = self.hub, self.hub.angular_velocity
        R = hub.rotation @ rotation_z(azimuth)
        at = hub.position + R @ [HINGE, 0.0, 0.0]
        motion: dict[str, Any] = {"velocity": np.cross(spin, at - hub.position), "angular_velocity": spin}
        cuff = self.model.node(f"{name}.cuff", at, R, static=True, **motion)
        self._hinge(name, cuff, push, release)
        root = self.model.node(name, at, R @ rotation_x(self.pitch), **motion)
        self._pitch(name, cuff, root)
        (self._elastic if self.beams else self._rigid)(name, root)

    def _hinge(self, name: str, cuff: Node, push: int, release: float) -> None:
        add, hub = self.model.add, self.hub
        lag: dict[str, Any] = {"at": cuff.position, "axis": hub.rotation[:, 2], "axis_x": cuff.rotation[:, 0]}
        damper = 2.0 * self.lag_damping * np.sqrt(LAG_SPRING * INERTIA)
        add(f"{name}.lag", Revolute(hub, cuff, **lag))
        add(f"{name}.spring", Torsion(hub, cuff, law=LinearLaw(LAG_SPRING, damping=damper), **lag))
        if release:
            engaged = Step(0.0, time=release, before=1.0)
            add(f"{name}.lock", Lock(hub, cuff, engaged=engaged, time=LOCKING, **lag))
        if push:
            torque = Constant(self.couple) * pulse(float(push), self.couple_at, PULSE)
            add(f"{name}.couple", RotaryActuator(hub, cuff, torque=torque, **lag))

    def _pitch(self, name: str, cuff: Node, root: Node) -> None:
        """Bearing about the span, and a servo with the stiffness of a pitch linkage, which stands on the mast."""
        along = Placement((0.0, 0.0, 0.0), ABOUT_SPAN)
        self.model.add(f"{name}.bearing", Revolute(cuff, root, place_a=along, place_b=along))
        w = 2 * np.pi * LINKAGE_HZ
        servo = RotaryServo(
            self.mast,
            root,
            self.collective,
            place_a=self.mast.local(cuff.place) @ along,
            place_b=along,
            stiffness=FEATHER * w**2,
            damping=2 * LINKAGE_DAMPING * FEATHER * w,
        )
        self.model.add(f"{name}.servo", servo)

    def _rigid(self, name: str, root: Node) -> None:
        centre = MOMENT / BLADE.mass
        lag = INERTIA - BLADE.mass * centre**2
        inertia = (FEATHER, lag - FEATHER, lag)  # a flat plate
        self.model.add(f"{name}.body", Body(root, mass=BLADE.mass, inertia=inertia, com=(centre, 0.0, 0.0)))
        if self.rotor is not None:
            place, along = Placement((-HINGE, 0.0, 0.0)), BLADE.stations(5)
            load = AeroBody(root, place=place, stations=along, aerofoil=naca0012(), rotor=self.rotor)
            self.model.add(f"{name}.air", load)

    def _elastic(self, name: str, root: Node) -> None:
        """Beams from the hinge to the tip."""
        length = BLADE.radius - HINGE
        x = np.linspace(0.0, length, 81)
        span = Span(station=x, mass=mass_along(x), EA=EA, GJ=GJ, EI_y=EI_FLAP, EI_z=EI_LAG, inertia_z=FEATHER / length)
        nodes = add_beam(self.model, name, span, root=root, elements=self.beams, damping=BEAM_DAMPING)
        if self.rotor is None:
            return
        ends = HINGE + np.linspace(0.0, length, self.beams + 1)
        for e in range(self.beams):
            along = _along_beam(ends[e], ends[e + 1], 2 if self.beams <= 16 else 1)
            if along is not None:
                three = nodes[2 * e : 2 * e + 3]
                load = AeroBeam3(*three, stations=along, aerofoil=naca0012(), rotor=self.rotor)
                self.model.add(f"{name}.air{e + 1}", load)


def _along_beam(start: float, end: float, count: int) -> Stations | None:
    """Stations of a beam between two radii, x from -1 to 1; none where it lies inside the cutout."""
    if end <= BLADE.cutout:
        return None
    middle, half = 0.5 * (start + end), 0.5 * (end - start)
    s = BLADE.stations(count, max(start, BLADE.cutout), end)
    return Stations((s.x - middle) / half, s.length, s.chord, s.cosine, s.sine, s.centre, s.control)
