"""Regulator of the attitude of a craft."""

from __future__ import annotations

import numpy as np

from samara.elements.control.regulator import Regulator
from samara.elements.families import Placed
from samara.model import Output, option
from samara.rotations import arctan2

#: keeps the pitch angle's square root from having no slope where the nose points straight up
UPRIGHT = 1e-12


class AttitudeRegulator(Regulator, Placed):
    """Holds roll, pitch or heading of b against a [rad]: Euler angles of the aerospace sequence, Z Y X.

        R_AB = Rz(heading) Ry(pitch) Rx(roll)

        roll = atan2(R_32, R_33),   pitch = atan2(-R_31, sqrt(R_11^2 + R_21^2)),   heading = atan2(R_21, R_11)

    Both frames have x forward, y right and z down: pitch is positive nose up, roll right side down, heading to the
    right. Give them by `place_a` and `place_b`; a is the ground for an autopilot.
    angle: "roll", "pitch" or "heading"; the latter within half a turn of that of a. Limit: a nose straight up or down.
    Target in rad; see `Regulator` for the rest.
    """

    angle: str = option(choices=("roll", "pitch", "heading"))

    def measured(self, site):
        a, b = site.frames
        R = a.at(self.place_a).R.T @ b.at(self.place_b).R
        if self.angle == "roll":
            return arctan2(R[2, 1], R[2, 2])
        if self.angle == "pitch":
            return arctan2(-R[2, 0], np.sqrt(R[0, 0] ** 2 + R[1, 0] ** 2 + UPRIGHT))
        return arctan2(R[1, 0], R[0, 0])

    def unit_of(self, output: Output) -> str:
        return "rad"
