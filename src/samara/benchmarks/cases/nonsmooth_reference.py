"""The exact motion of a row of masses before a stop, piece by piece, independent of any time stepping.

Between impacts the row is linear and undamped, so its modes are known in closed form:

    x(t) = x_0 cos(w t) + v_0 t sinc(w t) + a t^2 / 2 sinc(w t / 2)^2,     sinc(y) = sin(y) / y,

a being the modal force over the mass; w = 0 needs no case of its own. Times of impacts and of release are roots, found
to rounding. After an impact slower than SLOWEST the last mass stays, if the others press it against the stop, until
they pull: what is left of such an accumulation of impacts moves less than 1e-11 m, and is lost in the rounding of x.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import brentq

from samara.benchmarks.cases.nonsmooth_cases import StopSpec

#: Speed after an impact [m/s] below which the last mass stays.
SLOWEST = 1e-6
#: Samples of the shortest period, or of the run, in the search for a root; in one look; and of a short hop.
PER_PERIOD, PER_RUN, AT_ONCE, PER_HOP = 64, 2000, 64, 8
MOST_PIECES = 100_000
#: Time [s] in which nothing can be told from rounding.
SHORTEST = 1e-10


class LinearMotion:
    """m x'' + K x = f in closed form."""

    def __init__(self, stiffness: np.ndarray, mass: float, force: np.ndarray) -> None:
        squares, self.shapes = np.linalg.eigh(stiffness / mass)
        self.w = np.sqrt(np.maximum(squares, 0.0))
        self.a = self.shapes.T @ force / mass

    def at(self, times: np.ndarray, x: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Positions at times after a state, shape (times, n)."""
        return self._modes(times, x, v) @ self.shapes.T

    def last(self, times: np.ndarray, x: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The same of the last mass alone."""
        return self._modes(times, x, v) @ self.shapes[-1]

    def _modes(self, times: np.ndarray, x: np.ndarray, v: np.ndarray) -> np.ndarray:
        t, x, v = np.asarray(times)[:, None], self.shapes.T @ x, self.shapes.T @ v
        angle = self.w * t
        bent = 0.5 * self.a * (t * np.sinc(0.5 * angle / np.pi)) ** 2
        return x * np.cos(angle) + v * t * np.sinc(angle / np.pi) + bent

    def speeds(self, time: float, x: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Rates of the positions at a time after a state."""
        x, v, angle = self.shapes.T @ x, self.shapes.T @ v, self.w * time
        return self.shapes @ (v * np.cos(angle) - x * self.w * np.sin(angle) + self.a * time * np.sinc(angle / np.pi))


class ExactMotion:
    """From impact to impact. impacts: their times [s], once `positions` has been asked for."""

    def __init__(self, spec: StopSpec) -> None:
        self.spec = spec
        self.K, self.f = spec.stiffness_matrix(), spec.force()
        self.free = LinearMotion(self.K, spec.mass, self.f)
        self.held = LinearMotion(self.K[:-1, :-1], spec.mass, self.f[:-1])
        fastest = self.free.w.max()
        self.pace = 2.0 * np.pi / fastest / PER_PERIOD if fastest > 0.0 else spec.duration / PER_RUN
        self.impacts: list[float] = []

    def positions(self, times: np.ndarray) -> np.ndarray:
        """x of all masses at increasing times from the start, shape (times, n) [m]."""
        found = np.zeros((len(times), self.spec.count))
        x, v = np.full(self.spec.count, self.spec.height), np.full(self.spec.count, self.spec.speed)
        now, end, held = 0.0, float(times[-1]), False
        self.impacts = []
        for _ in range(MOST_PIECES):
            length = self._release(x, v, end - now) if held else self._landing(x, v, end - now)
            inside = (times >= now) & (times <= now + length)
            if held:
                found[inside, :-1] = self.held.at(times[inside] - now, x[:-1], v[:-1])
                found[inside, -1] = 0.0
            else:
                found[inside] = self.free.at(times[inside] - now, x, v)
            now += length
            if now >= end:
                return found
            x, v, held = self._next(length, x, v, held)
            if not held and v[-1] > 0.0:
                self.impacts.append(now)
        raise RuntimeError(f"{self.spec.name}: more than {MOST_PIECES} impacts")

    def _next(self, length: float, x: np.ndarray, v: np.ndarray, held: bool) -> tuple[np.ndarray, np.ndarray, bool]:
        """The state that the next piece begins with, and whether the last mass is held in it."""
        if held:
            inner = self.held.at(np.array([length]), x[:-1], v[:-1])[0]
            return np.append(inner, 0.0), np.append(self.held.speeds(length, x[:-1], v[:-1]), 0.0), False
        x, v = self.free.at(np.array([length]), x, v)[0], self.free.speeds(length, x, v)
        x[-1], v[-1] = 0.0, -self.spec.restitution * v[-1]
        if v[-1] < SLOWEST and self._pull(x) < 0.0:
            v[-1] = 0.0
            return x, v, True
        return x, v, False

    def _pull(self, x: np.ndarray) -> float:
        """Acceleration of the last mass if it is free [m/s^2]."""
        return float(self.f[-1] - self.K[-1] @ x) / self.spec.mass

    def _landing(self, x: np.ndarray, v: np.ndarray, limit: float) -> float:
        """Time until the last mass meets the stop, at most `limit` [s]."""
        pace, pull = self.pace, self._pull(x)
        if x[-1] <= 0.0 and v[-1] > 0.0 and pull < 0.0:
            pace = min(pace, 2.0 * v[-1] / -pull / PER_HOP)
        return _first_root(lambda t: self.free.last(t, x, v), pace, self.pace, limit, rises=x[-1] <= 0.0)

    def _release(self, x: np.ndarray, v: np.ndarray, limit: float) -> float:
        """Time until the others pull the last mass off the stop, at most `limit` [s]."""
        if self.spec.count == 1:
            return limit

        def press(times: np.ndarray) -> np.ndarray:
            return self.held.at(times, x[:-1], v[:-1]) @ self.K[-1, :-1] - self.f[-1]

        return _first_root(press, self.pace, self.pace, limit)


def _first_root(
    value: Callable[[np.ndarray], np.ndarray], pace: float, slowest: float, limit: float, *, rises: bool = False
) -> float:
    """Where a function that is positive at first, or rises from 0, becomes negative; `limit` where it does not."""
    before = 0.0
    while before < limit:
        times = before + pace * np.arange(1, AT_ONCE + 1)
        below = np.flatnonzero(value(times) < 0.0)
        if below.size:
            k = int(below[0])
            low = times[k - 1] if k else before
            if low == 0.0 and rises:  # look closer
                pace *= 0.25
                if pace < SHORTEST:
                    raise RuntimeError(f"a hop of less than {SHORTEST:g} s: it is lost in rounding")
                continue
            return min(_root(value, low, float(times[k])), limit)
        before, pace = float(times[-1]), min(2.0 * pace, slowest)
    return limit


def _root(value: Callable[[np.ndarray], np.ndarray], low: float, high: float) -> float:
    """Of a function that falls through 0 between two times; an end where it is 0 but for rounding."""
    if not value(np.array([high]))[0] < 0.0:
        return high
    if not value(np.array([low]))[0] > 0.0:
        return low
    return float(brentq(lambda t: value(np.array([t]))[0], low, high, xtol=1e-15, rtol=1e-14))
