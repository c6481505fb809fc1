"""Dead zone of a signal."""

from __future__ import annotations

from typing import Any

from samara.blocks.corners import beyond, check_limits
from samara.elements.control.blocks.signal_block import SignalBlock
from samara.model import Contribution, Site, number, signal


class SmoothDeadZone(SignalBlock):
    """y = u - upper above `upper`, u - lower below `lower`, zero between; corners are rounded by parabolas.

    u: a signal. lower, upper: ends of the zone, in the unit of u. corner: width of u over which y bends, half of it on
    either side of an end; y is exact outside of it. See `SignalBlock` for the rest.
    """

    u: Any = signal(kw_only=False)
    lower: float = number()
    upper: float = number()
    corner: float = number(default=0.01, positive=True)

    def examine(self) -> None:
        check_limits(self.lower, self.upper, self.corner)

    def formulate(self, site: Site) -> Contribution:
        u, half = self.received(site, "u"), 0.5 * self.corner
        y = beyond(u - self.upper, half) - beyond(self.lower - u, half)
        return Contribution(wrenches=[], balances=[site.states[-1].value - y])
