"""An element's equations in the graph of a tree.

The graph of its kind was made on frames of nodes; here these inputs are what the recursion gives, relative ones along
the tree, so that what is common to both ways is not computed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.model import Element, Node, State
from samara.model.schema.specs import PlacementSpec
from samara.recursive.tree import TreeError, rounded_entry
from samara.rotations.scalars import Scalar, Vector
from samara.system.kernels.kinds import Kind
from samara.system.layout.groups import Group
from samara.system.memory.blocks import ACC, CARRIER, ETA, POSITION, ROTATION, Coefficient
from samara.tracing import Expr
from samara.tracing.expressions.linking import link
from samara.tracing.kernels.lanes import Place

if TYPE_CHECKING:
    from samara.recursive.graph.kernel import TreeGraph

Accelerations = Sequence[tuple[Vector, Vector]]


@dataclass(frozen=True)
class NodeAcceleration:
    """A component of a node's acceleration, before it is known: equations of states may look at it, loads may not."""

    node: str
    component: int


class Linker:
    """An element's graph in that of the tree: what its inputs are there."""

    def __init__(
        self,
        tree: TreeGraph,
        element: Element,
        group: Group,
        k: int,
        states: Callable[[State, int], int],
        accelerations: Accelerations | None,
    ) -> None:
        self.tree, self.element, self.kind = tree, element, group.kind
        self._accelerations = accelerations
        self.multipliers: list[Expr] = []  # values of its own, where its equations are to have them
        self._states = states
        self._leaves = element.leaves()
        self._placements = _placement_leaves(element)
        self._nodes = element.nodes()
        width = group.par.shape[2]
        self._par = group.par[k // width, :, k % width]

    def residual(self) -> list[tuple[tuple, int]]:
        kind = self.kind
        functions = {f.name: f for f in kind.functions}
        if "residual" not in functions:
            return []
        function = functions["residual"]
        found = link(
            self.tree.graph, function.graph, [node for _, node in function.outputs], self._read, self._relatives()
        )
        return [(_row(kind, place), value) for (place, _), value in zip(function.outputs, found, strict=True)]

    def multiplier_rows(self, level: str) -> list[Expr]:
        """Its constraints: "residual" for their values, "velocity" or "acceleration"."""
        function = next((f for f in self.kind.functions if f.name == level), None)
        rows = [self.tree.expr(0.0)] * self.kind.multiplier_count
        if function is None:
            return rows
        own = [(place, node) for place, node in function.outputs if _row(self.kind, place)[0] == "multiplier"]
        found = link(self.tree.graph, function.graph, [n for _, n in own], self._read, self._relatives())
        for (place, _), value in zip(own, found, strict=True):
            rows[place.position] = Expr(self.tree.graph, value)
        return rows

    def touch(self) -> list[Expr]:
        """Of a contact: gap, speeds, friction and restitution."""
        function = next(f for f in self.kind.functions if f.name == "touch")
        found = link(self.tree.graph, function.graph, [n for _, n in function.outputs], self._read, self._relatives())
        return [Expr(self.tree.graph, value) for value in found]

    def reactions(self, node: Node) -> list[np.ndarray]:
        """What a unit of each multiplier adds to the equations of a node."""
        kind = self.kind
        function = next(f for f in kind.functions if f.name == "jacobian")
        columns = [np.full(6, 0.0, dtype=object) for _ in range(kind.multiplier_count)]
        which = self._nodes.index(node)
        wanted = [
            (row[2], column[2], value)
            for (row, column), (_, value) in zip(kind.entries, function.outputs, strict=True)
            if row[:2] == ("node", which) and column[0] == "lam"
        ]
        found = link(self.tree.graph, function.graph, [v for *_, v in wanted], self._read, self._relatives())
        for (c, k, _), value in zip(wanted, found, strict=True):
            columns[k][c] = Expr(self.tree.graph, value)
        return columns

    def _relatives(self) -> dict[int, int]:
        """Poses and twists against the last node, along the tree."""
        known: dict[int, int] = {}
        recursion = self.tree.recursion
        for node, ids in zip(self._nodes, self.kind.relatives, strict=False):
            last = self._nodes[-1]
            pose = recursion.relative_pose(node, last)
            twist = recursion.relative_twist(node, last)
            values = [*pose.R.ravel(), *pose.p]
            if twist is not None:
                V = recursion.node_carrier(node) - recursion.node_carrier(last)
                more = recursion.node_pose(last).R.T @ V
                values += [*(twist[0] + more), *twist[1]]
            known |= {i: self.tree.number_of(v) for i, v in zip(ids, values, strict=False)}
        return known

    def _read(self, place: Place) -> int:
        slots, (kind, slot, position) = self.kind.places, place
        tree = self.tree
        if kind == "node":
            return tree.number_of(self._node(self._nodes[slot], position))
        if kind == "state":
            states = self.element.states()
            return self._states(states[slot - slots.state(0)], position)
        if kind == "parameter":
            which = self.kind.parameter_leaves[position]
            value = float(self._par[position])
            if which in self._placements:
                value = rounded_entry(value)
            return tree.number_of(tree.number(self._leaves[which], value))
        if kind == "flat" and slot >= slots.signal(0):
            drive = self._leaves[self.kind.signal_leaves[slot - slots.signal(0)]]
            return tree.number_of(tree.drive(drive)[position])
        if kind == "coefficient" and position == Coefficient.TIME:
            return tree.lane(tree.block.time).id
        if kind == "coefficient" and position in (Coefficient.MOVING, Coefficient.PER_POSE, Coefficient.TIED_RATES):
            return tree.graph.const(1.0)
        if kind == "flat" and slot == slots.multipliers:
            return self.multipliers[position].id if self.multipliers else tree.graph.const(0.0)
        raise TreeError(
            f"element {self.element.name!r} ({self.kind.name}) reads what the recursive formulation does not have: "
            "take the redundant formulation"
        )

    def _node(self, node: Node, position: int) -> Scalar:
        recursion = self.tree.recursion
        if position < POSITION:
            return recursion.node_pose(node).R.ravel()[position - ROTATION]
        if position < ETA:
            return recursion.node_pose(node).p[position - POSITION]
        if position < ACC:
            return np.concatenate(recursion.node_twist(node))[position - ETA]
        if CARRIER <= position < CARRIER + 3:
            return recursion.node_carrier(node)[position - CARRIER]
        if self._accelerations is not None:
            return np.concatenate(recursion.node_acceleration(node, self._accelerations))[position - ACC]
        asked = NodeAcceleration(node.name, position - ACC)
        return Expr(self.tree.graph, self.tree.graph.input(asked))


def _placement_leaves(element: Element) -> set[int]:
    """Which of its numbers are those of placements: of these rounding is taken off, so that zeros and ones are such."""
    found: set[int] = set()
    first = 0
    for name, spec in element.specs().items():
        count = len(spec.leaves(getattr(element, name)))
        if isinstance(spec, PlacementSpec):
            found |= set(range(first, first + count))
        first += count
    return found


def _row(kind: Kind, place: Place) -> tuple[str, int, int]:
    """Which equation a row is of: of a node, of a state, or of a multiplier."""
    slots = kind.places
    if place.kind == "row":
        return "node", place.slot - slots.row(0), place.position
    if place.slot >= slots.state_row(0) and slots.states:
        return "state", place.slot - slots.state_row(0), 0
    return "multiplier", 0, place.position
