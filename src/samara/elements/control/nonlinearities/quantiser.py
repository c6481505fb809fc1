"""Quantisation of a signal."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.control.blocks.signal_block import SignalBlock
from samara.model import Contribution, Site, number, signal
from samara.rotations import arctan2


def staircase(x: Any, width: Any) -> Any:
    """The nearest whole number, with risers that are smooth: slope 1 / width half-way between two, `width` at each.

        x - atan2(r sin(2 pi x), 1 + r cos(2 pi x)) / pi,     r = (1 - width) / (1 + width)

    The second term is the sum of (-1)^(k+1) r^k sin(2 pi k x) / (pi k), Fourier's series of a sawtooth but for r^k.
    """
    r, angle = (1.0 - width) / (1.0 + width), 2.0 * np.pi * x
    return x - arctan2(r * np.sin(angle), 1.0 + r * np.cos(angle)) / np.pi


class Quantiser(SignalBlock):
    """y = step round(u / step), with risers that are smooth.

    u: a signal. step: in its unit. width: of a riser, in steps, between 0 and 1: half-way between two values the slope
    is 1 / width, at them it is `width`, so that y is wrong by at most about sqrt(width) / pi of a step a quarter of a
    step off. Newton's method must follow the risers: steps in time that cross one in several are solved best.
    See `staircase` and `SignalBlock`.
    """

    u: Any = signal(kw_only=False)
    step: float = number(positive=True)
    width: float = number(default=0.02, positive=True)

    def examine(self) -> None:
        if not float(self.width) < 1.0:
            raise ValueError(f"width must be less than 1, got {float(self.width):g}")

    def formulate(self, site: Site) -> Contribution:
        y = self.step * staircase(self.received(site, "u") / self.step, self.width)
        return Contribution(wrenches=[], balances=[site.states[-1].value - y])
