"""Prismatic joint."""

from __future__ import annotations

from samara.elements.geometry.alignment import same_rotation
from samara.elements.geometry.freedoms import slide
from samara.elements.joints.friction.joint_with_friction import Rubbing, sliding
from samara.rotations import dot


class Prismatic(Rubbing):
    """Keeps the axes of two frames parallel and lets them slide along z: one degree of freedom.

        x_B . p_BA = 0,   y_B . p_BA = 0,   2 tan(x / 2) e = 0     x, e: angle [rad] and axis of R_BA

    The displacement is that of b relative to a along z [m]. Assembles from any orientation less than half a turn off.

    friction: a `Friction` in the guide; none by default.
    """

    def constraint(self, a, b):
        return [*b.see(a.p)[:2], *same_rotation(b.R.T @ a.R)]

    def freedoms(self):
        return (slide(),)

    def motion(self, a, b):
        return {"displacement": (-b.see(a.p)[2], "m")}

    def slip(self, a, b):
        return [dot(b.z, sliding(a, b))]
