"""Limits of a signal."""

from __future__ import annotations

from samara.blocks.corners import clamped, within
from samara.blocks.limited import LimitedBlock


class Saturation(LimitedBlock):
    """y = u within [lower, upper].

    lower, upper: limits, in the unit of u; none by default. corner: in continuous time, width of u over which y bends
    into a limit by a parabola, from half of it before to half of it beyond; y is exact outside of it, at most
    corner / 8 too small in it, and never passes a limit.
    """

    time_between = "none"

    def output(self, x, u, h):
        return [within(u[0], self.lower, self.upper)]

    def smooth(self, x, u):
        return [clamped(u[0], self.lower, self.upper, self.corner)]
