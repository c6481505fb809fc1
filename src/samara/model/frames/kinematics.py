"""The frame an element sees: a moving node, with plain or traced numbers.

An element is evaluated in the axes of its last node, E, which is the origin. An element therefore cannot depend on the
position or orientation of the model as a whole, unless it uses the `world` frame.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from samara.rotations import cross


@dataclass(frozen=True)
class Frame:
    """Pose of a frame N seen from E, and its motion against the inertial world in its own axes.

    R: R_EN, p: p_EN [m]; v, w: velocity of the origin [m/s] and angular velocity [rad/s], in axes of N;
    dv, dw: their time derivatives as components in N [m/s^2, rad/s^2]; seen: see `carried`.
    """

    R: np.ndarray
    p: np.ndarray
    v: np.ndarray
    w: np.ndarray
    dv: np.ndarray
    dw: np.ndarray
    seen: Frame | None = None

    @property
    def carried(self) -> Frame:
        """The same motion relative to the node's carrier, which moves at a constant velocity; inertia uses only this.

        Momentum balances are the same in both frames, but seen from the carrier a flight at constant velocity is rest,
        which avoids its rounding and time-step errors.
        """
        return self if self.seen is None else self.seen

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

    def shifted(self, q) -> Frame:
        """The frame at the point q (in N), with the same axes."""
        v, dv = self.v + cross(self.w, q), self.dv + cross(self.dw, q)
        seen = None if self.seen is None else self.seen.shifted(q)
        return Frame(self.R, self.point(q), v, self.w, dv, self.dw, seen)

    def turned(self, S) -> Frame:
        """The frame at the same point, with axes R_NP = S."""
        seen = None if self.seen is None else self.seen.turned(S)
        return Frame(self.R @ S, self.p, S.T @ self.v, S.T @ self.w, S.T @ self.dv, S.T @ self.dw, seen)

    def at(self, place) -> Frame:
        """The frame fixed in N at a pose X_NP."""
        return self.shifted(place.position).turned(place.rotation)
