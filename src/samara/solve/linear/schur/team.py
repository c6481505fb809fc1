"""Threads that work on the parts of a system, and the shared words that synchronise them.

The words, each in a cache line of its own where two hands write: [number of the last call, hands that were called,
task, address of `sched_yield`, then per hand the number of the call it has done]. A hand that reads the number of a
call also sees everything written before it (`tracing.driver.atomics`). Waiting hands spin, because a step takes tens of
microseconds; after a while they yield if there are more hands than processors.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from samara.tracing.driver.atomics import load_acquire, store_release
from samara.tracing.driver.driver_cache import driver, inner
from samara.tracing.driver.native_call import call_native

#: Words of a cache line.
LINE = 16
CALL, CALLED, TASK, YIELD = range(4)
#: A task that ends the work.
DISMISSED = -1
#: Looks at a word before others may run.
PATIENCE = 4_000


@inner
def hands(team):
    """How many hands were called beside this one."""
    return team[CALLED] if team.size != 0 else 0


@inner
def post(team, task):
    """Calls all hands to a task."""
    team[TASK] = task
    store_release(team.ctypes.data + 8 * CALL, team[CALL] + 1)


@inner
def gather(team):
    """Waits until all have done it."""
    for hand in range(1, team[CALLED] + 1):
        looks = 0
        while load_acquire(team.ctypes.data + 8 * LINE * hand) != team[CALL]:
            looks += 1
            if looks % PATIENCE == 0:
                call_native(team[YIELD])


@inner
def is_called(team, seen):
    """Waits for a call after the one that was seen; its number."""
    looks = 0
    while True:
        number = load_acquire(team.ctypes.data + 8 * CALL)
        if number != seen:
            return number
        looks += 1
        if looks % PATIENCE == 0:
            call_native(team[YIELD])


@inner
def dismissed(team):
    """Whether the work is over."""
    return team[TASK] == DISMISSED


@inner
def report(team, hand, number):
    """Says that a call is done."""
    store_release(team.ctypes.data + 8 * LINE * hand, number)


@driver
def _dismiss(team):
    """Ends the work of all."""
    post(team, DISMISSED)


def new_team(threads: int) -> np.ndarray:
    """Words for so many hands, this one included."""
    words = np.zeros(LINE * threads, np.int64)
    words[YIELD] = _address_of_yield()
    return words


def _address_of_yield() -> int:
    if sys.platform == "win32":
        function = ctypes.WinDLL("kernel32").SwitchToThread  # type: ignore[attr-defined]
    else:
        function = ctypes.CDLL(None).sched_yield
    return ctypes.cast(function, ctypes.c_void_p).value or 0


class Team:
    """Threads that wait for work, asleep between native calls."""

    def __init__(self, threads: int) -> None:
        self.words = new_team(threads)
        self._hands = [_Hand(k) for k in range(1, threads)]

    @property
    def size(self) -> int:
        """Hands, the caller's included."""
        return 1 + len(self._hands)

    @contextmanager
    def at_work(self, serve: Callable[[Any, int], None], work: Any) -> Iterator[None]:
        """Hands that serve while native code of the caller runs."""
        if not self._hands:
            yield
            return
        words = self.words
        words[CALL] = 0
        words[LINE::LINE] = 0
        words[CALLED] = len(self._hands)
        for hand in self._hands:
            hand.begin(serve, work)
        try:
            yield
        finally:
            _dismiss(words)
            for hand in self._hands:
                hand.end()
            words[CALLED] = 0


class _Hand:
    """A thread, started when it is first needed; it dies with the process."""

    def __init__(self, number: int) -> None:
        self.number = number
        self._thread: threading.Thread | None = None
        self._wanted, self._done = threading.Semaphore(0), threading.Semaphore(0)
        self._job: tuple[Callable[[Any, int], None], Any] | None = None

    def begin(self, serve: Callable[[Any, int], None], work: Any) -> None:
        if self._thread is None or not self._thread.is_alive():  # a process that was forked has none
            self._thread = threading.Thread(target=self._live, name=f"samara hand {self.number}", daemon=True)
            self._thread.start()
        self._job = serve, work
        self._wanted.release()

    def end(self) -> None:
        self._done.acquire()

    def _live(self) -> None:
        while True:
            self._wanted.acquire()
            job, self._job = self._job, None
            if job is not None:
                job[0](job[1], self.number)
            del job
            self._done.release()
