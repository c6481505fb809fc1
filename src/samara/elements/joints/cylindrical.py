"""Cylindrical joint."""

from __future__ import annotations

from samara.elements.geometry.alignment import hinge_angle, same_axis
from samara.elements.geometry.freedoms import slide, turn
from samara.elements.joints.friction.joint_with_friction import RubbingHinge, sliding, turning
from samara.rotations import dot


class Cylindrical(RubbingHinge):
    """Makes two frames share the z axis; sliding along it and rotation about it remain free.

        x_B . p_BA = 0,   y_B . p_BA = 0,   z_A . x_B = 0,   z_A . y_B = 0

    Displacement [m] and angle [rad] are those of b relative to a, along and about z. Axes that start more than 90
    degrees apart assemble antiparallel.

    friction: a `Friction` in the sleeve, whose radius is `radius` [m], against combined sliding and rotation; none by
    default.
    """

    slips = 2

    def constraint(self, a, b):
        return [*b.see(a.p)[:2], *same_axis(a, b)]

    def freedoms(self):
        return (slide(), turn())

    def motion(self, a, b):
        return {
            "displacement": (-b.see(a.p)[2], "m"),
            "angle": (hinge_angle(a, b), "rad"),
        }

    def slip(self, a, b):
        return [self.radius * turning(a, b)[2], dot(b.z, sliding(a, b))]
