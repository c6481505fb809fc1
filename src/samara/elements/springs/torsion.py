"""Torsion: any law about the axis of a hinge."""

from __future__ import annotations

from samara.elements.geometry.alignment import hinge_angle
from samara.elements.springs.on_axis import OnAxis
from samara.model import number


class Torsion(OnAxis):
    """A law about the z axis that two frames share: the spring or damper of a hinge.

        C = law(q, dq/dt) [N m],     q = atan2(y_A . x_B, x_A . x_B) - rest, within (-pi, pi]

    It resists the rotation of b relative to a about z; give it the same `at` and `axis` as the joint.

    law:  a `Law` of angle [rad] and its rate [rad/s].
    rest: angle at which the law's coordinate is zero [rad].

    Limits: the angle is known only up to whole turns. It jumps half a turn away from rest, so an elastic law is valid
    for less than half a turn to either side; a damper for any number of turns. If the z axes of the two frames are not
    parallel, q is the angle of b's x axis projected onto a's x-y plane.
    """

    coordinate_names = ("angle",)
    units = ("rad", "N m")

    rest: float = number(default=0.0, unit="rad")

    def coordinates(self, a, b):
        return [hinge_angle(a, b, self.rest)]
