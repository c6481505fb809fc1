"""Damper: viscous, along the line of two points."""

from __future__ import annotations

from samara.elements.laws.damper import DamperLaw
from samara.elements.springs.line import Line
from samara.model import number


class Damper(Line):
    """A viscous damper between two points.

        F = damping r + quadratic |r| r [N], tension positive, with r = d|p_PQ|/dt

    damping [N s/m] >= 0; quadratic [N s^2/m^2] >= 0. For a measured damper curve use ``Rod(a, b,
    law=DamperTableLaw(curve))``.

    See `Line` for how to give the points, and for coincident points.
    """

    damping: float = number(unit="N s/m", nonnegative=True)
    quadratic: float = number(default=0.0, unit="N s^2/m^2", nonnegative=True)

    def effort(self, q, q_rate):
        return [DamperLaw(self.damping, self.quadratic)(q[0], q_rate[0])]

    def dissipation(self, q, q_rate):
        return DamperLaw(self.damping, self.quadratic).dissipation(q[0], q_rate[0])
