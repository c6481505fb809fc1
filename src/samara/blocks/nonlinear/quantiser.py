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
    """Quantisation: y = quantum round(u / quantum), the nearest multiple, with ties rounded up.

    quantum: in the unit of u. width: in continuous time, relative width of a smoothed step, between 0 and 1: half-way
    between two values the slope is 1 / width, at the values it is `width`; the error is at most about sqrt(width) / pi
    quanta, a quarter of a quantum from the value. Newton's method converges best if the time step resolves the smoothed
    steps. See `staircase`.
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
