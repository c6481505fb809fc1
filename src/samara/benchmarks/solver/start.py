"""`samara bench start`: the first minute, from an empty cache to the first result.

Each case is what a new user types, in a process of its own with an empty cache: CPU time of that process and of those
that it starts, and the time that passes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from samara.benchmarks.rows import Row

#: What is typed, and how much CPU time it may take [s].
CASES: dict[str, tuple[tuple[str, ...], float]] = {
    "pendulum": (("run", "pendulum", "--quiet", "--plot", "pendulum.png"), 30.0),
    "puma-realtime": (("realtime", "puma", "--duration", "1", "--no-browser"), 60.0),
}


def rows(quick: bool = False) -> Iterator[Row]:
    """All cases; quick: the first alone."""
    for case in list(CASES)[: 1 if quick else None]:
        yield from _rows(case)


def _rows(case: str) -> Iterator[Row]:
    words, most = CASES[case]
    with tempfile.TemporaryDirectory(prefix="samara-start-") as folder:
        cpu, wall = measure(words, Path(folder))
    note = f"samara {' '.join(words)}, from an empty cache on {os.cpu_count()} cores"
    yield Row(case, "cpu_seconds", cpu, "s", f"< {most:g}", note)
    yield Row(case, "wall_seconds", wall, "s", "", "the same")


def measure(words: tuple[str, ...], folder: Path) -> tuple[float, float]:
    """CPU time and wall-clock time [s] of a command with an empty cache, both in that folder."""
    cache = folder / "cache"
    environment = {**os.environ, "SAMARA_CACHE": str(cache), "SAMARA_PROGRESS": "0"}
    before, began = _children(), time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "samara", *words], cwd=folder, env=environment, capture_output=True, text=True
    )
    wall, cpu = time.perf_counter() - began, _children() - before
    if done.returncode != 0:
        raise RuntimeError(f"samara {' '.join(words)} ended with {done.returncode}: {done.stderr.strip()[-500:]}")
    return cpu, wall


def _children() -> float:
    """CPU time of all processes that have been started and have ended [s]."""
    times = os.times()
    return times.children_user + times.children_system
