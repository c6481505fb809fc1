"""In-line joint."""

from __future__ import annotations

from samara.elements.joints.friction.joint_with_friction import Rubbing, sliding
from samara.rotations import dot, log_so3


class InLine(Rubbing):
    """Keeps the origin of b on the z axis of a: x_A . p_AB = 0, y_A . p_AB = 0 [m].

    The displacement along the line [m] and three rotations (the rotation vector of R_AB, see `Spherical`) remain free.
    The constraint rows rotate with a: make the spinning part a.

    friction: a `Friction` of the point on the line; none by default.
    """

    def constraint(self, a, b):
        return [*a.see(b.p)[:2]]

    def motion(self, a, b):
        return {"displacement": (a.see(b.p)[2], "m"), "rotation": (log_so3(a.R.T @ b.R), "rad")}

    def slip(self, a, b):
        return [dot(a.z, sliding(a, b))]
