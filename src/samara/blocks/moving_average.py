"""Moving average."""

from __future__ import annotations

from typing import Any

from samara.blocks.block import Block
from samara.blocks.checks import whole_number
from samara.model import setting
from samara.tracing import fmin, select


class MovingAverage(Block):
    """Mean of the last `count` samples (fewer at the start): y_k = (u_k + ... + u_{k-count+1}) / count.

    Its gain vanishes at all multiples of 1 / (count h): averaging over a rotor revolution removes all harmonics. The
    sum is updated from sample to sample with compensation of rounding errors (Neumaier's sum).

    count: number of samples.
    """

    time_between = "even"

    count: Any = setting(default=None)

    def prepare(self) -> None:
        self.keep(count=whole_number("MovingAverage", "count", self.count, 1))

    @property
    def lines(self) -> tuple[int, ...]:
        return (self.count,)

    def start(self, u):
        """The sum, what rounding took from it, how many samples there were, and the oldest of them."""
        return [0.0, 0.0, 0.0, 0.0]

    def output(self, x, u, h):
        total, lost, seen, _ = self.next(x, u, h)
        return [(total + lost) / seen]

    def next(self, x, u, h):
        total, lost, seen, oldest = x
        for value in (u[0], -oldest):
            more = total + value
            kept = select(abs(total) >= abs(value), (total - more) + value, (value - more) + total)
            total, lost = more, lost + kept
        return [total, lost, fmin(seen + 1.0, float(self.count)), u[0]]
