"""Pre-trigger buffer: the last rows before the trigger, in memory."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray


class PreTrigger:
    """Keeps the last rows in the queue's format: those requested, and some that arrived after the trigger.

    rows: before the trigger. spare: how many may arrive between the trigger and its detection.
    """

    def __init__(self, rows: int, spare: int) -> None:
        self.rows, self._most = rows, rows + spare
        self._blocks: deque[NDArray[np.int64]] = deque()
        self._count = 0

    def __len__(self) -> int:
        """Rows kept."""
        return self._count

    def add(self, block: NDArray[np.int64]) -> None:
        """Takes rows; lets go of those that nobody can ask for any more."""
        if not len(block):
            return
        self._blocks.append(block.copy())
        self._count += len(block)
        while self._count - len(self._blocks[0]) >= self._most:
            self._count -= len(self._blocks.popleft())

    def take(self, stamp: int) -> NDArray[np.int64] | None:
        """The rows before a trigger at this reading of the monotonic clock [ns], and all after it; none are left."""
        if not self._blocks:
            return None
        rows = np.concatenate(self._blocks)
        self._blocks.clear()
        self._count = 0
        trigger = int(np.searchsorted(rows[:, 2], stamp, side="right"))
        return rows[max(trigger - self.rows, 0) :]
