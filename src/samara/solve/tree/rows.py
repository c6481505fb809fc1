"""Whose a number is that a tree integrates, in words: rows of `TreeMachine.moving`, then of the balls' rotations."""

from __future__ import annotations

from typing import NamedTuple

from samara.model import Node, State
from samara.recursive.native.compiled import CompiledTree
from samara.recursive.tree import Segment


class Owner(NamedTuple):
    """A joint, a node that floats or a scalar state, by name, and the node or state itself."""

    name: str
    part: Node | State


def owner_of_row(compiled: CompiledTree, row: int) -> Owner | None:
    """Of a row; None for one that there is not."""
    graph, at = compiled.graph, compiled.places
    places = [place for place, *_ in graph.moving()]
    places += [place for place, _ in graph.balls() for _ in range(3)]
    if not 0 <= row < len(places):
        return None
    for segment in compiled.tree.segments:
        coordinates = range(segment.q, segment.q + 1) if segment.q >= 0 else range(0)
        speeds = range(segment.v, segment.v + segment.freedom.speeds) if segment.v >= 0 else range(0)
        if places[row] - at.coordinates in coordinates or places[row] - at.speeds in speeds:
            return _of_segment(segment)
    state = next(s for s in graph.states if places[row] - at.state(s.name) in (0, 1))
    return Owner(f"state {state.name!r}", state)


def _of_segment(segment: Segment) -> Owner:
    if segment.joint is None:
        return Owner(f"node {segment.node.name!r}", segment.node)
    return Owner(f"joint {segment.joint.name!r}", segment.node)


def singular_joint(compiled: CompiledTree, number: int, when: str) -> str:
    """That the constraints of the joint of a node, of those that hang on others, repeat each other."""
    hanging = compiled.tree.hangings[number]
    names = ", ".join(repr(element.name) for element in hanging.elements)
    return (
        f"model {compiled.tree.model.name!r}: the constraints of {names} between {hanging.mother.name!r} and "
        f"{hanging.node.name!r} repeat each other {when}, so what each of them holds is not determined: leave one out, "
        "or take a pose in which they differ"
    )
