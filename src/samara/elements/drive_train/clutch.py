"""Clutch."""

from __future__ import annotations

from typing import Any

from samara.elements.drive_train.friction_disks import FrictionDisks
from samara.model import Site, signal


class Clutch(FrictionDisks):
    """A friction clutch between two coaxial shafts.

    engaged: 0 (released) to 1 (fully engaged); a signal, such as a drive, an input or a state:
             ``Cosine(1.0, duration=0.5, start=2.0)``, clipped to this range.

    See `FrictionDisks` for the torque and its parameters. Two flywheels of inertias J1 and J2 brought from the speeds
    w1 and w2 to a common speed lose J1 J2 / (J1 + J2) (w1 - w2)^2 / 2, regardless of the duration: half of the energy
    for equal flywheels of which one is at rest.
    """

    engaged: Any = signal()

    def pressing(self, site: Site) -> Any:
        return self.received(site, "engaged")
