"""Tables: plain look-up against SciPy, kernels against the plain look-up, inside, outside and at breakpoints."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import CubicSpline, PchipInterpolator, RegularGridInterpolator

from samara.tracing import Curve, Expr, Graph, Surface, TracedCurve, TracedSurface, TracingError, tangents
from samara.tracing.kernels.lanes import Place

WIDTHS = [1, 2, 4, 8]
X = np.array([-1.0, -0.4, 0.0, 0.7, 1.1, 2.0])
Y = np.array([0.3, 1.0, 0.2, 0.5, 0.5, -1.0])
INSIDE = np.sort(np.concatenate([np.linspace(-0.999, 1.999, 41), X[1:-1]]))
OUTSIDE = np.array([-50.0, -1.5, -1.0 - 1e-12, 2.0 + 1e-12, 2.5, 70.0])


def peer(interpolation):
    """The same curve by SciPy: value and first two derivatives."""
    if interpolation == "linear":
        return lambda x, order: [np.interp(x, X, Y), np.diff(Y)[_piece(x)] / np.diff(X)[_piece(x)], 0 * x][order]
    made = {"smooth": PchipInterpolator, "spline": CubicSpline}[interpolation](X, Y)
    return lambda x, order: made(x, order)


def _piece(x):
    return np.clip(np.searchsorted(X, x, side="right") - 1, 0, X.size - 2)


@pytest.mark.parametrize("interpolation", ["linear", "smooth", "spline"])
@pytest.mark.parametrize("order", [0, 1, 2])
def test_curve_inside(interpolation, order):
    curve = Curve(X, Y, interpolation)
    got = [curve.derivative(x, order) for x in INSIDE]
    np.testing.assert_allclose(got, peer(interpolation)(INSIDE, order), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("interpolation", ["linear", "smooth", "spline"])
def test_curve_outside(interpolation):
    held, going = Curve(X, Y, interpolation), Curve(X, Y, interpolation, outside="linear")
    ends = np.where(OUTSIDE < 0, X[0], X[-1])
    values = np.where(OUTSIDE < 0, Y[0], Y[-1])
    slopes = np.array([peer(interpolation)(np.array(e), 1) for e in ends], float)
    np.testing.assert_allclose([held(x) for x in OUTSIDE], values, atol=1e-13)
    np.testing.assert_allclose([held.derivative(x, 1) for x in OUTSIDE], 0.0)
    np.testing.assert_allclose([going(x) for x in OUTSIDE], values + slopes * (OUTSIDE - ends), rtol=1e-12)
    np.testing.assert_allclose([going.derivative(x, 1) for x in OUTSIDE], slopes, rtol=1e-12)
    np.testing.assert_allclose([going.derivative(x, 2) for x in OUTSIDE], 0.0)


@pytest.mark.parametrize("interpolation", ["linear", "smooth", "spline"])
def test_curve_goes_through_its_points(interpolation):
    for outside in ("hold", "linear"):
        curve = Curve(X, Y, interpolation, outside)
        np.testing.assert_allclose([curve(x) for x in X], Y, atol=1e-14)


@settings(max_examples=200)
@given(count=st.integers(2, 12), seed=st.integers(0, 2**32 - 1), flat=st.booleans())
def test_any_curve_is_that_of_scipy(count, seed, flat):
    rng = np.random.default_rng(seed)
    x = np.cumsum(rng.uniform(0.05, 3.0, size=count))
    y = rng.integers(-2, 3, size=count).astype(float) if flat else rng.normal(size=count)
    at = rng.uniform(x[0], x[-1], size=20)
    for interpolation, kind in (("smooth", PchipInterpolator), ("spline", CubicSpline)):
        curve, scipys = Curve(x, y, interpolation), kind(x, y)
        for order in range(3):
            want = scipys(at, order)
            got = [curve.derivative(v, order) for v in at]
            np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-10 * max(1.0, np.abs(want).max()))


def test_smooth_keeps_the_shape():
    curve = Curve([0, 1, 2, 3], [0, 0, 1, 1], "smooth")
    values = np.array([curve(x) for x in np.linspace(0, 3, 301)])
    assert values.min() >= 0.0
    assert values.max() <= 1.0
    assert np.all(np.diff(values) >= -1e-15)


def kernel_of(table, orders):
    """A graph with the table's look-up and its derivatives, whose tables start at an offset of 3."""
    graph = Graph()
    xs = [Expr(graph, graph.input(Place("lane", 0, i))) for i in range(1 if isinstance(table, Curve) else 2)]
    address = Expr(graph, graph.input(Place("coefficient", 0, 0)))
    traced = (TracedCurve if isinstance(table, Curve) else TracedSurface)(address)
    value = traced(*xs)
    seeds = {x.id: {i: graph.const(1.0)} for i, x in enumerate(xs)}
    results = [value.id]
    for direction in orders:
        (found,) = tangents(graph, [results[direction[0]]], seeds)
        results.append(found.get(direction[1], graph.const(0.0)))
    return graph, results


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("outside", ["hold", "linear"])
@pytest.mark.parametrize("interpolation", ["linear", "smooth", "spline"])
def test_curve_in_a_kernel(interpolation, outside, width, evaluate):
    curve = Curve(X, Y, interpolation, outside)
    graph, results = kernel_of(curve, [(0, 0), (1, 0), (2, 0), (3, 0)])
    assert graph.value(results[4]) == 0.0  # a cubic has no fourth derivative
    at = np.concatenate([INSIDE, OUTSIDE, X])
    tables = np.concatenate([[9.0, 9.0, 9.0], curve.pack()])
    got = evaluate(graph, results[:4], at[:, None], width, tables=tables, coef=np.array([3.0]))
    want = [[curve.derivative(x, order) for order in range(4)] for x in at]
    np.testing.assert_allclose(got, want, rtol=1e-13, atol=1e-13)


def test_curve_of_nan_is_nan(evaluate):
    curve = Curve(X, Y)
    graph, results = kernel_of(curve, [])
    got = evaluate(
        graph, results, [[np.nan], [0.0]], 4, tables=np.concatenate([np.zeros(3), curve.pack()]), coef=np.array([3.0])
    )
    assert np.isnan(got[0, 0])
    assert got[1, 0] == pytest.approx(0.2)


def test_two_points_make_a_curve():
    for interpolation in ("linear", "smooth", "spline"):
        curve = Curve([1.0, 3.0], [2.0, 6.0], interpolation, "linear")
        np.testing.assert_allclose(
            [curve(0.0), curve(1.0), curve(2.0), curve(3.0), curve(4.0)], [0, 2, 4, 6, 8], atol=1e-14
        )


AX, AY = np.array([-1.0, 0.5, 2.0, 2.5]), np.array([0.0, 1.0, 4.0])
Z = np.array([[1.0, 2.0, -1.0], [0.5, 0.0, 3.0], [2.0, -2.0, 1.0], [4.0, 4.5, 5.0]])


def surface_points():
    inside = np.random.default_rng(5).uniform([-1, 0], [2.5, 4], size=(30, 2))
    nodes = np.array([[x, y] for x in AX for y in AY])
    outside = np.array([[-3.0, 2.0], [9.0, 2.0], [0.0, -1.0], [0.0, 9.0], [-3.0, -3.0], [9.0, 9.0], [-3.0, 9.0]])
    return np.concatenate([inside, nodes, outside])


def test_surface_is_bilinear_and_held_outside():
    points = surface_points()
    clipped = np.clip(points, [AX[0], AY[0]], [AX[-1], AY[-1]])
    want = RegularGridInterpolator((AX, AY), Z)(clipped)
    np.testing.assert_allclose([Surface(AX, AY, Z)(*p) for p in points], want, atol=1e-13)


def test_surface_slopes():
    surface, h = Surface(AX, AY, Z), 1e-6
    for x, y in surface_points()[:30]:
        by_x = (surface(x + h, y) - surface(x - h, y)) / (2 * h)
        by_y = (surface(x, y + h) - surface(x, y - h)) / (2 * h)
        assert surface.derivative(x, y, 1, 0) == pytest.approx(by_x, abs=1e-8)
        assert surface.derivative(x, y, 0, 1) == pytest.approx(by_y, abs=1e-8)


@pytest.mark.parametrize("width", WIDTHS)
def test_surface_in_a_kernel(width, evaluate):
    surface = Surface(AX, AY, Z)
    graph, results = kernel_of(surface, [(0, 0), (0, 1), (1, 1), (1, 0), (2, 1)])
    assert [graph.value(r) for r in results[4:]] == [0.0, 0.0]
    tables = np.concatenate([[9.0, 9.0, 9.0], surface.pack()])
    points = surface_points()
    got = evaluate(graph, results[:4], points, width, tables=tables, coef=np.array([3.0]))
    want = [[surface.derivative(*p, *d) for d in ((0, 0), (1, 0), (0, 1), (1, 1))] for p in points]
    np.testing.assert_allclose(got, want, rtol=1e-13, atol=1e-13)


UNEVEN = np.array([-1.0, -0.999999, 0.0, 1e-7, 0.3, 1000.0])  # more points in a bucket than one


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("components", [2, 3, 4])
def test_surface_of_several_values_in_a_kernel(components, width, evaluate):
    """One look-up gives what as many tables give, on uneven points, on the points themselves and outside."""
    rng = np.random.default_rng(7)
    z = rng.normal(size=(UNEVEN.size, AY.size, components))
    surface, singles = Surface(UNEVEN, AY, z), [Surface(UNEVEN, AY, z[:, :, k]) for k in range(components)]
    graph = Graph()
    x, y = (Expr(graph, graph.input(Place("lane", 0, i))) for i in range(2))
    address = Expr(graph, graph.input(Place("coefficient", 0, 0)))
    values = TracedSurface(address, components, array=True)(x, y)
    ids = [v.id for v in values]
    slopes = tangents(graph, ids, {x.id: {0: graph.const(1.0)}, y.id: {1: graph.const(1.0)}})
    results = [*ids, *(s[d] for s in slopes for d in (0, 1))]
    at = np.concatenate([UNEVEN, rng.uniform(-2, 2, 40), rng.uniform(0, 1e-7, 5), [500.0, 2000.0]])
    points = np.column_stack([at, rng.uniform(-1, 5, at.size)])
    got = evaluate(graph, results, points, width, tables=np.append(np.zeros(3), surface.pack()), coef=np.array([3.0]))
    want = [
        [s(*p) for s in singles] + [s.derivative(*p, *d) for s in singles for d in ((1, 0), (0, 1))] for p in points
    ]
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose([surface(*p) for p in points], np.array(want)[:, :components], rtol=1e-12)


def test_joined_tables_are_the_same_functions():
    rng = np.random.default_rng(3)
    axes = [(np.sort(rng.uniform(-1, 1, n)), np.sort(rng.uniform(0, 1, m))) for n, m in ((5, 4), (7, 3), (4, 6))]
    singles = [Surface(x, y, rng.normal(size=(x.size, y.size))) for x, y in axes]
    together = Surface.joined(*singles)
    for point in rng.uniform(-1.5, 1.5, size=(200, 2)):
        np.testing.assert_allclose(together(*point), [s(*point) for s in singles], atol=1e-13)


def test_surface_of_nan_is_nan(evaluate):
    surface = Surface(AX, AY, Z)
    graph, results = kernel_of(surface, [])
    tables = np.concatenate([np.zeros(3), surface.pack()])
    points = [[np.nan, 1.0], [0.0, np.nan], [0.5, 1.0], [np.inf, 1.0], [-np.inf, 1.0], [2.5, np.inf], [2.5, -np.inf]]
    got = evaluate(graph, results, points, 4, tables=tables, coef=np.array([3.0]))
    assert np.isnan(got[:2, 0]).all()
    np.testing.assert_array_equal(got[2:, 0], [0.0, 4.5, 2.0, 5.0, 4.0])  # held at the ends


def test_a_look_up_searches_once_for_value_and_slopes():
    from samara.tracing.kernels.lanes import Function, Shape, module

    graph, results = kernel_of(Curve(X, Y), [(0, 0), (1, 0)])
    function = Function("f", graph, [(Place("lane", 0, 1 + k), r) for k, r in enumerate(results)])
    assert module([function], 4, Shape(block=4)).count("call [4 x double] @table1") == 4  # one a lane


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Curve([0.0], [1.0]), "at least two points"),
        (lambda: Curve([0.0, 1.0], [1.0]), "as many x as y"),
        (lambda: Curve([[0.0, 1.0]], [[1.0, 2.0]]), "at least two points"),
        (lambda: Curve([0.0, np.nan], [1.0, 2.0]), "a gap"),
        (lambda: Curve([0.0, 1.0], [1.0, np.inf]), "a gap"),
        (lambda: Curve([0.0, 2.0, 1.0], [1.0, 2.0, 3.0]), "must increase: 2 is followed by 1"),
        (lambda: Curve([0.0, 0.0], [1.0, 2.0]), "must increase: 0 is followed by 0"),
        (lambda: Curve([0.0, 1.0], [1.0, 2.0], "cubic"), "choose linear, smooth or spline"),
        (lambda: Curve([0.0, 1.0], [1.0, 2.0], outside="wrap"), "choose hold or linear"),
        (lambda: Surface([0, 1], [0, 1], [[1, 2, 3], [1, 2, 3]]), r"needs z\[len\(x\), len\(y\)\]"),
        (lambda: Surface([0], [0, 1], [[1, 2]]), "at least two values of each"),
        (lambda: Surface([0, 1], [0, 1], np.zeros((2, 2, 5))), "up to 4 values per point: 5"),
        (lambda: Surface([[0, 1]], [0, 1], [[1, 2], [3, 4]]), "at least two values of each"),
        (lambda: Surface([0, 1], [1, 0], [[1, 2], [3, 4]]), "the y of a table must increase"),
        (lambda: Surface([0, 1], [0, 1], [[1, np.nan], [3, 4]]), "a gap"),
    ],
)
def test_bad_tables_say_what_is_wrong(make, says):
    with pytest.raises(ValueError, match=says):
        make()


def test_a_table_keeps_its_own_numbers():
    x, y = np.array([0.0, 1.0]), np.array([0.0, 2.0])
    curve = Curve(x, y)
    y[1] = 100.0
    assert curve(1.0) == 2.0
    assert curve.pack()[1:3].tolist() == [0.0, 1.0]
    with pytest.raises(ValueError, match="read-only"):
        curve.y[0] = 1.0


def test_a_table_that_is_not_a_field_says_so():
    graph = Graph()
    x = Expr(graph, graph.input("x"))
    for table in (lambda: Curve(X, Y)(x), lambda: Surface(AX, AY, Z)(x, 1.0), lambda: Surface(AX, AY, Z)(1.0, x)):
        with pytest.raises(TracingError, match=r"field of the element.*table\(\)"):
            table()


def test_tables_take_complex_numbers():
    """A complex step through a table takes its piece's slope."""
    curve, surface = Curve(X, Y, "spline"), Surface(AX, AY, Z)
    assert curve(0.3 + 1e-30j).imag / 1e-30 == pytest.approx(curve.derivative(0.3, 1), rel=1e-13)
    assert surface(0.3 + 1e-30j, 2.0).imag / 1e-30 == pytest.approx(surface.derivative(0.3, 2.0, 1, 0), rel=1e-13)
