"""What is being compiled, how long it has taken, and the line that tells people so.

On a terminal, and in the cell of a notebook, one line is written over and over; elsewhere a line appears every few
seconds, and none where all is done in less. `$SAMARA_PROGRESS` = 0 keeps it quiet.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from samara.notebook.stream import is_cell, rewrites

#: Time between two lines where there is no terminal [s].
EVERY = 5.0
#: Back to the beginning of the line, and away with what stands there.
CLEAR = "\r\033[K"


@dataclass(eq=False)
class Time:
    """Processor time that compiling one function has taken, without others that it needs [s]."""

    seconds: float = 0.0


class Compiling:
    """Counts what is compiled, and the time it takes; compiling within compiling counts once."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._began, self._spent, self._told = 0.0, 0.0, 0.0
        self._running: list[Time] = []
        self.known = 0  # functions that the solver has
        self.count = 0  # of them, compiled so far

    @property
    def seconds(self) -> float:
        """Wall-clock time spent compiling in this process so far [s]."""
        return self._spent + (self._clock() - self._began if self._running else 0.0)

    @contextlib.contextmanager
    def kernel(self, kind: str) -> Iterator[Time]:
        """While the kernel of a kind of element is compiled."""
        with self._timed(f"compiling kernel {kind}") as taken:
            yield taken

    @contextlib.contextmanager
    def function(self, name: str) -> Iterator[Time]:
        """While a function of the solver is compiled."""
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
            self._running.remove(taken)  # another thread may have begun since
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
    """Nothing stays in the cell of a notebook, which keeps its last line for ever."""
    if not _is_quiet() and is_cell(sys.stderr):
        print(CLEAR, end="", file=sys.stderr, flush=True)


#: Of this process.
COMPILING = Compiling()
