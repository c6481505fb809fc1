"""Placements: where things are placed when a model is described."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from samara.arguments import ModelError
from samara.model.quantities.freezing import fixed
from samara.model.quantities.parameters import Parameter
from samara.rotations import check_rotation


def as_vector(value, what: str = "vector") -> np.ndarray:
    """Three finite numbers as a float array that stays as it is."""
    numbers = isinstance(value, np.ndarray) and value.dtype != object
    if not numbers and any(isinstance(v, Parameter) for v in np.ravel(np.asarray(value, dtype=object))):
        raise ValueError(f"{what} cannot be a Parameter: placements are fixed when the model is built")
    try:
        array = fixed(value)
    except (TypeError, ValueError):
        raise ValueError(f"{what} must be three finite numbers, got {value!r}") from None
    if array.shape != (3,) or not all(map(math.isfinite, array.tolist())):
        raise ValueError(f"{what} must be three finite numbers, got {value!r}")
    return array


@dataclass(frozen=True, slots=True)
class Placement:
    """Position p_AB [m] and rotation R_AB of a frame B relative to a frame A.

    position: three numbers; rotation: a 3x3 matrix, by default the identity. Poses are named after their frames so that
    matching letters cancel: ``X_AC = X_AB @ X_BC``.
    """

    position: Any = field(default_factory=lambda: np.zeros(3))
    rotation: Any = field(default_factory=lambda: np.eye(3))

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", as_vector(self.position, "position"))
        object.__setattr__(self, "rotation", fixed(self.rotation))
        check_rotation(self.rotation)

    def __matmul__(self, other: Placement) -> Placement:
        return Placement(self.position + self.rotation @ other.position, self.rotation @ other.rotation)

    def inverse(self) -> Placement:
        """X_BA from X_AB."""
        return Placement(-self.rotation.T @ self.position, self.rotation.T)

    def point(self, p) -> np.ndarray:
        """A point given in B, seen from A."""
        return self.position + self.rotation @ as_vector(p, "point")

    def direction(self, d) -> np.ndarray:
        """A direction given in B, in the axes of A."""
        return self.rotation @ as_vector(d, "direction")


#: No change of place and axes.
SAME = Placement()


def as_placement(value: Any, what: str) -> Placement:
    """A placement from one, from a bare point (the axes stay), or from None (no change)."""
    if value is None or isinstance(value, Placement):
        return SAME if value is None else value
    try:
        return Placement(value)
    except (TypeError, ValueError):
        raise ModelError(f"{what} must be a Placement, or a point of three numbers, got {value!r}") from None
