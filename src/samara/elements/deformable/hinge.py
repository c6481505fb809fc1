"""Deformable hinge."""

from __future__ import annotations

from typing import Any

from samara.elements.deformable.deformable import Deformable, rest_frame
from samara.elements.still import ZERO_DRIVES
from samara.model import driven
from samara.rotations import log_so3_below_pi


class DeformableHinge(Deformable):
    """Three couples from the relative rotation of two frames: an elastic hinge, a flexure, a lag damper.

        C = law(q, dq/dt) [N m],     q = rotation vector of R_DB [rad],     R_AD = exp(rest(t))

    The rotation vector of B relative to A has the same components in A, in B and midway between them, so the element is
    symmetric: exchanging a and b only changes the sign of q. About a fixed axis it equals the angle, up to half a turn,
    unlike other parametrisations: 2 tan(x / 2) stiffens, sin x softens.

    Displacements are free: add a `Spherical`, or use `DeformableJoint`.

    law:  a `VectorLaw` of 3 coordinates, or three one-dimensional laws (None: free).
    rest: rotation vector of b relative to a at which the law's coordinates are zero, in axes of a; three drives [rad],
    of any magnitude. If driven, it imposes a rotation through the stiffness: a pitch input.

    Limits: less than half a turn away from rest (rounding errors grow as 1e-16 / (pi - |q|)^2: 3e-15 at 170 degrees).
    The viscous part acts on the rate of q, which equals the relative angular velocity only to first order in |q| unless
    the axis is fixed.
    """

    reported = (("rotation", "rad", "couple", "N m"),)
    turned_by = "rest"

    rest: Any = driven(default=ZERO_DRIVES, unit="rad", size=3)

    def coordinates(self, a, b):
        R_AB, R_AD = a.R.T @ b.R, rest_frame(self.rest, self._turned)
        return log_so3_below_pi(R_AB if R_AD is None else R_AD.T @ R_AB)
