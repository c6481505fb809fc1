"""Rigid gear."""

from __future__ import annotations

from samara.elements.drive_train.gear_pair import GearPair
from samara.model import Contribution, Grip, Site


class Gear(GearPair):
    """Two gear wheels in mesh without backlash or compliance: one velocity constraint.

        slip = speed_a - ratio speed_b = 0 [rad/s]

    See `GearPair` for nodes, axes, ratio and reactions. No power is lost: torque_a speed_a + torque_b speed_b = 0.
    The wheels mesh in their initial positions. Angles keep the ratio as well: rotations about an axis fixed in the
    carrier are integrated exactly, so there is no drift beyond rounding errors. A static solution keeps the ratio too,
    from the initial positions.
    """

    grip = Grip.JOINT

    def formulate(self, site: Site) -> Contribution:
        slip = self.slip(site)
        effort = site.multipliers(1)
        return Contribution(
            wrenches=slip.wrenches(effort),
            rates=slip.value,
            outputs=self.report(site, effort[0]),
        )
