"""Numba functions cached with the package's kernels, and renewed when anything that is compiled into them changes.

Numba's own cache looks at the file of a function alone, so a change in a function that it calls goes unnoticed, and its
index can mix up two processes that write at once. Here a file holds one function for certain types of its arguments;
its key has the digest of all that the function is made of (`tracing.driver.ingredients`). `samara.tracing.cache` says
how files are kept whole.
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

#: Compiled functions that are kept, those used last: some sets of them, for other versions may be at work beside this.
_KEPT = 1000
#: How functions are compiled, beside what they say themselves: these files.
_MAKERS = ("driver_cache.py", "libraries.py", "numba_internals.py", "reference.py", "stored.py", "struct.py")


@functools.cache
def _makers() -> str:
    digest = hashlib.sha256()
    for name in _MAKERS:
        digest.update(Path(__file__).with_name(name).read_bytes())
    return digest.hexdigest()[:16]


def _place() -> PrivateFolder | None:
    """Directory of the compiled functions; None where there is no room for one."""
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
    """Removes what has not been used for longest, if there is much."""
    with contextlib.suppress(OSError):
        files = sorted(place.path.glob("*.driver"), key=lambda p: p.stat().st_mtime, reverse=True)
        for path in files[_KEPT:]:
            place.remove(path.name)


@dataclass(frozen=True)
class FunctionInfo:
    """What `samara kernels` shows of a function of the solver; without the time of those that it calls [s]."""

    function: str
    compile_seconds: float
    bytes: int


def entries() -> Iterator[FunctionInfo]:
    """The functions of the solver in the cache, in all variants."""
    place = _place()
    for path in sorted(place.path.glob("*.driver")) if place else ():
        about = cache.read_about(place, path.name)  # type: ignore[arg-type]
        if about is not None:
            yield FunctionInfo(about["function"], about.get("compile_seconds", 0.0), path.stat().st_size)


class _DriverCache(Cache):
    """Compiled variants of one function, in the interface that Numba's dispatchers ask for."""

    def __init__(self, py_func: Callable, way: str) -> None:
        self._function, self._way = py_func, way
        self._name = f"{py_func.__module__}.{py_func.__qualname__}"

    @property
    def cache_path(self) -> str:
        place = _place()
        return str(place and place.path)

    def _key(self, sig, codegen) -> str:
        """The function, what it is made of, the types of its arguments, and what compiles it for which processor."""
        makers = (_makers(), numba.__version__, sys.implementation.cache_tag, *codegen.magic_tuple())
        return f"{self._name} {self._way} {stamp(self._function)} {sig} {makers!r}"

    @staticmethod
    def _file(key: str) -> str:
        return f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.driver"

    def load_overload(self, sig, target_context):
        """The compiled function, or None when it is not there."""
        place = _place()
        if place is None:
            return None
        # All that ready code needs of Numba's context; the rest of it, a fifth of a second, is made when one compiles.
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
        except Exception:  # whatever is wrong with it, compiling again is right
            place.remove(file)
            return None

    def save_overload(self, sig, data) -> None:
        """Keeps a compiled function, if there is room."""
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
        """Always on."""

    def disable(self) -> None:
        """Always on."""

    def flush(self) -> None:
        """Nothing waits to be written."""


def driver(function: Callable) -> Any:
    """Compiles a function for the driver: nopython, without the GIL, cached.

    It has no part in Numba's management of memory: it cannot allocate (that is an error when it is compiled), and does
    not count references to its arrays, which in small models took a third of a step.

    It is compiled once: others call it where it lies. Numba's own way is to take a copy of its code into each of them,
    which is optimised anew every time.
    """
    return _known(_whole(function, inline="never", _nrt=False), function)


def short_call(function: Callable) -> Any:
    """The same for a short call from Python, which keeps the GIL: no other thread is in it meanwhile."""
    return _known(_whole(function, inline="never", _nrt=False, nogil=False), function)


def routine(function: Callable) -> Any:
    """The same for what only native code calls: a way in for Python is compiled when Python asks for one."""
    options = {"inline": "never", "_nrt": False}
    dispatcher = _whole(function, no_cpython_wrapper=True, **options)
    return _known(_apart_for_python(dispatcher, function, **options), function)


def address_of(function: Any, arguments: tuple) -> int:
    """Where a function of the driver lies that is compiled for arguments of those types."""
    function.compile(arguments)
    compiled = function.overloads[arguments]
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)


def only_for(function: Any, *arguments: Any) -> None:
    """Compiles a function of the driver for arguments like these; from then on calls with others raise a TypeError."""
    if not function.overloads:
        function.compile(tuple(map(typeof, arguments)))
        function.disable_compile()


def _known(dispatcher: Any, function: Callable) -> Any:
    """The same, called by others where it lies."""
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


#: Functions of the driver by their names, and what is known by a symbol: a name and types of arguments.
_DISPATCHERS: dict[str, Any] = {}
_SYMBOLS: dict[str, tuple[str, tuple]] = {}


def _called_by(library: Any) -> list[tuple[str, str, tuple]]:
    """Functions of the driver that a compiled library calls: symbol, name and types."""
    called = [f.name for f in library._final_module.functions if f.is_declaration and f.name in _SYMBOLS]
    return [(symbol, *_SYMBOLS[symbol]) for symbol in called]


def _are_there(called: list[tuple[str, str, tuple]]) -> bool:
    """Loads functions of the driver; whether they are those that a library was compiled with."""
    for symbol, name, arguments in called:
        _DISPATCHERS[name].compile(arguments)
        if symbol not in _SYMBOLS:
            return False
    return True


def linked(function: Callable) -> Any:
    """The same for a part of a function of the driver: its code is taken into those that call it."""
    return _part(function, inline="never", _nrt=False)


def inner(function: Callable) -> Any:
    """The same for a small function that is written into those that call it; Python may call it too."""
    return _part(function, forceinline=True, _nrt=False)


def _whole(function: Callable, **options: Any) -> Any:
    """A function that is called where it lies; it is cached."""
    dispatcher = _compiled(function, pipeline_class=WholeCompiler, **options)
    way = "native" if options.get("no_cpython_wrapper") else "python"
    dispatcher._cache = _DriverCache(dispatcher.py_func, way)
    return dispatcher


def _part(function: Callable, **options: Any) -> Any:
    """A function whose code is taken into those that call it."""
    dispatcher = _compiled(function, pipeline_class=PartCompiler, no_cpython_wrapper=True, **options)
    return _apart_for_python(dispatcher, function, **options)


def _apart_for_python(dispatcher: Any, function: Callable, **options: Any) -> Any:
    """The same; what Python calls is compiled by itself, when it is called."""
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
        """Numba would compile another variant for every number that is written into a call."""
        return template(tuple(map(types.unliteral, args)), {name: types.unliteral(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = for_any_number
    return dispatcher
