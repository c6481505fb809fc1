"""Implicit formulas for trees: those of an `Integrator`, on coordinates, balls and scalar states.

A number x of second order, a coordinate or a state, has a rate x' and a second derivative that the tree gives:

    x = x_known + c0 x',     x' = x'_known + x''(x, x') / c2

one of first order, a state or a coordinate whose rate is prescribed, has x = x_known + c0 x' with x' = f(x), and its
second derivative from the formula. A ball is turned from its last attitude by theta = theta_known + c0 w, as nodes are
in the redundant formulation. What is known of a step is said by the integrator alone (`integrators.walks`).

Unknowns of Newton's method are the rates. The columns of its dense matrix

    1 - (c0 d/dx + d/dx') x'' / c2,     of first order 1 - c0 df/dx

are derivatives of the tree along the motion that a unit of a rate makes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.recursive.native import functions
from samara.recursive.native.compiled import CompiledTree
from samara.recursive.tree import TreeError
from samara.solve.integrators import Integrator
from samara.solve.integrators.walks import TURNS, load_tree_walk
from samara.solve.native.ownership import Solver
from samara.system.memory.blocks import STATE_SIZE
from samara.tracing.kernels import native

#: Columns of `numbers`: places in the block of value, rate and second derivative; directions of value and rate in the
#: kernel of derivatives, the first of which is also the number's row among all that are integrated; where that kernel
#: writes what changes of the highest derivative.
VALUE_AT, RATE_AT, SECOND_AT, VALUE_ALONG, RATE_ALONG, CHANGE_AT, COLUMNS = range(7)
#: Where there is none.
NONE = -1
#: Columns of `sizes`.
OF_VALUE, OF_RATE = range(2)


class ImplicitMachine(NamedTuple):
    """What implicit formulas take besides; arrays are empty for explicit ones. Their past is `TreeMachine.slopes`."""

    numbers: np.ndarray  # see `VALUE_AT` and its neighbours
    factors: np.ndarray  # of the derivatives of numbers of first order
    sizes: np.ndarray  # of values and of rates, below which corrections do not count
    kept: np.ndarray  # the past as the step began
    present: np.ndarray  # value, rate and highest derivative, before inputs have changed
    x: np.ndarray  # residual, then correction of the rates
    found: np.ndarray  # correction as it was found, and
    taken: np.ndarray  # as it is taken
    block: np.ndarray  # a block, a direction, and what it changes
    direction: np.ndarray  # where directions begin, where changes begin
    matrix: Solver
    pivots: Solver
    address: np.ndarray  # of derivatives along a direction, of predict and correct


def no_implicit() -> ImplicitMachine:
    """Of an explicit formula."""
    empty, table, one = np.zeros(0), np.zeros((0, 0)), np.zeros(0, np.int64)
    return ImplicitMachine(
        numbers=np.zeros((0, COLUMNS), np.int64), factors=empty, sizes=table, kept=table, present=table, x=empty,
        found=empty, taken=empty, block=empty, direction=one, matrix=table, pivots=one, address=one,
    )  # fmt: skip


def implicit_machine(compiled: CompiledTree, scheme: Integrator, length: float) -> ImplicitMachine:
    """Arrays and the kernels of derivatives and formulas. length: size of the mechanism [m]."""
    if compiled.long is not None:
        raise TreeError(
            f"model {compiled.tree.model.name!r} has too long a tree for an implicit integrator: use "
            f"RungeKutta4(), or the redundant formulation"
        )
    asked = functions.along(compiled.graph)
    along, walk = native.load("tree along", [asked.function], 1, asked.shape), load_tree_walk(scheme)
    known = {kernel.key for kernel in compiled.system.kernels}
    compiled.system.kernels += [kernel for kernel in (along, walk) if kernel.key not in known]
    numbers, factors, sizes = _numbers(compiled, length)
    count = len(numbers)
    return ImplicitMachine(
        numbers=numbers, factors=factors, sizes=sizes, kept=np.zeros((count, STATE_SIZE)),
        present=np.zeros((count, 3)), x=np.zeros(count), found=np.zeros(count), taken=np.zeros(count),
        block=np.zeros(asked.inputs + asked.outputs),
        direction=np.array([compiled.places.size, asked.inputs], np.int64), matrix=np.zeros((count, count)),
        pivots=np.zeros(count, np.int64),
        address=np.array([along.addresses["along"], walk.addresses["predict"], walk.addresses["correct"]], np.int64),
    )  # fmt: skip


def past_of(own: ImplicitMachine) -> np.ndarray:
    """Room for the past of each number, as a scalar state has it; those of balls are increments."""
    past = np.zeros((len(own.numbers), STATE_SIZE))
    past[:, TURNS] = own.numbers[:, VALUE_AT] == NONE
    return past


def _numbers(compiled: CompiledTree, length: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Places and directions of all numbers, factors of their derivatives, their sizes."""
    graph, at = compiled.graph, compiled.places
    moving, sizes = graph.moving(), _sizes(compiled, length)
    row_of = {place: k for k, (place, *_) in enumerate(moving)}
    integrated = {rate for _, rate, _, _ in moving if rate in row_of}
    rows, factors, of_rows = [], [], []

    def change_at(place: int) -> int:
        return place - at.results if at.results <= place < at.multipliers else NONE

    def second_order(value: int, rate: int, along: int) -> None:
        second = moving[row_of[rate]][1]
        rows.append((value, rate, second, along, row_of[rate], change_at(second)))
        factors.append(1.0)
        of_rows.append((sizes.get(value, 1.0), sizes[rate]))

    for k, (value, rate, factor, _) in enumerate(moving):
        if rate in row_of:
            second_order(value, rate, k)
        elif value not in integrated and not at.speeds <= value < at.efforts:
            rows.append((value, rate, NONE, k, NONE, change_at(rate)))
            factors.append(factor)
            of_rows.append((sizes[value], np.inf))
    for ball, (_, spin) in enumerate(graph.balls()):
        for c in range(3):
            second_order(NONE, spin + c, len(moving) + 3 * ball + c)
    return np.array(rows, np.int64).reshape(-1, COLUMNS), np.array(factors, float), np.array(of_rows).reshape(-1, 2)


def _sizes(compiled: CompiledTree, length: float) -> dict[int, float]:
    """By place: that of the mechanism for lengths, 1 rad for angles, these in a second for speeds; scales of states."""
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
    return sizes
