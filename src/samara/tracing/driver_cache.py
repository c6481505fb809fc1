"""Numba functions cached with the package's kernels, and renewed when any of its sources changes.

Numba's own cache looks at the file of a function alone, so a change in a function that it calls goes unnoticed, and its
index can mix up two processes that write at once. Here all sources of the driver make one digest, whose directory holds
one file for every function and types of its arguments (`samara.tracing.cache` says how files are kept whole).
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba import njit
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from samara.tracing import cache

#: Folders whose functions the native driver is made of, and files that it takes constants or plain functions from.
_FOLDERS = ("solve", "realtime")
_FILES = (
    "system/blocks.py",
    "solve/codes.py",
    "solve/integrators/family.py",
    "solve/lu/factors.py",
    "solve/lu/options.py",
    "tracing/driver_cache.py",
    "tracing/reference.py",
    "realtime/command.py",
    "realtime/process.py",
    "realtime/schedule.py",
)
#: What tells a source of the driver from its neighbours.
_MARKS = (b"@driver", b"@inner", b"@planner", b"njit", b"intrinsic")
#: Drivers of older sources that are kept: another version of the package may be at work beside this one.
_KEPT = 3


def _stamp(root: Path) -> str:
    digest = hashlib.sha256()
    for path, text in sorted(_sources(root).items()):
        digest.update(f"{path.relative_to(root).as_posix()}\n".encode() + text)
    return digest.hexdigest()[:16]


def _sources(root: Path) -> dict[Path, bytes]:
    """The sources of the driver and their text."""
    texts = {path: path.read_bytes() for folder in _FOLDERS for path in (root / folder).rglob("*.py")}
    chosen = {path: text for path, text in texts.items() if any(mark in text for mark in _MARKS)}
    return chosen | {root / name: (root / name).read_bytes() for name in _FILES if (root / name).is_file()}


#: As the sources were when they were imported: what is compiled later comes from those, whatever the files say by then.
_STAMP = _stamp(Path(__file__).resolve().parent.parent)


def source_stamp() -> str:
    """Digest of all sources that driver functions are made of."""
    return _STAMP


@functools.cache
def _place() -> Path | None:
    """Directory of the driver of these sources, used from now on; None where there is no room for one."""
    try:
        path = cache.directory() / f"driver-{source_stamp()}"
        if not path.is_dir():
            path.mkdir(mode=0o700, exist_ok=True)
            _tidy(path)
        with contextlib.suppress(OSError):
            os.utime(path)
    except OSError:
        return None
    return path


def _tidy(newest: Path) -> None:
    """Removes drivers of older sources, but for the last few used."""
    with contextlib.suppress(OSError):
        others = [p for p in newest.parent.glob("driver-*") if p.is_dir() and p != newest]
        others.sort(key=lambda p: p.stat().st_mtime, reverse=True)
        for path in others[_KEPT:]:
            shutil.rmtree(path, ignore_errors=True)


class _DriverCache(_Cache):
    """Compiled variants of one function, in the interface that Numba's dispatchers ask for."""

    def __init__(self, py_func: Callable) -> None:
        self._name = f"{py_func.__module__}.{py_func.__qualname__}"

    @property
    def cache_path(self) -> str:
        return str(_place())

    def _key(self, sig, codegen) -> str:
        """The function, the types of its arguments, and what compiles it for which processor."""
        makers = (numba.__version__, sys.implementation.cache_tag, *codegen.magic_tuple())
        return f"{self._name} {sig} {makers!r}"

    @staticmethod
    def _file(place: Path, key: str) -> Path:
        return place / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.driver"

    def load_overload(self, sig, target_context):
        """The compiled function, or None when it is not there."""
        place = _place()
        if place is None:
            return None
        # All that ready code needs of Numba's context; the rest of it, a fifth of a second, is made when one compiles.
        rtsys.initialize(target_context)
        key = self._key(sig, target_context.codegen())
        file = self._file(place, key)
        found = cache.read_file(file, key)
        if found is None:
            if sys.stderr.isatty():
                print("\r\033[Kcompiling the solver (once, then cached)", end="\r", file=sys.stderr, flush=True)
            return None
        try:
            return CompileResult._rebuild(target_context, *pickle.loads(found[1]))
        except Exception:  # whatever is wrong with it, compiling again is right
            with contextlib.suppress(OSError):
                file.unlink()
            return None

    def save_overload(self, sig, data) -> None:
        """Keeps a compiled function, if there is room."""
        place = _place()
        if place is None or data.library.has_dynamic_globals:
            return
        key = self._key(sig, data.codegen)
        with contextlib.suppress(OSError):
            place.mkdir(mode=0o700, exist_ok=True)  # another version may have tidied it away
        cache.write_file(self._file(place, key), key, {"function": self._name}, dumps(data._reduce()))

    def enable(self) -> None:
        """Always on."""

    def disable(self) -> None:
        """Always on."""

    def flush(self) -> None:
        """Nothing waits to be written."""


def driver(function: Callable) -> Any:
    """Compiles a function for the driver: nopython, without the GIL, cached.

    It has no part in Numba's management of memory: it cannot allocate (that is an error when it is compiled), and does
    not count references to its arrays, which in small models took a third of a step.
    """
    return _compiled(function, inline="never", _nrt=False)


def inner(function: Callable) -> Any:
    """The same for a small function that is written into those that call it; Python may call it too."""
    return _compiled(function, inline="always", _nrt=False)


def planner(function: Callable) -> Any:
    """The same for what is done once, before the steps: it may allocate."""
    return _compiled(function, inline="never")


def _compiled(function: Callable, **options: Any) -> Any:
    dispatcher = njit(nogil=True, error_model="numpy", boundscheck=False, **options)(function)
    dispatcher._cache = _DriverCache(dispatcher.py_func)
    return dispatcher
