"""What there is to draw of a model besides its lines: blades and wings, beams, rigid bodies, joints.

Elements show themselves, see `Element.draw`. Sizes that a model does not know are those of the simplest part with the
same numbers: a beam has the rectangle with its ratios of stiffness, a rigid body the box with its mass and inertia.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from samara.model import Drawn, Node, Placement
from samara.scene.outline import Pen


@dataclass(frozen=True)
class Skin:
    """A surface around rings of points: neighbouring rings are joined by quads, the ends are closed.

    rings: numbers of the points, (sections, corners), all rings turning the same way; kind: blade, wing, beam or hull.
    stations: where outputs along it are known, from 0 at the first ring to 1 at the last, of its element and of beams
    in it, by their names.
    """

    name: str
    kind: str
    rings: np.ndarray
    stations: dict[str, np.ndarray]


@dataclass(frozen=True)
class Box:
    """A box fixed to a node: number of the node, -1 for the world; centre and axes in the node; sides [m]."""

    name: str
    node: int
    place: Placement
    size: np.ndarray


@dataclass
class Solids:
    """Joints: name and number of the point; vectors: channel, number of the node (-1: world), place in it."""

    skins: list[Skin] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    joints: list[tuple[str, int]] = field(default_factory=list)
    vectors: list[tuple[str, int, Placement]] = field(default_factory=list)


def solids(pen: Pen) -> Solids:
    """Of the pen's model; adds the points that it needs."""
    book = Sketchbook(pen)
    for element in pen.elements:
        book.name = element.name
        if isinstance(element, Drawn):
            element.draw(book)
    for name, ornament in pen.model.ornaments.items():
        book.name = name
        book.skin("hull", [(ornament.node, ring) for ring in ornament.rings], of=(ornament.node,), bodies=True)
    return book.solids()


@dataclass
class Sketchbook:
    """The shapes that elements have drawn so far; `name` is that of the element that draws. See `model.Sketch`."""

    pen: Pen
    name: str = ""
    _skins: list[tuple[str, str, Sequence[tuple[Node, Any]]]] = field(default_factory=list)
    _inner: dict[str, frozenset[str]] = field(default_factory=dict)
    _outer: dict[str, frozenset[str]] = field(default_factory=dict)
    _stations: dict[str, np.ndarray] = field(default_factory=dict)
    _bodies: set[str] = field(default_factory=set)
    _boxes: list[tuple[str, Node, Placement, np.ndarray]] = field(default_factory=list)
    _joints: list[tuple[str, Node, np.ndarray]] = field(default_factory=list)
    _vectors: list[tuple[str, Node, Placement]] = field(default_factory=list)

    def pose(self, node: Node) -> Placement:
        """Of a node, as the model stands."""
        return self.pen.pose(node)

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
        """A surface around rings of points."""
        self._stations[self.name] = np.asarray(stations, float)
        names = frozenset(node.name for node in of)
        self._skins.append((self.name, kind, rings))
        if outer:
            self._outer[self.name] = names
        if inner:
            self._inner[self.name] = names
        if bodies:
            self._bodies |= names

    def box(self, node: Node, place: Placement, size: Any) -> None:
        """A box fixed to a node."""
        self._boxes.append((self.name, node, place, np.asarray(size, float)))

    def joint(self, node: Node, point: Any) -> None:
        """A joint at a point of a node."""
        self._joints.append((self.name, node, np.asarray(point, float)))

    def vector(self, output: str, node: Node, place: Placement | None = None) -> None:
        """An output with three components, in the axes of a place in a node."""
        self._vectors.append((f"{self.name}.{output}", node, Placement() if place is None else place))

    def _along(self, name: str, rings: Sequence[tuple[Node, Any]]) -> dict[str, np.ndarray]:
        """Stations of a surface and of the beams that it hides, which may run the other way."""
        found, own = {name: self._stations[name]}, self._outer.get(name)
        for beam, _, inside in self._skins:
            if own is not None and self._inner.get(beam) == own:
                turned = inside[0][0].name == rings[-1][0].name
                found[beam] = 1.0 - self._stations[beam] if turned else self._stations[beam]
        return {owner: stations for owner, stations in found.items() if len(stations)}

    def solids(self) -> Solids:
        """What is to be seen: no beam inside a blade, no box of a body whose part has a shape already."""
        pen, found = self.pen, Solids()
        covered = set(self._outer.values())
        for name, kind, rings in self._skins:
            if self._inner.get(name) not in covered:
                numbers = [[pen.point(node, corner) for corner in corners] for node, corners in rings]
                found.skins.append(Skin(name, kind, np.array(numbers), self._along(name, rings)))
        for name, node, place, size in self._boxes:
            if node.name not in self._bodies:
                number = pen.number.get(node.name, -1)
                found.boxes.append(Box(name, number, place if number >= 0 else pen.pose(node) @ place, size))
        found.joints = [(name, pen.point(node, point)) for name, node, point in self._joints]
        for name, node, place in self._vectors:
            number = pen.number.get(node.name, -1)
            found.vectors.append((name, number, place if number >= 0 else pen.pose(node) @ place))
        return found
