"""Whirl of a rigid windmilling propeller on a pylon with pitch and yaw: see docs/theory/whirl-flutter.md.

With t = (t_x, t_y) the small rotations about two axes across the shaft, J t = (t_y, -t_x), s the sense of rotation,

    I t'' + s I_p W J t' + c t' + diag(k) t = -(N / 2) [(A_2 + h^2 A_0) t' - h V A_0 t - s V A_1 J t]
    (A_0, A_1, A_2) = 1/2 rho a integral of c U (sin^2, r sin cos, r^2 cos^2) dr,   U^2 = V^2 + (W r)^2, tan = V / (W r)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq

J = np.array([[0.0, 1.0], [-1.0, 0.0]])


@dataclass(frozen=True)
class Whirl:
    """inertia: across the shaft about the pivot; stiffness: about x (yaw) and y (pitch) of the disk; r, weight: of a
    quadrature along a blade, or the ends of the blade for exact integrals where `weight` is empty."""

    blades: int
    inertia: float
    polar: float
    pivot: float
    speed: float
    stiffness: tuple[float, float]
    damping: float
    chord: float
    slope: float
    density: float
    r: tuple[float, ...]
    weight: tuple[float, ...] = ()
    sense: int = 1

    def integrals(self, wind: float) -> np.ndarray:
        """A_0 [kg/s], A_1 [kg m/s], A_2 [kg m^2/s]."""

        def part(r, k: int):
            U, across = np.hypot(wind, self.speed * r), self.speed * r
            return 0.5 * self.density * self.slope * self.chord * wind ** (2 - k) * (across * r) ** k / U

        if self.weight:
            return np.array([part(np.array(self.r), k) @ np.array(self.weight) for k in range(3)])
        return np.array([quad(part, *self.r, args=(k,), epsabs=0.0, epsrel=1e-12)[0] for k in range(3)])

    def matrix(self, wind: float) -> np.ndarray:
        """Of the state (t_x, t_y, t_x', t_y')."""
        A0, A1, A2 = self.integrals(wind)
        half, eye, s, h = 0.5 * self.blades, np.eye(2), self.sense, self.pivot
        C = self.damping * eye + s * self.polar * self.speed * J + half * (A2 + h**2 * A0) * eye
        K = np.diag(self.stiffness) - half * wind * (h * A0 * eye + s * A1 * J)
        return np.block([[np.zeros((2, 2)), eye], [-K / self.inertia, -C / self.inertia]])

    def eigenvalues(self, wind: float) -> np.ndarray:
        """Least damped first, of each pair the one with a positive frequency first."""
        found = np.linalg.eigvals(self.matrix(wind))
        return found[np.lexsort((-found.imag, -np.round(found.real, 9)))]

    def boundary(self, low: float, high: float) -> tuple[float, float]:
        """Wind [m/s] and frequency [rad/s] of neutral whirl."""
        wind = brentq(lambda v: self.eigenvalues(v)[0].real, low, high, xtol=1e-9)
        return wind, abs(self.eigenvalues(wind)[0].imag)
