"""Distinct numbers by sorting: NumPy's `unique` hashes integers, which takes up to ten times as long."""

from __future__ import annotations

import numpy as np


def distinct(numbers: np.ndarray) -> np.ndarray:
    """Distinct numbers of an array in ascending order."""
    return distinct_sorted(np.sort(numbers, axis=None))


def distinct_sorted(numbers: np.ndarray) -> np.ndarray:
    """Distinct numbers of an array that is already in ascending order."""
    new = np.ones(numbers.size, bool)
    np.not_equal(numbers[1:], numbers[:-1], out=new[1:])
    return numbers[new]
