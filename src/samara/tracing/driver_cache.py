"""Numba functions cached with the package's kernels, and renewed when any of its sources changes.

Numba's own cache looks at the file of a function alone, so a change in a function that it calls goes unnoticed. Ours
takes all sources of the package together.
"""

from __future__ import annotations

import functools
import hashlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import njit
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

from samara.tracing import cache

#: Folders whose functions the native driver is made of, and files that it takes constants or plain functions from.
_FOLDERS = ("solve", "realtime")
_FILES = ("system/blocks.py", "solve/integrators/family.py", "solve/lu/options.py", "tracing/driver_cache.py")
_MARKS = (b"@driver", b"@inner", b"njit", b"intrinsic")


@functools.cache
def source_stamp() -> str:
    """Digest of all sources that driver functions are made of."""
    root = Path(__file__).resolve().parent.parent
    texts = {path: path.read_bytes() for folder in _FOLDERS for path in (root / folder).rglob("*.py")}
    chosen = {path: text for path, text in texts.items() if any(mark in text for mark in _MARKS)}
    chosen |= {root / name: (root / name).read_bytes() for name in _FILES}
    digest = hashlib.sha256()
    for path in sorted(chosen):
        digest.update(chosen[path])
    return digest.hexdigest()[:16]


class _Locator(_CacheLocator):
    def __init__(self, py_func, py_file) -> None:
        self._name = f"{py_func.__module__}-{py_func.__code__.co_firstlineno}"

    def get_cache_path(self) -> str:
        return str(cache.directory() / f"driver-{source_stamp()}")

    def get_source_stamp(self) -> str:
        return source_stamp()

    def get_disambiguator(self) -> str:
        return self._name

    def ensure_cache_path(self) -> None:
        Path(self.get_cache_path()).mkdir(parents=True, exist_ok=True, mode=0o700)

    @classmethod
    def from_function(cls, py_func, py_file):
        return cls(py_func, py_file)


class _Impl(CompileResultCacheImpl):
    _locator_classes = [_Locator]  # noqa: RUF012


class _PackageCache(FunctionCache):
    _impl_class = _Impl

    def load_overload(self, sig, target_context):
        found = super().load_overload(sig, target_context)
        if found is None and sys.stderr.isatty():
            print("\r\033[Kcompiling the solver (once, then cached)", end="\r", file=sys.stderr, flush=True)
        return found


def driver(function: Callable) -> Any:
    """Compiles a function for the driver: nopython, without the GIL, cached."""
    return _compiled(function, inline="never")


def inner(function: Callable) -> Any:
    """The same for a small function that is written into those that call it; Python may call it too."""
    return _compiled(function, inline="always")


def _compiled(function: Callable, inline: str) -> Any:
    dispatcher = njit(nogil=True, error_model="numpy", boundscheck=False, inline=inline)(function)
    dispatcher._cache = _PackageCache(dispatcher.py_func)
    return dispatcher
