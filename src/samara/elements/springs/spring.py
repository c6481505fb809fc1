"""Spring: linear spring and damper between two points."""

from __future__ import annotations

from samara.elements.laws.linear import LinearLaw
from samara.elements.springs.line import Elastic
from samara.model import number


class Spring(Elastic):
    """A linear spring and damper in parallel between two points.

        F = preload + stiffness (|p_PQ| - length) + damping d|p_PQ|/dt [N], tension positive

    stiffness [N/m] >= 0; damping [N s/m] >= 0; length: natural length [m], by default that in the reference pose;
    preload: tension at the natural length [N].

    See `Line` for how to give the points, and for coincident points.
    """

    stiffness: float = number(unit="N/m", nonnegative=True)
    damping: float = number(default=0.0, unit="N s/m", nonnegative=True)
    preload: float = number(default=0.0, unit="N")

    def characteristic(self):
        return LinearLaw(self.stiffness, self.damping, self.preload)
