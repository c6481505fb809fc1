"""Mass matrix and inverse dynamics of a tree without forming what cancels: composite bodies, and one pass each way.

The sums of the body decomposition (`recursive.dynamics.decomposition`) say what H and h are; every body adds to n^2
entries of them. The same numbers cost less along the tree:

    I_c = I + sum X^T I_c X of the children,     H_ij = S_j^T X_ji^T I_c,i S_i        from the inside of i to the base
    f = I a + f_own + sum X^T f of the children,  effort = S^T f

Source: R. Featherstone, Rigid Body Dynamics Algorithms, 2008, chapters 5 and 6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from samara.recursive.dynamics.inertia import Inertia
from samara.recursive.dynamics.recursion import Recursion, own_twist
from samara.recursive.dynamics.spatial import Wrench, add_wrench, wrench_from
from samara.recursive.graph.kernel import TreeGraph
from samara.recursive.tree import Segment
from samara.rotations.scalars import Scalar


def composite_mass_matrix(graph: TreeGraph) -> np.ndarray:
    """H, shape (n, n), of numbers of the graph or plain zeros."""
    recursion, n = graph.recursion, graph.tree.speeds
    H = np.full((n, n), 0.0, dtype=object)
    carried: dict[int, Inertia] = dict(graph.inertias()[0])
    for motion in reversed(recursion.motions):
        segment = motion.segment
        inertia = carried.get(segment.number)
        if inertia is None:
            continue
        if segment.free:
            for k, unit in enumerate(np.eye(segment.freedom.speeds)):
                wrench = inertia.times(*own_twist(segment, unit))
                for at, value in efforts_inward(recursion, segment, wrench):
                    H[segment.v + k, at] = H[at, segment.v + k] = value
        if segment.parent >= 0:
            seen = inertia.seen_from(motion.pose.R, motion.pose.p)
            up = segment.parent
            carried[up] = carried[up] + seen if up in carried else seen
    return H


def recursive_efforts(graph: TreeGraph, rates: Sequence[Scalar]) -> list[Scalar]:
    """Efforts on the freedoms that make these rates of the speeds, H s_dot + h."""
    recursion, tree = graph.recursion, graph.tree
    inertias, forces = graph.inertias()
    for number, wrench in graph.load_graph()[0].items():
        add_wrench(forces, number, wrench)
    accelerations: list[Wrench] = []
    gravity = graph.gravity if graph.gravity is not None else np.zeros(3)
    for motion in recursion.motions:
        segment = motion.segment
        own = (
            rates[segment.v : segment.v + segment.freedom.speeds] if segment.free else graph.known_acceleration(segment)
        )
        dv, dw = recursion.under(segment, accelerations, gravity)
        more = own_twist(segment, own)
        accelerations.append((dv + motion.bias[0] + more[0], dw + motion.bias[1] + more[1]))
        if segment.number in inertias:
            add_wrench(forces, segment.number, inertias[segment.number].times(*accelerations[-1]))
    found: list[Scalar] = [0.0] * tree.speeds
    for number, effort in generalised(recursion, forces).items():
        segment = tree.segments[number]
        found[segment.v : segment.v + segment.freedom.speeds] = effort
    return found


def generalised(recursion: Recursion, forces: Mapping[int, Wrench]) -> dict[int, list[Scalar]]:
    """Efforts on the freedoms that wrenches on segments amount to, J^T F."""
    acting: dict[int, Wrench] = dict(forces)
    found: dict[int, list[Scalar]] = {}
    for motion in reversed(recursion.motions):
        segment = motion.segment
        wrench = acting.get(segment.number)
        if wrench is None:
            continue
        if segment.free:
            found[segment.number] = on_freedom(segment, wrench)
        if segment.parent >= 0:
            add_wrench(acting, segment.parent, wrench_from(motion.pose, *wrench))
    return found


def efforts_inward(recursion: Recursion, segment: Segment, wrench: Wrench) -> list[tuple[int, Scalar]]:
    """(place among the speeds, effort) of a wrench on a segment, on its own freedom and on all inside of it."""
    found: list[tuple[int, Any]] = []
    while True:
        if segment.free:
            found += [(segment.v + k, x) for k, x in enumerate(on_freedom(segment, wrench))]
        if segment.parent < 0:
            return found
        wrench = wrench_from(recursion.motions[segment.number].pose, *wrench)
        segment = recursion.tree.segments[segment.parent]


def on_freedom(segment: Segment, wrench: Wrench) -> list[Scalar]:
    """S^T F."""
    kind, i = segment.freedom.kind, segment.freedom.axis
    force, moment = wrench
    if kind == "ball":
        return list(moment)
    if kind == "screw":
        return [segment.sign * (segment.freedom.pitch * force[i] + moment[i])]
    return [segment.sign * (moment[i] if kind == "turn" else force[i])]
