"""Regulator of a speed of rotation."""

from __future__ import annotations

from samara.elements.control.regulators.regulator import Regulator
from samara.elements.families import Placed
from samara.model import Output
from samara.rotations import dot


class SpeedRegulator(Regulator, Placed):
    """Regulates the rotational speed of b relative to a about the z axis of frame A [rad/s]: a governor.

        measured = z_A . (w_B - w_A)

    Give the frames as for a joint. Target in rad/s; see `Regulator` for the other arguments.
    """

    def measured(self, site):
        a, b = site.frames
        return dot(a.at(self.place_a).z, b.w - a.angular_velocity())

    def unit_of(self, output: Output) -> str:
        return "rad/s"
