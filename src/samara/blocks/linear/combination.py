"""Sums of products, in the same order on plain and on traced numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def dot(row: Sequence[Any], values: Sequence[Any], first: Any = 0.0) -> Any:
    """first + row . values; what is plainly zero is left out."""
    total = first
    for factor, value in zip(row, values, strict=True):
        if type(factor) is float and factor == 0.0:
            continue
        total = total + factor * value
    return total


def product(matrix: Any, values: Sequence[Any]) -> list:
    """A matrix of numbers, or of traced ones, by a vector."""
    return [dot(row, values) for row in matrix.tolist()]
