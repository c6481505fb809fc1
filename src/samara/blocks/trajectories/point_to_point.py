"""From rest to rest in a given time."""

from __future__ import annotations

from typing import Any

from samara.blocks.trajectories.trajectory import Trajectory
from samara.model import number
from samara.tracing import fmax, fmin, select


class PointToPoint(Trajectory):
    """From rest at `start_at` to rest at `end_at`; a subclass gives the `shape` from 0 to 1.

    duration [s]: of the motion, begin [s]: when it starts.
    """

    start_at: float = number()
    end_at: float = number()
    duration: float = number(unit="s", positive=True)
    begin: float = number(default=0.0, unit="s")

    def shape(self, s: Any) -> tuple[Any, Any, Any]:
        """Part of the way at the part s of the time, with its first and second derivatives by s."""
        raise NotImplementedError

    def end(self):
        return self.begin + self.duration

    def output(self, x, u, h):
        s, way = (u[0] - self.begin) / self.duration, self.end_at - self.start_at
        p, v, a = self.shape(fmin(fmax(s, 0.0), 1.0))
        moves = (s > 0.0) & (s < 1.0)
        position = select(s < 1.0, self.start_at + way * p, self.end_at)
        rate, acceleration = way * v / self.duration, way * a / (self.duration * self.duration)
        return [position, select(moves, rate, 0.0), select(moves, acceleration, 0.0)]


class TwoParabolas(PointToPoint):
    """Two parabolas: constant acceleration for half of the time, then equal deceleration: p = 2 s^2, 1 - 2 (1 - s)^2.

    Largest rate 2 way / T, acceleration 4 way / T^2: 0 to 90 degrees in 5 s takes pi / 5 rad/s and 0.2513 rad/s^2, the
    path of the robot of Attolico and Masarati, 2003.
    """

    def shape(self, s):
        first, left = s < 0.5, 1.0 - s
        p = select(first, 2.0 * s * s, 1.0 - 2.0 * left * left)
        return p, select(first, 4.0 * s, 4.0 * left), select(first, 4.0, -4.0)


class Cubic(PointToPoint):
    """A cubic: p = 3 s^2 - 2 s^3: largest rate 1.5 way / T, acceleration 6 way / T^2 at both ends."""

    def shape(self, s):
        return s * s * (3.0 - 2.0 * s), 6.0 * s * (1.0 - s), 6.0 - 12.0 * s


class Quintic(PointToPoint):
    """A quintic: p = 10 s^3 - 15 s^4 + 6 s^5, with continuous acceleration; largest rate 1.875 way / T, 5.774 way /
    T^2."""

    def shape(self, s):
        left = 1.0 - s
        p = s * s * s * (10.0 + s * (6.0 * s - 15.0))
        return p, 30.0 * s * s * left * left, 60.0 * s * left * (1.0 - 2.0 * s)
