"""Delay by a whole number of samples."""

from __future__ import annotations

from typing import Any

from samara.blocks.block import Block
from samara.blocks.checks import whole_number
from samara.model import number, setting


class Delay(Block):
    """y_k = u_{k - samples}; zero samples pass through. In continuous time: `PadeDelay`.

    samples: number of samples. initial: output until then.
    """

    time_between = "even"

    samples: Any = setting(default=None)
    initial: float = number(default=0.0, plain=True)

    def prepare(self) -> None:
        self.keep(samples=whole_number("Delay", "samples", self.samples, 0))

    @property
    def lines(self) -> tuple[int, ...]:
        return (self.samples,) if self.samples else ()

    def start(self, u):
        return [self.initial] * len(self.lines)

    def output(self, x, u, h):
        return [*x, *u][:1]

    def next(self, x, u, h):
        return list(u)[: len(x)]

    def rate(self, x, u):
        raise self.refuse("has no continuous-time form: sample it, or use PadeDelay")

    def balances(self, x, rates, u):
        return self.rate(x, u)
