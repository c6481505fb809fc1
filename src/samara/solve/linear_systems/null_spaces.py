"""Null spaces of constraint rows, and rank thresholds for the equations of motion.

Matrices are those of `units`: unit masses, constraint rows of unit length. Products of a few such matrices with
orthonormal bases have errors of 1e-15 times the condition of the constraints, so zeros are found up to 1e-12 or so.
"""

from __future__ import annotations

import numpy as np
from scipy import linalg

from samara.rotations.scalars import LEAST_DIVISOR

#: Singular value of constraints of unit length below which one repeats others: joints are closed to 1e-11 of the
#: mechanism's size, and steps leave them open by some 1e-10.
REPEATED_VALUE = 1e-8
#: What counts as zero beside one: masses and rates, and one over the condition of what is solved with.
ZERO_PART = 1e-11

_getrf, _gecon = linalg.get_lapack_funcs(("getrf", "gecon"))


def null_space(rows: np.ndarray) -> np.ndarray:
    """Orthonormal basis of what constraints leave free."""
    if not rows.shape[0]:
        return np.eye(rows.shape[1])
    return linalg.null_space(rows / _lengths(rows), rcond=REPEATED_VALUE)


def pseudo_inverse(rows: np.ndarray) -> np.ndarray:
    """With rows brought to the same size first, so that those that repeat others are found."""
    if not rows.size:
        return np.zeros((rows.shape[1], rows.shape[0]))
    size = _lengths(rows)
    return np.linalg.pinv(rows / size, rcond=REPEATED_VALUE) / size.T


def _lengths(rows: np.ndarray) -> np.ndarray:
    return np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), LEAST_DIVISOR)


def is_regular(E: np.ndarray) -> bool:
    """Whether a square matrix can be solved with, by an estimate of its condition."""
    if not E.size:
        return True
    factor, _, info = _getrf(E)
    return info == 0 and _gecon(factor, np.abs(E).sum(axis=0).max())[0] > ZERO_PART
