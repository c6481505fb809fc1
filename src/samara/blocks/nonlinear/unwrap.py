"""Unwrapping of angles."""

from __future__ import annotations

import math

from samara.blocks.block import Block

TURN = 2.0 * math.pi


class Unwrap(Block):
    """Unwraps an angle [rad]: adds whole turns such that changes between samples are within pi."""

    time_between = "none"

    def start(self, u):
        """The last angle, and the turns that were added to it."""
        return [u[0], 0.0]

    def output(self, x, u, h):
        return [u[0] + self.next(x, u, h)[1]]

    def next(self, x, u, h):
        return [u[0], x[1] - TURN * math.floor((u[0] - x[0]) / TURN + 0.5)]
