"""Aerofoil given by tables."""

from __future__ import annotations

import numpy as np

from samara.elements.aero.aerofoil import Aerofoil, wrapped
from samara.model import ModelError, setting, table
from samara.tracing import Surface

#: how far the first and last angles of a table may be from 180 degrees [rad]: a rounded pi
FULL_TURN = 1e-6


class TabulatedAerofoil(Aerofoil):
    """Coefficients from tables over angle of attack [rad] and Mach number, bilinear between the points.

    cl, cd, cm: a `Surface` each, x the angle from -pi to pi, y the Mach number; each has points of its own, and one
    look-up in a table with the points of all serves the three. Below the
    first and beyond the last Mach number the end value holds; the angle goes around the circle. Where a table differs
    between -pi and pi (reversed flow seen from both sides) it jumps there, so the check refuses it.

    The slope of a bilinear table is constant between points and jumps at them: Newton's method can cycle about a point
    with a sharp change, as it may at any kink. `samara.interop.read_c81` reads the usual files.
    """

    cl: Surface = setting()
    cd: Surface = setting()
    cm: Surface = setting()
    together: Surface = table(init=False)

    def __post_init__(self) -> None:
        for name in ("cl", "cd", "cm"):
            check_surface(name, getattr(self, name))
        self.together = Surface.joined(self.cl, self.cd, self.cm)

    def coefficients(self, alpha, mach):
        return tuple(self.together(wrapped(alpha), mach))


def check_surface(name: str, surface) -> None:
    """A table of coefficients goes around the circle and closes; `ModelError` says where it does not."""
    if not isinstance(surface, Surface):
        raise ModelError(f"TabulatedAerofoil: {name} must be a Surface over angle and Mach number, got {surface!r}")
    first, last = surface.x[0], surface.x[-1]
    if abs(first + np.pi) > FULL_TURN or abs(last - np.pi) > FULL_TURN:
        raise ModelError(
            f"TabulatedAerofoil: {name} covers {np.degrees(first):g} to {np.degrees(last):g} degrees: it must go "
            "around the circle, -180 to 180 (are its angles in radians?)"
        )
    if surface.y[0] < 0:
        raise ModelError(f"TabulatedAerofoil: {name} has a negative Mach number, {surface.y[0]:g}")
    gap = np.abs(surface.z[0] - surface.z[-1])
    if np.any(gap > 1e-9):
        k = int(np.argmax(gap))
        raise ModelError(
            f"TabulatedAerofoil: {name} at Mach {surface.y[k]:g} is {surface.z[0, k]:g} at -180 degrees and "
            f"{surface.z[-1, k]:g} at 180: the same flow, so it must be the same"
        )
