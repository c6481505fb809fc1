"""Force fixed in the world."""

from __future__ import annotations

from typing import Any

from samara.elements.loads.components import AtPoint
from samara.model import driven
from samara.rotations import cross


class Force(AtPoint):
    """A force fixed in the world, at a point of a node.

        F_W = force(t),     C_N = p_NP x R_NW F_W

    force: three components in world axes [N], each a number, a `Parameter`, a drive or a function of t; or `magnitude`
    [N] with `direction` (fixed in the world).
    point: point of application in the node's axes [m]; or `at`, in the world, in the reference pose.
    """

    force: Any = driven(default=None, unit="N", size=3)

    def load(self, n, world):
        F_N = world.R @ self.force
        return F_N, cross(self.point, F_N)
