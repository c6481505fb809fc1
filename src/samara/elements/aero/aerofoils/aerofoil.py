"""Base of aerofoil sections."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.model import Record
from samara.tracing import absolute


class Aerofoil(Record):
    """Steady coefficients of a section: lift, drag, and moment about the quarter chord (nose up positive).

        lift = rho V^2 c cl / 2,   drag = rho V^2 c cd / 2   [N/m],     moment = rho V^2 c^2 cm / 2   [N m/m]

    A subclass defines `coefficients` for all angles of attack, for plain and traced numbers.
    """

    def coefficients(self, alpha, mach) -> tuple[Any, Any, Any]:
        """(cl, cd, cm) at the angle of attack [rad], any turn of it, and Mach number."""
        raise NotImplementedError


def flat_plate(alpha):
    """(cl, cd, cm) of a flat plate in fully separated flow, at an angle within -pi .. pi [rad].

        cn = 2 sin(alpha),   cl = cn cos(alpha),   cd = cn sin(alpha),   cm = -cn |alpha| / (2 pi)

    The force is normal to the plate, with coefficient 2 at 90 degrees; its point of action moves from the quarter chord
    (alpha = 0) through mid-chord (90 degrees) to three quarters (180 degrees). The table of
    the NACA 0012 differs from this by up to 0.18 between 60 and 150 degrees.
    """
    s = np.sin(alpha)
    return 2.0 * s * np.cos(alpha), 2.0 * s * s, -s * absolute(alpha) / np.pi
