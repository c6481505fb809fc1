"""A wall: a surface on a node, for many bodies to touch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from samara.elements.contact.surfaces import ContactSurface, CylinderSurface, PlaneSurface, RoundSurface, SphereSurface
from samara.elements.families import frame_about
from samara.model import ModelError, Node, Placement, as_placement
from samara.model.quantities.placement import as_vector

#: Surfaces that a wall may have: their distances change by no more than a point moves.
KINDS = (PlaneSurface, SphereSurface, CylinderSurface)


PLANE = PlaneSurface()


@dataclass(frozen=True, eq=False)
class Wall:
    """A surface for the bodies of `Contacts` to touch.

    node:    its node: the ground, a prescribed node, or a free one.
    surface: a `PlaneSurface()`, by default, a `SphereSurface` or a `CylinderSurface`.
    place:   its frame on the node; or `at`, a point, and `axis`, its z axis, both in axes of the node. A plane is z = 0
             there, with the outside at z > 0.
    """

    node: Node
    surface: ContactSurface = PLANE
    place: Any = None
    at: Any = None
    axis: Any = None

    def __post_init__(self) -> None:
        if not isinstance(self.node, Node):
            raise ModelError(
                f"Wall: node must be the object returned by model.node(...), or model.ground, got {self.node!r}"
            )
        if not isinstance(self.surface, KINDS):
            raise ModelError(
                f"Wall: surface must be a PlaneSurface, SphereSurface or CylinderSurface, got "
                f"{self.surface!r}: for other surfaces give each body its own Contact"
            )
        if self.place is not None and (self.at is not None or self.axis is not None):
            raise ModelError("Wall: give either place, or at and axis, not both")
        if self.at is not None or self.axis is not None:
            point = as_vector((0, 0, 0) if self.at is None else self.at, "Wall: at")
            try:
                place = Placement(point, frame_about(self.axis))
            except ValueError as error:
                raise ModelError(f"Wall: {error}") from None
            object.__setattr__(self, "place", place)
        object.__setattr__(self, "place", as_placement(self.place, "Wall: place"))
        self.surface.validate()

    @property
    def hollow(self) -> bool:
        """Whether things are inside it."""
        return isinstance(self.surface, RoundSurface) and self.surface.hollow
