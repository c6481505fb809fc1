"""`samara bench mailbox`: what the mailboxes of the real-time loop cost.

Native calls are measured in loops of many, so that the way from Python into native code is not; CPU time of the calling
thread. A reader on another core makes the writer fetch its lines back: the watched case. In a loop that sleeps and
steps in between, the lines have left the caches: the case of single calls.
"""

from __future__ import annotations

import ctypes
import tempfile
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from numba import njit

from samara.benchmarks.rows import Row, cpu_time_per_call, interleave
from samara.realtime import Latest, Queue, pop, publish, push, take
from samara.realtime.mailbox.seats import Seats, gather

NUMBERS = 64
CALLS = 1000
"""Native calls per sample."""


@njit(nogil=True)
def _publish(port, count):
    for k in range(count):
        port.values[0] = k
        publish(port, 1e-3 * k, k)


@njit(nogil=True)
def _publish_and_take(port, reader, count):
    for k in range(count):
        publish(port, 1e-3 * k, k)
        take(reader)


@njit(nogil=True)
def _take(port, count):
    for _ in range(count):
        take(port)


@njit(nogil=True)
def _watch(port, stop):
    while stop[0] == 0:
        for _ in range(100):
            take(port)


@njit(nogil=True)
def _push_and_pop(port, count):
    for k in range(count):
        push(port, 1e-3 * k, k)
        pop(port)


@njit(nogil=True)
def _gather(seats, commands, count):
    for k in range(count):
        gather(seats, k, 1, commands)


def rows(repeats: int = 201) -> Iterator[Row]:
    """All cases."""
    with tempfile.TemporaryDirectory(dir=_memory()) as folder:
        path = Path(folder)
        with Latest.create(path / "latest", NUMBERS) as box, Latest.attach(path / "latest") as reader:
            yield from _native(path, box, reader, repeats)
            yield _alone(box, 10 * repeats)
            yield _watched(box, reader, repeats)
            yield from _from_python(box, reader, repeats)


def _native(path: Path, box: Latest, reader: Latest, repeats: int) -> Iterator[Row]:
    with Queue.create(path / "ring", NUMBERS, 16) as ring:
        seats = Seats.create(path / "seats", [f"actuator{k}" for k in range(8)])
        for name in seats.names[:4]:
            seats.claim([name]).write([0.0], 0.0)
        calls = {
            "publish_us": (partial(_publish, box.port, CALLS), "< 3", f"{NUMBERS} doubles"),
            "publish_and_take_us": (partial(_publish_and_take, box.port, reader.port, CALLS), "", "on one core"),
            "take_nothing_new_us": (partial(_take, reader.port, CALLS), "", "the last row is kept"),
            "push_and_pop_us": (partial(_push_and_pop, ring.port, CALLS), "", "queue, on one core"),
            "gather_us": (partial(_gather, seats.port, np.zeros(8), CALLS), "", "8 actuators, 4 controllers"),
        }
        timings = interleave({name: call for name, (call, _, _) in calls.items()}, repeats=repeats)
        for name, (_, aim, note) in calls.items():
            cost = timings[name].scaled(1e6 / CALLS)
            yield Row("mailbox", name, cost.median, "us", aim, f"{note}; p99 {cost.percentile(99):.3g}")
        seats.close()


def _alone(box: Latest, samples: int) -> Row:
    """Single calls by the wall clock, each after other work, as in a loop that sleeps and steps in between."""
    clock = ctypes.CDLL(None).clock_gettime
    clock.argtypes = (ctypes.c_int, ctypes.c_void_p)

    @njit(nogil=True)
    def measure(port, other, now, spent):
        for k in range(spent.size):
            for i in range(0, other.size, 8):
                other[i] += 1.0
            clock(time.CLOCK_MONOTONIC, now.ctypes)
            start = now[0] * 1_000_000_000 + now[1]
            publish(port, 1e-3 * k, start)
            clock(time.CLOCK_MONOTONIC, now.ctypes)
            spent[k] = now[0] * 1_000_000_000 + now[1] - start

    other, now, spent = np.zeros(2**20), np.zeros(2, np.int64), np.zeros(samples)
    measure(box.port, other, now, spent)
    median, tail = np.percentile(spent, (50, 99)) * 1e-3
    note = f"single calls, wall clock, after 8 MiB of other memory; p99 {tail:.3g}; a reading of the clock included"
    return Row("mailbox", "publish_alone_us", float(median), "us", "< 3", note)


def _watched(box: Latest, reader: Latest, repeats: int) -> Row:
    stop = np.zeros(1, np.int64)
    _watch(reader.port, np.ones(1, np.int64))  # compiled
    thread = threading.Thread(target=_watch, args=(reader.port, stop))
    thread.start()
    try:
        time.sleep(0.1)  # it has begun
        before = reader.fresh
        cost = cpu_time_per_call(partial(_publish, box.port, CALLS), repeats=10 * repeats).scaled(1e6 / CALLS)
    finally:
        stop[0] = 1
        thread.join()
    found = f"it found {reader.fresh - before} new rows of {10 * repeats * CALLS}, and gave up {reader.torn} times"
    note = f"a reader that never rests on another core; p99 {cost.percentile(99):.3g}; {found}"
    return Row("mailbox", "publish_watched_us", cost.median, "us", "< 3", note)


def _from_python(box: Latest, reader: Latest, repeats: int) -> Iterator[Row]:
    values = np.arange(float(NUMBERS))
    write = cpu_time_per_call(lambda: box.write(values, 0.0), repeats=repeats, inner=100).scaled(1e6)
    read = cpu_time_per_call(reader.read, repeats=repeats, inner=100).scaled(1e6)
    yield Row("mailbox", "python_write_us", write.median, "us", "", "Latest.write")
    yield Row("mailbox", "python_read_us", read.median, "us", "", "Latest.read, nothing new")


def _memory() -> Path:
    from samara.realtime.mailbox.shared import directory

    return directory()
