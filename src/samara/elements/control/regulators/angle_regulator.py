"""Regulator of an angle."""

from __future__ import annotations

from samara.elements.control.regulators.regulator import Regulator
from samara.elements.families import Placed
from samara.elements.geometry.alignment import hinge_angle
from samara.model import Output
from samara.rotations import wrapped


class AngleRegulator(Regulator, Placed):
    """Regulates the angle of b relative to a about the z axis of their frames [rad], within half a turn.

        measured = atan2(y_A . x_B, x_A . x_B)

    The error is wrapped to the shorter way round. Give the frames as for a joint. Target in rad; see `Regulator` for
    the other arguments.
    """

    def measured(self, site):
        a, b = site.frames
        return hinge_angle(a.at(self.place_a), b.at(self.place_b))

    def error(self, measured, target):
        return wrapped(target - measured)

    def unit_of(self, output: Output) -> str:
        return "rad"
