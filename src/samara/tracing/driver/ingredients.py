"""What a compiled function consists of: its own code, and all functions, constants and options that it uses.

Numba compiles globals in as constants. A function is therefore as recent as the newest of its ingredients, through all
functions that it calls; comments, docstrings and anything else it does not use are ignored.
"""

from __future__ import annotations

import dis
import enum
import functools
import hashlib
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import types

from samara.tracing.driver.numba_internals import Dispatcher, Intrinsic

_GLOBAL, _EXTENDED = dis.opmap["LOAD_GLOBAL"], dis.opmap["EXTENDED_ARG"]
#: Digests of functions already examined.
_STAMPS: dict[Any, str] = {}


def stamp(function: Any) -> str:
    """Digest of a function and of everything compiled into it, through all functions that it calls.

    It does not depend on which function is asked for first, even if calls are circular.
    """
    if function not in _STAMPS:
        digest = hashlib.sha256(_own(function)[0].encode())
        for part in sorted(_own(each)[0] for each in reached_from(function)):
            digest.update(part.encode())
        _STAMPS[function] = digest.hexdigest()
    return _STAMPS[function]


def reached_from(function: Any) -> set[Any]:
    """The function, and every function that it calls directly or indirectly."""
    reached, waiting = {function}, [function]
    while waiting:
        called = _own(waiting.pop())[1] - reached
        reached |= called
        waiting += called
    return reached


@functools.cache
def _own(function: FunctionType) -> tuple[str, frozenset]:
    """Digest of a function without the functions that it calls, and those functions."""
    called: set[FunctionType] = set()
    digest = hashlib.sha256(f"{function.__module__}.{function.__qualname__}".encode())
    for part in _parts(function, called):
        digest.update(b"\0" + part.encode())
    return digest.hexdigest(), frozenset(called)


def _parts(function: FunctionType, called: set[FunctionType]) -> Iterator[str]:
    yield from _of_code(function.__code__, function.__doc__)
    for value in (*(function.__defaults__ or ()), *(cell.cell_contents for cell in function.__closure__ or ())):
        yield from _of_value(value, called)
    read, names = _names(function.__code__)
    for name in sorted(read & function.__globals__.keys()):
        yield name
        yield from _of_value(function.__globals__[name], called, names)


def _of_code(code: CodeType, doc: str | None = None) -> Iterator[str]:
    yield f"{code.co_code!r} {code.co_names} {code.co_varnames}"
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _of_code(constant)
        elif constant is not doc:
            yield repr(constant)


def _names(code: CodeType) -> tuple[set[str], tuple[str, ...]]:
    """Globals that it reads, and all names: an attribute may share its name with a global of another meaning."""
    read, extended = set(), 0
    for op, low in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        at = extended | low
        extended = at << 8 if op == _EXTENDED else 0
        if op == _GLOBAL:
            read.add(code.co_names[at >> 1])  # its lowest bit has another purpose
    names = dict.fromkeys(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            inner = _names(constant)
            read |= inner[0]
            names |= dict.fromkeys(inner[1])
    return read, tuple(names)


def _of_value(value: Any, called: set[FunctionType], names: tuple[str, ...] = ()) -> Iterator[str]:
    """names: attributes that may be read from a module of this package. called: collects functions."""
    if isinstance(value, Dispatcher):
        yield repr(sorted(value.targetoptions.items(), key=str))
        called.add(value.py_func)
    elif isinstance(value, Intrinsic):
        called.add(value._defn)
    elif isinstance(value, FunctionType):
        called.add(value)
    elif isinstance(value, types.Type):
        yield str(value)
    elif isinstance(value, type) and issubclass(value, enum.Enum):
        yield repr([(member.name, member.value) for member in value])
    elif isinstance(value, np.ndarray):
        yield f"{value.dtype} {value.shape} {value.tobytes()!r}"
    elif isinstance(value, ModuleType) and value.__name__.startswith("samara"):
        for name in names:
            if name in vars(value):
                yield from _of_value(vars(value)[name], called)
    elif isinstance(value, (tuple, list, frozenset)):
        for part in sorted(value, key=repr) if isinstance(value, frozenset) else value:
            yield from _of_value(part, called)
    elif isinstance(value, (bool, int, float, complex, str, bytes, type(None))):
        yield repr(value)
    else:  # third-party modules, types, anything else Numba accepts: distinguished by name
        yield f"{type(value).__qualname__} {getattr(value, '__qualname__', getattr(value, '__name__', ''))}"
