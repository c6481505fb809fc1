"""Frames in motion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from samara.rotations import Pose, cross, exp_so3


@dataclass(frozen=True)
class Moving:
    """A frame in motion: pose, and velocity and angular velocity in world axes."""

    pose: Pose
    twist: np.ndarray

    def after(self, h: float) -> Pose:
        """Where it is after h, if it goes on as it does."""
        return Pose(exp_so3(h * self.twist[3:]) @ self.pose.R, self.pose.p + h * self.twist[:3])

    def velocity(self, point: np.ndarray) -> np.ndarray:
        """Of a point that moves along [m/s]."""
        return self.twist[:3] + cross(self.twist[3:], point - self.pose.p)


GROUND = Moving(Pose(np.eye(3), np.zeros(3)), np.zeros(6))
