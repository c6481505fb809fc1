"""Counters and timings of a loop: integers in arrays that the loop writes and any process may read."""

from __future__ import annotations

import math
from enum import IntEnum

import numpy as np

from samara.tracing.driver.driver_cache import inner


class Account(IntEnum):
    """What is counted (an array of integers)."""

    CYCLES = 0  # periods that were served
    OVERRUNS = 1  # deadlines that passed while a step was at work: 3.1 periods are 3
    LATE_STEPS = 2  # steps that missed one or more
    SKIPPED = 3  # periods that were left out
    HELD = 4  # periods in which the last outputs were published again
    DEGRADED = 5  # steps with fewer iterations and the factors kept
    NOT_CONVERGED = 6  # steps that used up their iterations, and were taken below the ceiling
    DROPPED = 7  # samples that found no room
    SLIPPED = 8  # by how much the schedule was moved [ns]
    SILENT = 9  # cycles times actuators whose controller showed no life
    PAUSED = 10  # cycles without a step, on request
    BUSY = 11  # time at work [ns]
    ELAPSED = 12  # since the loop began [ns]
    RESETS = 13  # new starts, on request
    REPEATED = 14  # steps above the ceiling, taken again with all iterations
    DIVIDED = 15  # steps that failed, taken in parts
    REFUSED = 16  # rows in the queue of requests that were none


#: Bins of a histogram: 32 to the octave, from 1 ns to 18 minutes. A bin is 2.2 % wide.
PER_OCTAVE, BINS = 32, 1280


def new_histogram() -> np.ndarray:
    """Counts by duration, and the largest at the end [ns]."""
    return np.zeros(BINS + 1, np.int64)


@inner
def note(histogram, nanoseconds):
    """Counts a duration."""
    at = 0
    if nanoseconds > 1:
        at = min(int(PER_OCTAVE * math.log2(float(nanoseconds))), BINS - 1)
    histogram[at] += 1
    histogram[BINS] = max(histogram[BINS], nanoseconds)


def percentile(histogram: np.ndarray, percent: float) -> float:
    """Duration that this part of all does not exceed [s]: the upper end of its bin, and the largest one at most."""
    counts = histogram[:BINS]
    total = int(counts.sum())
    if total == 0:
        return float("nan")
    at = int(np.searchsorted(np.cumsum(counts), math.ceil(total * percent / 100.0)))
    return min(2.0 ** ((at + 1) / PER_OCTAVE), float(histogram[BINS])) * 1e-9


def summary(histogram: np.ndarray) -> dict[str, float]:
    """p50, p99, p999 and max in microseconds."""
    found = {name: percentile(histogram, p) for name, p in (("p50", 50.0), ("p99", 99.0), ("p999", 99.9))}
    found["max"] = float(histogram[BINS]) * 1e-9
    return {name: 1e6 * value for name, value in found.items()}
