"""What native code takes of a tree: its block of numbers, its kernels, and the table of its integrator."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.recursive.compiled import CompiledTree
from samara.solve.tree.long import LongMachine, long_machine, no_long_tree
from samara.solve.tree.schemes import TreeIntegrator

#: Words of `status`: whether the results in the block are of its present numbers.
FRESH = 0


class TreeMachine(NamedTuple):
    """A tree in the driver's hands; of a model in redundant coordinates all arrays are empty, and `method` is 0."""

    block: np.ndarray
    before: np.ndarray  # the block at the beginning of the step
    parameters: np.ndarray
    indices: np.ndarray
    copies: np.ndarray  # (place in the state, place in the block)
    moving: np.ndarray  # (place, place of its derivative, level) of each number that is integrated
    factors: np.ndarray  # of the derivatives, and weights of the errors
    corrected: np.ndarray  # (place, place of its correction, level) of each number that closing loops corrects
    balls: np.ndarray  # (place of the quaternion, place of the angular velocity)
    table: np.ndarray  # of the integrator
    slopes: np.ndarray  # derivatives at the stages: of the numbers, then of the balls' rotation vectors
    turned: np.ndarray  # quaternions at the beginning of the step
    status: np.ndarray
    long: LongMachine  # of a tree that is treated by kinds of segments
    forward: int
    place: int
    reactions: int
    project: int  # 0 without loops
    method: int
    order: int


def no_tree() -> TreeMachine:
    """Of a model in redundant coordinates."""
    empty, table = np.zeros(0), np.zeros((0, 0))
    pairs, triples = np.zeros((0, 2), np.int64), np.zeros((0, 3), np.int64)
    return TreeMachine(
        empty, empty, empty, np.zeros(0, np.uint32), pairs, triples, table, triples, pairs, table, table, table,
        np.zeros(1, np.int64), no_long_tree(), 0, 0, 0, 0, 0, 0,
    )  # fmt: skip


def tree_machine(compiled: CompiledTree, integrator: TreeIntegrator, length: float) -> TreeMachine:
    """Arrays of a compiled tree, and the formula of an integrator. length: size of the mechanism [m]."""
    moving, balls = compiled.moving(), np.array(compiled.balls(), np.int64).reshape(-1, 2)
    places = np.array([(x, dx, level) for x, dx, _, level in moving], np.int64).reshape(-1, 3)
    factors = np.zeros((len(moving), 2))
    factors[:, 0] = [factor for _, _, factor, _ in moving]
    factors[:, 1] = _weights(compiled, places, length)
    room = len(moving) + 3 * len(balls)
    names = ("forward", "place", "reactions", "project")
    forward, place, reactions, project = (compiled.addresses.get(name, 0) for name in names)
    corrected = np.array(compiled.corrected(), np.int64).reshape(-1, 3)
    return TreeMachine(
        compiled.block, compiled.block.copy(), compiled.parameters, compiled.indices, compiled.copies, places, factors,
        corrected, balls, integrator.table(), np.zeros((integrator.stages, max(room, 1))), np.zeros((len(balls), 4)),
        np.zeros(1, np.int64), long_machine(compiled), forward, place, reactions, project,
        integrator.method, integrator.order,
    )  # fmt: skip


def _weights(compiled: CompiledTree, places: np.ndarray, length: float) -> np.ndarray:
    """Of errors: lengths by the size of the mechanism, angles in rad, states by their scale; of speeds none."""
    at = compiled.places
    found = np.zeros(len(places))
    of = {
        at.coordinates + s.q: 1.0 / length if s.freedom.kind == "slide" else 1.0
        for s in compiled.tree.segments
        if s.drive is None and s.freedom.kind != "ball"
    }
    of |= {at.state(state.name): 1.0 / state.scale for state in compiled.graph.states if state.order}
    for k, (place, _, _) in enumerate(places):
        found[k] = of.get(int(place), 0.0)
    return found
