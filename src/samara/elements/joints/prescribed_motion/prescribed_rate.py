"""Prescribed rate."""

from __future__ import annotations

from typing import Any

from samara.elements.families import RateJoint
from samara.elements.geometry.alignment import twist
from samara.model import driven
from samara.rotations import arctan2, dot


class PrescribedRate(RateJoint):
    """The angular velocity of b against a about z_B follows a drive: z_B . (w_B - w_A) - rate(t) = 0 [rad/s].

    rate: a number, a drive or a function of t [rad/s].

    One row at the level of velocities, to be used beside the joint that leaves the turn free, such as a `Revolute` with
    the same frames: the angle is where the motion has led it. In a static solution it stands still where it starts. The
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
