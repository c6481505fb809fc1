"""Compilation progress: what is being compiled, the time taken, and the line that reports it.

In a terminal and in a notebook cell, one line is overwritten; elsewhere a line is printed every few
seconds, and none if compilation takes less. `$SAMARA_PROGRESS` = 0 turns it off.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from samara.notebook.stream import is_cell, rewrites

#: Time between two lines when there is no terminal [s].
EVERY = 5.0
#: Returns to the beginning of the line and clears it.
CLEAR = "\r\033[K"


@dataclass(eq=False)
class Time:
    """Processor time for compiling one function, excluding the functions that it calls [s]."""

    seconds: float = 0.0


class Compiling:
    """Counts compilations and their time; nested compilations count once."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._began, self._spent, self._told = 0.0, 0.0, 0.0
        self._running: list[Time] = []
        self.known = 0  # number of functions in the solver
        self.count = 0  # number compiled so far

    @property
    def seconds(self) -> float:
        """Wall-clock time this process has spent compiling [s]."""
        return self._spent + (self._clock() - self._began if self._running else 0.0)

    @contextlib.contextmanager
    def kernel(self, kind: str) -> Iterator[Time]:
        """Context for compiling the kernel of a kind of element."""
        with self._timed(f"compiling kernel {kind}") as taken:
            yield taken

    @contextlib.contextmanager
    def function(self, name: str) -> Iterator[Time]:
        """Context for compiling a function of the solver."""
        self.count += 1
        with self._timed(
            f"compiling the solver, {self.count} of at most {max(self.known, self.count)}: {name}"
        ) as taken:
            yield taken

    @contextlib.contextmanager
    def _timed(self, what: str) -> Iterator[Time]:
        if not self._running:
            self._began = self._clock()
        taken, began = Time(), time.process_time()
        self._running.append(taken)
        self._tell(what)
        try:
            yield taken
        finally:
            passed = time.process_time() - began
            taken.seconds += passed
            self._running.remove(taken)  # another thread may have started compiling meanwhile
            if self._running:
                self._running[-1].seconds -= passed
            else:
                self._spent += self._clock() - self._began
                _clear()

    def _tell(self, what: str) -> None:
        if _is_quiet():
            return
        seconds = self.seconds
        text = f"{what} ({seconds:.0f} s so far; once, then cached)"
        if rewrites(sys.stderr):
            print(f"{CLEAR}{text}", end="\r", file=sys.stderr, flush=True)
        elif seconds - self._told >= EVERY:
            self._told = seconds
            print(text, file=sys.stderr, flush=True)


def _is_quiet() -> bool:
    return os.environ.get("SAMARA_PROGRESS") == "0" or sys.stderr is None


def _clear() -> None:
    """Clears the line in a notebook cell, which would otherwise keep it."""
    if not _is_quiet() and is_cell(sys.stderr):
        print(CLEAR, end="", file=sys.stderr, flush=True)


#: The counter of this process.
COMPILING = Compiling()
