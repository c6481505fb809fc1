"""Prescribed motions that jump: the velocities after it.

Where a drive makes a joint, or a prescribed node, move otherwise from one moment to the next, nothing else acts in no
time but the reactions of joints. They leave alone the momenta of the degrees of freedom, so the speeds after the jump
are those that take all bodies as little as possible from what they did, by their inertia:

    sum_i |eta_i - eta_i(-)|^2_Mi -> min,     eta_i = J_i s + what is prescribed

which one pass of the articulated bodies solves, with momenta in the place of forces. Where a place jumps too,
coordinates follow by the same equation, with the way in the place of the rate (`samara.solve.tree.jumps`), and bodies
go on with the velocities that they had in the world, as far as joints allow; so they do in the redundant formulation.

    twists   block -> velocities in world axes of all that has mass
    kick     block with these, and drives as after the jump -> speeds, in the places of the results
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from samara.model import Drive, Parameter
from samara.model.schema.drives import Expression, Input
from samara.recursive.dynamics.articulated import ArticulatedBodies
from samara.recursive.dynamics.recursion import carried_on, own_twist
from samara.recursive.dynamics.spatial import Wrench
from samara.recursive.graph.kernel import TreeGraph
from samara.recursive.tree import Segment
from samara.system.kernels.signals import is_fixed
from samara.tracing.kernels.lanes import Function, Place


def twists(graph: TreeGraph) -> Function:
    """Velocity of each segment that has mass, and its angular velocity, in world axes."""
    inertias, _ = graph.inertias()
    outputs: list[tuple[Place, int]] = []
    for number in sorted(inertias):
        motion, R = graph.recursion.motions[number], graph.recursion.world_pose(number).R
        velocity = R @ motion.v + graph.recursion.carrier(number)
        for value in (*velocity, *(R @ motion.w)):
            outputs.append((Place("lane", 0, graph.block.kept + len(outputs)), graph.number_of(value)))
    return Function("twists", graph.graph, outputs)


def kick(graph: TreeGraph) -> Function:
    """Speeds that go with these velocities as well as prescribed motions allow."""
    recursion = graph.recursion
    inertias, _ = graph.inertias()
    forces: dict[int, Wrench] = {}
    for k, number in enumerate(sorted(inertias)):
        R = recursion.world_pose(number).R
        before = np.array(graph.lanes(graph.block.kept + 6 * k, 6), dtype=object)
        f, n = inertias[number].times(R.T @ before[:3], R.T @ before[3:])
        forces[number] = -f, -n
    own = {s.number: own_twist(s, graph.speed(s)) for s in graph.tree.segments if not s.free}

    def under(segment: Segment, found: Sequence[Wrench]) -> Any:
        pose = recursion.motions[segment.number].pose
        if segment.parent >= 0:
            return carried_on(pose, *found[segment.parent])
        base = recursion.base(segment.base)
        return carried_on(pose, base.v, base.w)

    speeds = ArticulatedBodies(recursion, inertias).answer(forces, own, under)
    outputs = [
        (Place("lane", 0, graph.block.results + s.v + k), graph.number_of(value))
        for s in graph.tree.free_segments
        for k, value in enumerate(speeds[s.number])
    ]
    return Function("kick", graph.graph, outputs)


def may_jump(drive: Drive) -> bool:
    """Whether a drive or its rate may jump: one with known jumps or bends, that is fed or tuned, or a function."""
    if isinstance(drive, (Expression, Input)) or drive.jumps() or drive.bends():
        return True
    inside = drive.objects()
    return any(isinstance(x, Parameter) or (isinstance(x, Drive) and may_jump(x)) for x in inside)


def prescribing(graph: TreeGraph) -> list[tuple[Drive, int]]:
    """Drives that prescribe motion and may change, with how many of value, rate, ... jump velocities or places."""
    found = []
    for segment in graph.tree.segments:
        if segment.drive is not None and not is_fixed(segment.drive):
            found.append((segment.drive, 2))
        if segment.rate is not None and not is_fixed(segment.rate):
            found.append((segment.rate, 1))
    for element in graph.tree.cut:
        found += [(leaf, 2) for leaf in element.objects() if isinstance(leaf, Drive) and not is_fixed(leaf)]
    return found
