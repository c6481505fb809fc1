"""The graph by itself: every operation once, constants folded, dead code left out."""

import math

import pytest

from samara.tracing import Graph


@pytest.fixture
def g() -> Graph:
    return Graph()


@pytest.fixture
def x(g) -> int:
    return g.input("x")


@pytest.fixture
def y(g) -> int:
    return g.input("y")


def test_equal_operations_are_one_node(g, x, y):
    first = g.mul(g.add(x, y), g.unary("sin", x))
    before = len(g)
    assert g.mul(g.unary("sin", x), g.add(y, x)) == first
    assert len(g) == before


def test_order_matters_where_it_should(g, x, y):
    assert g.sub(x, y) != g.sub(y, x)
    assert g.div(x, y) != g.div(y, x)
    assert g.binary("atan2", x, y) != g.binary("atan2", y, x)


def test_arguments_come_before_results(g, x, y):
    g.div(g.power(g.add(x, y), g.const(5)), g.binary("max", x, y))
    assert all(a < i for i in range(len(g)) for a in g.arguments(i))


@pytest.mark.parametrize(
    ("made", "is_"),
    [
        (lambda g, x: g.add(x, g.const(0)), lambda g, x: x),
        (lambda g, x: g.add(g.const(0), x), lambda g, x: x),
        (lambda g, x: g.sub(x, g.const(0)), lambda g, x: x),
        (lambda g, x: g.sub(x, x), lambda g, x: g.const(0)),
        (lambda g, x: g.sub(g.const(0), x), lambda g, x: g.neg(x)),
        (lambda g, x: g.neg(g.neg(x)), lambda g, x: x),
        (lambda g, x: g.neg(g.sub(x, g.const(3))), lambda g, x: g.sub(g.const(3), x)),
        (lambda g, x: g.add(x, g.neg(g.const(2))), lambda g, x: g.add(x, g.const(-2))),
        (lambda g, x: g.add(g.const(2), g.neg(x)), lambda g, x: g.sub(g.const(2), x)),
        (lambda g, x: g.sub(g.const(2), g.neg(x)), lambda g, x: g.add(g.const(2), x)),
        (lambda g, x: g.mul(x, g.const(1)), lambda g, x: x),
        (lambda g, x: g.mul(g.const(0), x), lambda g, x: g.const(0)),
        (lambda g, x: g.mul(x, g.const(-1)), lambda g, x: g.neg(x)),
        (lambda g, x: g.mul(g.neg(x), g.neg(x)), lambda g, x: g.mul(x, x)),
        (lambda g, x: g.div(x, g.const(4)), lambda g, x: g.mul(x, g.const(0.25))),
        (lambda g, x: g.div(g.const(0), x), lambda g, x: g.const(0)),
        (lambda g, x: g.power(x, g.const(0)), lambda g, x: g.const(1)),
        (lambda g, x: g.power(x, g.const(1)), lambda g, x: x),
        (lambda g, x: g.power(x, g.const(2)), lambda g, x: g.mul(x, x)),
        (lambda g, x: g.power(x, g.const(-1)), lambda g, x: g.div(g.const(1), x)),
        (lambda g, x: g.power(x, g.const(0.5)), lambda g, x: g.unary("sqrt", x)),
        (lambda g, x: g.binary("min", x, x), lambda g, x: x),
        (lambda g, x: g.select(g.compare("lt", x, g.const(1)), x, x), lambda g, x: x),
        (lambda g, x: g.select(g.compare("lt", g.const(0), g.const(1)), x, g.const(5)), lambda g, x: x),
        (lambda g, x: g.table1(x, x, 4), lambda g, x: g.const(0)),
        (lambda g, x: g.table2(x, x, x, 2, 0), lambda g, x: g.const(0)),
    ],
)  # fmt: skip
def test_simplification(g, x, made, is_):
    assert made(g, x) == is_(g, x)


@pytest.mark.parametrize(
    ("op", "arguments", "value"),
    [
        ("sqrt", (2.0,), math.sqrt(2)),
        ("tanh", (0.3,), math.tanh(0.3)),
        ("sign", (-2.0,), -1.0),
        ("floor", (-0.5,), -1.0),
        ("sqrt", (-1.0,), math.nan),
        ("log", (0.0,), -math.inf),
        ("log", (-1.0,), math.nan),
        ("asin", (2.0,), math.nan),
        ("acos", (2.0,), math.nan),
        ("exp", (1e4,), math.inf),
        ("sinh", (-1e4,), -math.inf),
        ("floor", (math.inf,), math.inf),
        ("pow", (0.0, -1.5), math.inf),
        ("pow", (-1.0, 0.5), math.nan),
        ("pow", (1e300, 2.5), math.inf),
        ("atan2", (1.0, -1.0), 0.75 * math.pi),
        ("min", (1.0, 2.0), 1.0),
        ("max", (1.0, 2.0), 2.0),
    ],
)
def test_constants_are_folded_as_a_kernel_would_compute_them(g, op, arguments, value):
    fold = g.unary if len(arguments) == 1 else g.binary
    assert g.value(fold(op, *(g.const(a) for a in arguments))) == pytest.approx(value, rel=1e-15, nan_ok=True)


def test_zeros_and_nans_are_one_node_each(g):
    assert g.const(0.0) == g.const(-0.0)
    assert g.const(float("nan")) == g.const(-float("nan"))
    assert math.isnan(g.value(g.const(float("nan"))))


def test_division_by_a_tiny_constant_stays_a_division(g, x):
    assert g.nodes[g.div(x, g.const(5e-324))].op == "div"
    assert g.nodes[g.div(x, g.const(0.0))].op == "div"


@pytest.mark.parametrize("power", [math.inf, -math.inf, math.nan, 17.0, 2.5])
def test_other_powers_stay_powers(g, x, power):
    assert g.nodes[g.power(x, g.const(power))].op == "pow"


def test_truth_values_are_folded(g, x, y):
    less, more = g.compare("lt", x, y), g.compare("lt", y, x)
    true, false = g.const(1.0), g.const(0.0)
    assert g.logical("and", less, true) == less
    assert g.logical("and", false, less) == false
    assert g.logical("or", less, true) == true
    assert g.logical("or", false, more) == more
    assert g.logical("and", true, true) == true
    assert g.logical("not", g.logical("not", less)) == less
    assert g.logical("not", true) == false
    assert g.is_truth(less)
    assert g.is_truth(g.logical("or", less, more))
    assert not g.is_truth(g.select(less, x, y))


def test_dead_code_is_not_live(g, x, y):
    dead = g.unary("exp", g.mul(x, y))
    wanted = g.unary("sin", g.add(x, y))
    live = g.live([wanted])
    assert live == sorted(live)
    assert dead not in live
    assert g.operations([wanted]) == 2
    assert g.operations([wanted, dead]) == 4
    assert g.live([]) == []


def test_the_search_for_live_nodes_stops_where_told(g, x, y):
    inner = g.mul(x, y)
    outer = g.unary("sin", inner)
    assert g.live([outer], stop={inner}) == [inner, outer]


def test_orders_of_a_look_up_are_not_nodes(g, x, y):
    for _ in range(5):
        g.const(len(g))
    slope = g.table2(x, y, g.const(0), 1, 0)
    assert g.arguments(slope) == (x, y, g.const(0))
