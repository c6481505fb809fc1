"""Clamp."""

from __future__ import annotations

from samara.elements.families import Joint
from samara.elements.geometry.alignment import same_rotation
from samara.model import Grip


class Clamp(Joint):
    """Joins two frames rigidly: no degrees of freedom.

        p_BA = 0,   2 tan(x / 2) e = 0     x, e: angle [rad] and axis of R_BA

    Positions in axes of b [m]. Assembles from any orientation that is less than half a turn off.

    Without a placement the frames are those of the nodes, and assembly moves one node onto the other. To clamp a node
    where it is, give `at`, such as ``at=node.position``.
    """

    returning = True

    grip = Grip.SOLID

    def constraint(self, a, b):
        return [*b.see(a.p), *same_rotation(b.R.T @ a.R)]

    def freedoms(self):
        return ()
