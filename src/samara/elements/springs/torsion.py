"""Torsion: any law about the axis of a hinge."""

from __future__ import annotations

from samara.elements.geometry.alignment import hinge_angle
from samara.elements.springs.on_axis import OnAxis
from samara.model import number


class Torsion(OnAxis):
    """A law about the z axis that two frames share: the spring or damper of a hinge.

        C = law(q, dq/dt) [N m],     q = atan2(y_A . x_B, x_A . x_B) - rest, within (-pi, pi]

    It resists the rotation of b against a about z; put it where the joint is, with the same `at` and `axis`.

    law:  a `Law` of angle [rad] and its rate [rad/s].
    rest: angle at which the law is at its zero [rad].

    Limits: the angle is known only up to whole turns. It jumps half a turn away from rest, so a law that stores energy
    is good for less than half a turn to either side; a damper is good for any number of turns. Where the z axes of the
    two frames part, q is the angle of b's x axis projected on a's plane across z.
    """

    coordinate_names = ("angle",)
    units = ("rad", "N m")

    rest: float = number(default=0.0, unit="rad")

    def coordinates(self, a, b):
        return [hinge_angle(a, b, self.rest)]
