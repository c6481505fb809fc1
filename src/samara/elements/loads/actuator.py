"""Driven force between two points, action and reaction."""

from __future__ import annotations

from typing import Any

from samara.elements.springs.line import Line
from samara.model import driven


class Actuator(Line):
    """A driven force between two points, along their line: a hydraulic cylinder, a muscle, a winch.

        F = tension(t) [N], pulls the points P and Q together; negative pushes them apart

    tension: a number, a `Parameter`, a drive or a function of t [N].

    See `Line` for how to give the points, and for coincident points.
    """

    tension: Any = driven(unit="N")

    def effort(self, q, q_rate):
        return [self.tension]

    def supply(self, q, q_rate):
        return -self.tension * q_rate[0]
