"""What blocks are given, checked before it is used."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from samara.tracing.expressions.table import plain_numbers


def real_numbers(given: Any, what: str) -> np.ndarray:
    """An array of finite real numbers; `what` names the argument."""
    try:
        array = np.array(given)
    except (TypeError, ValueError):  # rows of several lengths
        array = np.array(None)
    if array.dtype == object:
        bare = [v for v in array.ravel() if not isinstance(v, numbers.Real) and not hasattr(v, "__float__")]
        fits = not bare and array.ndim < 3
    else:
        fits = array.dtype.kind in "iuf"
    if not fits:
        raise ValueError(f"{what} must be real numbers, in rows of equal length, got {given!r}")
    array = plain_numbers(array, what)
    if not np.isfinite(array).all():
        raise ValueError(f"{what} must be finite numbers, got {given!r}")
    return array


def several_states(given: Any, what: str) -> tuple:
    """The states of a list."""
    if not isinstance(given, (tuple, list)):
        raise ValueError(f"{what} must be a list of states, such as [regulator.output], got {given!r}")
    return tuple(given)
