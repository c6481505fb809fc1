"""Strut: an elastic link whose natural length is driven."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.springs.line import COINCIDENT, Line
from samara.model import driven, number
from samara.rotations import dot
from samara.tracing import fmax


class Strut(Line):
    """A spring and damper between two points whose natural length follows a drive: a servo as seen by its load.

        F = stiffness q + damping dq/dt [N], tension positive,     q = |p_PQ| - length(t)

    length: a drive [m]; by default the distance in the reference pose, which makes it an elastic link. It may jump, as
    the stiffness smooths the response; the length of a `Distance` may not.
    stiffness [N/m] >= 0; damping [N s/m] >= 0, acting on the rate relative to the drive.

    See `Line` for how to give the points, and for coincident points.
    """

    coordinate_names = ("elongation",)

    stiffness: float = number(unit="N/m", nonnegative=True)
    damping: float = number(default=0.0, unit="N s/m", nonnegative=True)
    length: Any = driven(default=None, unit="m")

    def prepare(self) -> None:
        super().prepare()
        if self.length is None:
            self.length = self.reference_distance()

    def coordinates(self, a, b):
        p_PQ = b.p - a.p
        return [np.sqrt(fmax(dot(p_PQ, p_PQ), COINCIDENT**2)) - self.length]

    def effort(self, q, q_rate):
        return [self.stiffness * q[0] + self.damping * q_rate[0]]

    def potential(self, q):
        return 0.5 * self.stiffness * q[0] ** 2

    def dissipation(self, q, q_rate):
        return self.damping * q_rate[0] ** 2
