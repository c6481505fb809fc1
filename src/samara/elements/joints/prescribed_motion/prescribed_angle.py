"""Prescribed angle."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.families import Joint
from samara.elements.geometry.alignment import turned_by, twist
from samara.model import driven
from samara.rotations import arctan2


class PrescribedAngle(Joint):
    """Makes the angle of b relative to a about z follow a drive: 2 tan((x - angle(t)) / 2) = 0 [rad], any number of
    turns.

    angle: a number, a drive or a function of t [rad].

    One equation, to be used with the joint that leaves the angle free: a `Revolute` or `Cylindrical` with the same
    frames, or a joint that also lets the axes tilt; then x is the rotation about z after (or before) the tilt,
    undefined only if z_B = -z_A. Assembles from any angle less than half a turn off. The reported angle includes full
    turns.
    """

    returning = True

    angle: Any = driven(unit="rad")

    def constraint(self, a, b):
        return [turned_by(a.R.T @ b.R, self.angle)]

    def motion(self, a, b):
        return {"angle": (self.angle + 2.0 * np.arctan(0.5 * turned_by(a.R.T @ b.R, self.angle)), "rad")}

    def prescribes(self):
        return "angle", self.angle

    def prescribed_angle(self, R_AB):
        return float(arctan2(*twist(R_AB)))
