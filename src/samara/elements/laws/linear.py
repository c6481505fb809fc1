"""Linear law."""

from __future__ import annotations

from samara.elements.laws.law import Law
from samara.model import number


class LinearLaw(Law):
    """A linear spring and damper in parallel.

        effort = preload + stiffness q + damping rate,     V = preload q + stiffness q^2 / 2

    stiffness [N/m or N m/rad], may be negative; damping [N s/m or N m s/rad] >= 0; preload: effort at q = 0 [N or N m].
    """

    stiffness: float = number(unit="N/m or N m/rad")
    damping: float = number(default=0.0, unit="N s/m or N m s/rad", nonnegative=True)
    preload: float = number(default=0.0, unit="N or N m")

    def elastic(self, q):
        return self.preload + self.stiffness * q

    def potential(self, q):
        return (self.preload + 0.5 * self.stiffness * q) * q

    def viscous(self, q, rate):
        return self.damping * rate
