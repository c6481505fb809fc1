"""Traced numbers in Python and NumPy code: what works, and what is refused in which words."""

import math

import numpy as np
import pytest

from samara.tracing import Expr, Graph, TracingError, select
from samara.tracing.expressions.expr import Truth, hint


@pytest.fixture
def x() -> Expr:
    graph = Graph()
    return Expr(graph, graph.input("x"))


def branch(x):
    return x if x > 0 else -x


def loop(x):
    while x < 10:
        x = 2 * x
    return x


def either(x):
    return x > 0 or x < -1


def filled(x):
    values = np.zeros(3)
    values[0] = x
    return values


BRANCHES = {
    "if": branch,
    "while": loop,
    "or": either,
    "in": lambda x: x in (1, 2),
    "np.where": lambda x: np.where(x > 0, x, -x),
    "np.maximum": lambda x: np.maximum(x, 0.0),
    "np.fmin": lambda x: np.fmin(x, 0.0),
    "np.clip": lambda x: np.clip(x, 0.0, 1.0),
    "np.sign": lambda x: np.sign(x),
    "np.max": lambda x: np.max(np.array([x, 2 * x])),
    "np.sort": lambda x: np.sort(np.array([x, 2 * x])),
    "array comparison": lambda x: np.array([x, x]) < 1.0,
}
PLAIN = {
    "float": float,
    "complex": complex,
    "math.sqrt": math.sqrt,
    "filling": filled,
    "array of floats": lambda x: np.array([x, 1.0], dtype=float),
    "np.interp": lambda x: np.interp(x, [0, 1], [2, 3]),
}
INDICES = {
    "index": lambda x: [1, 2, 3][x],
    "range": lambda x: list(range(x)),
    "int": int,
    "round": round,
    "np.round": lambda x: np.round(x),
}


@pytest.mark.parametrize("name", BRANCHES)
def test_branches_are_refused(name, x):
    with pytest.raises(
        TracingError, match=r"branch or loop that depends on a simulated value.*select\(condition, a, b\)"
    ):
        BRANCHES[name](x)


@pytest.mark.parametrize("name", PLAIN)
def test_plain_numbers_are_refused(name, x):
    with pytest.raises(TracingError, match=r"has no plain number while it is traced.*NumPy's functions"):
        PLAIN[name](x)


@pytest.mark.parametrize("name", INDICES)
def test_indices_are_refused(name, x):
    with pytest.raises(TracingError, match=r"index or count that depends on a simulated value.*table"):
        INDICES[name](x)


def test_numbers_of_another_trace_are_refused(x):
    graph = Graph()
    other = Expr(graph, graph.input("x"))
    for mix in (lambda: x + other, lambda: x < other, lambda: select(x > 0, x, other), lambda: (x > 0) & (other > 0)):
        with pytest.raises(TracingError, match="of one trace was used in another"):
            mix()


def test_truth_values_and_numbers_are_told_apart(x):
    for wrong in (lambda: select(x, 1.0, 2.0), lambda: x & (x > 0), lambda: ~x, lambda: (x > 0) | x):
        with pytest.raises(TracingError, match="a truth value is needed here"):
            wrong()
    with pytest.raises(TracingError, match=r"a truth value is needed here.*not 1\.5"):
        (x > 0) & 1.5
    assert isinstance(x > 0, Truth)
    assert isinstance((x > 0) & True, Truth)
    assert isinstance(np.True_ & (x > 0), Truth)
    assert ((x > 0) | False).id == (x > 0).id
    assert type((x > 0) + 1.0) is Expr
    assert type(+(x > 0)) is Expr


def test_other_types_are_left_to_python(x):
    with pytest.raises(TypeError, match="unsupported operand"):
        x + "a"
    with pytest.raises(TypeError, match="unsupported operand"):
        1j * x
    with pytest.raises(TypeError, match="not iterable"):
        list(x)
    with pytest.raises(TypeError, match="has no len"):
        len(x)
    with pytest.raises(TypeError, match="unhashable"):
        hash(x)
    assert x is not None
    assert (x == "a") is False


@pytest.mark.parametrize("plain", [2, 2.0, np.float64(2), np.int64(2), np.float32(2), True])
def test_plain_numbers_of_all_kinds_mix(plain, x):
    for made in (plain + x, x + plain, plain * x, x - plain, x / plain, plain**x, x**plain):
        assert isinstance(made, Expr)
    assert isinstance(x < plain, Truth)
    assert isinstance(plain >= x, Truth)


def test_arrays_take_traced_numbers(x):
    made = np.array([1.0, 2.0]) * x
    assert made.dtype == object
    assert all(isinstance(v, Expr) for v in made)
    assert isinstance(np.array([x, 2 * x]) @ np.array([1.0, 2.0]), Expr)
    assert np.real(x) is x
    assert np.conjugate(x) is x


def test_representation_tells_the_operation(x):
    assert repr(x) == "Expr(input x)"
    assert repr(np.sin(x)) == "Expr(sin 0)"
    assert repr(x < x + 1).startswith("Truth(lt 0")


@pytest.mark.parametrize(
    ("code", "says"),
    [
        (lambda x: np.linalg.inv(np.array([[x, 0 * x], [0 * x, x]])), "takes plain numbers alone"),
        (lambda x: np.linalg.solve(np.array([[x, 0 * x], [0 * x, x]]), np.ones(2)), "takes plain numbers alone"),
        (lambda x: np.linalg.eigvalsh(np.array([[x, 0 * x], [0 * x, x]])), "takes plain numbers alone"),
        (lambda x: np.isnan(x), "takes plain numbers alone"),
        (lambda x: np.exp(np.array([x, 1.0])), "mixes traced and plain numbers"),
        (lambda x: np.arctan2(np.array([1.0, x]), x), "mixes traced and plain numbers"),
        (lambda x: np.cbrt(x), "without that function"),
    ],
)
def test_cryptic_errors_of_numpy_get_a_hint(code, says, x):
    with pytest.raises((TypeError, AttributeError)) as caught:
        code(x)
    assert says in hint(caught.value)


def test_other_errors_get_none(x):
    with pytest.raises(TracingError) as caught:
        float(x)
    assert hint(caught.value) is None
    assert hint(ValueError("no")) is None
    assert hint(TypeError("unsupported operand")) is None
