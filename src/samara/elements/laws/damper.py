"""Viscous damper's law."""

from __future__ import annotations

from samara.elements.laws.law import Law
from samara.model import number
from samara.tracing import absolute


class DamperLaw(Law):
    """A viscous damper with an optional part quadratic in the rate (flow through an orifice).

        effort = damping rate + quadratic |rate| rate

    damping [N s/m or N m s/rad] >= 0; quadratic [N s^2/m^2 or N m s^2/rad^2] >= 0.
    """

    damping: float = number(unit="N s/m or N m s/rad", nonnegative=True)
    quadratic: float = number(default=0.0, unit="N s^2/m^2 or N m s^2/rad^2", nonnegative=True)

    def viscous(self, q, rate):
        return (self.damping + self.quadratic * absolute(rate)) * rate
