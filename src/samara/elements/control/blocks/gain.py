"""Gain."""

from __future__ import annotations

from typing import Any

from samara.elements.control.blocks.signal_block import SignalBlock
from samara.model import Contribution, Site, number, signal


class Gain(SignalBlock):
    """y = gain u + offset.

    u: a signal. gain: [unit of y / unit of u], offset: in the unit of y. See `SignalBlock` for the other arguments.
    """

    u: Any = signal(kw_only=False)
    gain: float = number()
    offset: float = number(default=0.0)

    def formulate(self, site: Site) -> Contribution:
        y = site.states[-1].value
        return Contribution(wrenches=[], balances=[y - self.gain * self.received(site, "u") - self.offset])
