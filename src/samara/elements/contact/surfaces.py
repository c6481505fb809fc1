"""Surfaces that something may touch: how far a point is from them, and which way out is."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from samara.arguments import yes_or_no
from samara.model import ModelError, Record, number, option, setting, table
from samara.rotations import dot
from samara.tracing import Surface, select

#: Squared length [m^2] that a distance from a centre or an axis is never below: its root has a slope there too.
SMALLEST_DISTANCE_2 = 1e-24
#: Beyond any end [m].
FAR = 1e9
#: Points along the way on which ground levels out beyond its edge.
LEVELLING = 4


class ContactSurface(Record):
    """A surface, seen from its own frame. A subclass gives `distance`.

    passable: whether something that went in may come out behind it.
    """

    passable: ClassVar[bool] = True

    def distance(self, x) -> tuple[Any, np.ndarray]:
        """(signed distance [m] of the point x, positive outside; unit normal there, outwards), plain or traced."""
        raise NotImplementedError

    def along(self, x, d) -> Any:
        """Where the line x + s d comes nearest [m]: s; beyond any end where it goes on coming nearer.

        d: a unit vector. By default that of the tangent plane at x.
        """
        _, normal = self.distance(x)
        return select(dot(normal, d) > 0.0, -FAR, FAR)


class PlaneSurface(ContactSurface):
    """The plane z = 0 of its frame; the outside is z > 0."""

    passable: ClassVar[bool] = False

    def distance(self, x):
        return x[2], np.array([0.0, 0.0, 1.0])


class RoundSurface(ContactSurface):
    """A round surface. radius [m]; hollow: whether things are inside it."""

    radius: float = number(unit="m", positive=True)
    hollow: bool = option(default=False)

    def validate(self) -> None:
        super().validate()
        self.hollow = yes_or_no(f"{type(self).__name__}: hollow", self.hollow)


class SphereSurface(RoundSurface):
    """A sphere about the origin of its frame. radius [m]; hollow: whether bodies are inside it."""

    def distance(self, x):
        return _round(np.asarray(x), self.radius, self.hollow)

    def along(self, x, d):
        return super().along(x, d) if self.hollow else -dot(x, d)


class CylinderSurface(RoundSurface):
    """An infinite cylinder about the z axis of its frame. radius [m]; hollow: whether bodies are inside it."""

    def distance(self, x):
        return _round(np.array([x[0], x[1], 0.0 * x[2]]), self.radius, self.hollow)

    def along(self, x, d):
        if self.hollow:
            return super().along(x, d)
        return -(x[0] * d[0] + x[1] * d[1]) / (d[0] * d[0] + d[1] * d[1] + SMALLEST_DISTANCE_2)


class HeightField(ContactSurface):
    """Uneven ground over the x-y plane of its frame; the outside is above.

        distance = (z - h(x, y)) / sqrt(1 + h_x^2 + h_y^2),     normal ~ (-h_x, -h_y, 1)

    heights: a `Surface` of x, y [m] with the height h [m]. Heights and slopes are bilinear between its points, slopes
    from central differences, so that normals vary continuously. Beyond its points the ground levels out within one more
    cell, as wide as the last: h = h_edge + slope width / 2 from there on. The distance is that to the tangent plane
    below the point: accurate as long as the radius of curvature of the ground is larger than that of the body rolling
    on it.
    """

    heights: Surface = setting(default=None)
    together: Surface = table(init=False)

    def __post_init__(self) -> None:
        given = self.heights
        if not isinstance(given, Surface) or given.components != 1:
            raise ModelError(f"HeightField: heights must be a Surface of one height over x and y, got {given!r}")
        h = given.z.reshape(given.x.size, given.y.size)
        x, h, slope_x, slope_y = _levelled(given.x, given.y, h, *np.gradient(h, given.x, given.y))
        y, *turned = _levelled(given.y, x, h.T, slope_y.T, slope_x.T)
        h, slope_y, slope_x = (part.T for part in turned)
        slope_x[[0, -1]] = 0.0  # at corners, too
        self.together = Surface(x, y, np.stack([h, slope_x, slope_y], axis=-1))

    def distance(self, x):
        height, slope_x, slope_y = self.together(x[0], x[1])
        up = 1.0 / np.sqrt(1.0 + slope_x * slope_x + slope_y * slope_y)
        return (x[2] - height) * up, np.array([-slope_x * up, -slope_y * up, up])


def _levelled(x, y, h, slope_x, slope_y) -> tuple[np.ndarray, ...]:
    """Heights and slopes with a parabola at both ends of x, on which the slope along x falls to zero."""
    part = np.arange(1, LEVELLING + 1)[:, None] / LEVELLING  # of the way
    parts = [(x[:, None], h, slope_x, slope_y)]
    for end, way in ((0, x[0] - x[1]), (-1, x[-1] - x[-2])):
        height = h[end] + way * (part - 0.5 * part**2) * slope_x[end]
        more = x[end] + way * part, height, (1.0 - part) * slope_x[end], np.gradient(height, y, axis=1)
        parts.insert(0, tuple(rows[::-1] for rows in more)) if end == 0 else parts.append(more)
    places, *rest = (np.concatenate(rows) for rows in zip(*parts, strict=True))
    return places[:, 0], *rest


def _round(across, radius, hollow: bool) -> tuple[Any, np.ndarray]:
    away = np.sqrt(dot(across, across) + SMALLEST_DISTANCE_2)
    outwards = across / away
    return (radius - away, -outwards) if hollow else (away - radius, outwards)
