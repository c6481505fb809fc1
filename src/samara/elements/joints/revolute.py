"""Revolute joint."""

from __future__ import annotations

from samara.elements.geometry.alignment import hinge_angle, same_axis
from samara.elements.geometry.freedoms import turn
from samara.elements.joints.friction.joint_with_friction import RubbingHinge, turning


class Revolute(RubbingHinge):
    """Makes two frames share a point and the z axis: one rotation remains free.

        p_BA = 0,   z_A . x_B = 0,   z_A . y_B = 0

    Positions in axes of b [m]. The angle is that of b relative to a about z, between -pi and pi. Axes that start more
    than 90 degrees apart assemble antiparallel.

    friction: a `Friction` in the bearing, whose radius is `radius` [m]; none by default. The normal force is the whole
    reaction force, including thrust.
    """

    def constraint(self, a, b):
        return [*b.see(a.p), *same_axis(a, b)]

    def freedoms(self):
        return (turn(),)

    def motion(self, a, b):
        return {"angle": (hinge_angle(a, b), "rad")}

    def slip(self, a, b):
        return [self.radius * turning(a, b)[2]]
