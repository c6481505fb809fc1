"""Arrays of numbers as arguments: what passes is an array of floats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from samara.arguments.errors import ArgumentError, refused, shown
from samara.arguments.numbers import as_real

FLOAT = np.dtype(float)
#: Of an axis of a shape that may have any length.
ANY = -1


def real_numbers(what: str, value: Any, shape: Sequence[int] | None = None) -> np.ndarray:
    """Real numbers as an array, of any shape unless one is given, in which `ANY` stands for any length.

    An array of floats is returned as it is: who keeps it makes a copy.
    """
    array = as_reals(value)
    if array is None:
        raise refused(what, "real numbers, in rows of equal length", value)
    if shape is not None and not (
        array.ndim == len(shape) and all(n in (ANY, m) for n, m in zip(shape, array.shape, strict=True))
    ):
        wanted = f"({', '.join('any' if n == ANY else str(n) for n in shape)}{',' if len(shape) == 1 else ''})"
        raise ArgumentError(what, f"must have the shape {wanted}, got {array.shape}")
    return array


def finite_numbers(what: str, value: Any, shape: Sequence[int] | None = None) -> np.ndarray:
    """As `real_numbers`, and all of them finite."""
    array = real_numbers(what, value, shape)
    if not np.isfinite(array).all():
        raise ArgumentError(what, f"must be finite numbers, got {shown(value)}")
    return array


def rising(what: str, value: Any) -> np.ndarray:
    """Two finite numbers or more, each above the one before, such as the points of a table; an array of their own."""
    array = finite_numbers(what, value, (ANY,)).copy()
    if len(array) < 2:
        raise refused(what, "at least two numbers in increasing order", value)
    if not (np.diff(array) > 0.0).all():
        k = int(np.argmin(np.diff(array) > 0.0))
        raise ArgumentError(what, f"must rise, got {array[k]:g} before {array[k + 1]:g}: sort them with the values")
    return array


def as_reals(value: Any) -> np.ndarray | None:
    """Real numbers as an array of floats, and None for all else: see `as_real`."""
    if type(value) is np.ndarray and value.dtype is FLOAT:
        return value
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):  # rows of several lengths
        return None
    if array.dtype.kind in "iuf":
        return array.astype(float)
    if array.dtype.kind != "O" or not array.size:
        return None
    plain = [as_real(entry) for entry in array.flat]
    return None if None in plain else np.array(plain, float).reshape(array.shape)
