"""Gear with rigid teeth."""

from __future__ import annotations

from samara.elements.drive_train.gear_pair import GearPair
from samara.model import Contribution, Grip, Site


class Gear(GearPair):
    """Two wheels in mesh without play or give: one constraint, at the level of velocities.

        slip = speed_a - ratio speed_b = 0 [rad/s]

    See `GearPair` for nodes, axes, ratio and reactions. No power is lost: torque_a speed_a + torque_b speed_b = 0.
    Wheels mesh as they stand at the start. Angles keep the ratio as well: rotations about an axis that is fixed in the
    carrier add up exactly in a step, so nothing drifts but rounding. A static solution keeps the ratio too, from where
    it starts.
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
