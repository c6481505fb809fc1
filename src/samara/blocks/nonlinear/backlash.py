"""Backlash between two signals."""

from __future__ import annotations

from samara.blocks.block import Block
from samara.blocks.corners import beyond, within
from samara.model import number


class Backlash(Block):
    """Backlash (play): y is constant while u moves within a gap, and is carried along by its ends.

        y_k = y_{k-1} within [u_k - gap / 2, u_k + gap / 2]                                                  sampled
        time dy/dt = max(u - y - gap / 2, 0) - max(y - u - gap / 2, 0),     the corners rounded over `corner` gaps

    gap: width of the play, in the unit of u. time: time constant with which an end carries y along [s]; zero is allowed
    in sampled laws only; while u moves at a rate r, y lags the end by r time, apart from the rounded corner. For time
    and corner much smaller than the time scale and amplitude of u, it approaches the sampled one, the play operator of
    hysteresis theory. corner: width over which an end starts to push, in gaps. initial: initial y. If it is further
    than half a gap from u, y is moved immediately.
    """

    time_between = "none"

    gap: float = number(positive=True)
    time: float = number(default=0.0, unit="s", nonnegative=True)
    corner: float = number(default=0.01, positive=True)
    initial: float = number(default=0.0, plain=True)

    def require_continuous(self) -> None:
        if not float(self.time) > 0.0:
            raise self.refuse(f"time must be positive in continuous time, got {float(self.time):g} s")
        if not float(self.corner) <= 1.0:
            raise self.refuse(f"corner must not be wider than the gap, 1, got {float(self.corner):g}")

    def start(self, u):
        return [self.initial]

    def output(self, x, u, h):
        return [within(x[0], u[0] - 0.5 * self.gap, u[0] + 0.5 * self.gap)]

    def next(self, x, u, h):
        return self.output(x, u, h)

    def smooth(self, x, u):
        return list(x)

    def balances(self, x, rates, u):
        half, off = 0.5 * self.corner * self.gap, u[0] - x[0]
        push = beyond(off - 0.5 * self.gap, half) - beyond(-off - 0.5 * self.gap, half)
        return [self.time * rates[0] - push]

    def initials(self):
        return [float(self.initial)]
