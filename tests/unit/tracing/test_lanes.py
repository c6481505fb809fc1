"""Gather and scatter: every kind of place, full and padded groups, targets that coincide, rows side by side or not."""

import numpy as np
import pytest

from samara.tracing import Expr, Graph
from samara.tracing.kernels import native
from samara.tracing.kernels.lanes import LONG_SCATTER, Function, Place, Shape

WIDTHS = [1, 2, 4, 8]
BLOCK = 5  # components of a node in these tests


def reader(graph: Graph):
    return lambda *place: Expr(graph, graph.input(Place(*place)))


def node_start(k: int, width: int, size: int) -> int:
    """Where node k begins, stored W abreast."""
    return (k // width) * size * width + k % width


@pytest.fixture(params=["in order", "in order but padded", "shuffled", "all the same"])
def chosen_nodes(request, rng):
    """Which of 16 nodes each of the elements uses."""
    if request.param == "in order":
        return list(range(16))
    if request.param == "in order but padded":
        return list(range(11))
    if request.param == "shuffled":
        return [int(k) for k in rng.integers(0, 16, size=13)]
    return [3] * 9


@pytest.mark.parametrize("width", WIDTHS)
def test_nodes_are_gathered_and_rows_scattered(width, chosen_nodes, call_kernel, rng):
    """An element with one node: its rows get a x0 + x4, a x1; a flat number b is read beside, and a flat row added."""
    graph = Graph()
    read = reader(graph)
    x0, x1, x4 = (read("node", 0, i) for i in (0, 1, 4))
    a, b, t = read("parameter", 0, 0), read("flat", 2, 1), read("coefficient", 0, 1)
    outputs = [
        (Place("row", 1, 0), (a * x0 + x4).id),
        (Place("row", 1, 2), (a * x1).id),
        (Place("flatrow", 3, 1), (b * t).id),
        (Place("flatrow", 3, 0), (x0 + b).id),
    ]
    loaded = native.load("test", [Function("f", graph, outputs)], width, Shape(indices=4, parameters=1, slots=4))

    count, groups = len(chosen_nodes), -(-len(chosen_nodes) // width)
    flat_state, flat_row = 16 * BLOCK, 16 * 3
    trash = flat_row + 2 * count
    state = rng.normal(size=flat_state + 2 * count)
    idx = np.zeros((groups, 4, width), np.uint32)
    par = np.zeros((groups, 1, width))
    for k in range(groups * width):
        e, g, lane = min(k, count - 1), k // width, k % width
        n = chosen_nodes[e]
        idx[g, :, lane] = [
            node_start(n, width, BLOCK),
            node_start(n, width, 3) if k < count else trash,
            flat_state + 2 * e,
            flat_row + 2 * e if k < count else trash,
        ]
        par[g, 0, lane] = 1.0 + 0.1 * e
    before = rng.normal(size=trash + 3 * width)
    res, coef = before.copy(), np.array([9.0, 0.5])
    call_kernel(loaded.addresses["f"], groups, state=state, idx=idx, par=par, coef=coef, res=res)

    want = before.copy()
    for e, n in enumerate(chosen_nodes):
        at, row = node_start(n, width, BLOCK), node_start(n, width, 3)
        x0, x1, x4 = (state[at + i * width] for i in (0, 1, 4))
        b = state[flat_state + 2 * e + 1]
        want[row] += (1.0 + 0.1 * e) * x0 + x4
        want[row + 2 * width] += (1.0 + 0.1 * e) * x1
        want[flat_row + 2 * e] += x0 + b
        want[flat_row + 2 * e + 1] += b * 0.5
    np.testing.assert_allclose(res[:trash], want[:trash], rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("entries", [1, 7, LONG_SCATTER // 2 + 1])
def test_entries_are_added_even_where_they_coincide(width, entries, call_kernel, rng):
    """Jacobian entries: few (written out) and many (a loop), several lanes and entries on one target."""
    graph = Graph()
    read = reader(graph)
    x, y = read("node", 0, 0), read("node", 0, 1)
    outputs = [(Place("entry", 0, k), (x * float(k + 1) + y).id) for k in range(entries)]
    loaded = native.load("test", [Function("f", graph, outputs)], width, Shape(indices=1 + entries, slots=1))

    groups, size = 3, 11
    state = rng.normal(size=2 * groups * width)
    idx = np.zeros((groups, 1 + entries, width), np.uint32)
    for k in range(groups * width):
        idx[k // width, 0, k % width] = node_start(k, width, 2)
    idx[:, 1:] = rng.integers(0, size, size=(groups, entries, width))
    before = rng.normal(size=size)
    val = before.copy()
    call_kernel(loaded.addresses["f"], groups, state=state, idx=idx, val=val)

    want = before.copy()
    for g in range(groups):
        for lane in range(width):
            x, y = state[g * 2 * width + lane], state[g * 2 * width + width + lane]
            for k in range(entries):
                want[idx[g, 1 + k, lane]] += x * (k + 1) + y
    np.testing.assert_allclose(val, want, rtol=1e-12)


@pytest.mark.parametrize("width", WIDTHS)
def test_outputs_are_stored_not_added(width, call_kernel, rng):
    graph = Graph()
    read = reader(graph)
    x = read("flat", 0, 0)
    outputs = [
        (Place("output", 1, 0), (2.0 * x).id),
        (Place("output", 1, 1), graph.const(7.0)),
        (Place("flatrow", 2, 0), x.id),
    ]
    loaded = native.load("test", [Function("f", graph, outputs)], width, Shape(indices=3))
    groups = 2
    count = groups * width
    state = rng.normal(size=count)
    numbers = np.arange(count, dtype=np.uint32).reshape(groups, width)
    idx = np.ascontiguousarray(np.stack([numbers, 2 * numbers, np.full_like(numbers, 2 * count)], axis=1))
    res = np.full(2 * count + 1, 5.0)
    call_kernel(loaded.addresses["f"], groups, state=state, idx=idx, res=res)
    np.testing.assert_allclose(res[0:-1:2], 2.0 * state)
    np.testing.assert_allclose(res[1::2], 7.0)
    assert res[-1] == pytest.approx(5.0 + state.sum())  # all lanes of all groups on one sum


@pytest.mark.parametrize("width", WIDTHS)
def test_kernels_that_walk_nodes_may_write_what_they_read(width, call_kernel, rng):
    """Two numbers change places, a third takes a vector's: nothing is overwritten before it was read."""
    graph = Graph()
    read = reader(graph)
    a, b, u = read("lane", 0, 0), read("lane", 0, 1), read("vector", 0, 3)
    outputs = [(Place("lane", 0, 0), b.id), (Place("lane", 0, 1), (a + 1.0).id), (Place("lane", 0, 2), (a * u).id)]
    loaded = native.load("test", [Function("f", graph, outputs)], width, Shape(block=3))
    state, unknowns = rng.normal(size=(3, 3, width)), rng.normal(size=(3, 6, width))
    before = state.copy()
    call_kernel(loaded.addresses["f"], 3, state=state, val=unknowns)
    np.testing.assert_allclose(state[:, 0], before[:, 1])
    np.testing.assert_allclose(state[:, 1], before[:, 0] + 1.0)
    np.testing.assert_allclose(state[:, 2], before[:, 0] * unknowns[:, 3])


def test_no_groups_no_work(call_kernel):
    graph = Graph()
    loaded = native.load("test", [Function("f", graph, [(Place("lane", 0, 0), graph.const(1.0))])], 4, Shape(block=1))
    state = np.zeros(4)
    for groups in (0, -1):
        call_kernel(loaded.addresses["f"], groups, state=state)
    np.testing.assert_array_equal(state, 0.0)


def test_several_functions_share_a_kernel(call_kernel):
    graph = Graph()
    x = reader(graph)("lane", 0, 0)
    functions = [
        Function(name, graph, [(Place("lane", 0, 0), (x + k).id)]) for name, k in (("one", 1.0), ("ten", 10.0))
    ]
    loaded = native.load("test", functions, 2, Shape(block=1))
    state = np.array([[[1.0, 2.0]]])
    call_kernel(loaded.addresses["one"], 1, state=state)
    call_kernel(loaded.addresses["ten"], 1, state=state)
    np.testing.assert_array_equal(state, [[[12.0, 13.0]]])
