"""Validation of the arrays of a checkpoint before native code uses them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import numpy as np

#: Name of what tells that no other array of a file was changed.
SEAL = "seal"

Arrays = Mapping[str, np.ndarray]


def sealed(arrays: Arrays) -> dict[str, np.ndarray]:
    """The same with a seal: a digest of their names, types, shapes and numbers."""
    return {**arrays, SEAL: np.array(_digest(arrays))}


def intact(saved: Arrays, now: Arrays) -> bool:
    """Whether all are as they were written, and fit.

    now: the arrays of the simulation that are of the same shape in all of a model; another version may have others.
    """
    written = {name: array for name, array in saved.items() if name != SEAL}
    fit = all((saved[name].shape, saved[name].dtype) == (array.shape, array.dtype) for name, array in now.items())
    return fit and str(saved[SEAL]) == _digest(written)


def _digest(arrays: Arrays) -> str:
    found = hashlib.sha256()
    for name, array in sorted(arrays.items()):
        found.update(f"{name} {array.dtype.str} {array.shape} ".encode() + array.tobytes())
    return found.hexdigest()
