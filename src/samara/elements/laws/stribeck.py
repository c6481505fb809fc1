"""Stribeck's curve: friction that falls from a peak at rest to its size at speed."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.model import ModelError


def stribeck(sliding, rest, v2, speed) -> tuple[Any, Any]:
    """Size at the squared speed v2, and the part of the peak that is left, exp(-v2 / speed^2)."""
    fade = np.exp(-v2 / speed**2)
    return sliding + (rest - sliding) * fade, fade


def check_peak(kind: object, sliding: str, rest: str) -> None:
    """Refuses a peak below the size at speed; both are names of fields."""
    low, high = float(getattr(kind, sliding)), float(getattr(kind, rest))
    if high < low:
        raise ModelError(f"{type(kind).__name__}: {rest} ({high:g}) must not be less than {sliding} ({low:g})")
