"""Tangents: sparsity, seeds on intermediates, directions that stand for others, cuts."""

import numpy as np
import pytest

from samara.tracing import cut, select, tangents


def dense(graph, found, directions) -> list[int]:
    return [t.get(d, graph.const(0.0)) for t in found for d in directions]


def test_a_tangent_has_only_the_directions_that_matter(inputs):
    graph, (x, y, z) = inputs(3)
    seeds = {v.id: {name: graph.const(1.0)} for name, v in zip("xyz", (x, y, z), strict=True)}
    product, alone, cancelled, constant = x * y, np.sin(z), x - (x + y) + y, x * 0.0 + 3.0
    found = tangents(graph, [v.id for v in (product, alone, cancelled, constant)], seeds)
    assert found[0] == {"x": y.id, "y": x.id}
    assert set(found[1]) == {"z"}
    assert found[2] == {}
    assert found[3] == {}


def test_any_node_can_be_a_seed_and_its_own_rule_is_not_used(inputs):
    graph, (x, y) = inputs(2)
    inner = x * y
    result = np.exp(inner) + x
    (found,) = tangents(graph, [result.id], {inner.id: {"inner": graph.const(1.0)}})
    assert found == {"inner": np.exp(inner).id}
    # nothing below the seed is looked at: not even operations whose derivative is infinite
    root = np.sqrt(x)
    (found,) = tangents(graph, [root.id], {x.id: {"x": graph.const(1.0)}, root.id: {"r": graph.const(1.0)}})
    assert found == {"r": graph.const(1.0)}


def test_directions_that_stand_for_others(inputs, evaluate):
    graph, (x, y, c) = inputs(3)
    result = x * y
    seeds = {x.id: {"a": graph.const(1.0)}, y.id: {"b": graph.const(1.0)}}
    first = {"a": {"u": c.id, "v": graph.const(1.0)}, "b": {"u": graph.const(1.0)}}
    second = {"u": {"w": graph.const(2.0)}}
    (found,) = tangents(graph, [result.id], seeds, expansions=[first, second])
    assert set(found) == {"v", "w"}
    got = evaluate(graph, [found["v"], found["w"]], [[3.0, 5.0, 7.0]], 4)
    np.testing.assert_allclose(got, [[5.0, 2 * (5 * 7 + 3)]])


def test_cuts_and_directions_that_stand_for_others_go_together(inputs, evaluate, rng):
    points = rng.uniform(0.2, 1.0, size=(5, 4))
    values = []
    for marked in (False, True):
        mark = cut if marked else (lambda v: v)
        graph, (x, y, c, s) = inputs(4)
        u, v = mark([x * y + s, np.sin(x) * y])
        w = mark(u * v + x)  # a cut on top of cuts, and of a direction of its own
        result = w * np.exp(u) + select(x > y, v * v, x * v) + y
        seeds = {x.id: {"a": graph.const(1.0)}, y.id: {"b": c.id, "stays": x.id}, s.id: {"stays": graph.const(1.0)}}
        first = {"a": {"u": c.id, "v": y.id}, "b": {"u": graph.const(1.0)}}
        (found,) = tangents(graph, [result.id], seeds, expansions=[first, {"u": {"w": graph.const(2.0), "v": x.id}}])
        assert set(found) == {"v", "w", "stays"}
        values.append(evaluate(graph, [found[d] for d in ("v", "w", "stays")], points, 4))
    np.testing.assert_allclose(values[1], values[0], rtol=1e-13)


def test_a_seed_with_an_amount(inputs, evaluate):
    graph, (x, y) = inputs(2)
    (found,) = tangents(graph, [(x**2).id], {x.id: {"t": y.id}})
    np.testing.assert_allclose(evaluate(graph, [found["t"]], [[3.0, 4.0]], 1), [[24.0]])


def beam_like(xs, marked: bool):
    """Many results from a few strains that depend on many unknowns, as in a beam."""
    a, b = np.array(xs[:9]), np.array(xs[9:])
    mark = cut if marked else (lambda v: v)
    strain = mark([(a * b).sum(), np.sin(a).sum() - b[0], np.sqrt(1.0 + a @ a), np.cos(b).sum(), a @ np.exp(b), b @ b])
    e = np.array(strain)
    forces = mark([np.tanh(e[i]) * e[(i + 1) % 6] + e[i] ** 3 * np.exp(0.1 * e[(i + 2) % 6]) for i in range(6)])
    return [forces[i % 6] * x + forces[(i + 1) % 6] * np.sin(xs[i - 1]) for i, x in enumerate(xs)]


@pytest.mark.parametrize("width", [1, 4])
def test_cut_saves_operations_and_changes_no_value(width, inputs, evaluate, rng):
    points = rng.uniform(-0.5, 0.5, size=(5, 18))
    values, counts = [], []
    for marked in (False, True):
        graph, xs = inputs(18)
        results = [r.id for r in beam_like(xs, marked)]
        found = tangents(graph, results, {x.id: {i: graph.const(1.0)} for i, x in enumerate(xs)})
        entries = dense(graph, found, range(18))
        counts.append(graph.operations(entries))
        values.append(evaluate(graph, [*results, *entries], points, width))
    np.testing.assert_allclose(values[1], values[0], rtol=1e-12, atol=1e-12)
    assert counts[1] < 0.8 * counts[0]


def test_the_derivative_of_a_cut_derivative(inputs, evaluate, rng):
    points = rng.uniform(0.2, 1.0, size=(5, 3))
    second = []
    for marked in (False, True):
        graph, (x, y, z) = inputs(3)
        u, v = (cut if marked else (lambda v: v))([x * y + z, np.sin(x) * z])
        seeds = {w.id: {i: graph.const(1.0)} for i, w in enumerate((x, y, z))}
        first = dense(graph, tangents(graph, [(u**2 * v + np.exp(v)).id], seeds), range(3))
        second.append(evaluate(graph, dense(graph, tangents(graph, first, seeds), range(3)), points, 4))
    np.testing.assert_allclose(second[1], second[0], rtol=1e-12)
    np.testing.assert_allclose(second[1].reshape(-1, 3, 3), second[1].reshape(-1, 3, 3).transpose(0, 2, 1), rtol=1e-12)


@pytest.mark.parametrize("width", [1, 4])
def test_nan_of_a_cut_in_a_branch_not_taken_stays_there(width, inputs, evaluate):
    graph, (x, y) = inputs(2)
    root = cut(np.sqrt(x) * y)  # nan for x < 0
    other = cut(np.log(-x) + y)  # nan for x > 0
    result = select(x > 0, root * root + y, other * y) * y + select(x > 0, x, select(y > 0, other, 0.0))
    seeds = {x.id: {"x": graph.const(1.0)}, y.id: {"y": graph.const(1.0)}}
    first = dense(graph, tangents(graph, [result.id], seeds), "xy")
    second = dense(graph, tangents(graph, first, seeds), "xy")
    points = np.array([[4.0, 3.0], [-1.0, 3.0], [-1.0, -3.0]])
    got = evaluate(graph, [result.id, *first, *second], points, width)
    # x > 0: x y^3 + y^2 + x;  x < 0: (log(-x) + y) y^2, and log(-x) + y besides where y > 0
    x, y = points[0]
    want = [[x * y**3 + y**2 + x, y**3 + 1, 3 * x * y**2 + 2 * y, 0, 3 * y**2, 3 * y**2, 6 * x * y + 2]]
    for x, y in points[1:]:
        log, more = np.log(-x), float(y > 0)
        want.append(
            [(log + y) * (y**2 + more), (y**2 + more) / x, 2 * y * log + 3 * y**2 + more,
             -(y**2 + more) / x**2, 2 * y / x, 2 * y / x, 2 * log + 6 * y]
        )  # fmt: skip
    np.testing.assert_allclose(got, want, rtol=1e-13, atol=1e-13)


def test_a_cut_used_in_both_branches_is_expanded_once(inputs):
    graph, (x, y, c) = inputs(3)
    u = cut(np.sin(x) * np.exp(y) + x * y)
    result = select(c > 0, 2.0 * u, u * u)
    seeds = {x.id: {"x": graph.const(1.0)}, y.id: {"y": graph.const(1.0)}}
    (found,) = tangents(graph, [result.id], seeds)
    weights = {graph.nodes[n].args for n in found.values()}
    assert all(graph.nodes[n].op == "mul" for n in found.values())
    shared = set.intersection(*map(set, weights))
    assert len(shared) == 1  # one chosen slope times each entry of the cut's tangent
    assert graph.nodes[shared.pop()].op == "select"


def test_cut_takes_numbers_arrays_and_plain_numbers(inputs):
    graph, (x, y) = inputs(2)
    assert cut(x) is x
    array = np.array([x * 2, y * 2])
    assert cut(array) is array
    assert cut([x + 1, 3.0])[1] == 3.0
    assert graph.cuts == {x.id, array[0].id, array[1].id, (x + 1).id}
    assert cut(1.5) == 1.5
