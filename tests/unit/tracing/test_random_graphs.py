"""Random expression graphs: values and Jacobians against CasADi, with and without cuts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samara.tracing import Expr, Graph, absolute, cut, fmax, fmin, select, sign, tangents
from samara.tracing.lanes import Place

INPUTS, RESULTS = 4, 3


class Traced:
    """How each operation of a random program is written with traced numbers."""

    fmin, fmax, absolute, sign = staticmethod(fmin), staticmethod(fmax), staticmethod(absolute), staticmethod(sign)
    select = staticmethod(select)
    sqrt, sin, cos, tan, atan, exp, log = np.sqrt, np.sin, np.cos, np.tan, np.arctan, np.exp, np.log
    asin, acos, atan2, tanh = np.arcsin, np.arccos, np.arctan2, np.tanh


class Casadi:
    """And how with CasADi's."""

    def __init__(self, ca) -> None:
        self.fmin, self.fmax, self.absolute, self.sign, self.select = ca.fmin, ca.fmax, ca.fabs, ca.sign, ca.if_else
        self.sqrt, self.sin, self.cos, self.tan, self.atan, self.exp, self.log = (
            ca.sqrt, ca.sin, ca.cos, ca.tan, ca.atan, ca.exp, ca.log,
        )  # fmt: skip
        self.asin, self.acos, self.atan2, self.tanh = ca.asin, ca.acos, ca.atan2, ca.tanh


# each keeps within its domain, and within bounds: a graph of them stays well conditioned
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

step = st.tuples(st.integers(0, len(OPERATIONS) - 1), st.integers(0, 10**6), st.integers(0, 10**6), st.booleans())
programs = st.lists(step, min_size=RESULTS, max_size=40)
points = st.lists(
    st.lists(st.floats(-1.5, 1.5, width=32), min_size=INPUTS, max_size=INPUTS), min_size=5, max_size=5
)  # fmt: skip


def run(program, methods, xs, cuts: bool = False) -> list:
    """Results of a program: every step takes two of the numbers before it; the last steps are the results."""
    numbers = list(xs)
    for op, first, second, marked in program:
        number = OPERATIONS[op](methods, numbers[first % len(numbers)], numbers[second % len(numbers)])
        numbers.append(cut(number) if cuts and marked else number)
    return numbers[-RESULTS:]


def jacobian(program, cuts: bool):
    graph = Graph()
    xs = [Expr(graph, graph.input(Place("lane", 0, i))) for i in range(INPUTS)]
    results = [(r + 0.0 * xs[0]).id for r in run(program, Traced, xs, cuts)]
    found = tangents(graph, results, {x.id: {i: graph.const(1.0)} for i, x in enumerate(xs)})
    entries = [t.get(i, graph.const(0.0)) for t in found for i in range(INPUTS)]
    return graph, [*results, *entries]


@settings(max_examples=40)
@given(program=programs, at=points)
def test_values_and_jacobians_are_those_of_casadi(evaluate_program, program, at):
    ca = pytest.importorskip("casadi", reason="the oracle of this test")
    symbols = ca.SX.sym("x", INPUTS)
    results = ca.vertcat(*run(program, Casadi(ca), ca.vertsplit(symbols)))
    oracle = ca.Function("oracle", [symbols], [results, ca.jacobian(results, symbols)])
    want = np.array([np.concatenate([np.array(part).ravel() for part in oracle(p)]) for p in at])
    # at a kink the two may differ, both right: CasADi's slopes there are means
    smooth = _away_from_kinks(program, at)
    for width, cuts in ((1, False), (4, False), (4, True)):
        got = evaluate_program(*jacobian(program, cuts), at, width)
        scale = np.maximum(1.0, np.abs(want).max())
        np.testing.assert_allclose(got[:, :RESULTS], want[:, :RESULTS], rtol=1e-12, atol=1e-12 * scale)
        np.testing.assert_allclose(got[smooth], want[smooth], rtol=1e-11, atol=1e-11 * scale)


def _away_from_kinks(program, at) -> np.ndarray:
    """Points at which no choice of the program is a near tie."""
    found = np.ones(len(at), bool)
    for k, p in enumerate(at):
        gaps = []

        class Watching(Traced):
            fmin = staticmethod(lambda a, b, gaps=gaps: (gaps.append(a - b), fmin(a, b))[1])
            fmax = staticmethod(lambda a, b, gaps=gaps: (gaps.append(a - b), fmax(a, b))[1])
            absolute = staticmethod(lambda a, gaps=gaps: (gaps.append(a), abs(a))[1])
            sign = staticmethod(lambda a, gaps=gaps: (gaps.append(a), np.sign(a))[1])

        watched = [_Watched(v, gaps) for v in p]
        run(program, Watching, watched)
        found[k] = min((abs(float(g)) for g in gaps), default=1.0) > 1e-6
    return found


class _Watched(float):
    """A float that writes down how close its comparisons were."""

    def __new__(cls, value, gaps):
        self = super().__new__(cls, value)
        self.gaps = gaps
        return self


@pytest.fixture(scope="module")
def evaluate_program():
    """`evaluate`, once for all examples."""
    from importlib.util import module_from_spec, spec_from_file_location
    from pathlib import Path

    spec = spec_from_file_location("tracing_conftest", Path(__file__).parent / "conftest.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.evaluate.__wrapped__()
