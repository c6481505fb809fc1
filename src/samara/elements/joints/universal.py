"""Universal joint."""

from __future__ import annotations

from samara.elements.families import Joint
from samara.elements.geometry.freedoms import turn
from samara.rotations import arctan2, dot


class Universal(Joint):
    """Cardan (Hooke) joint: two frames share a point, and the arms x_A and y_B of the cross stay perpendicular.

        p_BA = 0,   x_A . y_B = 0        R_AB = R_x(angle_a) R_y(angle_b)

    The shafts are the two z axes, aligned when both angles are zero. angle_a is the rotation about a's x axis, angle_b
    that about b's y axis [rad], both between -pi and pi. Regular at all angles; at angle_b = 90 degrees the shafts are
    perpendicular and transmit no torque, as in a real joint.
    """

    returning = True

    def constraint(self, a, b):
        return [*b.see(a.p), dot(a.x, b.y)]

    def freedoms(self):
        return (turn("angle_a", 0), turn("angle_b", 1))

    def motion(self, a, b):
        return {
            "angle_a": (arctan2(dot(a.z, b.y), dot(a.y, b.y)), "rad"),
            "angle_b": (arctan2(dot(a.x, b.z), dot(a.x, b.x)), "rad"),
        }
