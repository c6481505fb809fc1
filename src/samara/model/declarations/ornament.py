"""What is drawn of a part, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.arguments import ModelError
from samara.model.frames.node import Node


@dataclass(frozen=True)
class Ornament:
    """A surface through rings of points fixed to a node, such as a fuselage. It does not affect the equations.

    rings: points in the node's axes [m], shape (rings, corners, 3); neighbouring rings are joined and the ends closed.
    """

    node: Node
    rings: Any

    def __post_init__(self) -> None:
        rings = np.asarray(self.rings, float)
        if rings.ndim != 3 or rings.shape[0] < 2 or rings.shape[1] < 3 or rings.shape[2] != 3:
            raise ModelError(
                f"rings must have at least two rings of at least three points: shape (rings, corners, "
                f"3), got {rings.shape}"
            )
        if not np.isfinite(rings).all():
            raise ModelError("an ornament's points must be finite")
        object.__setattr__(self, "rings", rings)
