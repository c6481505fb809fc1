"""Quantisation of a signal."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from samara.blocks.block import Block
from samara.model import number
from samara.rotations import arctan2


def staircase(x: Any, width: Any) -> Any:
    """The nearest whole number, with risers that are smooth: slope 1 / width half-way between two, `width` at each.

        x - atan2(r sin(2 pi x), 1 + r cos(2 pi x)) / pi,     r = (1 - width) / (1 + width)

    The second term is the sum of (-1)^(k+1) r^k sin(2 pi k x) / (pi k), Fourier's series of a sawtooth but for r^k.
    """
    r, angle = (1.0 - width) / (1.0 + width), 2.0 * np.pi * x
    return x - arctan2(r * np.sin(angle), 1.0 + r * np.cos(angle)) / np.pi


class Quantiser(Block):
    """y = quantum round(u / quantum): the nearest whole multiple, the upper one half-way between two.

    quantum: in the unit of u. width: in continuous time, of a riser, in quanta, between 0 and 1: half-way between two
    values the slope is 1 / width, at them it is `width`, so that y is wrong by at most about sqrt(width) / pi of a
    quantum a quarter of one off. Newton's method must follow the risers: steps in time that cross one in several are
    solved best. See `staircase`.
    """

    time_between = "none"

    quantum: float = number(positive=True)
    width: float = number(default=0.02, positive=True)

    def require_continuous(self) -> None:
        if not float(self.width) < 1.0:
            raise self.refuse(f"width must be less than 1, got {float(self.width):g}")

    def output(self, x, u, h):
        return [self.quantum * math.floor(u[0] / self.quantum + 0.5)]

    def smooth(self, x, u):
        return [self.quantum * staircase(u[0] / self.quantum, self.width)]
