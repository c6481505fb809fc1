"""A table that grows while a run fills it, without a copy per sample."""

from __future__ import annotations

import numpy as np

from samara.results.channels import Channels


class Recorder:
    """Times and rows in preallocated blocks.

    The driver asks for room, fills the views in native code, and commits what it filled:

        times, rows = recorder.room(200)
        n = driver(times, rows)
        recorder.commit(n)

    Views write straight into the storage. A full block is set aside and a new one begun: recorded rows never
    move, and views obtained earlier stay valid. `times` and `table` join the blocks once, when they are read;
    a run that fits its first block (`expected_rows`) is never copied at all.
    """

    def __init__(self, channels: Channels, expected_rows: int = 0, block_rows: int = 4096) -> None:
        if block_rows < 1:
            raise ValueError(f"block_rows = {block_rows} must be at least 1")
        if expected_rows < 0:
            raise ValueError(f"expected_rows = {expected_rows} must not be negative")
        self.channels = channels
        self._block_rows = block_rows
        self._closed: list[tuple[np.ndarray, np.ndarray]] = []
        self._closed_rows = 0
        self._begin_block(expected_rows or block_rows)
        self._room = 0

    def _begin_block(self, rows: int) -> None:
        self._times = np.empty(rows)
        self._table = np.empty((rows, self.channels.width))
        self._first = self._used = 0  # rows before _first have been joined into _closed

    def __len__(self) -> int:
        """Number of committed rows."""
        return self._closed_rows + self._used - self._first

    def room(self, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
        """Writable views of the next rows: times (n_rows,) and rows (n_rows, width), C-contiguous."""
        if n_rows < 0:
            raise ValueError(f"room for {n_rows} rows: the number must not be negative")
        if self._used + n_rows > len(self._times):
            self._close_block()
            self._begin_block(max(n_rows, self._block_rows))
        self._room = n_rows
        end = self._used + n_rows
        return self._times[self._used : end], self._table[self._used : end]

    def commit(self, n: int) -> None:
        """Keep the first n rows of the last room; the rest is given back."""
        if not 0 <= n <= self._room:
            raise ValueError(f"commit of {n} rows, but the last room holds {self._room}")
        self._used += n
        self._room = 0

    def append(self, time: float, values: np.ndarray) -> None:
        """One row from Python: for callers outside the native driver."""
        times, rows = self.room(1)
        times[0] = time
        rows[0] = values
        self.commit(1)

    def _close_block(self) -> None:
        if self._used > self._first:
            kept = slice(self._first, self._used)
            self._closed.append((self._times[kept], self._table[kept]))
            self._closed_rows += self._used - self._first
            self._first = self._used

    def _joined(self) -> tuple[np.ndarray, np.ndarray]:
        kept = slice(self._first, self._used)
        if not self._closed:
            return self._times[kept], self._table[kept]
        self._close_block()  # an open room stays where it is, after the rows joined here
        if len(self._closed) > 1:
            times, tables = zip(*self._closed, strict=True)
            self._closed = [(np.concatenate(times), np.concatenate(tables))]
        return self._closed[0]

    @property
    def times(self) -> np.ndarray:
        """Committed times, (n,), contiguous."""
        return self._joined()[0]

    @property
    def table(self) -> np.ndarray:
        """Committed rows, (n, width), C-contiguous."""
        return self._joined()[1]
