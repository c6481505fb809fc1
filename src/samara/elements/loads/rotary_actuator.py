"""Driven couple about an axis, action and reaction."""

from __future__ import annotations

from typing import Any

from samara.elements.families import Coupling
from samara.elements.geometry.alignment import hinge_angle
from samara.model import driven


class RotaryActuator(Coupling):
    """A driven couple between two nodes about the z axis of their frames: a motor in a hinge.

        C_B = torque(t) z_A on b, its opposite on a [N m]

    torque: positive if it rotates b relative to a about +z; a number, a `Parameter`, a drive or a function of t [N m].

    Give it the same `at` and `axis` as the joint. It acts over any number of turns; only the reported angle jumps at
    half a turn.
    """

    coordinate_names = ("angle",)
    units = ("rad", "N m")

    torque: Any = driven(unit="N m")

    def coordinates(self, a, b):
        return [hinge_angle(a, b)]

    def effort(self, q, q_rate):
        return [-self.torque]

    def supply(self, q, q_rate):
        return self.torque * q_rate[0]
