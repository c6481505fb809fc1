"""Numba functions cached with the package's kernels, and renewed when any of its sources changes.

Numba's own cache looks at the file of a function alone, so a change in a function that it calls goes unnoticed. Ours
takes all sources of the package together.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from pathlib import Path

from numba import njit
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

from samara.tracing import cache

#: Folders whose functions the native driver is made of.
_FOLDERS = ("tracing", "system", "solve", "realtime")


@functools.cache
def source_stamp() -> str:
    """Digest of all sources that driver functions may come from."""
    root = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for folder in _FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            digest.update(path.read_bytes())
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


def driver(function: Callable) -> Callable:
    """Compiles a function for the driver: nopython, without the GIL, cached."""
    dispatcher = njit(nogil=True, error_model="numpy", boundscheck=False)(function)
    dispatcher._cache = _PackageCache(dispatcher.py_func)
    return dispatcher
