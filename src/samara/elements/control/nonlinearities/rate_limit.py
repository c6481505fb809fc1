"""Limits of the rate of a signal."""

from __future__ import annotations

from typing import Any

from samara.blocks.corners import beyond
from samara.elements.control.blocks.signal_block import SignalBlock
from samara.model import Contribution, Site, State, number, signal

#: Part of a limit over which the rate bends into it.
BEND = 0.2


class SmoothRateLimit(SignalBlock):
    """y follows u no faster than it may.

        dy/dt = e / (1 + max(e - rise, 0) / rise + max(-e - fall, 0) / fall),     e = (u - y) / time

    This is e within [-fall, rise], with the corners of max rounded over a fifth of each limit.

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
        asked = (self.received(site, "u") - y.value) / self.time
        above = beyond(asked - self.rise, 0.5 * BEND * self.rise) / self.rise
        below = beyond(-asked - self.fall, 0.5 * BEND * self.fall) / self.fall
        # not divided: at rest, as it starts, the equation is asked = 0, however far y is from u
        return Contribution(wrenches=[], balances=[y.rate * (1.0 + above + below) - asked])
