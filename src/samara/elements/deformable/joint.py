"""Deformable joint."""

from __future__ import annotations

from typing import Any, Literal

from samara.elements.deformable.deformable import Deformable, half_turn_back, rest_frame
from samara.elements.still import ZERO_DRIVES
from samara.model import driven, option
from samara.rotations import log_so3_below_pi


class DeformableJoint(Deformable):
    """Three forces and three couples from the relative motion of two frames, coupled by the law: an elastomeric
    bearing, a flexbeam in one element, a wing root.

        (F, C) = law(q, dq/dt) [N, N m],     q = (p_DB [m] midway between D and B, rotation vector of R_DB [rad])

    D is the frame in which the connection is at rest, p_AD = rest_position(t), R_AD = exp(rest_rotation(t)).

    law:  a `VectorLaw` of 6 coordinates, or six one-dimensional laws (None: free), displacements first.
    rest_position, rest_rotation: of b relative to a, in axes of a; three drives each [m, rad]. If driven, they impose a
          motion through the stiffness: a pitch or control input.
    axes: of the displacement: "midway" between D and B, which is symmetric in a and b; or "d".

    Limits: less than half a turn away from rest, see `DeformableHinge`.
    """

    reported = (("displacement", "m", "force", "N"), ("rotation", "rad", "couple", "N m"))
    turned_by = "rest_rotation"

    rest_position: Any = driven(default=ZERO_DRIVES, unit="m", size=3)
    rest_rotation: Any = driven(default=ZERO_DRIVES, unit="rad", size=3)
    axes: Literal["midway", "d"] = option(default="midway", choices=("midway", "d"))

    def coordinates(self, a, b):
        R_DB, p_DB = a.R.T @ b.R, a.see(b.p) - self.rest_position
        R_AD = rest_frame(self.rest_rotation, self._turned)
        if R_AD is not None:
            R_DB, p_DB = R_AD.T @ R_DB, R_AD.T @ p_DB
        if self.axes == "midway":
            p_DB = half_turn_back(R_DB, p_DB)
        return [*p_DB, *log_so3_below_pi(R_DB)]
