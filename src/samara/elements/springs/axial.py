"""Axial: any law along the axis of a sliding joint."""

from __future__ import annotations

from samara.elements.springs.on_axis import OnAxis
from samara.model import number
from samara.rotations import dot


class Axial(OnAxis):
    """A law along the z axis of a's frame: the spring, damper or stop of a sliding joint.

        F = law(q, dq/dt) [N],     q = z_A . p_AB - rest, of either sign

    A positive effort pulls b in the direction of -z_A. The force acts along z_A through b's point: if b is off the
    axis, node a also receives its moment.

    With `at` or `axis` the two frames coincide in the reference pose, and q is measured from there.

    law:  a `Law` of the displacement [m] and its rate [m/s].
    rest: displacement at which the law's coordinate is zero [m].
    """

    coordinate_names = ("displacement",)

    rest: float = number(default=0.0, unit="m")

    def coordinates(self, a, b):
        return [dot(a.z, b.p - a.p) - self.rest]
