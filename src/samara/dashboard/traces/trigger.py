"""When a scope draws: at the moment a signal crosses a level."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from samara.dashboard.feed.track import Array


class Mode(StrEnum):
    """roll: no trigger, the trace moves. auto: without a trigger it is drawn anyway. single: once."""

    ROLL = "roll"
    AUTO = "auto"
    NORMAL = "normal"
    SINGLE = "single"


def crossings(times: Array, values: Array, level: float, rising: bool) -> Array:
    """When values pass the level in that direction, by linear interpolation [s]."""
    away = values - level if rising else level - values
    at = np.flatnonzero((away[:-1] < 0.0) & (away[1:] >= 0.0))
    part = away[at] / (away[at] - away[at + 1])
    return times[at] + part * (times[at + 1] - times[at])


@dataclass
class Trigger:
    """Finds where a sweep of `window` [s] begins. before: the part of it that lies before the crossing.

    Sweeps do not overlap. A single one stays until `arm`.
    """

    mode: Mode = Mode.ROLL
    level: float = 0.0
    rising: bool = True
    before: float = 0.2
    last: float = -math.inf
    """Time of the crossing that is shown [s]."""
    done: bool = False
    _armed_at: float = -math.inf

    def arm(self, now: float = -math.inf) -> None:
        """Looks for a crossing again, after `now` [s]."""
        self.last, self.done, self._armed_at = -math.inf, False, now

    def look(self, times: Array, values: Array, window: float) -> tuple[float, float] | None:
        """Beginning and end of a new sweep [s]; None: what is drawn stays. Auto without a crossing: the newest part."""
        if self.done or not len(times):
            return None
        end = float(times[-1])
        if end < self.last:
            self.arm()  # time began anew
        after = (1.0 - self.before) * window
        first = max(self._armed_at, self.last + after)
        if self.mode is not Mode.SINGLE:
            first = max(first, end - 2.0 * window - after)
        low = int(np.searchsorted(times, first, side="right"))
        low = max(low - 1, 0)
        found = crossings(times[low:], values[low:], self.level, self.rising)
        found = found[(found > first) & (found <= end - after)]
        if found.size:
            self.last = float(found[0] if self.mode is Mode.SINGLE else found[-1])
            self.done = self.mode is Mode.SINGLE
            return self.last - self.before * window, self.last + after
        if self.mode is Mode.AUTO and end - self.last > 2.0 * window:
            return end - window, end
        return None
