"""Unknowns of a system and their equations: numbered in the kernels' order and in the linear solver's order.

Kernels number nodes as they are stored, W abreast, with gaps where a group is not full; then come the scalar
states, the multipliers, the forces of pools, which no equation contains, and space that unused lanes write to, the
trash. The linear solver numbers them without gaps,
from 0 to size - 1: six of each node, states, multipliers.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np

from samara.model import Element, Model, ModelError, Node
from samara.system.layout.batches import Batch
from samara.system.layout.layout import INDEX_LIMIT, Layout


class Unknowns:
    """Rows of all equations, which are also the columns of their unknowns.

    rows:  row of each unknown of the linear solver.
    dense: the inverse map; -1 where there is no unknown.
    """

    def __init__(self, model: Model, layout: Layout, batches: Sequence[Batch]) -> None:
        self._layout = layout
        w = layout.width
        self.state_rows = layout.free_groups * 6 * w
        self.multiplier_rows = self.state_rows + layout.state_groups * w
        self.trash = self.multiplier_rows + layout.multiplier_count + layout.force_count
        self.room = self.trash + max(6 * w, max((b.kind.multiplier_count for b in batches), default=0))
        if self.room > INDEX_LIMIT:
            raise ModelError(f"model {model.name!r} is too large for 32-bit indices")
        self.rows = np.concatenate(
            [
                (self.first_rows(layout.free)[:, None] + np.arange(6) * w).ravel(),
                self.state_rows + np.arange(len(layout.states)),
                self.multiplier_rows + np.arange(layout.multiplier_count),
            ]
        )
        self.size = self.rows.size
        self.dense = np.full(self.room, -1, dtype=np.int64)
        self.dense[self.rows] = np.arange(self.size)
        held = [b for b in batches if not b.pooled]
        holders = [e for b in held for e in b.elements for _ in range(b.kind.multiplier_count)]
        self._holders = holders
        self._first_multiplier: dict[str, int] = {}
        for k, element in enumerate(holders):
            self._first_multiplier.setdefault(element.name, k)

    def row(self, node: Node) -> int:
        """First row of a node (component i is i * W further on); the trash for a node without unknowns."""
        if not node.free:
            return self.trash
        w, k = self._layout.width, self._layout.node_index[node.name]
        return (k // w) * 6 * w + k % w

    def first_rows(self, nodes: Sequence[Node]) -> np.ndarray:
        """First rows of many nodes."""
        w, lanes = self._layout.width, self._layout.lanes(nodes)
        return np.where([node.free for node in nodes], (lanes // w) * 6 * w + lanes % w, self.trash)

    def node(self, node: Node) -> np.ndarray:
        """The six rows of a node with unknowns."""
        return self.row(node) + np.arange(6) * self._layout.width

    def first(self, node: Node) -> int:
        """Number, in the linear solver, of a node's first of six unknowns."""
        return int(self.dense[self.row(node)])

    def state_row(self, name: str) -> int:
        """Row of a scalar state."""
        return self.state_rows + self._layout.state_index[name]

    @property
    def multipliers(self) -> slice:
        """Rows of all multipliers."""
        return slice(self.multiplier_rows, self.multiplier_rows + self._layout.multiplier_count)

    def rows_of(self, element: Element, multiplier_count: int) -> np.ndarray:
        """Rows of an element's free nodes, states and multipliers."""
        found = [row for n in element.nodes() if n.free for row in self.node(n)]
        found += [self.state_row(state.name) for state in element.states()]
        first = self.multiplier_rows + self._first_multiplier.get(element.name, 0)
        return np.array([*found, *range(first, first + multiplier_count)], np.int64)

    @functools.cached_property
    def together(self) -> np.ndarray:
        """A number for each unknown of the linear solver, equal for the six unknowns of a node."""
        nodes = 6 * len(self._layout.free)
        return np.concatenate([np.arange(nodes) // 6, np.arange(nodes, self.size)])

    def holder(self, number: int) -> str | None:
        """Name of the element to which a multiplier of the linear solver belongs; None for other unknowns."""
        k = number - self._layout.coordinates
        return self._holders[k].name if k >= 0 else None

    def owner(self, number: int) -> str:
        """Describes in words what an unknown of the linear solver belongs to."""
        nodes, states = 6 * len(self._layout.free), self._layout.states
        if number < nodes:
            return f"node {self._layout.free[number // 6].name!r}"
        if number < self._layout.coordinates:
            return f"state {states[number - nodes].name!r}"
        return f"element {self._holders[number - self._layout.coordinates].name!r}"
