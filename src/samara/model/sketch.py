"""What an element that shows itself is given to draw on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from samara.model.frames.node import Node
from samara.model.quantities.placement import Placement


class Sketch(Protocol):
    """Takes the shapes of elements: surfaces around rings of points, boxes, joints. Points in node axes [m]."""

    def pose(self, node: Node) -> Placement:
        """Of a node, as the simulation stands."""
        ...

    def skin(
        self,
        kind: str,
        rings: Sequence[tuple[Node, Any]],
        *,
        of: Sequence[Node] = (),
        bodies: bool = False,
        outer: bool = False,
        inner: bool = False,
        stations: Sequence[float] = (),
    ) -> None:
        """A surface around rings of points, (node, corners (n, 3)), all turning the same way; its ends are closed.

        kind:   blade, wing, beam or hull. of: the nodes whose part this is.
        bodies: whether bodies on these nodes are shown by it, and need no box of their own.
        outer:  whether it hides an inner skin of the same nodes; inner: whether it is such a one.
        stations: where the element's outputs along it are known, from 0 at the first ring to 1 at the last, equal parts
                from ring to ring.
        """
        ...

    def box(self, node: Node, place: Placement, size: Any) -> None:
        """A box of these sides [m], its centre and axes in the node."""
        ...

    def joint(self, node: Node, point: Any) -> None:
        """A joint at a point of a node."""
        ...

    def vector(self, output: str, node: Node, place: Placement | None = None) -> None:
        """An output of the element with three components, in the axes of a place in a node; it is shown from there."""
        ...
