"""Round things that touch surfaces: where they come nearest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.elements.contact.surfaces import ContactSurface
from samara.model import Frame, Record, number
from samara.rotations import dot
from samara.tracing import fmax, fmin, select

#: Third component of a normal below which tangents are others: they jump there, so that nothing should rest there.
LOW = -0.7316
#: Squared sine below which a wheel's axis counts as along the normal: any point of its rim is as near.
SMALLEST_SINE_2 = 1e-12


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

    On a plane it touches at one point, its lower end: give a rod that lies flat a `BallShape` at each end.
    """

    half_length: float = number(default=0.0, unit="m", nonnegative=True)

    def centre(self, surface, a, b):
        s = surface.along(a.see(b.p), a.R.T @ b.z)
        return b.p + fmin(fmax(s, -self.half_length), self.half_length) * b.z


class WheelShape(ContactShape):
    """A wheel about the z axis of its frame: balls on a circle. rim: radius of the circle [m].

    radius: of the balls [m]; the wheel is as large as rim + radius. The ball that lies deepest below the plane that is
    tangent at the centre counts.
    """

    rim: float = number(default=0.0, unit="m", nonnegative=True)

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
    """Unit vector across an axis that is nearest to the normal; any across it where they are parallel."""
    across = normal - dot(normal, axis) * axis
    size_2 = dot(across, across)
    along = size_2 < SMALLEST_SINE_2
    _, other, _ = contact_axes(axis)
    size = np.sqrt(select(along, 1.0, size_2))
    return np.array([select(along, o, c / size) for o, c in zip(other, across, strict=True)])
