"""Kernels called from Python, for analyses that need them occasionally. Steps call them from native code."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence

import numpy as np

from samara.system.state.arrays import Arrays

_KERNEL = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * 7)


def call(address: int, count: int, *pointers: int) -> None:
    """Calls native code at an address: groups, state, indices, parameters, coefficients, tables, two results."""
    _KERNEL(address)(count, *pointers)


def callable_at(address: int) -> Callable[..., None]:
    """Native code at an address as a function of the count and the pointers, for repeated calls."""
    return _KERNEL(address)


_ALONG = {k: ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * (7 + 3 * k)) for k in (1, 2)}


def call_along(address: int, count: int, *pointers: int) -> None:
    """A function that also reads tangents: its last arguments are those of state, parameters and unknowns."""
    _ALONG[(len(pointers) - 7) // 3](address)(count, *pointers)


def run(program: Sequence[Sequence[int]] | np.ndarray, column: int, arrays: Arrays, results: np.ndarray) -> None:
    """Runs one function of every kind in a program on all instances; the results go to one array."""
    state, coef, tables = (a.ctypes.data for a in (arrays.state, arrays.coef, arrays.tables))
    for row in program:
        if row[column]:
            count, indices, parameters = (int(x) for x in row[:3])
            to = results.ctypes.data
            call(int(row[column]), count, state, indices, parameters, coef, tables, to, to)
