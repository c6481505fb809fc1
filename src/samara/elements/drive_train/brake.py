"""Brake."""

from __future__ import annotations

from typing import Any

from samara.elements.drive_train.friction_disks import FrictionDisks
from samara.model import Site, signal


class Brake(FrictionDisks):
    """A disk brake between a shaft, b, and its casing, a.

    applied: 0 (released) to 1 (fully applied); a signal, such as a drive, an input or a state, clipped to this range.

    See `FrictionDisks` for the torque and its parameters. A shaft of inertia J stops from the speed w after J w /
    capacity if only the brake acts. At rest the brake creeps under load: for a parking brake use a `Lock`.
    """

    applied: Any = signal()

    def pressing(self, site: Site) -> Any:
        return self.received(site, "applied")
