"""Reactions of a tree: the multipliers of its joints, from the tips to the base.

Whatever acts on a node beside its joints is handed inward; the multipliers of the joint that it hangs on balance it.
They are those of the redundant formulation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.model import Element, State
from samara.recursive.dynamics.spatial import wrench_from
from samara.recursive.graph.linker import Accelerations, Linker
from samara.recursive.graph.states import solve_linear
from samara.recursive.tree import Hanging
from samara.rotations import dot
from samara.tracing import Expr
from samara.tracing.kernels.lanes import Function, Place

if TYPE_CHECKING:
    from samara.recursive.graph.kernel import TreeGraph


def reactions(graph: TreeGraph) -> Function:
    """Multipliers of the joints of the tree. Index rows, after those of `place`: the first one of each joint."""
    found = {s.number: graph.lanes(graph.block.results + s.v, s.freedom.speeds) for s in graph.tree.free_segments}
    accelerations = graph.recursion.accelerations(found)
    acting = _acting(graph, accelerations)
    outputs: list[tuple[Place, int]] = []
    for hanging in reversed(graph.tree.hangings):
        wrench = acting.get(hanging.node.name, np.full(6, 0.0, dtype=object))
        if not hanging.elements:
            continue
        outputs += _multipliers(graph, hanging, wrench)
        if hanging.mother.free:
            pose = graph.recursion.relative_pose(hanging.node, hanging.mother)
            handed = np.concatenate(wrench_from(pose, wrench[:3], wrench[3:]))
            name = hanging.mother.name
            acting[name] = acting[name] + handed if name in acting else handed
    first = graph.block.multipliers
    for element in graph.tree.cut:
        slot, count = _reaction_slot(graph, element), graph.system.multiplier_count(element)
        outputs += [(Place("output", slot, k), graph.lane(first + k).id) for k in range(count)]
        first += count
    return Function("reactions", graph.graph, outputs)


def _acting(graph: TreeGraph, accelerations: Accelerations) -> dict[str, np.ndarray]:
    """What the equations of each node have beside reactions, in its axes."""

    def state(state: State, part: int) -> int:
        place = graph.known_part(state, part)
        if place is None:
            place = Place("lane", 0, graph.block.state_result(state.name))
        return graph.graph.input(place)

    acting: dict[str, np.ndarray] = {}
    first = graph.block.multipliers
    for element in [*graph.loads, *graph.tree.bodies, *graph.tree.cut]:
        linker = graph.linker(element, state, accelerations)
        linker.multipliers = graph.lanes(first, graph.system.multiplier_count(element))
        first += len(linker.multipliers)
        _add_residual(graph, acting, linker)
    push = graph.block.pushes
    for element in graph.contacts:
        linker = graph.linker(element, state, accelerations)
        linker.multipliers = graph.lanes(push, graph.system.multiplier_count(element))
        push += len(linker.multipliers)
        _add_residual(graph, acting, linker)
    return acting


def _add_residual(graph: TreeGraph, acting: dict[str, np.ndarray], linker: Linker) -> None:
    """What an element adds to the equations of free nodes."""
    nodes = linker.element.nodes()
    for (what, which, c), value in linker.residual():
        if what == "node" and nodes[which].free:
            wrench = acting.setdefault(nodes[which].name, np.full(6, 0.0, dtype=object))
            wrench[c] = wrench[c] + Expr(graph.graph, value)


def _multipliers(graph: TreeGraph, hanging: Hanging, wrench: np.ndarray) -> list[tuple[Place, int]]:
    """Of the joint, and of what prescribes its freedoms: the solution of B lambda = -wrench, by least squares."""
    columns: list[np.ndarray] = []
    places: list[Place] = []
    for element in hanging.elements:
        linker = graph.linker(element, lambda state, part: graph.graph.const(0.0))
        slot = _reaction_slot(graph, element)
        for k, column in enumerate(linker.reactions(hanging.node)):
            columns.append(column)
            places.append(Place("output", slot, k))
    if not columns:
        return []
    normal = np.empty((len(columns), len(columns)), dtype=object)
    for i, a in enumerate(columns):
        for j in range(i, len(columns)):
            normal[i, j] = normal[j, i] = graph.expr(dot(a, columns[j]))
    found = solve_linear(normal, [graph.expr(-dot(a, wrench)) for a in columns])
    return [(place, graph.number_of(value)) for place, value in zip(places, found, strict=True)]


def _reaction_slot(graph: TreeGraph, element: Element) -> int:
    held = [*graph.tree.holding, *graph.tree.cut]
    return len(graph.tree.order) + len(graph.states) + held.index(element)  # type: ignore[arg-type]
