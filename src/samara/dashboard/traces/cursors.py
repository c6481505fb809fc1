"""What a trace says at two times, and between them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from samara.dashboard.feed.track import Array


@dataclass(frozen=True)
class Reading:
    """Values at cursors a and b, their difference and slope; minimum, maximum, mean and root mean square between."""

    a: float
    b: float
    difference: float
    slope: float
    minimum: float
    maximum: float
    mean: float
    rms: float


def read(times: Array, values: Array, a: float, b: float) -> Reading:
    """Of one trace; cursors a and b [s] in any order. Means are over time, along the straight lines between samples."""
    nan = math.nan
    if len(times) < 2:
        return Reading(nan, nan, nan, nan, nan, nan, nan, nan)
    at_a, at_b = (float(np.interp(t, times, values, left=nan, right=nan)) for t in (a, b))
    slope = (at_b - at_a) / (b - a) if a != b else nan
    low, high = max(min(a, b), float(times[0])), min(max(a, b), float(times[-1]))
    if not low < high:
        return Reading(at_a, at_b, at_b - at_a, slope, nan, nan, nan, nan)
    inside = (times > low) & (times < high)
    t = np.concatenate([[low], times[inside], [high]])
    v = np.concatenate([[np.interp(low, times, values)], values[inside], [np.interp(high, times, values)]])
    h = np.diff(t)
    mean = float((0.5 * (v[1:] + v[:-1]) * h).sum() / (high - low))
    square = float(((v[1:] ** 2 + v[1:] * v[:-1] + v[:-1] ** 2) / 3.0 * h).sum() / (high - low))
    return Reading(at_a, at_b, at_b - at_a, slope, float(v.min()), float(v.max()), mean, math.sqrt(square))
