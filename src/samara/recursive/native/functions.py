"""What a tree can be asked, as graphs: inverse dynamics, the sums of the body decomposition, derivatives.

All read the block of the tree; results lie after it. Inverse dynamics and derivatives read more behind the block: see
each.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.model import Node
from samara.model.roles.inertia import RigidMass, total_mass
from samara.recursive.argument_checks import HELD_ANSWER, LARGEST_OPENING, WEAK_DIAGONAL, mechanism_size
from samara.recursive.dynamics.articulated import ArticulatedBodies
from samara.recursive.dynamics.decomposition import Decomposition, decompose, local_jacobians
from samara.recursive.dynamics.inertia import Inertia
from samara.recursive.graph.closures import Closures
from samara.recursive.graph.composite import composite_mass_matrix, recursive_efforts
from samara.recursive.graph.kernel import TreeGraph
from samara.recursive.graph.states import relative_pivots
from samara.rotations import cross
from samara.tracing import Expr, select, tangents
from samara.tracing.kernels.lanes import Function, Place, Shape


@dataclass(frozen=True)
class Asked:
    """A function of a tree: it reads `inputs` numbers of a block, and writes `outputs` behind them."""

    function: Function
    shape: Shape
    inputs: int
    outputs: int


def _asked(graph: TreeGraph, name: str, values: Iterable[Any], inputs: int) -> Asked:
    nodes = [graph.number_of(v) for v in values]
    outputs = [(Place("lane", 0, inputs + k), node) for k, node in enumerate(nodes)]
    shape = Shape(parameters=max(1, len(graph.parameters)), block=inputs + len(nodes))
    return Asked(Function(name, graph.graph, outputs), shape, inputs, len(nodes))


def forward(graph: TreeGraph) -> Asked:
    """Rates of the speeds and highest derivatives of the states, behind the block."""
    found = graph.forward()
    values = [Expr(graph.graph, node) for _, node in found.outputs]
    return _asked(graph, "forward", values, graph.block.size)


def held(graph: TreeGraph) -> Asked:
    """The same of a tree with cut joints; behind it whether they are independent and closed.

    Of all constraints what Gauss leaves of their diagonal entries in E, as a part of those, and zero where the tree
    holds them already; then their values, lengths as parts of the size of the mechanism; then their rates, the same, as
    parts of 1 rad/s and all speeds together. At the end, how many of these are beyond `WEAK_DIAGONAL` and
    `LARGEST_OPENING`.
    """
    found = graph.forward()
    inertias, _ = graph.inertias()
    closures = Closures(graph, ArticulatedBodies(graph.recursion, inertias))
    E, size = closures.compliance, mechanism_size(graph.tree)
    mass = total_mass(graph.tree.bodies, RigidMass)
    turns = [_turns_only(graph, column) for column in closures.columns]
    scales = [1.0 if turn else 1.0 / size for turn in turns]
    speed: Any = 1.0
    for s in graph.tree.free_segments:
        part = 1.0 / size if s.freedom.kind == "slide" else 1.0
        speed = speed + part * sum(abs(x) for x in graph.speed(s))
    gaps = [scale * x for scale, x in zip(scales, closures.values(), strict=True)]
    rates = [scale * x / speed for scale, x in zip(scales, closures.rates(), strict=True)]
    answers = [abs(x) * mass * (size * size if turn else 1.0) for x, turn in zip(np.diag(E), turns, strict=True)]
    pivots = [select(a > HELD_ANSWER, x, 0.0) for a, x in zip(answers, relative_pivots(E), strict=True)]
    good = [x > WEAK_DIAGONAL for x in pivots] + [abs(x) <= LARGEST_OPENING for x in gaps + rates]
    beyond = sum(select(x, 0.0, 1.0) for x in good)  # what is not a number is not good
    values = [Expr(graph.graph, node) for _, node in found.outputs]
    return _asked(graph, "held", [*values, *pivots, *gaps, *rates, beyond], graph.block.size)


def _turns_only(graph: TreeGraph, column: Iterable[tuple[Node, np.ndarray]]) -> bool:
    """Whether a multiplier is a couple: its constraint is then of angles."""
    return all(graph.graph.value(graph.number_of(x)) == 0.0 for _, wrench in column for x in wrench[:3])


def project(graph: TreeGraph) -> Asked:
    """Changes of coordinates, as speeds would move them, and of speeds, that close cut joints; then their gaps.

    Gaps are values and rates of the constraints [m, rad, m/s, rad/s].
    """
    inertias, _ = graph.inertias()
    closures = Closures(graph, ArticulatedBodies(graph.recursion, inertias))
    changes = [Expr(graph.graph, node) for _, node in graph.project().outputs]
    return _asked(graph, "project", [*changes, *closures.values(), *closures.rates()], graph.block.size)


def inverse(graph: TreeGraph) -> Asked:
    """Efforts that make the rates of the speeds which stand in the results of the block: H s_dot + h."""
    rates = graph.lanes(graph.block.results, graph.tree.speeds)
    return _asked(graph, "inverse", recursive_efforts(graph, rates), graph.block.size)


def mass_matrix(graph: TreeGraph) -> Asked:
    """H, by rows."""
    return _asked(graph, "mass_matrix", np.ravel(composite_mass_matrix(graph)), graph.block.size)


def coriolis(graph: TreeGraph) -> Asked:
    """C, by rows."""
    return _asked(graph, "coriolis", np.ravel(_sums(graph).C), graph.block.size)


def bias(graph: TreeGraph) -> Asked:
    """h."""
    return _asked(graph, "bias", recursive_efforts(graph, [0.0] * graph.tree.speeds), graph.block.size)


def jacobian(graph: TreeGraph, node: Node) -> Asked:
    """J and J_dot of a node in its own axes, by rows."""
    J, J_dot = local_jacobians(graph.recursion).at(node)
    return _asked(graph, "jacobian", [*np.ravel(J), *np.ravel(J_dot)], graph.block.size)


def frame(graph: TreeGraph, node: Node) -> Asked:
    """Pose of a node in the world, R by rows and p, and its twist against the world in its own axes."""
    pose = graph.recursion.node_pose(node)
    v, w = graph.recursion.node_twist(node)
    v = v + pose.R.T @ graph.recursion.node_carrier(node)
    return _asked(graph, "frame", [*np.ravel(pose.R), *pose.p, *v, *w], graph.block.size)


def _sums(graph: TreeGraph) -> Decomposition:
    inertias: dict[int, Any] = {}
    weights: dict[int, Any] = {}
    for body, number, (mass, com, J) in graph.bodies():
        own = Inertia.of_body(mass, com, J).matrix()
        inertias[number] = inertias[number] + own if number in inertias else own
        if graph.gravity is None:
            g = np.array([graph.drive(d)[0] for d in body.gravity], dtype=object)
            weight = mass * (graph.recursion.world_pose(number).R.T @ g)
            wrench = np.concatenate([weight, cross(com, weight)])
            weights[number] = weights[number] + wrench if number in weights else wrench
    forces, _ = graph.load_graph()
    for number, (force, moment) in forces.items():
        wrench = -np.concatenate([force, moment])
        weights[number] = weights[number] + wrench if number in weights else wrench
    return decompose(graph.recursion, inertias, weights, np.zeros(3) if graph.gravity is None else graph.gravity)


def along(graph: TreeGraph) -> Asked:
    """Change of the results of `forward` along a direction that stands behind the block.

    Direction: of all that is integrated, in the order of `TreeGraph.moving`, of the balls' rotations in outer axes, of
    the efforts, and of the values of drives.
    """
    block, g = graph.block, graph.graph
    function = graph.forward()
    moving, balls, n = graph.moving(), graph.balls(), graph.tree.speeds
    first, one = block.size, ("along",)
    seeds: dict[int, dict] = {}

    def seed(place: int, value: Any) -> None:
        seeds[graph.lane(place).id] = {one: graph.number_of(value)}

    for k, (place, *_) in enumerate(moving):
        seed(place, graph.lane(first + k))
    first += len(moving)
    for q, _ in balls:
        w, x, y, z = graph.lanes(q, 4)
        a, b, c = graph.lanes(first, 3)
        turned = (-x * a - y * b - z * c, w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a)
        for k, value in enumerate(turned):
            seed(q + k, 0.5 * value)
        first += 3
    for k in range(n):
        seed(block.efforts + k, graph.lane(first + k))
    for k in range(block.drive_count):
        seed(block.drive_place(k), graph.lane(first + n + k))
    found = tangents(g, [node for _, node in function.outputs], seeds)
    values = [Expr(g, t[one]) if one in t else 0.0 for t in found]
    return _asked(graph, "along", values, first + n + block.drive_count)
