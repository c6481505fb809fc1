"""Contacts of a tree: gaps, speeds, and what forces at contacts do, as one native function.

    u = G s + drift,     s(+) = s(-) + H^-1 G^T p,     W = G H^-1 G^T (Delassus)

G: rates of gaps and slips by the speeds of the tree, p: impulses [N s]. The articulated bodies answer a unit of each
with a row of `answers`, (H^-1 G^T)^T. Both are sparse: a contact moves only the trees that its nodes belong to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from samara.model import Element
from samara.recursive.dynamics.articulated import ArticulatedBodies
from samara.recursive.dynamics.spatial import Wrench, add_wrench, wrench_from
from samara.recursive.graph.composite import generalised
from samara.recursive.graph.kernel import TreeGraph
from samara.rotations.scalars import Scalar
from samara.tracing.kernels.lanes import Function, Place


@dataclass(frozen=True)
class ContactPlaces:
    """Where the function writes, in an array of its own.

    heads: of each contact, (gap, friction, restitution) side by side. speeds: of the first row of each contact.
    counts: rows of each, one or three. sides: of each contact the trees that it is between, by the number of their
    first segment; -1 for what carries none. jacobian, answers: (row, speed of the tree, place) of what is not zero.
    """

    heads: np.ndarray
    speeds: np.ndarray
    counts: np.ndarray
    sides: np.ndarray
    jacobian: np.ndarray
    answers: np.ndarray
    size: int


def touch(graph: TreeGraph) -> tuple[Function, ContactPlaces]:
    """The function of all contacts of a tree, and its places."""
    slot = graph.shape().slots - 1  # its index row is zero
    inertias, _ = graph.inertias()
    bodies = ArticulatedBodies(graph.recursion, inertias)
    outputs: list[tuple[Place, int]] = []
    heads: list[int] = []
    speeds: list[int] = []
    counts: list[int] = []
    jacobian: list[tuple[int, int, int]] = []
    answers: list[tuple[int, int, int]] = []

    def put(value: Scalar) -> int:
        outputs.append((Place("output", slot, len(outputs)), graph.number_of(value)))
        return len(outputs) - 1

    def put_row(row: int, rates: Mapping[int, list[Scalar]], into: list[tuple[int, int, int]]) -> None:
        for at, value in _entries(graph, rates):
            into.append((row, at, put(value)))

    for element in graph.contacts:
        gap, *own, friction, restitution = graph.touch_of(element)
        heads.append(put(gap))
        put(friction)
        put(restitution)
        speeds.append(len(outputs))
        for speed in own:
            put(speed)
        first = sum(counts)
        counts.append(len(own))
        for k, forces in enumerate(_unit_forces(graph, element)):
            put_row(first + k, generalised(graph.recursion, forces), jacobian)
            put_row(first + k, bodies.response(_opposite(forces))[0], answers)
    places = ContactPlaces(
        np.array(heads, np.int64), np.array(speeds, np.int64), np.array(counts, np.int64), _sides(graph),
        np.array(jacobian, np.int64).reshape(-1, 3), np.array(answers, np.int64).reshape(-1, 3), len(outputs),
    )  # fmt: skip
    return Function("touch", graph.graph, outputs), places


def _sides(graph: TreeGraph) -> np.ndarray:
    """The trees that each contact is between; loops may join any of them to any other."""
    segments = graph.tree.segments

    def root(number: int) -> int:
        while segments[number].parent >= 0:
            number = segments[number].parent
        return 0 if graph.tree.cut else number

    found = [
        [root(graph.tree.attached[node.name].segment) if graph.moves(node) else -1 for node in element.nodes()]
        for element in graph.contacts
    ]
    return np.array(found, np.int64).reshape(-1, 2)


def _unit_forces(graph: TreeGraph, element: Element) -> list[dict[int, Wrench]]:
    """What a unit of each force of a contact does to segments, in outer axes: positive along the speeds."""
    linker = graph.linker(element, _no_states)
    found: list[dict[int, Wrench]] = [{} for _ in range(graph.system.multiplier_count(element))]
    for node in element.nodes():
        if not graph.moves(node):
            continue
        at = graph.tree.attached[node.name]
        for k, column in enumerate(linker.reactions(node)):
            add_wrench(found[k], at.segment, wrench_from(at.pose, -column[:3], -column[3:]))
    return found


def _opposite(forces: Mapping[int, Wrench]) -> dict[int, Wrench]:
    """As the articulated bodies take them: what is needed, not what acts."""
    return {k: (-f, -n) for k, (f, n) in forces.items()}


def _entries(graph: TreeGraph, rates: Mapping[int, list[Scalar]]) -> Iterator[tuple[int, Scalar]]:
    """(speed of the tree, value) of what is not zero by what the tree is."""
    for segment in graph.tree.free_segments:
        for k, value in enumerate(rates.get(segment.number, ())):
            if graph.graph.value(graph.number_of(value)) != 0.0:
                yield segment.v + k, value


def _no_states(state: object, part: int) -> int:
    raise AssertionError("a contact has no states")
