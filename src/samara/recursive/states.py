"""Scalar states in explicit form: their equations solved for the highest derivatives, of algebraic ones for the value.

The sum of what elements give for a state is zero. Those sums must be linear in what is to be found; they are solved one
after the other in the order in which they depend on each other, and those that depend on each other together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from samara.model import State
from samara.recursive.tree import TreeError
from samara.tracing import Expr, Graph, select, tangents
from samara.tracing.linking import link


def solve_states(
    graph: Graph, states: Sequence[State], balances: Mapping[str, int], unknown: Mapping[str, Any]
) -> tuple[dict[str, int], dict[int, int]]:
    """{state: node of what was found}, and {node of the unknown: the same}.

    unknown: names of the inputs that stand for what is to be found.
    """
    if not states:
        return {}, {}
    names = [state.name for state in states]
    inputs = [graph.input(unknown[name]) for name in names]
    seeds = {node: {("z", k): graph.const(1.0)} for k, node in enumerate(inputs)}
    slopes = tangents(graph, [balances[name] for name in names], seeds)
    coupled = [[direction[1] for direction in slope] for slope in slopes]
    known: dict[int, int] = {}
    for block in _blocks(coupled):
        for k in block:
            if k not in coupled[k] and len(block) == 1:
                raise TreeError(
                    f"state {names[k]!r} (order {states[k].order}): its equation does not contain "
                    f"{_what(states[k])}, so it cannot be solved for it: take the redundant formulation"
                )
        mine = {inputs[k] for k in block}
        wanted = [slopes[k].get(("z", j), graph.const(0.0)) for k in block for j in block]
        if mine & set(graph.live(wanted)):
            raise TreeError(
                f"state {names[block[0]]!r} (order {states[block[0]].order}): its equation is not linear in "
                f"{_what(states[block[0]])}: take a dynamic model of it, or the redundant formulation"
            )
        start = {**known, **{i: graph.const(0.0) for i in mine}}
        A = link(graph, graph, wanted, graph.input, known)
        b = link(graph, graph, [balances[names[k]] for k in block], graph.input, start)
        matrix = np.array([Expr(graph, a) for a in A], dtype=object).reshape(len(block), len(block))
        found = solve_linear(matrix, [-Expr(graph, x) for x in b], by_size=True)
        known |= {inputs[k]: x.id for k, x in zip(block, found, strict=True)}
    return {name: known[node] for name, node in zip(names, inputs, strict=True)}, known


def _what(state: State) -> str:
    return ("its value", "its rate", "its second derivative")[state.order]


def _blocks(coupled: Sequence[Sequence[int]]) -> list[list[int]]:
    """States that depend on each other, in an order in which each block needs only those before it."""
    n = len(coupled)
    rows = [k for k in range(n) for _ in coupled[k]]
    columns = [j for found in coupled for j in found]
    matrix = csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(n, n))
    count, label = connected_components(matrix, connection="strong")
    members: list[list[int]] = [[] for _ in range(count)]
    for k in range(n):
        members[label[k]].append(k)
    needs = [{label[j] for k in block for j in coupled[k]} - {label[block[0]]} for block in members]
    done: list[int] = []
    while len(done) < count:
        ready = [c for c in range(count) if c not in done and needs[c] <= set(done)]
        done += ready
    return [members[c] for c in done]


def solve_linear(A: np.ndarray, b: list[Any], by_size: bool = False) -> list[Any]:
    """Gauss; zeros that are known are passed over.

    by_size: whether the largest pivot of each column is taken, found as the numbers are, by selections in the graph.
    Definite matrices need none; what is constant costs none.
    """
    A, x = _eliminated(A, b, by_size)
    n = len(x)
    for k in reversed(range(n)):
        for j in range(k + 1, n):
            x[k] = x[k] - A[k, j] * x[j]
        x[k] = x[k] / A[k, k]
    return x


def relative_pivots(A: np.ndarray) -> list[Any]:
    """Of a definite matrix: what Gauss leaves of each diagonal entry, 1 to 0; a small one shows that it is singular."""
    left, _ = _eliminated(A, [], False)
    lost = [_is_zero(A[k, k]) or _is_zero(left[k, k]) for k in range(len(A))]
    return [0.0 if lost[k] else left[k, k] / A[k, k] for k in range(len(A))]


def _eliminated(A: np.ndarray, b: Sequence[Any], by_size: bool) -> tuple[np.ndarray, list[Any]]:
    """An upper triangle, and the right-hand side with it."""
    n, A, x = len(A), A.copy(), list(b)
    for k in range(n):
        pivot = next((i for i in range(k, n) if not _is_zero(A[i, k])), k)
        if pivot != k:
            A[[k, pivot]] = A[[pivot, k]]
            if x:
                x[k], x[pivot] = x[pivot], x[k]
        for i in range(k + 1, n):
            if by_size and not _is_zero(A[i, k]):
                larger = abs(A[i, k]) > abs(A[k, k])
                A[k], A[i] = select(larger, A[i].copy(), A[k].copy()), select(larger, A[k].copy(), A[i].copy())
                x[k], x[i] = select(larger, x[i], x[k]), select(larger, x[k], x[i])
        for i in range(k + 1, n):
            if not _is_zero(A[i, k]):
                factor = A[i, k] / A[k, k]
                A[i, k:] = A[i, k:] - factor * A[k, k:]
                if x:
                    x[i] = x[i] - factor * x[k]
    return A, x


def _is_zero(x: Expr) -> bool:
    return x.graph.value(x.id) == 0.0
