"""Brake."""

from __future__ import annotations

from typing import Any

from samara.elements.drive_train.friction_disks import FrictionDisks
from samara.model import Site, signal


class Brake(FrictionDisks):
    """Slows a shaft, b, against what carries it, a, by disks that a drive presses together.

    applied: 0 (released) to 1 (fully pressed); a signal, such as a drive, an input or a state. What is beyond 0
             or 1 is cut to it.

    See `FrictionDisks` for the torque and its numbers. A shaft of inertia J that only the brake slows stops from the
    speed w after J w / capacity. What is at rest creeps: for a parking brake take a `Lock`.
    """

    applied: Any = signal()

    def pressing(self, site: Site) -> Any:
        return self.received(site, "applied")
