"""Limits of a signal."""

from __future__ import annotations

from typing import Any

from samara.blocks.control_law import NO_LIMIT
from samara.blocks.corners import check_limits, clamped
from samara.elements.control.blocks.signal_block import SignalBlock
from samara.model import Contribution, Site, number, signal


class SmoothSaturation(SignalBlock):
    """y = u within [lower, upper], with its corners rounded by parabolas.

    u: a signal. lower, upper: limits, in the unit of u; none by default. corner: width of u over which y bends into a
    limit, from half of it before to half of it beyond; y is exact outside of it, at most corner / 8 too small in it,
    and never passes a limit. See `SignalBlock` for the rest.
    """

    u: Any = signal(kw_only=False)
    lower: float = number(default=-NO_LIMIT)
    upper: float = number(default=NO_LIMIT)
    corner: float = number(default=0.01, positive=True)

    def examine(self) -> None:
        check_limits(self.lower, self.upper, self.corner)

    def formulate(self, site: Site) -> Contribution:
        y = clamped(self.received(site, "u"), self.lower, self.upper, self.corner)
        return Contribution(wrenches=[], balances=[site.states[-1].value - y])
