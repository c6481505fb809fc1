"""Tabulated aerofoil."""

from __future__ import annotations

import numpy as np

from samara.arguments import instance
from samara.elements.aero.aerofoils.aerofoil import Aerofoil, flat_plate
from samara.model import ModelError, setting, table
from samara.rotations import wrapped
from samara.tracing import Surface

#: how far the first and last angles of a table may be from 180 degrees [rad]: a rounded pi
FULL_TURN = 1e-6
#: angle between the end of a table and the flat plate that it is extended by, and steps of that [rad]
GIVING_WAY, PLATE_STEP = np.radians(15.0), np.radians(5.0)


class TabulatedAerofoil(Aerofoil):
    """Coefficients from tables over angle of attack [rad] and Mach number, with bilinear interpolation.

    cl, cd, cm: a `Surface` each, x the angle from -pi to pi, y the Mach number; each may have its own points, which are
    merged for a common look-up. Values are constant beyond the first and last Mach number; the angle is periodic.
    Tables whose values at -pi and pi differ are rejected, since they would jump in reversed flow.

    The slope of a bilinear table jumps at its points: Newton's method can cycle about a point with a sharp change of
    slope. `samara.interop.read_c81` reads C81 files.
    """

    cl: Surface = setting(default=None)
    cd: Surface = setting(default=None)
    cm: Surface = setting(default=None)
    together: Surface = table(init=False)

    def __post_init__(self) -> None:
        tables = (self.cl, self.cd, self.cm)
        if all(isinstance(one, Surface) for one in tables):
            self.together = Surface.joined(*tables)

    def validate(self) -> None:
        for name in ("cl", "cd", "cm"):
            check_surface(name, getattr(self, name))
        super().validate()

    def coefficients(self, alpha, mach):
        return tuple(self.together(wrapped(alpha), mach))


def extended(cl: Surface, cd: Surface, cm: Surface) -> TabulatedAerofoil:
    """Extends tables over a limited range of angles, say -15 to 20 degrees (in rad), by a flat plate.

    Over 15 degrees beyond each end the table is blended linearly into the plate in separated flow (`flat_plate`), to
    whose drag the minimum drag of the table is added. Values outside the range of the table are only estimates: check
    whether `alpha` enters it. The tables must include zero and reach 150 degrees at most.
    """
    surfaces = {"cl": cl, "cd": cd, "cm": cm}
    found = []
    for k, (name, surface) in enumerate(surfaces.items()):
        instance(f"extended: {name}", surface, Surface, " over angle and Mach number")
        first, last = float(surface.x[0]), float(surface.x[-1])
        if not -np.radians(150.0) <= first < 0.0 < last <= np.radians(150.0):
            raise ModelError(
                f"extended: {name} covers {np.degrees(first):g} to {np.degrees(last):g} degrees: it "
                f"must include zero and end within 150 degrees (are its angles in radians?)"
            )
        low = np.arange(-np.pi, first - GIVING_WAY, PLATE_STEP)
        high = -np.arange(-np.pi, -last - GIVING_WAY, PLATE_STEP)[::-1]
        least = np.asarray(cd.z).min(axis=0) if name == "cd" else 0.0
        plate = [np.array([flat_plate(a)[k] for a in side])[:, None] + np.broadcast_to(least, surface.y.shape)
                 for side in (low, high)]  # fmt: skip
        z = np.vstack([plate[0], surface.z, plate[1]])
        z[-1] = z[0]
        found.append(Surface(np.concatenate([low, surface.x, high]), surface.y, z))
    return TabulatedAerofoil(*found)


def check_surface(name: str, surface) -> None:
    """A table of coefficients goes around the circle and closes; `ModelError` says where it does not."""
    if not isinstance(surface, Surface):
        raise ModelError(f"TabulatedAerofoil: {name} must be a Surface over angle and Mach number, got {surface!r}")
    first, last = surface.x[0], surface.x[-1]
    if abs(first + np.pi) > FULL_TURN or abs(last - np.pi) > FULL_TURN:
        raise ModelError(
            f"TabulatedAerofoil: {name} covers {np.degrees(first):g} to {np.degrees(last):g} degrees: "
            f"it must cover the full circle, -180 to 180 (are its angles in radians?); `extended(cl, cd, cm)` "
            f"adds a flat plate outside its range"
        )
    if surface.y[0] < 0:
        raise ModelError(f"TabulatedAerofoil: {name} has a negative Mach number, {surface.y[0]:g}")
    gap = np.abs(surface.z[0] - surface.z[-1])
    if np.any(gap > 1e-9):
        k = int(np.argmax(gap))
        raise ModelError(
            f"TabulatedAerofoil: {name} at Mach {surface.y[k]:g} is {surface.z[0, k]:g} at -180 degrees and "
            f"{surface.z[-1, k]:g} at 180: the flow is the same, so the values must be equal"
        )
