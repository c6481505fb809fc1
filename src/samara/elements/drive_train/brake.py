"""Brake."""

from __future__ import annotations

from typing import Any

from samara.elements.drive_train.friction_disks import FrictionDisks
from samara.model import driven


class Brake(FrictionDisks):
    """Slows a shaft, b, against what carries it, a, by disks that a drive presses together.

    applied: 0 (released) to 1 (fully pressed); a number, a `Parameter`, a drive or an input. What is below zero counts
             as released.

    See `FrictionDisks` for the torque and its numbers. A shaft of inertia J that only the brake slows stops from the
    speed w after J w / capacity. What is at rest creeps: for a parking brake take a `Lock`.
    """

    applied: Any = driven()

    def pressing(self) -> Any:
        return self.applied
