"""What a compiled function is made of: its own code, and all functions, constants and options that it takes in.

Numba compiles globals in as constants. So a function is as new as the newest of them, through all functions that it
calls; comments, docstrings and whatever else it does not use do not matter.
"""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from samara.tracing.numba_internals import Dispatcher, Intrinsic

#: Digests of functions that have been looked at; while one is, a name that ends a call of itself.
_STAMPS: dict[Any, str] = {}


def stamp(function: Any) -> str:
    """Digest of a function and of everything that is compiled into it."""
    if function not in _STAMPS:
        name = _STAMPS[function] = f"{function.__module__}.{function.__qualname__}"
        digest = hashlib.sha256(name.encode())
        for part in _parts(function):
            digest.update(b"\0" + part.encode())
        _STAMPS[function] = digest.hexdigest()
    return _STAMPS[function]


def _parts(function: FunctionType) -> Iterator[str]:
    yield from _of_code(function.__code__, function.__doc__)
    for value in (*(function.__defaults__ or ()), *(cell.cell_contents for cell in function.__closure__ or ())):
        yield from _of_value(value)
    names = _names(function.__code__)
    for name in names:
        if name in function.__globals__:
            yield name
            yield from _of_value(function.__globals__[name], names)


def _of_code(code: CodeType, doc: str | None = None) -> Iterator[str]:
    yield f"{code.co_code!r} {code.co_names} {code.co_varnames}"
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _of_code(constant)
        elif constant is not doc:
            yield repr(constant)


def _names(code: CodeType) -> tuple[str, ...]:
    inner = [name for constant in code.co_consts if isinstance(constant, CodeType) for name in _names(constant)]
    return tuple(dict.fromkeys([*code.co_names, *inner]))


def _of_value(value: Any, names: tuple[str, ...] = ()) -> Iterator[str]:
    """names: attributes that may be asked of a module of this package."""
    if isinstance(value, Dispatcher):
        yield repr(sorted(value.targetoptions.items(), key=str))
        yield stamp(value.py_func)
    elif isinstance(value, Intrinsic):
        yield stamp(value._defn)
    elif isinstance(value, FunctionType):
        yield stamp(value)
    elif isinstance(value, type) and issubclass(value, enum.Enum):
        yield repr([(member.name, member.value) for member in value])
    elif isinstance(value, np.ndarray):
        yield f"{value.dtype} {value.shape} {value.tobytes()!r}"
    elif isinstance(value, ModuleType) and value.__name__.startswith("samara"):
        for name in names:
            if name in vars(value):
                yield from _of_value(vars(value)[name])
    elif isinstance(value, (tuple, list, frozenset)):
        for part in sorted(value, key=repr) if isinstance(value, frozenset) else value:
            yield from _of_value(part)
    elif isinstance(value, (bool, int, float, complex, str, bytes, type(None))):
        yield repr(value)
    else:  # modules of others, types, whatever numba makes of it: told apart by name
        yield f"{type(value).__qualname__} {getattr(value, '__qualname__', getattr(value, '__name__', ''))}"
