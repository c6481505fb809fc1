"""Backlash between two signals."""

from __future__ import annotations

from typing import Any

from samara.blocks.corners import beyond
from samara.elements.control.blocks.signal_block import SignalBlock
from samara.model import Contribution, Site, State, number, signal


class Backlash(SignalBlock):
    """Play: y stands still while u moves in a gap, and is taken along by its ends.

        time dy/dt = max(u - y - gap / 2, 0) - max(y - u - gap / 2, 0),     the corners rounded over `corner` gaps

    u: a signal. gap: width of the play, in the unit of u. time: in which an end takes y along [s]; while u moves with a
    rate r, y stays behind the end by r time, up to what the corner rounds off. With time and corner far below what u
    takes, it is the play of hysteresis theory: y = max(min(y, u + gap / 2), u - gap / 2).
    corner: width over which an end begins to push, in gaps.
    start: y at the start. If it is further than half a gap from u, y is taken along at once.
    See `SignalBlock` for the rest.
    """

    u: Any = signal(kw_only=False)
    gap: float = number(positive=True)
    time: float = number(unit="s", positive=True)
    corner: float = number(default=0.01, positive=True)
    start: float = number(default=0.0, plain=True)

    def examine(self) -> None:
        if not float(self.corner) <= 1.0:
            raise ValueError(f"corner must not be wider than the gap, 1, got {float(self.corner):g}")

    def own_states(self) -> dict[str, State]:
        return {"output": self.new_output(1, value=self.start)}

    def formulate(self, site: Site) -> Contribution:
        y, half = site.states[-1], 0.5 * self.corner * self.gap
        off = self.received(site, "u") - y.value
        push = beyond(off - 0.5 * self.gap, half) - beyond(-off - 0.5 * self.gap, half)
        return Contribution(wrenches=[], balances=[self.time * y.rate - push])
