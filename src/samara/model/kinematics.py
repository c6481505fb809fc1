"""The frame an element sees: a node in motion, on plain or on traced numbers.

An element is evaluated in the axes of its last node, E: that node stands at the origin and everything else is seen
from there. So an element cannot depend on where the model is or how it is turned as a whole, unless it asks for the
`world` frame.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from samara.rotations import cross


@dataclass(frozen=True)
class Frame:
    """Pose of a frame N seen from E, and its motion against the inertial world in its own axes.

    R: R_EN, p: p_EN [m]; v, w: velocity of the origin [m/s] and angular velocity [rad/s], in axes of N;
    dv, dw: their time derivatives as components in N [m/s^2, rad/s^2].
    """

    R: np.ndarray
    p: np.ndarray
    v: np.ndarray
    w: np.ndarray
    dv: np.ndarray
    dw: np.ndarray

    @property
    def x(self) -> np.ndarray:
        """First axis, in E."""
        return self.R[:, 0]

    @property
    def y(self) -> np.ndarray:
        """Second axis, in E."""
        return self.R[:, 1]

    @property
    def z(self) -> np.ndarray:
        """Third axis, in E."""
        return self.R[:, 2]

    def point(self, q) -> np.ndarray:
        """The point at q (in N), seen from E [m]."""
        return self.p + self.R @ q

    def direction(self, d) -> np.ndarray:
        """The direction d (in N), in the axes of E."""
        return self.R @ d

    def velocity(self, q) -> np.ndarray:
        """Velocity against the world of the point at q (in N), in the axes of E [m/s]."""
        return self.R @ (self.v + cross(self.w, q))

    def angular_velocity(self) -> np.ndarray:
        """Angular velocity against the world, in the axes of E [rad/s]."""
        return self.R @ self.w

    def see(self, point) -> np.ndarray:
        """A point given in E, seen from N [m]."""
        return self.R.T @ (point - self.p)

    def at_rest(self) -> Frame:
        """The same pose without motion."""
        zero = np.zeros(3)
        return Frame(self.R, self.p, zero, zero, zero, zero)

    def at(self, place) -> Frame:
        """The frame fixed in N at a pose X_NP."""
        q, S = place.position, place.rotation
        # the twist of a point of the same rigid body, in axes of P
        v, dv = self.v + cross(self.w, q), self.dv + cross(self.dw, q)
        return Frame(self.R @ S, self.point(q), S.T @ v, S.T @ self.w, S.T @ dv, S.T @ self.dw)
