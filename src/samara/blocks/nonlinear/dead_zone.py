"""Dead zone of a signal."""

from __future__ import annotations

from samara.blocks.block import Block
from samara.blocks.corners import NO_LIMIT, beyond, require_limits, within
from samara.model import number


class DeadZone(Block):
    """Dead zone: y = u - upper above `upper`, u - lower below `lower`, zero between.

    lower, upper: ends of the zone, in the unit of u. corner: in continuous time, width of u over which each corner is
    rounded by a parabola; y is exact outside it.
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
        return [u[0] - within(u[0], self.lower, self.upper)]

    def smooth(self, x, u):
        half = 0.5 * self.corner
        return [beyond(u[0] - self.upper, half) - beyond(self.lower - u[0], half)]
