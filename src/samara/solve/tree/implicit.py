"""Implicit formulas for trees: the two-step family, on coordinates, speeds and states.

    x_k = a1 x_(k-1) + a2 x_(k-2) + c0 f(x_k) + b1 f(x_(k-1)) + b2 f(x_(k-2))

A ball is turned from its last attitude by theta_k = c0 w_k + b1 w_(k-1) + b2 w_(k-2) - a2 theta_(k-1), as nodes are in
the redundant formulation. Newton's method with the exact derivatives of the tree, its matrix 1 - c0 df/dx dense, and
kept while corrections contract.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.recursive.native import functions
from samara.recursive.native.compiled import CompiledTree
from samara.recursive.tree import TreeError
from samara.solve.native.ownership import Solver
from samara.tracing.kernels import native

#: Rows of the past: numbers and derivatives a step and two steps before, what is known of the new ones, corrections.
X_1, F_1, X_2, F_2, KNOWN, STEP_BY, PAST = range(7)
#: Sources of a derivative's derivative: nothing, or the direction of a number (this and less).
NOTHING, DIRECTION = -1, -2


class ImplicitMachine(NamedTuple):
    """What implicit formulas take besides; arrays are empty for explicit ones."""

    block: np.ndarray  # a block, a direction, and what it changes
    direction: np.ndarray  # where directions begin, where changes begin
    sources: np.ndarray  # of each number: where the change of its derivative is found
    matrix: Solver
    pivots: Solver
    floors: np.ndarray  # sizes below which corrections do not count
    address: np.ndarray


def no_implicit() -> ImplicitMachine:
    """Of an explicit formula."""
    empty, one = np.zeros(0), np.zeros(0, np.int64)
    return ImplicitMachine(empty, one, one, np.zeros((0, 0)), one, empty, one)


def implicit_machine(compiled: CompiledTree, length: float) -> ImplicitMachine:
    """Arrays and the kernel of derivatives. length: size of the mechanism [m]."""
    if compiled.long is not None:
        raise TreeError(
            f"model {compiled.tree.model.name!r} is too long a tree for an implicit formula: take RungeKutta4(), or "
            "the redundant formulation"
        )
    graph, at = compiled.graph, compiled.places
    asked = functions.along(graph)
    loaded = native.load("tree along", [asked.function], 1, asked.shape)
    compiled.system.kernels.append(loaded)
    moving, balls = graph.moving(), graph.balls()
    where = {place: k for k, (place, *_) in enumerate(moving)}
    sources = []
    for _, derivative, _, _ in moving:
        if at.results <= derivative < at.multipliers:
            sources.append(derivative - at.results)
        else:
            sources.append(DIRECTION - where[derivative] if derivative in where else NOTHING)
    for _, w in balls:
        sources += [DIRECTION - where[w + c] for c in range(3)]
    size = len(sources)
    return ImplicitMachine(
        np.zeros(asked.inputs + asked.outputs),
        np.array([at.size, asked.inputs], np.int64),
        np.array(sources, np.int64),
        np.zeros((size, size)),
        np.zeros(size, np.int64),
        _floors(compiled, length),
        np.array([loaded.addresses["along"]], np.int64),
    )


def _floors(compiled: CompiledTree, length: float) -> np.ndarray:
    """Lengths by the size of the mechanism, angles by a radian, speeds by these in a second, states by their scale."""
    graph, at = compiled.graph, compiled.places
    sizes = {}
    for s in compiled.tree.segments:
        own = length if s.freedom.kind == "slide" else 1.0
        if s.drive is None:
            sizes[at.coordinates + s.q] = own
        if s.free:
            sizes |= {at.speeds + s.v + k: own for k in range(s.freedom.speeds)}
    for state in graph.states:
        sizes |= {at.state(state.name) + k: state.scale for k in range(2)}
    return np.array([sizes[place] for place, *_ in graph.moving()] + [1.0] * (3 * len(graph.balls())))
