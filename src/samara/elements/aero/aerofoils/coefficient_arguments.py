"""Angles and values that tables of coefficients are made of, checked at the door."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.model import ModelError


def given_numbers(what: str, given: Any, wanted: str) -> np.ndarray:
    """Finite real numbers of any shape as an array of their own; `wanted` says what they should be."""
    try:
        found = np.array(given)
        real = found.dtype.kind in "iuf"
    except ValueError:  # rows of unequal length
        real = False
    if not real:
        raise ModelError(f"{what} must be {wanted}, plain numbers, got {_shown(given)}")
    if not np.isfinite(found).all():
        raise ModelError(f"{what} must be {wanted}, got {np.count_nonzero(~np.isfinite(found))} that are not finite")
    return found.astype(float)


def given_angles(what: str, given: Any) -> np.ndarray:
    """Two angles or more that rise [rad]."""
    wanted = "two or more angles in rising order [rad]"
    found = given_numbers(what, given, wanted)
    if found.ndim != 1 or len(found) < 2:
        raise ModelError(f"{what} must be {wanted}, in one row, got the shape {found.shape}")
    if not np.all(np.diff(found) > 0.0):
        k = int(np.argmin(np.diff(found) > 0.0))
        raise ModelError(
            f"{what} must be {wanted}, got {found[k]:g} before {found[k + 1]:g}: sort them with the values"
        )
    return found


def given_table(of: str, alpha: Any, beta: Any, values: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Incidences, sideslips, and six values at each of their pairs; `of` names who asks."""
    alpha, beta = given_angles(f"{of}: alpha", alpha), given_angles(f"{of}: beta", beta)
    shape = (len(alpha), len(beta), 6)
    found = given_numbers(f"{of}: values", values, f"{shape[0]} x {shape[1]} x 6 coefficients")
    if found.shape != shape:
        raise ModelError(
            f"{of}: values must have the shape {shape}, the number of alpha, of beta, and six coefficients, got "
            f"{found.shape}"
        )
    return alpha, beta, found


def _shown(given: Any) -> str:
    """Short enough for a message."""
    text = " ".join(repr(given).split())
    return text if len(text) < 60 else f"{text[:50]}..."
