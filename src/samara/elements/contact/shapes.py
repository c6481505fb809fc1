"""Rounded shapes that touch surfaces: the point of closest approach."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.elements.contact.surfaces import ContactSurface
from samara.model import Frame, ModelError, Record, number
from samara.rotations import dot
from samara.tracing import fmax, fmin, select

#: Third component of a normal below which tangents are others: they jump there, so that nothing should rest there.
LOW = -0.7316
#: Sine of the angle of a wheel's axis to the normal below which the wheel counts as lying flat, more and more.
FLAT = 0.02


@dataclass(frozen=True)
class Nearest:
    """Where two surfaces are nearest, in axes of E.

    gap: from one to the other [m], negative where they overlap. normal: from a to b. point: on b's surface [m].
    """

    gap: Any
    normal: np.ndarray
    point: np.ndarray


class ContactShape(Record):
    """Balls along a curve, in its own frame; a subclass gives `centre`, that of the nearest ball."""

    radius: float = number(default=0.0, unit="m", nonnegative=True)

    def centre(self, surface: ContactSurface, a: Frame, b: Frame) -> np.ndarray:
        """Of the ball that is nearest to the surface in frame a, for the shape in frame b, in axes of E [m]."""
        raise NotImplementedError

    def nearest(self, surface: ContactSurface, a: Frame, b: Frame) -> Nearest:
        """Where it is nearest to the surface."""
        centre = self.centre(surface, a, b)
        distance, normal = surface.distance(a.see(centre))
        normal = a.direction(normal)
        return Nearest(distance - self.radius, normal, centre - self.radius * normal)


class BallShape(ContactShape):
    """A ball about the origin of its frame. radius [m]; 0 for a point."""

    def centre(self, surface, a, b):
        return b.p


class CapsuleShape(ContactShape):
    """A rod with round ends along the z axis of its frame: balls of a radius [m] from -half_length to half_length [m].

    It touches a plane at one point, its lower end: for a rod lying flat use a `BallShape` at each end.
    """

    half_length: float = number(default=0.0, unit="m", nonnegative=True)

    def __post_init__(self) -> None:
        if isinstance(self.half_length, float | int) and self.half_length == 0:
            raise ModelError(
                "CapsuleShape: give half_length too, the distance [m] from its middle to "
                "its ends; with 0 it would be a BallShape"
            )

    def centre(self, surface, a, b):
        s = surface.along(a.see(b.p), a.R.T @ b.z)
        return b.p + fmin(fmax(s, -self.half_length), self.half_length) * b.z


class WheelShape(ContactShape):
    """A wheel about the z axis of its frame: balls on a circle. rim: radius of the circle [m].

    radius: of the balls [m]; the outer radius of the wheel is rim + radius. Contact is at the ball deepest below the
    tangent plane at the centre. When the wheel lies flat, to within about a degree, the contact point moves from the
    rim to the centre: it rests stably there, but friction has no lever arm. To model a wheel lying flat use several
    `BallShape`s.
    """

    rim: float = number(default=0.0, unit="m", nonnegative=True)

    def __post_init__(self) -> None:
        if isinstance(self.rim, float | int) and self.rim == 0:
            raise ModelError(
                "WheelShape: give rim too, the radius of the circle [m]: WheelShape(radius=0.05, "
                "rim=0.25) is a wheel of 0.3 m; with rim = 0 it would be a BallShape"
            )

    def centre(self, surface, a, b):
        _, normal = surface.distance(a.see(b.p))
        return b.p - self.rim * _across(a.direction(normal), b.z)


def contact_axes(normal: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The normal and two tangents, a right-handed triad without a singular direction; of z they are x and y.

    Tangents are smooth but for a jump far below the horizon, where normals of things that stand, lean or touch side by
    side are not.

    Source: T. Duff et al., Building an orthonormal basis, revisited, J. Computer Graphics Techniques 6(1), 2017.
    """
    x, y, z = normal
    sign = select(z < LOW, -1.0, 1.0)
    a = -1.0 / (sign + z)
    b = x * y * a
    first = np.array([1.0 + sign * x * x * a, sign * b, -sign * x])
    second = np.array([b, sign + y * y * a, -y])
    return normal, first, second


def _across(normal: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """Vector across an axis that is nearest to the normal: of unit length, but short where they are nearly parallel.

    Any point of a rim is as near there. 1 / sine goes on from `FLAT` to zero as its Taylor series, of two derivatives.
    """
    across = normal - dot(normal, axis) * axis
    size_2 = dot(across, across)
    flat = size_2 < FLAT * FLAT
    s = size_2 / (FLAT * FLAT)
    series = (15.0 / 8.0 + s * (-5.0 / 4.0 + s * (3.0 / 8.0))) / FLAT
    return select(flat, series, 1.0 / np.sqrt(select(flat, 1.0, size_2))) * across
