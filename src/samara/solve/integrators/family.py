"""The family that all our integrators belong to: second-order two-step formulas with two free coefficients.

    x_k = (1 - beta) x_{k-1} + beta x_{k-2} + h_{k-1} (b0 xdot_k + b1 xdot_{k-1} + b2 xdot_{k-2})
    b0 = delta / alpha + alpha / 2,   b1 = beta / 2 + alpha / 2 - delta (1 + alpha) / alpha,   b2 = beta / 2 + delta

with alpha = h_k / h_{k-1}; h_{k-1} is the *old* step. Any beta and delta give order two. An integrator is a choice of
both as functions of alpha: one small file each.
Source: Masarati, Lanz, Mantegazza, Multistep integration of ordinary, stiff and differential-algebraic problems for
multibody dynamics applications, XVI Congresso Nazionale AIDAA, 2001.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Formula(NamedTuple):
    """Coefficients of one step; the b are in units of the old step."""

    a1: float
    a2: float
    b0: float
    b1: float
    b2: float


@dataclass(frozen=True)
class Integrator:
    """A member of the family.

    radius:   asymptotic spectral radius rho_inf, 0 (annihilates the fastest modes) to 1 (keeps all of them).
    two_step: 1.0 for the two-step formulas, 0.0 for the one-step limit beta = delta = 0.
    """

    name: str
    radius: float
    two_step: float = 1.0
    order: int = 2

    def formula(self, alpha: float = 1.0) -> Formula:
        """Coefficients for a ratio of steps alpha = h_new / h_old."""
        return Formula(*coefficients(self.radius, self.two_step, alpha))


def coefficients(radius: float, two_step: float, alpha: float) -> tuple[float, float, float, float, float]:
    """(a1, a2, b0, b1, b2) of the family; plain arithmetic, so that the native driver compiles it as it is."""
    gap = (1.0 - radius) * (1.0 - radius)
    d = 2.0 * (1.0 + alpha) - gap
    beta = two_step * alpha * ((2.0 + alpha) * gap + 2.0 * (1.0 + alpha) * (2.0 * radius - 1.0)) / d
    delta = two_step * 0.5 * alpha * alpha * gap / d
    b0 = delta / alpha + 0.5 * alpha
    b1 = 0.5 * beta + 0.5 * alpha - delta * (1.0 + alpha) / alpha
    return 1.0 - beta, beta, b0, b1, 0.5 * beta + delta
