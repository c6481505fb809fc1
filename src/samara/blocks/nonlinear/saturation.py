"""Saturation of a signal."""

from __future__ import annotations

from samara.blocks.block import Block
from samara.blocks.corners import NO_LIMIT, clamped, require_limits, within
from samara.model import number


class Saturation(Block):
    """Saturation: y = u limited to [lower, upper].

    lower, upper: limits, in the unit of u; none by default. corner: in continuous time, width of u over which the
    corner at a limit is rounded by a parabola, half on either side; y is exact outside it, at most corner / 8 too small
    within it, and never exceeds a limit.
    """

    time_between = "none"

    lower: float = number(default=-NO_LIMIT)
    upper: float = number(default=NO_LIMIT)
    corner: float = number(default=0.01, positive=True)

    def validate(self) -> None:
        super().validate()
        require_limits(self)

    def require_continuous(self) -> None:
        super().require_continuous()
        require_limits(self, self.corner)

    def output(self, x, u, h):
        return [within(u[0], self.lower, self.upper)]

    def smooth(self, x, u):
        return [clamped(u[0], self.lower, self.upper, self.corner)]
