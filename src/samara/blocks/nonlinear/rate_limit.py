"""Rate limit of a signal."""

from __future__ import annotations

from samara.blocks.block import Block
from samara.blocks.corners import beyond, within
from samara.model import number

#: Part of a limit over which the rate bends into it.
BEND = 0.2


class RateLimit(Block):
    """Rate limit: y follows u with a lag and a limited rate.

        y_k = y_{k-1} + (u_k - y_{k-1}) h / (time + h), no more than rise h up and fall h down            sampled
        dy/dt = e / (1 + max(e - rise, 0) / rise + max(-e - fall, 0) / fall),     e = (u - y) / time

    The last is e within [-fall, rise], with the corners of max rounded over a fifth of each limit.

    rise, fall: maximum rates [unit of u / s]; by default fall equals rise. time: time constant of the lag [s], zero
    allowed in sampled laws only; y lags a ramp of slope r by r time. It starts at u.
    """

    rise: float = number(positive=True)
    fall: float = number(default=None, positive=True)
    time: float = number(default=0.0, unit="s", nonnegative=True)

    def prepare(self) -> None:
        if self.fall is None:
            self.keep(fall=self.rise)

    def require_continuous(self) -> None:
        if not float(self.time) > 0.0:
            raise self.refuse(f"time must be positive in continuous time, got {float(self.time):g} s")

    def start(self, u):
        return [u[0]]

    def output(self, x, u, h):
        wanted = u[0] - self.time * (u[0] - x[0]) / (self.time + h)
        return [within(wanted, x[0] - self.fall * h, x[0] + self.rise * h)]

    def next(self, x, u, h):
        return self.output(x, u, h)

    def smooth(self, x, u):
        return list(x)

    def balances(self, x, rates, u):
        """Not divided: at rest, as it starts, the equation is e = 0, however far y is from u."""
        asked = (u[0] - x[0]) / self.time
        above = beyond(asked - self.rise, 0.5 * BEND * self.rise) / self.rise
        below = beyond(-asked - self.fall, 0.5 * BEND * self.fall) / self.fall
        return [rates[0] * (1.0 + above + below) - asked]
