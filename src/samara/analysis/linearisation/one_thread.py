"""Small dense matrices by one thread: several cost more to wake up than they save, many times where cores are busy.

The libraries of NumPy and SciPy, OpenBLAS in their own builds, are asked for one thread meanwhile; others are not.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock

import numpy as np
import scipy

#: Coordinates up to which matrices are small.
SMALL = 400
#: How OpenBLAS calls what sets and tells the number of its threads.
NAMES = [f"{start}openblas_{{}}_num_threads{end}" for start in ("scipy_", "") for end in ("64_", "")]

_lock = Lock()
_inside = 0
_before: list[int] = []


@contextmanager
def one_thread(coordinates: int = 0) -> Iterator[None]:
    """Meanwhile dense algebra takes one thread, unless there are so many coordinates that more of them pay."""
    global _inside, _before
    if coordinates > SMALL:
        yield
        return
    with _lock:
        _inside += 1
        if _inside == 1:
            _before = [get() for get, _ in _libraries()]
            for _, put in _libraries():
                put(1)
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside:
                for (_, put), count in zip(_libraries(), _before, strict=True):
                    put(count)


@cache
def _libraries() -> list[tuple[Callable[[], int], Callable[[int], None]]]:
    """What tells and sets the number of threads of each library that is loaded."""
    found = []
    for package in (np, scipy):
        home = Path(str(package.__file__)).parent
        files = [
            file
            for place in (home.with_name(f"{home.name}.libs"), home / ".dylibs")
            for file in place.glob("*openblas*")
        ]
        for file in files:
            try:
                library = ctypes.CDLL(str(file))
            except OSError:
                continue
            for name in NAMES:
                if hasattr(library, name.format("set")) and hasattr(library, name.format("get")):
                    found.append((getattr(library, name.format("get")), getattr(library, name.format("set"))))
                    break
    return found
