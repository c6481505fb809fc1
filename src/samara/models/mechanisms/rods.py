"""Uniform rods, used by most ready models."""

from __future__ import annotations

import numpy as np


def box_inertia(mass: float, length: float, width: float, height: float) -> np.ndarray:
    """Principal moments of a uniform box about its centre, with its length along x, shape (3,) [kg m^2]."""
    x2, y2, z2 = length**2, width**2, height**2
    return mass / 12.0 * np.array([y2 + z2, x2 + z2, x2 + y2])
