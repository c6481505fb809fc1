"""Weighted sum of signals."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.control.blocks.signal_block import SignalBlock
from samara.model import Contribution, Site, numbers, signals


class SignalSum(SignalBlock):
    """y = sum of gains u.

    u: signals, such as ``[command, sensor.output]``. gains: one each, by default 1; ``(1, -1)`` computes an error from
    a set point and a measured value. See `SignalBlock` for the other arguments.
    """

    u: Any = signals(kw_only=False)
    gains: Any = numbers(default=None)

    def prepare(self) -> None:
        super().prepare()
        if not isinstance(self.u, (tuple, list)) or not self.u:
            raise ValueError("u must be a list of at least one signal")
        if self.gains is None:
            self.gains = np.ones(len(self.u))
        if np.shape(self.gains) != (len(self.u),):
            raise ValueError(
                f"one gain per signal is needed, got {len(self.u)} signals and {np.size(self.gains)} gains"
            )

    def formulate(self, site: Site) -> Contribution:
        total = sum(gain * u for gain, u in zip(self.gains, self.received(site, "u"), strict=True))
        return Contribution(wrenches=[], balances=[site.states[-1].value - total])
