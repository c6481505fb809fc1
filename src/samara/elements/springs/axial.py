"""Axial: any law along the axis of a sliding joint."""

from __future__ import annotations

from samara.elements.springs.on_axis import OnAxis
from samara.model import number
from samara.rotations import dot


class Axial(OnAxis):
    """A law along the z axis of a's frame: the spring, damper or stop of a sliding joint.

        F = law(q, dq/dt) [N],     q = z_A . p_AB - rest, of either sign

    A positive effort pulls b down the axis. The force is along z_A through b's point: node a also feels its moment
    where b is off the axis.

    Given by `at` or `axis`, the two frames stand together in the reference pose and q counts from there.

    law:  a `Law` of the displacement [m] and its rate [m/s].
    rest: displacement at which the law is at its zero [m].
    """

    coordinate_names = ("displacement",)

    rest: float = number(default=0.0, unit="m")

    def coordinates(self, a, b):
        return [dot(a.z, b.p - a.p) - self.rest]
