"""Spherical joint."""

from __future__ import annotations

from samara.elements.geometry.freedoms import ball
from samara.elements.joints.friction.joint_with_friction import RubbingHinge, turning
from samara.rotations import log_so3


class Spherical(RubbingHinge):
    """Joins two points: p_BA = 0 [m], in axes of b. Three rotations remain free.

    The reported motion is the rotation vector of R_AB, of magnitude 0 to pi; it changes sign when the angle passes pi.

    friction: a `Friction` in the ball, whose radius is `radius` [m], against all three rotations; none by default.
    """

    slips = 3

    def constraint(self, a, b):
        return [*b.see(a.p)]

    def freedoms(self):
        return (ball(),)

    def motion(self, a, b):
        return {"rotation": (log_so3(a.R.T @ b.R), "rad")}

    def slip(self, a, b):
        return [*(self.radius * turning(a, b))]
