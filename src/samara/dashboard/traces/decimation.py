"""Fewer points of a trace, with its peaks: of each bin of time the smallest and the largest value stay."""

from __future__ import annotations

import numpy as np

from samara.dashboard.feed.track import Array


def minmax(times: Array, values: Array, width: float) -> tuple[Array, Array]:
    """The extremes of each bin of `width` [s] with their own times, in the order of time.

    Bins begin at whole multiples of the width, so that what is decimated piece by piece is the same as the whole. A bin
    with one sample gives that. A value that is not a number is taken for the largest.
    """
    if len(times) < 2:
        return times.copy(), values.copy()
    bins = np.floor(times / width).astype(np.int64)
    starts = np.flatnonzero(np.diff(bins, prepend=bins[0] - 1))
    if len(starts) == len(times):
        return times.copy(), values.copy()
    group = np.cumsum(np.diff(bins, prepend=bins[0]) != 0)
    order = np.lexsort((values, group))  # within a bin by value; the bins stay in their order
    ends = np.append(starts[1:], len(times)) - 1
    chosen = np.unique(np.concatenate([order[starts], order[ends]]))
    return times[chosen], values[chosen]


class Stream:
    """Decimates what comes piece by piece; a bin is given out once it is complete."""

    def __init__(self, width: float) -> None:
        self.width = width
        self.clear()

    def clear(self) -> None:
        """Forgets the bin that has begun."""
        self._times, self._values = np.zeros(0), np.zeros(0)

    def add(self, times: Array, values: Array) -> tuple[Array, Array]:
        """New samples; points of the bins that they complete."""
        times = np.concatenate([self._times, times])
        values = np.concatenate([self._values, values])
        if not len(times):
            return times, values
        bins = np.floor(times / self.width)
        end = int(np.searchsorted(bins, bins[-1]))
        self._times, self._values = times[end:], values[end:]
        return minmax(times[:end], values[:end], self.width)
