"""Cubic law."""

from __future__ import annotations

from samara.elements.laws.law import Law
from samara.model import number


class CubicLaw(Law):
    """A Duffing spring: symmetric, hardening (cubic > 0) or softening (cubic < 0).

        effort = stiffness q + cubic q^3 + damping rate,     V = stiffness q^2 / 2 + cubic q^4 / 4

    stiffness [N/m or N m/rad]; cubic [N/m^3 or N m/rad^3]; damping [N s/m or N m s/rad] >= 0. A softening law becomes
    repulsive beyond q^2 = stiffness / |cubic|.
    """

    stiffness: float = number(unit="N/m or N m/rad")
    cubic: float = number(unit="N/m^3 or N m/rad^3")
    damping: float = number(default=0.0, unit="N s/m or N m s/rad", nonnegative=True)

    def elastic(self, q):
        return (self.stiffness + self.cubic * q * q) * q

    def potential(self, q):
        return (0.5 * self.stiffness + 0.25 * self.cubic * q * q) * q * q

    def viscous(self, q, rate):
        return self.damping * rate
