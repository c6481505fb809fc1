"""Revolute joint."""

from __future__ import annotations

from samara.elements.families import Joint
from samara.rotations import arctan2, dot


class Revolute(Joint):
    """Two frames share a point and the z axis: one rotation is left free.

        p_BA = 0,   z_A . x_B = 0,   z_A . y_B = 0

    The angle is that of b against a about z.
    """

    def constraint(self, a, b):
        return [*b.see(a.p), dot(a.z, b.x), dot(a.z, b.y)]

    def motion(self, a, b):
        return {"angle": (arctan2(dot(a.y, b.x), dot(a.x, b.x)), "rad")}
