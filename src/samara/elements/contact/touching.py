"""A surface on one node, and something round on another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from samara.elements.contact.shapes import BallShape, ContactShape, Nearest, contact_axes
from samara.elements.contact.surfaces import ContactSurface, PlaneSurface
from samara.elements.families import Placed
from samara.model import Frame, Grip, Node, record
from samara.rotations import dot

PLANE, POINT = PlaneSurface(), BallShape()


def require_movable(nodes: Sequence[Node]) -> None:
    """Refuses an impact of nodes that all move as told, or not at all: it could push nothing."""
    names = [node.name for node in nodes]
    if not any(node.free for node in nodes):
        raise ValueError(
            f"nodes {' and '.join(map(repr, names))} have prescribed motion or are fixed, so the "
            f"contact cannot move anything: put it on a free node, or remove it"
        )


class Touching(Placed):
    """Base of contacts between a surface on node a and a rounded shape on node b.

    surface: a `ContactSurface` in the frame `place_a`; by default `PlaneSurface()`, whose outside is +z there.
    shape:   a `ContactShape` in the frame `place_b`; by default a point, `BallShape()`.

    With `at` and `axis` both frames are placed there in the reference pose: a plane through that point, normal to that
    axis, and a point or ball at it.
    """

    grip = Grip.NONE

    surface: ContactSurface = record(default=PLANE, of=ContactSurface, such_as="PlaneSurface()")
    shape: ContactShape = record(default=POINT, of=ContactShape, such_as="BallShape(0.1)")

    def nearest(self, a: Frame, b: Frame) -> Nearest:
        """Where they are nearest, from the nodes' frames."""
        return self.shape.nearest(self.surface, a.at(self.place_a), b.at(self.place_b))

    def speeds(self, a: Frame, b: Frame) -> list[Any]:
        """Of b's surface against a's where they are nearest: along the normal, then along two tangents [m/s].

        Tangents are those of the normal as the surface sees it: of a plane its own x and y, whatever moves on it.
        """
        found = self.nearest(a, b)
        v = b.velocity(b.see(found.point)) - a.velocity(a.see(found.point))
        seen = a.at(self.place_a).R
        u = seen.T @ v
        return [dot(axis, u) for axis in contact_axes(seen.T @ found.normal)]
