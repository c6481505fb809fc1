"""Prescribed rate."""

from __future__ import annotations

from typing import Any

from samara.elements.families import RateJoint
from samara.elements.geometry.alignment import twist
from samara.model import driven
from samara.rotations import arctan2, dot


class PrescribedRate(RateJoint):
    """Makes the angular velocity of b relative to a about z_B follow a drive: z_B . (w_B - w_A) - rate(t) = 0 [rad/s].

    rate: a number, a drive or a function of t [rad/s].

    One equation at velocity level, to be used with the joint that leaves the rotation free, such as a `Revolute` with
    the same frames; the angle results from integration. In a static solution the joint keeps its initial angle. The
    reported angle is between -pi and pi.
    """

    returning = True

    rate: Any = driven(unit="rad/s")

    def rate_constraint(self, a, b):
        return [b.w[2] - dot(b.z, a.angular_velocity()) - self.rate]

    def motion(self, a, b):
        return {"angle": (arctan2(*twist(a.R.T @ b.R)), "rad")}

    def prescribes(self):
        return "rate", self.rate

    def prescribed_angle(self, R_AB):
        return float(arctan2(*twist(R_AB)))
