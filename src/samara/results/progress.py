"""A one-line progress bar on simulated time."""

from __future__ import annotations

import math
import shutil
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import TextIO

from samara.notebook.stream import rewrites

_LEAST_INTERVAL = 0.1  # s between two drawings
_BAR_WIDTH = 24


class Progress:
    """Progress of a run of `total_time` simulated seconds.

        with Progress(10.0, "pendulum") as progress:
            while ...:
                progress.update(t, iterations=iterations, jacobians=jacobians)

    enabled   None: a live bar on a terminal and in a notebook, only a final line elsewhere; True: a live bar on any
              stream; False: silence
    stream    standard error as it is when the run begins, unless given
    clock     real time in seconds, any origin

    The bar is drawn at most ten times a second. A stream that breaks ends the drawing, never the run.
    """

    def __init__(
        self,
        total_time: float,
        label: str = "",
        stream: TextIO | None = None,
        enabled: bool | None = None,
        clock: Callable[[], float] = time.perf_counter,
        start_time: float = 0.0,
    ) -> None:
        if not (math.isfinite(total_time) and total_time >= 0.0):
            raise ValueError(f"total_time = {total_time} s must be finite and not negative")
        self.total_time = total_time
        self.label = label
        self._start_time = start_time
        self._stream = stream if stream is not None else sys.stderr
        self._live = rewrites(self._stream) if enabled is None else enabled
        self._silent = enabled is False
        self._clock = clock
        self._began = clock()
        self._drawn_at = -math.inf
        self._drawn_width = 0
        self._done = 0.0
        self._counters: dict[str, int | float] = {}

    def __enter__(self) -> Progress:
        self._began = self._clock()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def fraction(self) -> float:
        """Share of the simulated time that is done, 0 to 1."""
        return min(max(self._done / self.total_time, 0.0), 1.0) if self.total_time else 1.0

    def update(self, sim_time: float, **counters: int | float) -> None:
        """Simulated time reached, s, and any counters to show: iterations, jacobians."""
        self._done = sim_time - self._start_time
        self._counters.update(counters)
        if not self._live:
            return
        now = self._clock()
        if now - self._drawn_at >= _LEAST_INTERVAL:
            self._drawn_at = now
            self._draw(self._bar(now - self._began))

    def close(self) -> None:
        """Draw the last line. Called once, at the end of the with block."""
        if self._silent:
            return
        self._draw(self._last_line(self._clock() - self._began), end="\n")
        self._silent, self._live = True, False

    def _bar(self, elapsed: float) -> str:
        full = round(self.fraction * _BAR_WIDTH)
        mark, rest = ("█", "░") if _can_encode(self._stream, "█░") else ("#", "-")
        bar = mark * full + rest * (_BAR_WIDTH - full)
        parts = [f"{self.label} [{bar}] {math.floor(100 * self.fraction):3d} %".strip(), *self._under_way(elapsed)]
        if 0.0 < self.fraction < 1.0:
            parts.append(f"{duration(elapsed * (1.0 / self.fraction - 1.0))} left")
        return ", ".join(parts + self._counts())

    def _last_line(self, elapsed: float) -> str:
        head = f"{self.label}: " if self.label else ""
        return head + ", ".join(self._finished(elapsed) + self._counts())

    def _under_way(self, elapsed: float) -> list[str]:
        """How far it is, in words."""
        return [f"{self._done:.4g} of {self.total_time:.4g} s", f"real/sim {self._ratio(elapsed)}"]

    def _finished(self, elapsed: float) -> list[str]:
        """How far it came, in words."""
        goal = f" of {self.total_time:.4g}" if self.fraction < 1.0 else ""
        return [f"{self._done:.4g}{goal} s simulated in {duration(elapsed)}", f"real/sim {self._ratio(elapsed)}"]

    def _ratio(self, elapsed: float) -> str:
        return f"{elapsed / self._done:.3g}" if self._done > 0.0 else "-"

    def _counts(self) -> list[str]:
        return [f"{value} {name}" for name, value in self._counters.items()]

    def _draw(self, line: str, end: str = "") -> None:
        if self._live:
            width = shutil.get_terminal_size().columns - 1
            line = line if end else line[:width]
            line, self._drawn_width = "\r" + line.ljust(self._drawn_width), len(line)
        try:
            self._stream.write(line + end)
            self._stream.flush()
        except (OSError, ValueError):  # a closed pipe or stream
            self._silent, self._live = True, False


class CountProgress(Progress):
    """Progress over a number of things, such as variants, with an estimate of the time left: update(done)."""

    def __init__(self, count: int, label: str = "", *, things: str, enabled: bool | None = None) -> None:
        super().__init__(count, label, enabled=enabled)
        self.things = things

    def _under_way(self, elapsed: float) -> list[str]:
        return [f"{self._done:.0f} of {self.total_time:.0f} {self.things}"]

    def _finished(self, elapsed: float) -> list[str]:
        goal = f" of {self.total_time:.0f}" if self.fraction < 1.0 else ""
        return [f"{self._done:.0f}{goal} {self.things} in {duration(elapsed)}"]


def duration(seconds: float) -> str:
    """A time span in words: 12 s, 3 min 05 s."""
    if seconds < 10.0:
        return f"{seconds:.2g} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def _can_encode(stream: TextIO, text: str) -> bool:
    try:
        text.encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
