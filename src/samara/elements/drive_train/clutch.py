"""Clutch."""

from __future__ import annotations

from typing import Any

from samara.elements.drive_train.friction_disks import FrictionDisks
from samara.model import Site, signal


class Clutch(FrictionDisks):
    """Joins two shafts on one axis by disks that a drive presses together.

    engaged: 0 (released) to 1 (fully pressed); a signal, such as a drive, an input or a state:
             ``Cosine(1.0, duration=0.5, start=2.0)``. What is beyond 0 or 1 is cut to it.

    See `FrictionDisks` for the torque and its numbers. Two flywheels of inertias J1 and J2 that a clutch brings from
    the speeds w1 and w2 to one lose J1 J2 / (J1 + J2) (w1 - w2)^2 / 2, however long it takes: for equal ones of which
    one stands, half of the energy.
    """

    engaged: Any = signal()

    def pressing(self, site: Site) -> Any:
        return self.received(site, "engaged")
