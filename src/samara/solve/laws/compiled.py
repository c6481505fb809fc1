"""Discrete laws as native code: compiled once and called by address, or Python functions called by address.

Compiled laws cannot allocate, and are cached like all functions of the driver. Laws that cannot be compiled are called
from native code through ctypes, which holds Python's global interpreter lock; off line that works equally well.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any

from numba import types
from numba.extending import intrinsic

from samara.model.sampled import NativeLaw
from samara.solve.errors import in_one_line
from samara.solve.laws.samples import ARGUMENTS
from samara.tracing.driver.driver_cache import address_of, linked, routine
from samara.tracing.driver.ingredients import stamp
from samara.tracing.driver.numba_internals import Dispatcher, cgutils

#: The way that Numba calls functions: status, where the result goes, where errors are told, arguments.
_WAY = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_double, *(ctypes.c_void_p, ctypes.c_int64) * 4
)
#: Functions of this package have modules of such names.
_PACKAGE = "samara."


class NotCompilableError(Exception):
    """A law that Numba cannot compile, with the reason in one line."""


def compiled(law: NativeLaw) -> int:
    """Address of the native code of a law; an error where there is none."""
    found = _address(law.update, law.bare)
    if isinstance(found, str):
        raise NotCompilableError(found)
    return found


@functools.lru_cache(maxsize=512)
def _address(update: Callable[..., None], bare: bool) -> int | str:
    """An address, or why there is none."""
    plain = update.py_func if isinstance(update, Dispatcher) else update
    if not isinstance(plain, FunctionType):
        return f"{plain!r} is no plain function"
    try:
        return address_of(routine(_native(plain, bare)), ARGUMENTS)
    except Exception as error:  # Numba has many ways to say no
        return in_one_line(error)


@intrinsic
def _array(typing, first, count):
    """An array of so many numbers that begin there; Numba's own way would manage memory."""
    kind = types.Array(types.float64, 1, "C")

    def emit(context, builder, signature, args):
        made, size = context.make_array(kind)(context, builder), context.get_constant(types.intp, 8)
        for name in ("meminfo", "parent"):
            setattr(made, name, cgutils.get_null_value(getattr(made, name).type))
        made.data, made.nitems, made.itemsize = args[0], args[1], size
        made.shape, made.strides = cgutils.pack_array(builder, [args[1]]), cgutils.pack_array(builder, [size])
        return made._getvalue()

    return kind(first, count), emit


def as_part(update: FunctionType) -> Any:
    """A law as a part of native code. One of a user raises an error where an index is out of range.

    Without, it would read and write numbers of other laws, or what is not its process's. Laws of this package are
    tested, and nothing is looked at in them.
    """
    law = linked(update)
    if not str(update.__module__).startswith(_PACKAGE):
        law.targetoptions["boundscheck"] = True
    return law


def _native(update: FunctionType, bare: bool) -> Callable[..., int]:
    law = as_part(update)

    def call(t, numbers, m, memory, n, u, j, y, k):
        law(t, _array(numbers, m), _array(memory, n), _array(u, j), _array(y, k))
        return 0

    def call_bare(t, numbers, m, memory, n, u, j, y, k):
        law(t, _array(memory, n), _array(u, j), _array(y, k))
        return 0

    found = call_bare if bare else call
    found.__qualname__ = found.__name__ = f"law_{stamp(update)[:16]}"  # two laws of one name are not mixed up
    return found


def of_python(answer: Callable[[float], None], note: Callable[[BaseException], None]) -> Any:
    """Native code that calls a Python function of the time [s]; errors are noted. Whoever calls it keeps it alive."""

    def call(_result, _error, t, *_arrays):
        try:
            answer(t)
        except BaseException as error:
            note(error)
            return 1
        return 0

    return _WAY(call)


def address_in_memory(function: Any) -> int:
    """Of what `of_python` returned."""
    return int(ctypes.cast(function, ctypes.c_void_p).value or 0)
