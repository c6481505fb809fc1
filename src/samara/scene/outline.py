"""What there is to draw of a model: points that its elements hold on to, joined by lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from samara.model import Element, Model, Node, Placement
from samara.model.roles.shape import polyline
from samara.system.memory.blocks import POSITION, ROTATION, SIZE
from samara.system.system import System


@dataclass(frozen=True)
class Outline:
    """Points fixed to nodes, and pairs of points with a line between them.

    node:   number of the point's node among those that take part, shape (n,); -1 for a point that does not take part.
    offset: from the node, in its axes [m], shape (n, 3); of a point that does not take part its place in the world.
    lines:  numbers of the two points, shape (lines, 2).
    """

    node: np.ndarray
    offset: np.ndarray
    lines: np.ndarray

    def points(self, p: np.ndarray, R: np.ndarray) -> np.ndarray:
        """Places in the world [m], shape (n, 3), from the poses of the nodes, shapes (nodes, 3) and (nodes, 3, 3)."""
        found = self.offset.copy()
        own = self.node >= 0
        k = self.node[own]
        found[own] = p[k] + np.einsum("kij,kj->ki", R[k], self.offset[own])
        return found

    def scene(self, nodes: Sequence[str]) -> dict[str, Any]:
        """The same as JSON; see `samara.scene.scene`. nodes: names of those that take part."""
        drawn = {"node": self.node, "offset": self.offset.round(6), "lines": self.lines}
        return {"nodes": list(nodes), **{name: values.tolist() for name, values in drawn.items()}}

    def displacements(self, R: np.ndarray, shape: np.ndarray) -> np.ndarray:
        """Of the points in world axes, shape (n, 3), for small displacements and rotations of the nodes in their axes.

        u = R (xi + theta x offset)
        """
        found = np.zeros(self.offset.shape, dtype=shape.dtype)
        own = self.node >= 0
        k = self.node[own]
        local = shape[k, :3] + np.cross(shape[k, 3:], self.offset[own])
        found[own] = np.einsum("kij,kj->ki", R[k], local)
        return found


def shown(system: System) -> list[Node]:
    """The nodes whose poses are published: all that may move."""
    return [node for node in (*system.layout.free, *system.layout.held) if node.kind != "ground"]


class Poses:
    """Where the nodes of a system stand now: copied, so that what is drawn later is not drawn elsewhere."""

    def __init__(self, system: System) -> None:
        layout = system.layout
        self._row = layout.node_index
        lanes = np.r_[POSITION : POSITION + 3, ROTATION : ROTATION + 9] * layout.width
        rows = np.arange(1 + max(self._row.values(), default=-1))
        blocks = (rows // layout.width) * SIZE * layout.width + rows % layout.width
        self._table = system.arrays.state[blocks[:, None] + lanes]

    def __getitem__(self, node: Node) -> Placement:
        row = self._table[self._row[node.name]]
        return Placement(row[:3], row[3:].reshape(3, 3))


def outline(system: System, nodes: Sequence[Node] | None = None) -> Outline:
    """Of a system in its present pose: beams along their sections, all else from node to node by its frames.

    nodes: that take part; by default those with unknowns.
    """
    pen = Pen(system.model, system.layout.free if nodes is None else nodes, Poses(system))
    pen.draw_all()
    return pen.outline()


class Pen:
    """Collects points and lines, each once."""

    def __init__(self, model: Model, nodes: Sequence[Node], poses: Poses) -> None:
        self.model, self.elements, self.nodes = model, model.elements.values(), nodes
        self.poses = poses
        self.number = {node.name: k for k, node in enumerate(nodes)}
        self.node: list[int] = []
        self.offset: list[np.ndarray] = []
        self.lines: set[tuple[int, int]] = set()
        self._known: dict[tuple, int] = {}

    def pose(self, node: Node) -> Placement:
        """Of a node, as the model stands."""
        return self.poses[node]

    def point(self, node: Node, offset: np.ndarray) -> int:
        key = (node.name, *np.round(offset, 9))
        if key not in self._known:
            self._known[key] = len(self.node)
            if node.name not in self.number:
                offset = self.pose(node).point(offset)
            self.node.append(self.number.get(node.name, -1))
            self.offset.append(np.asarray(offset, float))
        return self._known[key]

    def outline(self) -> Outline:
        """What has been drawn so far."""
        return Outline(
            np.array(self.node, dtype=np.int64),
            np.array(self.offset).reshape(-1, 3),
            np.array(sorted(self.lines), dtype=np.int64).reshape(-1, 2),
        )

    def draw_all(self) -> None:
        """All elements, then the nodes that none of them drew."""
        for element in self.elements:
            self.draw(element)
        for node in self.nodes:
            self.point(node, np.zeros(3))

    def draw(self, element: Element) -> None:
        """From end to end; the way from the ground's origin to a frame on it is left out."""
        way: list[int] = []
        ends = polyline(element)
        for k, (node, offset) in enumerate(ends):
            there = self.point(node, offset)
            origin = there if node.kind == "ground" else self.point(node, np.zeros(3))
            way += [there, origin] if k else [origin, there]
            if 0 < k < len(ends) - 1:
                way.append(there)
        for a, b in pairwise(way):
            if a != b:
                self.lines.add((min(a, b), max(a, b)))
