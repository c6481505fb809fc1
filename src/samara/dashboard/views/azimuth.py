"""What the blades of a rotor did over the last revolutions, by azimuth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.analysis.rotors.multiblade import Multiblade, coordinates

TURN = 2.0 * np.pi
#: Times [s] and values of a signal by its name; empty for one that there is not.
Column = Callable[[str], tuple[np.ndarray, np.ndarray]]


def unwrap(time: np.ndarray, angle: np.ndarray, speed: np.ndarray | float | None = None) -> np.ndarray:
    """An angle that goes on [rad], from one between -pi and pi, also where samples were lost.

    The step between two samples is the one nearest to speed times the time between them, so that whole turns in a gap
    count. speed: at the samples, or one for all [rad/s]; if none, that of the usual step, which must be less than half
    a turn.
    """
    if len(angle) < 2:
        return np.array(angle, float)
    dt, step = np.diff(time), np.diff(angle)
    if speed is None:
        usual = dt <= 1.5 * np.median(dt)
        speed = float(np.median(_nearest(step[usual]) / np.maximum(dt[usual], 1e-12)))
    rate = np.broadcast_to(np.asarray(speed, float), len(time))
    expected = 0.5 * (rate[1:] + rate[:-1]) * dt
    return angle[0] + np.concatenate([[0.0], np.cumsum(expected + _nearest(step - expected))])


def _nearest(angle: np.ndarray) -> np.ndarray:
    """The same angle between -pi and pi."""
    return np.mod(angle + np.pi, TURN) - np.pi


def hub_azimuth(rotor: Mapping[str, Any], column: Column) -> tuple[np.ndarray, np.ndarray]:
    """Time [s] and azimuth of the hub in the sense of rotation [rad], unwrapped; empty where it is not measured.

    rotor: an entry of the scene's "rotors". A time that goes back (a reset) begins anew.
    """
    how, sense = rotor["azimuth"], rotor["sense"]
    speed: Any = None
    if "sensor" in how:
        time, angle = column(how["sensor"])
        _, speed = column(how["sensor"].removesuffix("azimuth") + "speed")
        speed = sense * speed if len(speed) == len(time) else None
    else:
        arm, columns = np.asarray(how["arm"]), [column(name) for name in how["rotation"]]
        time = columns[0][0]
        R = np.array([values for _, values in columns]).reshape(3, 3, -1)
        pointer = np.einsum("ijt,j->it", R, arm)
        if "craft" in how:
            turned = np.array([column(name)[1] for name in how["craft"]]).reshape(3, 3, -1)
            pointer = np.einsum("jit,jt->it", turned, pointer)
        angle = np.arctan2(np.asarray(how["y"]) @ pointer, np.asarray(how["x"]) @ pointer)
    first = since_reset(time)
    speed = speed[first:] if speed is not None else None
    return time[first:], unwrap(time[first:], sense * angle[first:], speed)


def since_reset(time: np.ndarray) -> int:
    """The first sample after the last one from which time did not go on."""
    back = np.flatnonzero(np.diff(time) <= 0.0)
    return int(back[-1]) + 1 if len(back) else 0


@dataclass(frozen=True)
class History:
    """One measure of all blades: time (t,) [s], azimuth of the hub psi (t,) [rad], values b (t, N), ahead (N,) [rad].

    Azimuths count in the sense of rotation; that of blade k is psi + ahead[k].
    """

    time: np.ndarray
    psi: np.ndarray
    b: np.ndarray
    ahead: np.ndarray

    @classmethod
    def of(cls, rotor: Mapping[str, Any], measure: str, column: Column) -> History:
        """The recent past of a measure; empty if there is none yet."""
        ahead = np.array([blade["ahead"] for blade in rotor["blades"]])
        time, psi = hub_azimuth(rotor, column)
        values = [column(name)[1] for name in rotor["groups"].get(measure, ())]
        if not len(time) or len(values) != len(ahead) or min(map(len, values)) < len(time):
            return cls(np.zeros(0), np.zeros(0), np.zeros((0, len(ahead))), ahead)
        b = np.column_stack([v[len(v) - len(time) :] for v in values])
        return cls(time, psi, b, ahead)

    def __len__(self) -> int:
        return len(self.time)

    def __getitem__(self, part: Any) -> History:
        return History(self.time[part], self.psi[part], self.b[part], self.ahead)

    def last_turns(self, count: float) -> History:
        """The samples of the last revolutions, and the one before them."""
        if not len(self):
            return self
        before = np.flatnonzero(np.abs(self.psi[-1] - self.psi) >= count * TURN)
        return self[int(before[-1]) if len(before) else 0 :]

    def last_seconds(self, seconds: float) -> History:
        """The samples of the last time."""
        if not len(self):
            return self
        return self[int(np.searchsorted(self.time, self.time[-1] - seconds)) :]

    def thinned(self, most: int) -> History:
        """Every so many samples, the last one included, `most` at most."""
        every = -(-len(self) // most)
        return self if every <= 1 else self[(len(self) - 1) % every :: every]

    def azimuths(self) -> np.ndarray:
        """Of all blades (t, N) [rad]."""
        return self.psi[:, None] + self.ahead

    def mean(self, points: int) -> np.ndarray:
        """Mean of all blades over the last whole revolutions, at equal steps of a turn from 0 (points,).

        Between samples linear; less than a revolution gives no numbers (nan).
        """
        found = np.zeros(points)
        psi, b = self.azimuths(), self.b
        if len(self) and psi[-1, 0] < psi[0, 0]:  # it turned backwards
            psi, b = psi[::-1], b[::-1]
        turns = int((psi[-1, 0] - psi[0, 0]) / TURN * (1.0 + 1e-9)) if len(self) else 0
        if turns < 1:
            return np.full(points, np.nan)
        step = TURN / points
        for k in range(psi.shape[1]):
            at = np.floor(psi[-1, k] / step).astype(int) - np.arange(turns * points)
            found += np.bincount(at % points, np.interp(at * step, psi[:, k], b[:, k]), minlength=points)
        return found / (turns * psi.shape[1])

    def multiblade(self) -> Multiblade:
        """Multiblade coordinates over time; blades that are not evenly spaced count as if they were."""
        return coordinates(self.time, self.b, self.azimuths())


def coefficients(found: Multiblade) -> dict[str, np.ndarray]:
    """Rows of a chart: mean, 1c, 1s, 2c, ..., differential."""
    rows = {"mean": found.mean}
    for n in range(found.cosine.shape[1]):
        rows[f"{n + 1}c"], rows[f"{n + 1}s"] = found.cosine[:, n], found.sine[:, n]
    if found.differential is not None:
        rows["differential"] = found.differential
    return rows
