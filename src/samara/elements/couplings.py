"""Matrices of laws and sections: which of their entries may act, and whether they are definite."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from samara.model import Parameter


def may_act(value: Any) -> bool:
    """Whether a number is not zero for ever: a `Parameter` may change."""
    return isinstance(value, Parameter) or value != 0


def coupling(matrix: Any, masks: Mapping[str, np.ndarray]) -> str:
    """Name of the first mask, from the simplest on, that has all entries that may act: parameters and non-zeros."""
    acts = np.array([may_act(v) for v in np.ravel(matrix)]).reshape(np.shape(matrix))
    return next(word for word, mask in masks.items() if not np.any(acts & ~mask))


def lowest(matrix: Any) -> float:
    """Smallest eigenvalue after scaling to a unit diagonal: forces and moments have different units."""
    K = np.asarray(matrix, float)
    size = np.sqrt(np.abs(np.diag(K)))
    size[size == 0.0] = 1.0
    return float(np.linalg.eigvalsh(K / np.outer(size, size))[0])
