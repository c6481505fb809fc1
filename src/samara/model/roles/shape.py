"""What an element looks like and how far it reaches. Asked by the scene, and by the size of a mechanism."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from samara.model.element import Element
from samara.model.frames.node import Node
from samara.model.quantities.placement import Placement
from samara.model.schema.fields import NODE
from samara.model.schema.specs import PlacementSpec
from samara.model.sketch import Sketch

Points = list[tuple[Node, np.ndarray]]


class Drawn(Element):
    """Shows its shape."""

    def draw(self, sketch: Sketch) -> None:
        """Its solid shape; nothing by default."""

    def polyline(self) -> Points:
        """(node, point in its axes [m]) from one end to the other: what a line drawing of it joins."""
        return ends(self)


class Extended(Element):
    """Knows where it acts: along the line of its places, also where these are on the ground, unless told otherwise."""

    def reach(self, among: float) -> list[np.ndarray]:
        """Points in the world where it acts, in the reference pose [m]: what the size of a mechanism is made of.

        among: mass of all bodies of the mechanism [kg].
        """
        return world_points(self, held=True)


def ends(element: Element) -> Points:
    """Places of an element on its nodes, (node, point in its axes [m])."""
    return [(node, np.zeros(3) if place is None else _point(place)) for node, place in _places(element)]


def polyline(element: Element) -> Points:
    """What a line drawing of an element joins, (node, point in its axes [m])."""
    return element.polyline() if isinstance(element, Drawn) else ends(element)


def reach(element: Element, among: float) -> list[np.ndarray]:
    """Points in the world where an element acts, in the reference pose [m].

    Where it is placed on the ground or on a prescribed node counts only for what says so itself: the frame of a plane,
    an axis or an elastic joint may be anywhere there, with another offset.
    """
    return element.reach(among) if isinstance(element, Extended) else world_points(element, held=False)


def world_points(element: Element, held: bool) -> list[np.ndarray]:
    """Places of an element on its nodes in the world [m]; held: also on those without unknowns."""
    found = []
    for node, place in _places(element):
        if node.free or held:
            found.append(node.place.point(place.position if isinstance(place, Placement) else np.zeros(3)))
    return found


def _places(element: Element) -> Iterator[tuple[Node, Any]]:
    """Its nodes, each with the place that a field of its name gives there, or None."""
    placed = {name for name, spec in element.specs().items() if isinstance(spec, PlacementSpec)}
    for name in element.marked(NODE):
        field = "place" if name == "n" else f"place_{name}"
        yield getattr(element, name), getattr(element, field) if field in placed else None


def _point(place: Any) -> np.ndarray:
    """Of a placement, or a bare point."""
    return np.asarray(place.position if isinstance(place, Placement) else place, float)
