"""The latest value: one process writes, any number of processes read, and none ever waits for another.

The writer fills N slots in turn, row k into slot k mod N, and then publishes k. A reader copies row k from its slot and
reads the published number again: the writer can have touched that slot only if row k + N - 1 or later is published by
then. A writer that is interrupted, or dies, in the middle of a row therefore disturbs no reader: the previous row stays
intact. A reader that is overtaken by N - 1 rows tries again, a bounded number of times, and then keeps its old row.
With more than the usual four slots the mailbox also holds recent rows, which `since` returns.

The order of the stores is that of a seqlock (Boehm, "Can seqlocks get along with programming language memory models?",
MSPC 2012), with a row of relaxed words between fences.
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
    KEPT,
    MASK,
    MISSED,
    SEQUENCE,
    STAMP,
    TORN,
    Rows,
    Sample,
    beat,
    get_row,
    last_beat,
    put_row,
    row_place,
    row_words,
)
from samara.realtime.mailbox.shared import BEAT, BEATS, COUNT, KIND, LINE, SIZE, SLOTS, MailboxError, MappedMemory
from samara.results.channels import Channel
from samara.tracing.driver.atomics import (
    fence_acquire,
    fence_release,
    load_acquire,
    load_word,
    store_release,
    store_word,
)
from samara.tracing.driver.driver_cache import inner, linked

LATEST_KIND = 1
DEPTH = 4
"""Slots, where nobody asks for the past: a power of two."""
TRIES = 8
"""Of a reader that is overtaken."""
_LATEST = 2 * LINE
_FIRST = 3 * LINE


@linked
def publish(port, time, stamp):
    """Sends `port.values` with its simulated time [s] and monotonic clock [ns]; its sequence number."""
    base = port.words.ctypes.data
    sequence = load_word(base + 8 * _LATEST) + 1
    fence_release()  # who sees a word of this row also sees that the row before is out
    put_row(row_place(port, _FIRST, sequence), sequence, time, stamp, port.values)
    store_release(base + 8 * _LATEST, sequence)
    store_word(base + 8 * BEATS, load_word(base + 8 * BEATS) + 1)
    store_word(base + 8 * BEAT, stamp)
    return sequence


@inner
def newest(base):
    """Number of the newest row of the mailbox at this address."""
    return load_acquire(base + 8 * _LATEST)


@linked
def take(port):
    """Brings `port.values` up to date; whether anything new came. Counts what it finds in `port.state`."""
    base = port.words.ctypes.data
    state = port.state
    last = state[SEQUENCE]
    for _ in range(TRIES):
        newest = load_acquire(base + 8 * _LATEST)
        if newest == last:
            state[KEPT] += 1
            return False
        sequence, time, stamp = get_row(row_place(port, _FIRST, newest), port.spare)
        fence_acquire()
        if load_word(base + 8 * _LATEST) - newest < state[MASK]:
            for i in range(port.values.shape[0]):
                port.values[i] = port.spare[i]
            port.time[0] = time
            state[SEQUENCE] = sequence
            state[STAMP] = stamp
            state[FRESH] += 1
            if last > 0:
                state[MISSED] += sequence - last - 1
            return True
    state[TORN] += 1
    state[KEPT] += 1
    return False


@linked
def take_past(port, after, rows, times, stamps):
    """Copies the rows after number `after`, the oldest that are still there first; (first number, count).

    What the writer has replaced meanwhile is left out: its rows are the oldest, so the rest moves to the front.
    """
    base = port.words.ctypes.data
    newest = load_acquire(base + 8 * _LATEST)
    first = max(after + 1, newest - port.state[MASK] + 1, newest - rows.shape[0] + 1, 1)
    for k in range(first, newest + 1):
        _, times[k - first], stamps[k - first] = get_row(row_place(port, _FIRST, k), rows[k - first])
    fence_acquire()
    safe = max(first, load_word(base + 8 * _LATEST) - port.state[MASK] + 1)
    gone = min(safe - first, newest + 1 - first)
    if gone > 0:
        for k in range(first + gone, newest + 1):
            for i in range(rows.shape[1]):
                rows[k - first - gone, i] = rows[k - first, i]
            times[k - first - gone], stamps[k - first - gone] = times[k - first], stamps[k - first]
    return first + gone, newest + 1 - first - gone


def latest_words(count: int, depth: int = DEPTH) -> int:
    """Words of a mailbox for the latest of rows of so many numbers."""
    return _FIRST + depth * row_words(count)


class Latest(Mailbox):
    """The latest row of `count` numbers, in shared memory. Use `create` or `attach`."""

    @classmethod
    def create(cls, path: str | Path, count: int, channels: Sequence[Channel] = (), depth: int = DEPTH) -> Self:
        """A new one, whose writer is this process, that keeps the last `depth` rows, a power of two."""
        if depth < DEPTH or depth & (depth - 1):
            raise ValueError(f"a mailbox keeps {DEPTH}, {2 * DEPTH}, ... rows, a power of two, not {depth}")
        memory = MappedMemory.create(Path(path), latest_words(count, depth), LATEST_KIND, count, depth)
        return cls(memory, channels=channels).as_writer()

    @classmethod
    def attach(cls, path: str | Path, channels: Sequence[Channel] = ()) -> Self:
        """One that exists, to read from; `as_writer()` to write."""
        return cls(MappedMemory.attach(Path(path), LATEST_KIND, latest_words), channels=channels)

    def as_writer(self) -> Self:
        """Makes this process the writer; an error while another one lives that is. The sequence goes on."""
        super().as_writer()
        self.port.values[:] = 0.0
        return self

    # ---- write
    def write(self, values: ArrayLike, time: float, stamp: int | None = None) -> int:
        """Sends a row at simulated time `time` [s]; its sequence number."""
        self._check_writer()
        row = np.asarray(values, float)
        if row.shape != (self.count,):
            raise ValueError(f"a row of mailbox {self.path} is {self.count} numbers, not of shape {row.shape}")
        self.port.values[:] = row
        return int(publish(self.port, float(time), clock.monotonic_ns() if stamp is None else stamp))

    def beat(self) -> None:
        """Shows that the writer lives, with nothing to say."""
        self._check_writer()
        beat(self.port, clock.monotonic_ns())

    def _check_writer(self) -> None:
        if not self._ends:
            raise PermissionError(f"mailbox {self.path} was opened to read: {self.writer} writes to it")

    # ---- read
    def read(self) -> Sample:
        """The newest row, or the last one again."""
        fresh = bool(take(self.port))
        state = self.port.state
        return Sample(self.port.values.copy(), float(self.port.time[0]), int(state[STAMP]), int(state[SEQUENCE]), fresh)

    def since(self, sequence: int, limit: int | None = None) -> Rows:
        """All rows after that number which are still there, oldest first; the newest `limit` of them if one is given.

        A first number above sequence + 1 tells that the writer was faster. Counts nothing.
        """
        there = int(self.port.words[_LATEST]) - sequence
        room = max(0, min(there + DEPTH, self.depth - 1, self.depth if limit is None else limit))
        values, time, stamp = np.empty((room, self.count)), np.empty(room), np.empty(room, np.int64)
        first, count = take_past(self.port, sequence, values, time, stamp)
        return Rows(values[:count], time[:count], stamp[:count], np.arange(first, first + count))

    def wait(self, timeout: float, pause: float = 1e-4) -> Sample:
        """As `read`, but looks every `pause` seconds until something new came or `timeout` [s] is over."""
        end = clock.monotonic() + timeout
        kept = self.kept
        while not (sample := self.read()).fresh and clock.monotonic() < end:
            clock.sleep(pause)
        self.port.state[KEPT] = kept if sample.fresh else kept + 1  # one question, not one for every look
        return sample

    @property
    def depth(self) -> int:
        """Slots: one less is how much of the past there is."""
        return int(self.port.state[MASK]) + 1

    # ---- counted
    @property
    def fresh(self) -> int:
        """Reads of this end that brought something new."""
        return int(self.port.state[FRESH])

    @property
    def kept(self) -> int:
        """Reads of this end that kept the last row."""
        return int(self.port.state[KEPT])

    @property
    def torn(self) -> int:
        """Those of them that gave up because the writer was faster."""
        return int(self.port.state[TORN])

    @property
    def missed(self) -> int:
        """Rows that were replaced before this end looked, since its first read."""
        return int(self.port.state[MISSED])

    @property
    def silence(self) -> float:
        """Time since the writer last showed life [s]; infinite if it never did."""
        last = int(last_beat(self.port))
        return (clock.monotonic_ns() - last) * 1e-9 if last else float("inf")


def latest_at(memory: MappedMemory, first: int, count: int) -> Latest:
    """One inside a larger block, from word `first`; its header is filled in if it is new."""
    size = latest_words(count)
    words = memory.words[first : first + size]
    if words[KIND] == 0:
        words[KIND], words[COUNT], words[SLOTS], words[SIZE] = LATEST_KIND, count, DEPTH, size
    elif [words[KIND], words[COUNT], words[SLOTS], words[SIZE]] != [LATEST_KIND, count, DEPTH, size]:
        raise MailboxError(f"mailbox {memory.path}: that of a controller is damaged")
    return Latest(memory, words)
