"""A process's end of a mailbox, as native code uses it: shared words, and the row sent or received."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from samara.realtime.mailbox.shared import BEAT, BEATS, LINE, lines
from samara.tracing.driver.atomics import load_real, load_word, store_real, store_word
from samara.tracing.driver.driver_cache import inner, linked

#: words of a row before its numbers: sequence, simulated time, monotonic clock
HEADER = 3
#: places in the state of a port
SEQUENCE, STAMP, FRESH, KEPT, TORN, MISSED, MASK = range(7)
PATIENCE = 0.1
"""Silence after which a process is held for dead or stuck [s]."""


class Port(NamedTuple):
    """The arrays of one end of a mailbox.

    words    the mailbox, shared
    values   numbers to be sent, or last received
    spare    buffer for a row until it is known to be intact
    time     simulated time of `values` [s], when received
    state    sequence and monotonic clock [ns] of `values`; rows found new, not new, torn; rows never seen
    """

    words: NDArray[np.int64]
    values: NDArray[np.float64]
    spare: NDArray[np.float64]
    time: NDArray[np.float64]
    state: NDArray[np.int64]


class Sample(NamedTuple):
    """One row read from a mailbox. `sequence` counts from 1; it is 0, and `values` are NaN, when none has come yet."""

    values: NDArray[np.float64]
    time: float
    """Simulated time [s]."""
    stamp: int
    """Monotonic clock of the writer [ns]."""
    sequence: int
    fresh: bool
    """False when it is the last one again."""


class Rows(NamedTuple):
    """Rows read from a mailbox, oldest first."""

    values: NDArray[np.float64]
    time: NDArray[np.float64]
    """Simulated time [s]."""
    stamp: NDArray[np.int64]
    """Monotonic clock of the writer [ns]."""
    sequence: NDArray[np.int64]


def make_port(words: NDArray[np.int64], count: int, slots: int) -> Port:
    """An end of the mailbox in these words."""
    state = np.zeros(LINE, np.int64)
    state[MASK] = slots - 1
    return Port(words, np.full(count, np.nan), np.zeros(count), np.full(1, np.nan), state)


def row_words(count: int) -> int:
    """Words of a row of so many numbers, in whole lines."""
    return lines(HEADER + count)


@inner
def put_row(place, sequence, time, stamp, values):
    """Stores a row at an address; its order is the caller's matter."""
    store_word(place, sequence)
    store_real(place + 8, time)
    store_word(place + 16, stamp)
    for i in range(values.shape[0]):
        store_real(place + 8 * (HEADER + i), values[i])


@inner
def get_row(place, values):
    """Loads a row from an address: its numbers into `values`; (sequence, time, stamp)."""
    for i in range(values.shape[0]):
        values[i] = load_real(place + 8 * (HEADER + i))
    return load_word(place), load_real(place + 8), load_word(place + 16)


@inner
def row_place(port, first, index):
    """Address of a row: `first` is the word where rows begin."""
    stride = (HEADER + port.values.shape[0] + LINE - 1) // LINE * LINE
    return port.words.ctypes.data + 8 * (first + (index & port.state[MASK]) * stride)


@linked
def beat(port, stamp):
    """Shows that the writer lives, at this reading of the monotonic clock [ns]; sending a row does so too."""
    base = port.words.ctypes.data
    store_word(base + 8 * BEATS, load_word(base + 8 * BEATS) + 1)
    store_word(base + 8 * BEAT, stamp)


@linked
def last_beat(port):
    """The monotonic clock when the writer last showed that it lives [ns]; 0 before the first time."""
    return load_word(port.words.ctypes.data + 8 * BEAT)
