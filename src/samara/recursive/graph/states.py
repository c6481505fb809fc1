"""Scalar states in explicit form: their equations solved for the highest derivatives, of algebraic ones for the value.

The sum of what elements give for a state is zero. Those sums must be linear in what is to be found; they are solved one
after the other in the order in which they depend on each other, and those that depend on each other together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components, maximum_bipartite_matching

from samara.model import Junction, State
from samara.recursive.tree import TreeError
from samara.tracing import Expr, Graph, select, tangents
from samara.tracing.expressions.linking import link


def solve_states(
    graph: Graph,
    states: Sequence[State],
    balances: Mapping[str, int],
    unknown: Mapping[str, Any],
    attached: Callable[[State], str],
) -> tuple[dict[str, int], dict[int, int]]:
    """{state: node of what was found}, and {node of the unknown: the same}.

    unknown: names of the inputs that stand for what is to be found. attached: the elements at a state, for messages.
    """
    if not states:
        return {}, {}
    names = [state.name for state in states]
    inputs = [graph.input(unknown[name]) for name in names]
    seeds = {node: {("z", k): graph.const(1.0)} for k, node in enumerate(inputs)}
    slopes = tangents(graph, [balances[name] for name in names], seeds)
    coupled = [[direction[1] for direction in slope] for slope in slopes]
    row = _rows_of(coupled)
    if -1 in row:
        k = row.index(-1)
        raise TreeError(
            f"{_told(states[k], attached)}: no equation contains {_what(states[k])}, so it cannot be solved for it: "
            "take the redundant formulation"
        )
    known: dict[int, int] = {}
    for block in _blocks([coupled[row[k]] for k in range(len(names))]):
        mine = {inputs[k] for k in block}
        wanted = [slopes[row[k]].get(("z", j), graph.const(0.0)) for k in block for j in block]
        if mine & set(graph.live(wanted)):
            raise TreeError(_not_linear(states[block[0]], attached))
        start = {**known, **{i: graph.const(0.0) for i in mine}}
        A = link(graph, graph, wanted, graph.input, known)
        b = link(graph, graph, [balances[names[row[k]]] for k in block], graph.input, start)
        matrix = np.array([Expr(graph, a) for a in A], dtype=object).reshape(len(block), len(block))
        found = solve_linear(matrix, [-Expr(graph, x) for x in b], by_size=True)
        known |= {inputs[k]: x.id for k, x in zip(block, found, strict=True)}
    return {name: known[node] for name, node in zip(names, inputs, strict=True)}, known


def _told(state: State, attached: Callable[[State], str]) -> str:
    kind = "junction" if isinstance(state, Junction) else "state"
    return f"{kind} {state.name!r} (order {state.order}, at {attached(state)})"


def _not_linear(state: State, attached: Callable[[State], str]) -> str:
    """What is wrong with an equation, and what helps."""
    remedy = "take a dynamic model of it, or the redundant formulation"
    if isinstance(state, Junction):
        remedy = (
            "put there what stores what flows, a Volume, a Capacitor or a HeatCapacity, so that the value follows from "
            "what is kept, or take the redundant formulation"
        )
    return f"{_told(state, attached)}: its equation is not linear in {_what(state)}: {remedy}"


def _rows_of(coupled: Sequence[Sequence[int]]) -> list[int]:
    """The equation that each state is found by, -1 where there is none: one that contains it, and no other state's.

    Mostly its own; a junction that a source holds is found by the equation of the source, whose inflow is found by the
    balance of the junction. Which of several choices is taken does not matter to the blocks (Dulmage and Mendelsohn).
    """
    n = len(coupled)
    if all(k in coupled[k] for k in range(n)):
        return list(range(n))
    return maximum_bipartite_matching(_incidence(coupled), perm_type="row").tolist()


def _incidence(coupled: Sequence[Sequence[int]]) -> csr_matrix:
    rows = [k for k, found in enumerate(coupled) for _ in found]
    columns = [j for found in coupled for j in found]
    return csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(coupled), len(coupled)))


def _what(state: State) -> str:
    return ("its value", "its rate", "its second derivative")[state.order]


def _blocks(coupled: Sequence[Sequence[int]]) -> list[list[int]]:
    """States that depend on each other, in an order in which each block needs only those before it."""
    n = len(coupled)
    count, label = connected_components(_incidence(coupled), connection="strong")
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
    """Gauss, in the graph as `complementarity.dense` does in numbers; zeros that are known are passed over.

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
