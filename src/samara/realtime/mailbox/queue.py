"""A queue: a ring buffer of rows between one sending and one receiving process; neither waits for the other.

Head and tail count rows from the beginning and never wrap; each has one writer and its own cache line (Lamport,
"Proving the correctness of multiprocess programs", IEEE Trans. Softw. Eng. SE-3, 1977). When the ring is full, the new
row is dropped and counted. Dropped rows leave a gap in the sequence numbers, so that the receiver knows where.
"""

from __future__ import annotations

import time as clock
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from samara.realtime.mailbox.mailbox import Mailbox
from samara.realtime.mailbox.port import (
    FRESH,
    HEADER,
    KEPT,
    MASK,
    MISSED,
    SEQUENCE,
    STAMP,
    Rows,
    Sample,
    get_row,
    put_row,
    row_place,
    row_words,
)
from samara.realtime.mailbox.process import Process
from samara.realtime.mailbox.shared import LINE, WRITER, MappedMemory
from samara.results.channels import Channel
from samara.tracing.driver.atomics import load_acquire, load_word, store_release, store_word
from samara.tracing.driver.driver_cache import linked

QUEUE_KIND = 2
_TAIL, _DROPPED = 2 * LINE, 2 * LINE + 1
_HEAD = 3 * LINE
_READER = 4 * LINE
_FIRST = 5 * LINE


@linked
def push(port, time, stamp):
    """Appends `port.values` with its simulated time [s] and monotonic clock [ns]; False, and counted, when full."""
    base = port.words.ctypes.data
    tail = load_word(base + 8 * _TAIL)
    dropped = load_word(base + 8 * _DROPPED)
    if tail - load_acquire(base + 8 * _HEAD) > port.state[MASK]:
        store_word(base + 8 * _DROPPED, dropped + 1)
        return False
    put_row(row_place(port, _FIRST, tail), tail + dropped + 1, time, stamp, port.values)
    store_release(base + 8 * _TAIL, tail + 1)
    return True


@linked
def push_all(port, rows, time, stamp):
    """Appends all rows at once or, counted, none of them: the receiver finds all or none."""
    base = port.words.ctypes.data
    tail = load_word(base + 8 * _TAIL)
    dropped = load_word(base + 8 * _DROPPED)
    count = rows.shape[0]
    if tail + count - load_acquire(base + 8 * _HEAD) > port.state[MASK] + 1:
        store_word(base + 8 * _DROPPED, dropped + count)
        return False
    for k in range(count):
        put_row(row_place(port, _FIRST, tail + k), tail + k + dropped + 1, time, stamp, rows[k])
    store_release(base + 8 * _TAIL, tail + count)
    return True


@linked
def waiting(port):
    """Whether there is a row to take."""
    base = port.words.ctypes.data
    return load_acquire(base + 8 * _TAIL) != load_word(base + 8 * _HEAD)


@linked
def pop(port):
    """Moves the oldest row into `port.values`; False, and nothing changed, when there is none."""
    base = port.words.ctypes.data
    head = load_word(base + 8 * _HEAD)
    state = port.state
    if load_acquire(base + 8 * _TAIL) == head:
        state[KEPT] += 1
        return False
    sequence, port.time[0], state[STAMP] = get_row(row_place(port, _FIRST, head), port.values)
    store_release(base + 8 * _HEAD, head + 1)
    if state[SEQUENCE] > 0:
        state[MISSED] += sequence - state[SEQUENCE] - 1
    state[SEQUENCE] = sequence
    state[FRESH] += 1
    return True


@linked
def pop_all(port, rows, times, stamps, sequences):
    """Moves rows into arrays, as many as there are and fit; their number."""
    count = 0
    while count < rows.shape[0] and pop(port):
        for i in range(port.values.shape[0]):
            rows[count, i] = port.values[i]
        times[count] = port.time[0]
        stamps[count] = port.state[STAMP]
        sequences[count] = port.state[SEQUENCE]
        count += 1
    return count


@linked
def peek_all(port, block):
    """Copies the oldest rows as they lie, header and numbers, as many as there are and fit; they stay. Their number."""
    base = port.words.ctypes.data
    head = load_word(base + 8 * _HEAD)
    count = max(min(load_acquire(base + 8 * _TAIL) - head, block.shape[0]), 0)
    for k in range(count):
        place = row_place(port, _FIRST, head + k)
        for i in range(HEADER + port.values.shape[0]):
            block[k, i] = load_word(place + 8 * i)
    return count


@linked
def release(port, count):
    """Gives the room of the oldest rows back, once they have been dealt with."""
    base = port.words.ctypes.data
    store_release(base + 8 * _HEAD, load_word(base + 8 * _HEAD) + count)


def queue_words(count: int, capacity: int) -> int:
    """Words of a queue for rows of so many numbers."""
    return _FIRST + capacity * row_words(count)


class Queue(Mailbox):
    """A ring of rows of `count` numbers, in shared memory. Use `create` or `attach`."""

    @classmethod
    def create(cls, path: str | Path, count: int, capacity: int, channels: Sequence[Channel] = ()) -> Self:
        """A new one for `capacity` rows, a power of two."""
        if capacity < 1 or capacity & (capacity - 1):
            raise ValueError(f"a queue holds 1, 2, 4, 8, ... rows, a power of two, not {capacity}")
        memory = MappedMemory.create(Path(path), queue_words(count, capacity), QUEUE_KIND, count, capacity)
        return cls(memory, channels=channels)

    @classmethod
    def attach(cls, path: str | Path, channels: Sequence[Channel] = ()) -> Self:
        """One that exists."""
        return cls(MappedMemory.attach(Path(path), QUEUE_KIND, queue_words), channels=channels)

    def as_reader(self) -> Self:
        """Makes this process the receiver; an error while another one lives that is. It goes on where that stopped."""
        return self._own(_READER, "reading")

    def write(self, values: ArrayLike, time: float, stamp: int | None = None) -> bool:
        """Sends a row, or several (2-D) of which all or none arrive; False, and counted, when there is no room."""
        rows = np.atleast_2d(np.ascontiguousarray(values, float))
        if rows.ndim != 2 or rows.shape[1] != self.count:
            raise ValueError(f"a row of mailbox {self.path} is {self.count} numbers, not of shape {np.shape(values)}")
        if WRITER not in self._ends:
            self.as_writer()
        return bool(push_all(self.port, rows, float(time), clock.monotonic_ns() if stamp is None else stamp))

    def read(self) -> Sample | None:
        """The oldest row, which then is gone; None when there is none."""
        rows = self.drain(1)
        if not rows.sequence.size:
            return None
        return Sample(rows.values[0], float(rows.time[0]), int(rows.stamp[0]), int(rows.sequence[0]), fresh=True)

    def drain(self, limit: int | None = None) -> Rows:
        """All rows that are waiting, at most `limit`, oldest first."""
        if _READER not in self._ends:
            self.as_reader()
        room = min(self.waiting, self.capacity if limit is None else limit)
        rows = Rows(np.empty((room, self.count)), np.empty(room), np.empty(room, np.int64), np.empty(room, np.int64))
        pop_all(self.port, *rows)
        return rows

    # ---- counted
    @property
    def capacity(self) -> int:
        """Rows that it holds."""
        return int(self.port.state[MASK]) + 1

    @property
    def sent(self) -> int:
        """Rows that found room, since the queue was made."""
        return int(self.port.words[_TAIL])

    @property
    def received(self) -> int:
        """Rows taken out, since the queue was made."""
        return int(self.port.words[_HEAD])

    @property
    def waiting(self) -> int:
        """Rows inside."""
        return self.sent - self.received

    @property
    def dropped(self) -> int:
        """Rows that found no room; both sides see it."""
        return int(self.port.words[_DROPPED])

    @property
    def reader(self) -> Process:
        """The process that receives (number 0: none)."""
        return self._process(_READER)
