"""Loops closed by the constraints of cut joints, index reduced.

A cut joint is not part of the tree; its constraints g(q, t) = 0 are enforced by multipliers:

    H s_dot + h + G^T lambda = tau,      g_ddot = G s_dot + gamma = 0

The articulated bodies answer a unit of each multiplier with accelerations, so that lambda follows from as many linear
equations as there are multipliers, E lambda = -g_ddot(lambda = 0), E = -G H^-1 G^T. This enforces accelerations only;
the drift is removed after each step by the smallest correction in the metric of H, in coordinates and in speeds,

    dq = -H^-1 G^T (G H^-1 G^T)^-1 g,      ds = -H^-1 G^T (G H^-1 G^T)^-1 g_dot
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.model import Node
from samara.recursive.dynamics.articulated import ArticulatedBodies
from samara.recursive.dynamics.spatial import Wrench, add_wrench, wrench_from
from samara.recursive.graph.states import solve_linear
from samara.rotations import dot
from samara.rotations.scalars import Scalar
from samara.tracing import Expr

if TYPE_CHECKING:
    from samara.recursive.graph.kernel import TreeGraph

Rates = dict[int, list[Scalar]]


class Closures:
    """The cut joints of a tree at an instant: what their multipliers do, and what they must do."""

    def __init__(self, graph: TreeGraph, bodies: ArticulatedBodies) -> None:
        self.graph = graph
        self.columns: list[list[tuple[Node, np.ndarray]]] = []  # of each multiplier: what it adds to nodes
        for element in graph.tree.cut:
            linker = graph.linker(element, _no_states)
            sides = [(node, linker.reactions(node)) for node in element.nodes() if graph.moves(node)]
            for k in range(graph.system.multiplier_count(element)):
                self.columns.append([(node, found[k]) for node, found in sides])
        self._answers = [bodies.response(self._forces(column)) for column in self.columns]
        self._matrix = self._compliance()

    def _forces(self, column: Sequence[tuple[Node, np.ndarray]]) -> dict[int, Wrench]:
        forces: dict[int, Wrench] = {}
        for node, wrench in column:
            at = self.graph.tree.attached[node.name]
            add_wrench(forces, at.segment, wrench_from(at.pose, wrench[:3], wrench[3:]))
        return forces

    def _compliance(self) -> np.ndarray:
        """E_jk: rate of constraint j by multiplier k; symmetric."""
        n = len(self.columns)
        E = np.empty((n, n), dtype=object)
        for k, (_, accelerations) in enumerate(self._answers):
            for j in range(k + 1):
                total: Any = 0.0
                for node, wrench in self.columns[j]:
                    moved = self.graph.recursion.carried(node, accelerations)
                    total = total + dot(wrench[:3], moved[0]) + dot(wrench[3:], moved[1])
                E[j, k] = E[k, j] = self.graph.expr(total)
        return E

    @property
    def compliance(self) -> np.ndarray:
        """E, as nodes of the graph."""
        return self._matrix

    def multipliers(self, missing: Sequence[Any]) -> list[Expr]:
        """Those that take away what is missing at constraints."""
        return solve_linear(self._matrix, [self.graph.expr(-1.0 * x) for x in missing])

    def answered(self, multipliers: Sequence[Scalar], rates: Mapping[int, Sequence[Scalar]] | None = None) -> Rates:
        """Rates of the speeds, with what multipliers add to them."""
        found: Rates = {}
        for segment in self.graph.tree.free_segments:
            k = segment.number
            found[k] = [0.0] * segment.freedom.speeds if rates is None else list(rates[k])
            for multiplier, (answer, _) in zip(multipliers, self._answers, strict=True):
                found[k] = [x + multiplier * y for x, y in zip(found[k], answer[k], strict=True)]
        return found

    # ---- what constraints say
    def values(self) -> list[Scalar]:
        """g; zero where only rates are held."""
        return self._rows("residual", None)

    def rates(self) -> list[Scalar]:
        """g_dot, and constraints of rates."""
        return self._rows("velocity", None)

    def accelerations(self, rates: Mapping[int, Sequence[Scalar]]) -> list[Scalar]:
        """g_ddot with these rates of the speeds."""
        return self._rows("acceleration", self.graph.recursion.accelerations(rates))

    def _rows(self, level: str, accelerations: Any) -> list[Scalar]:
        found: list[Scalar] = []
        for element in self.graph.tree.cut:
            held = self.graph.system.find(element)[0].kind.constraint_count
            rows = self.graph.linker(element, _no_states, accelerations).multiplier_rows(level)
            found += [x if level != "residual" or k < held else 0.0 for k, x in enumerate(rows)]
        return found


def _no_states(state: Any, part: int) -> int:
    raise AssertionError("a joint without friction has no states")
