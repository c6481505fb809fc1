"""Regulator of the attitude of a craft."""

from __future__ import annotations

import numpy as np

from samara.elements.control.regulators.regulator import Regulator
from samara.elements.families import Placed
from samara.model import Output, option
from samara.rotations import arctan2, wrapped
from samara.tracing import select

#: Square of the cosine of pitch below which the nose points straight up: no slope there but a finite one.
UPRIGHT = 1e-12


class AttitudeRegulator(Regulator, Placed):
    """Regulates roll, pitch or heading of b relative to a [rad]: Euler angles of the aerospace sequence, Z Y X.

        R_AB = Rz(heading) Ry(pitch) Rx(roll)

        roll = atan2(R_32, R_33),   pitch = atan2(-R_31, sqrt(R_11^2 + R_21^2)),   heading = atan2(R_21, R_11)

    Both frames have x forward, y right and z down: pitch is positive nose up, roll right side down, heading to the
    right. Give them by `place_a` and `place_b`; a is the ground for an autopilot.
    angle: "roll", "pitch" or "heading"; the error is wrapped to the shorter way round. Limit: with the nose vertical,
    roll and heading are not distinguishable; both count as zero there, and jump when the nose passes the vertical.
    Target in rad; see `Regulator` for the other arguments.
    """

    angle: str = option(choices=("roll", "pitch", "heading"))

    def measured(self, site):
        a, b = site.frames
        R = a.at(self.place_a).R.T @ b.at(self.place_b).R
        if self.angle == "pitch":
            return arctan2(-R[2, 0], np.sqrt(R[0, 0] ** 2 + R[1, 0] ** 2 + UPRIGHT))
        y, x = (R[2, 1], R[2, 2]) if self.angle == "roll" else (R[1, 0], R[0, 0])
        upright = y * y + x * x < UPRIGHT
        return arctan2(select(upright, 0.0, y), select(upright, 1.0, x))

    def error(self, measured, target):
        return wrapped(target - measured)

    def unit_of(self, output: Output) -> str:
        return "rad"
