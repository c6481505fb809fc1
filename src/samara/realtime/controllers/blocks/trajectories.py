"""Set points as functions of time: where to be, how fast, with which acceleration."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from samara.realtime.controllers.blocks.block import BlockError, finite_number, finite_numbers, switch


class TrajectoryPoint(NamedTuple):
    """A point of a trajectory: position [q], rate [q/s], acceleration [q/s^2]."""

    position: float
    rate: float
    acceleration: float


class Trajectory:
    """A set point as a function of time; before the begin and after the end it stands still.

    A call with the time [s] gives a `TrajectoryPoint`; `duration` [s]: of the motion, `begin` [s]: when it starts.
    """

    begin: float = 0.0
    duration: float = 0.0

    def reset(self) -> None:
        """Nothing to forget: a function of time alone."""

    def __call__(self, t: float) -> TrajectoryPoint:
        """Where to be at the time t [s]."""
        raise NotImplementedError

    def done(self, t: float) -> bool:
        """Whether the motion is over."""
        return _finite(self, "t", t) >= self.begin + self.duration


class PointToPoint(Trajectory):
    """From rest at `start` to rest at `end`; a subclass gives the `shape` from 0 to 1."""

    def __init__(self, start: float, end: float, duration: float, begin: float = 0.0) -> None:
        given = {"start": start, "end": end, "begin": begin}
        self.start, self.end, self.begin = (_finite(self, name, value) for name, value in given.items())
        self.duration = _positive(self, "duration", duration)

    def shape(self, s: float) -> tuple[float, float, float]:
        """Part of the way at the part s of the time, with its first and second derivatives by s."""
        raise NotImplementedError

    def __call__(self, t: float) -> TrajectoryPoint:
        s = (_finite(self, "t", t) - self.begin) / self.duration
        if s <= 0.0:
            return TrajectoryPoint(self.start, 0.0, 0.0)
        if s >= 1.0:
            return TrajectoryPoint(self.end, 0.0, 0.0)
        way, T = self.end - self.start, self.duration
        p, v, a = self.shape(s)
        return TrajectoryPoint(self.start + way * p, way * v / T, way * a / (T * T))


class TwoParabolas(PointToPoint):
    """Constant acceleration to the middle, then as much deceleration: p = 2 s^2, then 1 - 2 (1 - s)^2.

    Largest rate 2 way / T, acceleration 4 way / T^2: 0 to 90 degrees in 5 s takes pi / 5 rad/s and 0.2513 rad/s^2, the
    path of the robot of Attolico and Masarati, 2003.
    """

    def shape(self, s):
        return (2.0 * s * s, 4.0 * s, 4.0) if s < 0.5 else (1.0 - 2.0 * (1.0 - s) ** 2, 4.0 * (1.0 - s), -4.0)


class Cubic(PointToPoint):
    """p = 3 s^2 - 2 s^3: largest rate 1.5 way / T, acceleration 6 way / T^2 at both ends."""

    def shape(self, s):
        return s * s * (3.0 - 2.0 * s), 6.0 * s * (1.0 - s), 6.0 - 12.0 * s


class Quintic(PointToPoint):
    """p = 10 s^3 - 15 s^4 + 6 s^5: acceleration continuous too; largest rate 1.875 way / T, 5.774 way / T^2."""

    def shape(self, s):
        p = s**3 * (10.0 + s * (6.0 * s - 15.0))
        return p, 30.0 * s * s * (1.0 - s) ** 2, 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s)


class Trapezoid(Trajectory):
    """From rest to rest as fast as a largest speed [q/s] and acceleration [q/s^2] allow; a triangle on a short way.

    T = way / speed + speed / acceleration, or 2 sqrt(way / acceleration) where the speed is never reached.
    """

    def __init__(self, start: float, end: float, speed: float, acceleration: float, begin: float = 0.0) -> None:
        given = {"start": start, "end": end, "begin": begin}
        self.start, self.end, self.begin = (_finite(self, name, value) for name, value in given.items())
        self.acceleration = _positive(self, "acceleration", acceleration)
        way = abs(self.end - self.start)
        self.speed = min(_positive(self, "speed", speed), math.sqrt(way * self.acceleration))
        self.ramp = self.speed / self.acceleration
        self.duration = way / self.speed + self.ramp if way > 0.0 else 0.0
        self._sign = math.copysign(1.0, self.end - self.start)

    def __call__(self, t: float) -> TrajectoryPoint:
        t = _finite(self, "t", t) - self.begin
        if t <= 0.0 or self.duration == 0.0:
            return TrajectoryPoint(self.start, 0.0, 0.0)
        left = self.duration - t
        if left <= 0.0:
            return TrajectoryPoint(self.end, 0.0, 0.0)
        a, s = self.acceleration, self._sign
        if t < self.ramp:
            return TrajectoryPoint(self.start + s * 0.5 * a * t * t, s * a * t, s * a)
        if left < self.ramp:
            return TrajectoryPoint(self.end - s * 0.5 * a * left * left, s * a * left, -s * a)
        return TrajectoryPoint(self.start + s * self.speed * (t - 0.5 * self.ramp), s * self.speed, 0.0)


class SineSweep(Trajectory):
    """offset + amplitude sin(phase), the frequency going from `first` to `last` [Hz] within `duration`.

    phase = 2 pi (f_0 t + (f_1 - f_0) t^2 / (2 T)), or 2 pi f_0 T / ln(f_1 / f_0) ((f_1 / f_0)^(t / T) - 1) where
    `logarithmic`: as much time an octave.
    """

    def __init__(
        self,
        amplitude: float,
        first: float,
        last: float,
        duration: float,
        begin: float = 0.0,
        offset: float = 0.0,
        logarithmic: bool = False,
    ) -> None:
        given = {"amplitude": amplitude, "offset": offset, "begin": begin}
        self.amplitude, self.offset, self.begin = (_finite(self, name, value) for name, value in given.items())
        self.first, self.last = _positive(self, "first", first), _positive(self, "last", last)
        self.duration = _positive(self, "duration", duration)
        self.logarithmic = switch("SineSweep", "logarithmic", logarithmic) and self.first != self.last

    def __call__(self, t: float) -> TrajectoryPoint:
        t, T = _finite(self, "t", t) - self.begin, self.duration
        if not 0.0 <= t <= T:
            return TrajectoryPoint(self.offset, 0.0, 0.0)
        if self.logarithmic:
            k = math.log(self.last / self.first) / T
            f = self.first * math.exp(k * t)
            phase, slope = (f - self.first) / k, k * f
        else:
            slope = (self.last - self.first) / T
            f = self.first + slope * t
            phase = t * (self.first + 0.5 * slope * t)
        w, w_dot = 2.0 * math.pi * f, 2.0 * math.pi * slope
        sine, cosine = (
            self.amplitude * math.sin(2.0 * math.pi * phase),
            self.amplitude * math.cos(2.0 * math.pi * phase),
        )
        return TrajectoryPoint(self.offset + sine, w * cosine, w_dot * cosine - w * w * sine)


class TableTrajectory(Trajectory):
    """Through points at given times: straight from one to the next, or a cubic spline that is at rest at its ends."""

    def __init__(self, times: Sequence[float], values: Sequence[float], smooth: bool = True) -> None:
        t, q = (finite_numbers("TableTrajectory", name, v) for name, v in (("times", times), ("values", values)))
        if t.ndim != 1 or t.shape != q.shape or t.size < 2:
            raise BlockError(
                f"TableTrajectory: give as many values as times, two or more; got times of shape {t.shape} and "
                f"values of shape {q.shape}"
            )
        if not (np.diff(t) > 0).all():
            raise BlockError("TableTrajectory: times must increase")
        self.begin, self.duration = float(t[0]), float(t[-1] - t[0])
        if switch("TableTrajectory", "smooth", smooth):
            from scipy.interpolate import CubicSpline

            rows = CubicSpline(t, q, bc_type="clamped").c.T
        else:
            slopes = np.diff(q) / np.diff(t)
            rows = np.column_stack([0.0 * slopes, 0.0 * slopes, slopes, q[:-1]])
        self._times, self._rows = t.tolist(), rows.tolist()
        self._ends = TrajectoryPoint(float(q[0]), 0.0, 0.0), TrajectoryPoint(float(q[-1]), 0.0, 0.0)

    def __call__(self, t: float) -> TrajectoryPoint:
        t = _finite(self, "t", t)
        if t <= self._times[0]:
            return self._ends[0]
        if t >= self._times[-1]:
            return self._ends[1]
        k = bisect_right(self._times, t) - 1
        s = t - self._times[k]
        a, b, c, d = self._rows[k]
        return TrajectoryPoint(d + s * (c + s * (b + s * a)), c + s * (2.0 * b + 3.0 * a * s), 2.0 * b + 6.0 * a * s)


def _finite(owner: Trajectory, name: str, value: float) -> float:
    return finite_number(type(owner).__name__, name, value)


def _positive(owner: Trajectory, name: str, value: float) -> float:
    value = _finite(owner, name, value)
    if value <= 0.0:
        raise BlockError(f"{type(owner).__name__}: {name} must be a positive number, got {value:g}")
    return value
