"""A growing table of rows with its recent past as plain arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Track:
    """The last `depth` rows of named columns, oldest first, each with its time [s].

    Rows are appended to a block of twice the depth; when it is full the newer half moves to its front, so that what is
    kept is contiguous and appending costs its own size on average. When time goes back (the simulator was reset) what
    was there before is dropped, and `epoch` counts it. `total` counts rows since the beginning.
    """

    def __init__(self, names: Sequence[str], depth: int) -> None:
        self.names = tuple(names)
        self.places = {name: k for k, name in enumerate(self.names)}
        self.depth = max(int(depth), 2)
        self.epoch = 0
        self.total = 0
        self._rows = np.empty((2 * self.depth, len(self.names)))
        self._times = np.empty(2 * self.depth)
        self._first = self._end = 0

    def __len__(self) -> int:
        return self._end - self._first

    @property
    def times(self) -> Array:
        """Of the rows that are kept [s]."""
        return self._times[self._first : self._end]

    @property
    def rows(self) -> Array:
        """The rows that are kept."""
        return self._rows[self._first : self._end]

    def append(self, times: Array, rows: Array) -> None:
        """New rows, in the order of time but for resets."""
        if len(times) == 0:
            return
        back = np.flatnonzero(np.diff(times) < 0.0)
        if back.size:
            self._extend(times[: back[0] + 1], rows[: back[0] + 1])
            self.append(times[back[0] + 1 :], rows[back[0] + 1 :])
        else:
            self._extend(times, rows)

    def _extend(self, times: Array, rows: Array) -> None:
        self.total += len(times)
        times, rows = times[-self.depth :], rows[-self.depth :]
        if len(self) and times[0] < self._times[self._end - 1]:
            self.epoch += 1
            self._first = self._end = 0
        if self._end + len(times) > len(self._times):
            kept = min(len(self), self.depth)
            self._times[:kept] = self._times[self._end - kept : self._end].copy()
            self._rows[:kept] = self._rows[self._end - kept : self._end].copy()
            self._first, self._end = 0, kept
        self._times[self._end : self._end + len(times)] = times
        self._rows[self._end : self._end + len(times)] = rows
        self._end += len(times)
        self._first = max(self._first, self._end - self.depth)

    def column(self, name: str) -> tuple[Array, Array]:
        """Times [s] and values of one column; views, valid until the next `append`."""
        return self.times, self.rows[:, self.places[name]]

    def after(self, total: int) -> slice:
        """The part of `times` and `rows` that came after `total` said so much."""
        return slice(max(0, len(self) - (self.total - total)), None)
