"""Deformable displacement."""

from __future__ import annotations

from typing import Any, Literal

from samara.elements.deformable.deformable import Deformable, half_turn_back
from samara.elements.still import ZERO_DRIVES
from samara.model import driven, option


class DeformableDisplacement(Deformable):
    """Three forces from the relative displacement of two points: an elastic mount, a soft bearing.

        F = law(q, dq/dt) [N],     q = p_AB - rest(t), in axes of a or midway between a and b [m]

    A positive force pulls b back along its axis. Rotations are free, but since the axes of the force rotate with the
    nodes it also has moments, which follow from virtual work.

    law:  a `VectorLaw` of 3 coordinates, or three one-dimensional laws (None: free).
    rest: displacement of b from a at which the law's coordinates are zero, in axes of a; three drives [m].
    axes: "a", or "midway" between the two frames, which is symmetric in a and b; valid below half a turn of b relative
          to a.
    """

    reported = (("displacement", "m", "force", "N"),)

    rest: Any = driven(default=ZERO_DRIVES, unit="m", size=3)
    axes: Literal["a", "midway"] = option(default="a", choices=("a", "midway"))

    def coordinates(self, a, b):
        q = a.see(b.p) - self.rest
        return half_turn_back(a.R.T @ b.R, q) if self.axes == "midway" else q
