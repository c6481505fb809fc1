"""Follower force: rotates with its node."""

from __future__ import annotations

from typing import Any

from samara.elements.loads.components import AtPoint
from samara.model import driven
from samara.rotations import cross


class FollowerForce(AtPoint):
    """A follower force, which rotates with its node: propeller thrust, a jet, a wheel's traction.

        F_N = force(t),     C_N = p_NP x F_N

    force: three components in the node's axes [N], each a number, a `Parameter`, a drive or a function of t; or
    `magnitude` [N] with `direction` (fixed in the node).
    point: point of application in the node's axes [m]; or `at`, in the world, in the reference pose.
    """

    force: Any = driven(default=None, unit="N", size=3)

    def load(self, n, world):
        return self.force, cross(self.point, self.force)
