"""Blade of a tiltrotor: shape of the V-22's by C. W. Acree, at any radius."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.elements.aero.aerofoils.aerofoil import Aerofoil
from samara.elements.aero.surfaces.blade import Planform
from samara.elements.aero.surfaces.strip import Stations, section_load, section_velocity
from samara.elements.aero.wind.air import Air
from samara.model import ModelError

#: From Acree, "Effects of Blade Sweep on V-22 Whirl Flutter and Loads", as quoted: radius, chords at 5 % and at the tip
#: [in], effective twist [deg]. That chord and twist are linear in between is a simplification.
RADIUS_IN, CHORD_ROOT_IN, CHORD_TIP_IN, TWIST_DEG = 228.5, 36.0, 22.0, 47.5


@dataclass(frozen=True)
class ProprotorBlade:
    """A tapered, twisted, rigid blade.

    radius: of the tip; cutout: where the aerofoil begins [m]; mass, of which a unit span has a share as its chord is
    [kg]; gyration: radius of gyration of a section about the pitch axis, in chords. Pitch axis, centre of mass and
    centre of pressure lie on the quarter chord. Twist is zero at 75 % of the radius.
    """

    radius: float
    cutout: float
    mass: float
    gyration: float = 0.25

    def chord(self, x: Any) -> Any:
        """Chord at a radius [m]."""
        part = (x / self.radius - 0.05) / 0.95
        return self.radius / RADIUS_IN * (CHORD_ROOT_IN + part * (CHORD_TIP_IN - CHORD_ROOT_IN))

    def twist(self, x: Any) -> Any:
        """Nose up at a radius, against that at 75 % [rad]."""
        return np.deg2rad(TWIST_DEG) * (0.75 - x / self.radius)

    def stations(self, count: int) -> Stations:
        """Gauss points from the cutout to the tip; flow is looked at on the three-quarter chord."""
        return Stations.gauss(
            self.cutout, self.radius, count, self.chord, self.twist, 0.0, lambda x: -0.5 * self.chord(x)
        )

    def planform(self, aerofoil: Aerofoil) -> Planform:
        """What the air sees, from the cutout to the tip; flow is looked at on the three-quarter chord."""
        ends = np.array([self.cutout, self.radius])
        chord = self.chord(ends)
        return Planform(station=ends, chord=chord, twist=self.twist(ends), control=-0.5 * chord, aerofoil=aerofoil)

    def mass_per_length(self, x: float) -> float:
        """[kg/m] at a radius."""
        area = 0.5 * (self.chord(self.cutout) + self.chord(self.radius)) * (self.radius - self.cutout)
        return self.mass * self.chord(x) / area

    def body(self) -> dict:
        """Mass, centre and inertia about it, seen from the hub's centre: x along the span, a flat plate in x-y."""
        points, weights = np.polynomial.legendre.leggauss(8)
        half = 0.5 * (self.radius - self.cutout)
        x = self.cutout + half * (1.0 + points)
        dm = half * weights * np.array([self.mass_per_length(v) for v in x])
        mass, centre = dm.sum(), (dm @ x) / dm.sum()
        flap = dm @ (x - centre) ** 2
        feather = dm @ np.array([(self.gyration * self.chord(v)) ** 2 for v in x])
        return {"mass": mass, "com": (centre, 0.0, 0.0), "inertia": (feather, flap, flap + feather)}

    def solidity(self, blades: int) -> float:
        """Blade area by disk area."""
        area = 0.5 * (self.chord(self.cutout) + self.chord(self.radius)) * (self.radius - self.cutout)
        return blades * area / (np.pi * self.radius**2)

    def windmill_pitch(self, aerofoil: Aerofoil, air: Air, wind: float, speed: float, count: int = 8) -> float:
        """Pitch at 75 % [rad] at which wind along the shaft [m/s] turns the blade at a speed [rad/s] without torque.

        Blade elements without induced velocity: where an unpowered rotor settles, but for its wake.
        """

        s = self.stations(count)

        def torque(pitch: float, wind: float) -> float:
            total, c, n = 0.0, np.cos(pitch), np.sin(pitch)
            for k in range(count):
                velocity = np.array([0.0, c * speed * s.x[k] + n * wind, -n * speed * s.x[k] + c * wind])
                flow = section_velocity(velocity, s.cosine[k], s.sine[k])
                load = section_load(aerofoil, air, s, k, *flow)
                total += s.x[k] * (c * load.y - n * load.z)
            return total

        def ends(wind: float) -> tuple[float, float]:
            middle = float(np.arctan2(wind, 0.75 * self.radius * speed))
            return middle - 0.15, middle + 0.15

        def turns(wind: float) -> bool:
            low, high = ends(wind)
            return torque(low, wind) * torque(high, wind) < 0.0

        if not turns(wind):
            enough = [w for w in self.radius * speed * np.geomspace(1e-3, 10.0, 200) if turns(w)]
            known = f"it takes {min(enough):.3g} .. {max(enough):.3g} m/s, about" if enough else "nor does any other"
            raise ModelError(f"a wind of {wind:g} m/s does not turn the rotor at {speed:.4g} rad/s unpowered: {known}")
        from scipy.optimize import brentq  # half a second: loaded only when it is needed

        return float(brentq(torque, *ends(wind), args=(wind,), xtol=1e-6))
