"""Numba functions cached with the package's kernels, and recompiled when anything compiled into them changes.

Numba's own cache only checks the file of a function, so a change in a function that it calls goes unnoticed, and its
index can be corrupted by two processes that write at once. Here a file holds one function for given argument types;
its key contains the digest of everything the function consists of (`tracing.driver.ingredients`). For how files are
kept intact see `samara.tracing.cache`.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
from numba import njit, typeof, types

from samara.tracing import cache
from samara.tracing.compiling import COMPILING
from samara.tracing.driver.ingredients import stamp
from samara.tracing.driver.libraries import PartCompiler, WholeCompiler, loaded
from samara.tracing.driver.numba_internals import Cache, rtsys
from samara.tracing.driver.stored import NotPlainError, put_apart, put_together, type_of, type_text
from samara.tracing.private_folder import PrivateFolder

#: Number of compiled functions kept, the most recently used: several sets, since other versions may share the cache.
_KEPT = 1000
#: Files that determine how functions are compiled, besides their own source.
_MAKERS = ("driver_cache.py", "libraries.py", "numba_internals.py", "reference.py", "stored.py", "struct.py")


@functools.cache
def _makers() -> str:
    digest = hashlib.sha256()
    for name in _MAKERS:
        digest.update(Path(__file__).with_name(name).read_bytes())
    return digest.hexdigest()[:16]


def _place() -> PrivateFolder | None:
    """Directory of the compiled functions; None if it cannot be used."""
    global _held
    try:
        path = cache.directory() / "driver"
        if _held is None or _held.path != path or not _held.is_sound():
            _held = PrivateFolder(path)
    except OSError:
        return None
    return _held


_held: PrivateFolder | None = None


def _tidy(place: PrivateFolder) -> None:
    """Removes the least recently used functions if there are too many."""
    with contextlib.suppress(OSError):
        files = sorted(place.path.glob("*.driver"), key=lambda p: p.stat().st_mtime, reverse=True)
        for path in files[_KEPT:]:
            place.remove(path.name)


@dataclass(frozen=True)
class FunctionInfo:
    """Information about a solver function shown by `samara kernels`; time excludes the functions that it calls [s]."""

    function: str
    compile_seconds: float
    bytes: int


def entries() -> Iterator[FunctionInfo]:
    """Solver functions in the cache, in all variants."""
    place = _place()
    for path in sorted(place.path.glob("*.driver")) if place else ():
        about = cache.read_about(place, path.name)  # type: ignore[arg-type]
        if about is not None:
            yield FunctionInfo(about["function"], about.get("compile_seconds", 0.0), path.stat().st_size)


class _DriverCache(Cache):
    """Compiled variants of one function, with the interface that Numba's dispatchers expect."""

    def __init__(self, py_func: Callable, way: str) -> None:
        self._function, self._way = py_func, way
        self._name = f"{py_func.__module__}.{py_func.__qualname__}"

    @property
    def cache_path(self) -> str:
        place = _place()
        return str(place and place.path)

    def _key(self, sig, codegen) -> str:
        """Key made of the function, what it consists of, its argument types, the compiler and the target processor."""
        makers = (_makers(), numba.__version__, sys.implementation.cache_tag, *codegen.magic_tuple())
        return f"{self._name} {self._way} {stamp(self._function)} {sig} {makers!r}"

    @staticmethod
    def _file(key: str) -> str:
        return f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.driver"

    def load_overload(self, sig, target_context):
        """The compiled function, or None if it is not in the cache."""
        place = _place()
        if place is None:
            return None
        # The part of Numba's context that compiled code needs; the rest, a fifth of a second, is made on compilation.
        rtsys.initialize(target_context)
        key = self._key(sig, target_context.codegen())
        file = self._file(key)
        found = cache.read_file(place, file, key)
        if found is None:
            return None
        place.touch(file)
        about, content = found
        try:
            called = [(symbol, name, tuple(map(type_of, kinds))) for symbol, name, kinds in about["calls"]]
            if not _are_there(called):
                return None
            with loaded(target_context.codegen()):
                return put_together(target_context, about["compiled"], bytes(content))
        except Exception:  # whatever the fault, compiling again is safe
            place.remove(file)
            return None

    def save_overload(self, sig, data) -> None:
        """Stores a compiled function, if possible."""
        place = _place()
        if place is None or data.library.has_dynamic_globals:
            return
        key = self._key(sig, data.codegen)
        try:
            compiled, content = put_apart(data)
            calls = [(symbol, name, list(map(type_text, kinds))) for symbol, name, kinds in _called_by(data.library)]
        except NotPlainError:
            return
        about = {
            "function": self._name,
            "compile_seconds": data.library.compile_seconds,
            "calls": calls,
            "compiled": compiled,
        }
        cache.write_file(place, self._file(key), key, about, content)
        _tidy(place)

    def enable(self) -> None:
        """Does nothing: the cache is always enabled."""

    def disable(self) -> None:
        """Does nothing: the cache is always enabled."""

    def flush(self) -> None:
        """Does nothing: every function is written at once."""


def driver(function: Callable) -> Any:
    """Compiles a function for the driver: nopython, without the GIL, cached.

    It does not use Numba's memory management: it cannot allocate (an error at compile time), and does not
    count references to its arrays, which took a third of a step in small models.

    It is compiled once, and others call that copy. Numba normally copies its code into each of its callers,
    which optimises it again every time.
    """
    return _known(_whole(function, inline="never", _nrt=False), function)


def short_call(function: Callable) -> Any:
    """`driver` for a short call from Python, which keeps the GIL: no other thread enters it meanwhile."""
    return _known(_whole(function, inline="never", _nrt=False, nogil=False), function)


def routine(function: Callable) -> Any:
    """`driver` for a function called by native code only: its Python entry is compiled if Python requests it."""
    options = {"inline": "never", "_nrt": False}
    dispatcher = _whole(function, no_cpython_wrapper=True, **options)
    return _known(_apart_for_python(dispatcher, function, **options), function)


def address_of(function: Any, arguments: tuple) -> int:
    """Address of a driver function compiled for arguments of these types."""
    function.compile(arguments)
    compiled = function.overloads[arguments]
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)


def only_for(function: Any, *arguments: Any) -> None:
    """Compiles a driver function for arguments like these; later calls with other types raise a TypeError."""
    if not function.overloads:
        function.compile(tuple(map(typeof, arguments)))
        function.disable_compile()


def _known(dispatcher: Any, function: Callable) -> Any:
    """A driver function as its callers know it: called at its address."""
    name, add_overload = f"{function.__module__}.{function.__qualname__}", dispatcher.add_overload
    _DISPATCHERS[name] = dispatcher
    COMPILING.known = len(_DISPATCHERS)

    def add(compiled: Any) -> None:
        add_overload(compiled)
        symbol = compiled.fndesc.llvm_func_name
        llvm.add_symbol(symbol, compiled.library.get_pointer_to_function(symbol))
        _SYMBOLS[symbol] = (name, tuple(compiled.signature.args))
        for _, implementation in compiled.target_context._defns[compiled.entry_point].versions:
            implementation.libs = ()

    dispatcher.add_overload = add
    return dispatcher


#: Driver functions by name, and the name and argument types of each symbol.
_DISPATCHERS: dict[str, Any] = {}
_SYMBOLS: dict[str, tuple[str, tuple]] = {}


def _called_by(library: Any) -> list[tuple[str, str, tuple]]:
    """Driver functions called by a compiled library: symbol, name and types."""
    called = [f.name for f in library._final_module.functions if f.is_declaration and f.name in _SYMBOLS]
    return [(symbol, *_SYMBOLS[symbol]) for symbol in called]


def _are_there(called: list[tuple[str, str, tuple]]) -> bool:
    """Loads driver functions; returns whether they are the ones that a library was compiled with."""
    for symbol, name, arguments in called:
        _DISPATCHERS[name].compile(arguments)
        if symbol not in _SYMBOLS:
            return False
    return True


def linked(function: Callable) -> Any:
    """`driver` for a part of a driver function: its code is linked into its callers."""
    return _part(function, inline="never", _nrt=False)


def inner(function: Callable) -> Any:
    """`driver` for a small function that is inlined into its callers; Python may call it too."""
    return _part(function, forceinline=True, _nrt=False)


def _whole(function: Callable, **options: Any) -> Any:
    """A function called at its own address; it is cached."""
    dispatcher = _compiled(function, pipeline_class=WholeCompiler, **options)
    way = "native" if options.get("no_cpython_wrapper") else "python"
    dispatcher._cache = _DriverCache(dispatcher.py_func, way)
    return dispatcher


def _part(function: Callable, **options: Any) -> Any:
    """A function whose code is linked into its callers."""
    dispatcher = _compiled(function, pipeline_class=PartCompiler, no_cpython_wrapper=True, **options)
    return _apart_for_python(dispatcher, function, **options)


def _apart_for_python(dispatcher: Any, function: Callable, **options: Any) -> Any:
    """Like `_part`, but the version called by Python is compiled separately, on its first call."""
    whole = functools.cache(lambda: _whole(function, **options))

    def add(compiled: Any) -> None:
        dispatcher.overloads[tuple(compiled.signature.args)] = compiled

    def compile_for(*arguments: Any) -> Any:
        entry = whole()._compile_for_args(*arguments)
        dispatcher._insert([kind._code for kind in map(typeof, arguments)], entry, False)
        return entry

    dispatcher.add_overload, dispatcher._compile_for_args = add, compile_for
    return dispatcher


def _compiled(function: Callable, **options: Any) -> Any:
    options = {"nogil": True, "error_model": "numpy", "boundscheck": False, "no_cfunc_wrapper": True} | options
    dispatcher = njit(**options)(function)
    template = dispatcher.get_call_template

    def for_any_number(args: tuple, kws: dict) -> Any:
        """Prevents Numba from compiling a separate variant for every literal number in a call."""
        return template(tuple(map(types.unliteral, args)), {name: types.unliteral(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = for_any_number
    return dispatcher
