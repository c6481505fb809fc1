"""Random expression graphs: values and Jacobians against CasADi, with and without cuts."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samara.tracing import Expr, Graph, absolute, cut, fmax, fmin, select, sign, tangents
from samara.tracing.kernels.lanes import Place

ca = pytest.importorskip("casadi", reason="CasADi is the oracle of these tests")

INPUTS, RESULTS, POINTS = 4, 3, 6

TRACED = SimpleNamespace(
    fmin=fmin, fmax=fmax, absolute=absolute, sign=sign, select=select, sqrt=np.sqrt, sin=np.sin, cos=np.cos, tan=np.tan,
    asin=np.arcsin, acos=np.arccos, atan=np.arctan, atan2=np.arctan2, exp=np.exp, log=np.log, tanh=np.tanh,
)  # fmt: skip
CASADI = SimpleNamespace(
    fmin=ca.fmin, fmax=ca.fmax, absolute=ca.fabs, sign=ca.sign, select=ca.if_else, sqrt=ca.sqrt, sin=ca.sin, cos=ca.cos,
    tan=ca.tan, asin=ca.asin, acos=ca.acos, atan=ca.atan, atan2=ca.atan2, exp=ca.exp, log=ca.log, tanh=ca.tanh,
)  # fmt: skip

# each keeps within its domain and near 1: a graph of them stays well conditioned
OPERATIONS = [
    lambda m, a, b: a + b,
    lambda m, a, b: a - b,
    lambda m, a, b: 0.7 * a * b,
    lambda m, a, b: a / (1.5 + b * b),
    lambda m, a, b: m.sqrt(1.0 + a * a),
    lambda m, a, b: m.sin(a) * b,
    lambda m, a, b: m.cos(a - b),
    lambda m, a, b: m.tan(m.tanh(a)),
    lambda m, a, b: m.asin(0.9 * m.sin(a)),
    lambda m, a, b: m.acos(0.9 * m.cos(b)) - a,
    lambda m, a, b: m.atan(a + 2.0 * b),
    lambda m, a, b: m.atan2(a, 1.0 + b * b),
    lambda m, a, b: m.exp(-a * a),
    lambda m, a, b: m.log(2.0 + m.sin(a) + b * b),
    lambda m, a, b: (1.0 + a * a) ** m.tanh(b),
    lambda m, a, b: m.fmin(a, b),
    lambda m, a, b: m.fmax(a, 0.3 * b),
    lambda m, a, b: m.absolute(a) - b,
    lambda m, a, b: m.sign(a) * b,
    lambda m, a, b: m.select(a < b, a * b, b - 2.0 * a),
    lambda m, a, b: m.select(a <= 0.1, b, a),
    lambda m, a, b: m.tanh(a) ** 3,
]

# (operation, its two arguments among the numbers before it, whether it is cut)
step = st.tuples(st.integers(0, len(OPERATIONS) - 1), st.integers(0, 999), st.integers(0, 999), st.booleans())
programs = st.lists(step, min_size=RESULTS, max_size=40)


def run(program, methods, xs, cuts: bool = False) -> list:
    """The last numbers of a program."""
    numbers = list(xs)
    for op, first, second, marked in program:
        number = OPERATIONS[op](methods, numbers[first % len(numbers)], numbers[second % len(numbers)])
        numbers.append(cut(number) if cuts and marked else number)
    return numbers[-RESULTS:]


def traced(program, cuts: bool) -> tuple[Graph, list[int]]:
    """Values, then the Jacobian by rows."""
    graph = Graph()
    xs = [Expr(graph, graph.input(Place("lane", 0, i))) for i in range(INPUTS)]
    results = [(r + 0.0 * xs[0]).id for r in run(program, TRACED, xs, cuts)]
    found = tangents(graph, results, {x.id: {i: graph.const(1.0)} for i, x in enumerate(xs)})
    return graph, [*results, *(t.get(i, graph.const(0.0)) for t in found for i in range(INPUTS))]


def oracle(program, points) -> np.ndarray:
    """The same by CasADi."""
    x = ca.SX.sym("x", INPUTS)
    results = ca.vertcat(*run(program, CASADI, ca.vertsplit(x)))
    function = ca.Function("oracle", [x], [results, ca.jacobian(results, x)])
    return np.array([np.concatenate([np.array(part).ravel() for part in function(p)]) for p in points])


@settings(max_examples=50)
@given(program=programs, seed=st.integers(0, 2**32 - 1))
def test_values_and_jacobians_are_those_of_casadi(evaluate, program, seed):
    points = np.random.default_rng(seed).uniform(-1.5, 1.5, size=(POINTS, INPUTS))
    want = oracle(program, points)
    for width, cuts in ((1, False), (4, False), (4, True), (8, False)):
        got = evaluate(*traced(program, cuts), points, width)
        np.testing.assert_allclose(got, want, rtol=1e-11, atol=1e-11 * max(1.0, np.abs(want).max()))


@settings(max_examples=100)
@given(program=programs)
def test_a_graph_has_no_operation_twice_and_none_too_early(program):
    graph, outputs = traced(program, cuts=True)
    assert len(set(graph.nodes)) == len(graph.nodes)
    assert all(a < i for i in range(len(graph)) for a in graph.arguments(i))
    live = graph.live(outputs)
    assert set(outputs) <= set(live)
    assert all(a in set(live) for i in live for a in graph.arguments(i))
