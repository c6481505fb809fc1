"""In-plane joint."""

from __future__ import annotations

from samara.elements.joints.friction.joint_with_friction import Rubbing, sliding
from samara.rotations import dot, log_so3


class InPlane(Rubbing):
    """Keeps the origin of b in the plane through the origin of a that is normal to z_A: z_A . p_AB = 0 [m].

    The position in the plane, x and y in axes of a [m], and three rotations (the rotation vector of R_AB, see
    `Spherical`) remain free. The constraint row rotates with a: make the spinning part a.

    friction: a `Friction` of the point on the plane; none by default.
    """

    slips = 2

    def constraint(self, a, b):
        return [a.see(b.p)[2]]

    def motion(self, a, b):
        x, y, _ = a.see(b.p)
        return {"x": (x, "m"), "y": (y, "m"), "rotation": (log_so3(a.R.T @ b.R), "rad")}

    def slip(self, a, b):
        v = sliding(a, b)
        return [dot(a.x, v), dot(a.y, v)]
