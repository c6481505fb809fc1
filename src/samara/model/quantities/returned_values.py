"""What a function of an element's author returns: as many numbers as are wanted, plain or traced."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from samara.arguments import ModelError
from samara.tracing import Expr


def is_number(value: Any) -> bool:
    """Whether it is one number."""
    if isinstance(value, np.ndarray):
        return value.ndim == 0
    return isinstance(value, (Expr, numbers.Number, np.number, np.bool_))


def one_number(owner: Any, method: str, value: Any) -> Any:
    """The value, if it is one number; `owner` is what has the method."""
    if not is_number(value):
        raise ModelError(f"{type(owner).__name__}: {method} must return one number, got {shown(value)}")
    return value


def several_numbers(owner: Any, method: str, value: Any, count: int | None = None) -> Any:
    """The value as a flat sequence of numbers, if it has `count` of them, or one at least; one may stand by itself."""
    if is_number(value):
        value = [value]
    listed = isinstance(value, (list, tuple, np.ndarray))
    array = np.asarray(value if listed else (), dtype=object)
    if not all(map(is_number, array.flat)) or array.size != (count or max(array.size, 1)):
        wanted = f"{count} numbers" if count and count > 1 else "one number or more" if count is None else "one number"
        raise ModelError(f"{type(owner).__name__}: {method} must return {wanted}, got {shown(value)}")
    return value if array.ndim == 1 else list(array.flat)


def shown(value: Any) -> str:
    """In words: how many numbers, or what else."""
    if is_number(value):
        return "one"
    if isinstance(value, (list, tuple, np.ndarray)):
        array = np.asarray(value, dtype=object)
        return f"a list of {array.size}" if all(map(is_number, array.flat)) else "a list of more than plain numbers"
    return type(value).__name__
