"""Length of a swashplate's actuator."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from samara.model import Drive, number, records
from samara.rotations import dot, exp_so3


class ActuatorLength(Drive):
    """Length of an actuator that holds a point of a plate, as the plate rises and tilts.

        |(0, 0, height + reach) + (exp(tilt) - I) r|,     tilt = (tilt_x, tilt_y, 0) [rad], r the point on the plate

    motion: the three drives height [m], tilt_x, tilt_y [rad]; x, y: the point on the plate [m]; reach: the length at
    rest, straight down from the point [m].
    """

    motion: Sequence[Drive] = records()
    x: float = number(unit="m")
    y: float = number(unit="m")
    reach: float = number(unit="m", positive=True)

    def jumps(self) -> list[float]:
        return [time for drive in self.motion for time in drive.jumps()]

    def bends(self) -> list[float]:
        return [time for drive in self.motion for time in drive.bends()]

    def __call__(self, t):
        height, tilt_x, tilt_y = (drive(t) for drive in self.motion)
        r = np.array([self.x, self.y, 0.0])
        p = (
            exp_so3(np.array([tilt_x, tilt_y, 0.0 * height])) @ r
            - r
            + np.array([0.0, 0.0, 1.0]) * (height + self.reach)
        )
        return np.sqrt(dot(p, p))
