"""Limits of the rate of a signal."""

from __future__ import annotations

from typing import Any

from samara.elements.control.rounded import clamped
from samara.elements.control.signal_block import SignalBlock
from samara.model import Contribution, Site, State, number, signal

#: Part of the sum of both rates over which the rate bends into a limit.
BEND = 0.1


class SmoothRateLimit(SignalBlock):
    """y follows u no faster than it may.

        dy/dt = (u - y) / time within [-fall, rise],     the corners rounded over a tenth of fall + rise

    u: a signal. rise, fall: the largest rates [unit of u / s]; fall is as rise by default. time: of the lag with which
    y follows a u that is slow enough [s]: behind a ramp of slope r it stays by r time. It starts at u.
    See `SignalBlock` for the rest.
    """

    u: Any = signal(kw_only=False)
    rise: float = number(positive=True)
    fall: float = number(default=None, positive=True)
    time: float = number(unit="s", positive=True)

    def prepare(self) -> None:
        super().prepare()
        if self.fall is None:
            self.fall = self.rise

    def own_states(self) -> dict[str, State]:
        return {"output": self.new_output(1, settled=True)}

    def formulate(self, site: Site) -> Contribution:
        y = site.states[-1]
        rate = (self.received(site, "u") - y.value) / self.time
        return Contribution(
            wrenches=[], balances=[y.rate - clamped(rate, -self.fall, self.rise, BEND * (self.fall + self.rise))]
        )
