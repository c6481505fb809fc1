"""Every operation in kernels of every width: values against plain Python, derivatives against complex steps."""

import numpy as np
import pytest

from samara.rotations import arctan2
from samara.tracing import Expr, Graph, absolute, fmax, fmin, select, sign, tangents
from samara.tracing.kernels.lanes import Place

WIDTHS = [1, 2, 4, 8]

# name: function of two numbers, written once for plain, complex and traced ones; range of both
SMOOTH = {
    "add": (lambda x, y: x + y + 2.0, (-2, 2)),
    "radd": (lambda x, y: 2.0 + x, (-2, 2)),
    "sub": (lambda x, y: x - y, (-2, 2)),
    "rsub": (lambda x, y: 1.5 - x, (-2, 2)),
    "neg": (lambda x, y: -x * y, (-2, 2)),
    "mul": (lambda x, y: 3.0 * x * y, (-2, 2)),
    "div": (lambda x, y: x / y, (0.5, 2)),
    "rdiv": (lambda x, y: 2.0 / x, (0.5, 2)),
    "div by a constant": (lambda x, y: x / 3.0, (-2, 2)),
    "sqrt": (lambda x, y: np.sqrt(x), (0.1, 4)),
    "sin": (lambda x, y: np.sin(x), (-4, 4)),
    "cos": (lambda x, y: np.cos(x), (-4, 4)),
    "tan": (lambda x, y: np.tan(x), (-1.2, 1.2)),
    "asin": (lambda x, y: np.arcsin(x), (-0.95, 0.95)),
    "acos": (lambda x, y: np.arccos(x), (-0.95, 0.95)),
    "atan": (lambda x, y: np.arctan(x), (-4, 4)),
    "atan2": (lambda x, y: arctan2(x, y), (-2, 2)),
    "exp": (lambda x, y: np.exp(x), (-3, 3)),
    "log": (lambda x, y: np.log(x), (0.1, 4)),
    "log10": (lambda x, y: np.log10(x), (0.1, 4)),
    "log2": (lambda x, y: np.log2(x), (0.1, 4)),
    "sinh": (lambda x, y: np.sinh(x), (-3, 3)),
    "cosh": (lambda x, y: np.cosh(x), (-3, 3)),
    "tanh": (lambda x, y: np.tanh(x), (-3, 3)),
    "hypot": (lambda x, y: np.sqrt(x * x + y * y), (0.1, 2)),
    "square": (lambda x, y: np.square(x), (-2, 2)),
    "reciprocal": (lambda x, y: np.reciprocal(x), (0.2, 2)),
    "degrees": (lambda x, y: x * 180.0 / np.pi, (-2, 2)),
    "power 2": (lambda x, y: x**2, (-2, 2)),
    "power 3": (lambda x, y: x**3, (-2, 2)),
    "power -3": (lambda x, y: x**-3, (0.5, 2)),
    "power 13": (lambda x, y: x**13, (-1.5, 1.5)),
    "power 2.5": (lambda x, y: x**2.5, (0.1, 2)),
    "power 0.5": (lambda x, y: x**0.5, (0.1, 2)),
    "power": (lambda x, y: x**y, (0.2, 2)),
    "exponential": (lambda x, y: 1.7**x, (-2, 2)),
    "abs": (lambda x, y: absolute(x), (-2, 2)),
    "sign": (lambda x, y: sign(x) * y, (-2, 2)),
    "fmin": (lambda x, y: fmin(x * x, y), (-2, 2)),
    "fmax": (lambda x, y: fmax(x * x, y), (-2, 2)),
    "fmin with a constant": (lambda x, y: fmin(0.5, x) * y, (-2, 2)),
    "fmax with a constant": (lambda x, y: fmax(x, 0.5) * y, (-2, 2)),
    "select <": (lambda x, y: select(_re(x) < _re(y), x * y, np.exp(x)), (-2, 2)),
    "select <=": (lambda x, y: select(_re(x) <= _re(y), x * y, np.exp(x)), (-2, 2)),
    "select >": (lambda x, y: select(_re(x) > _re(y), x * y, np.exp(x)), (-2, 2)),
    "select >=": (lambda x, y: select(_re(x) >= 0.3, x * y, np.exp(x)), (-2, 2)),
    "select and": (lambda x, y: select((_re(x) < 0.5) & (_re(y) > -0.5), x * y, y), (-2, 2)),
    "select or": (lambda x, y: select((_re(x) < -0.5) | (_re(y) > 0.5), x * y, y), (-2, 2)),
    "select not": (lambda x, y: select(~(_re(x) < 0.1), x * y, y), (-2, 2)),
    "a condition as a number": (lambda x, y: (_re(x) < _re(y)) * x * y + y, (-2, 2)),
}


def _re(x):
    """Comparisons of complex numbers are those of their real parts; as an array, because ~True is not False."""
    return np.asarray(x).real if isinstance(x, (complex, np.complexfloating, float)) else x


def _points(name: str, limits: tuple[float, float], count: int = 24) -> np.ndarray:
    return np.random.default_rng(sum(name.encode())).uniform(*limits, size=(count, 2))


def _gradient(function, point) -> list[float]:
    h = 1e-30
    x, y = (complex(v) for v in point)
    return [np.imag(function(x + 1j * h, y)) / h, np.imag(function(x, y + 1j * h)) / h]


def _first(graph, node, xs) -> list[int]:
    found = tangents(graph, [node], {x.id: {i: graph.const(1.0)} for i, x in enumerate(xs)})[0]
    return [found.get(i, graph.const(0.0)) for i in range(len(xs))]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", SMOOTH)
def test_values_and_slopes(name, width, inputs, evaluate):
    function, limits = SMOOTH[name]
    graph, (x, y) = inputs(2)
    result = function(x, y) + 0.0 * x
    points = _points(name, limits)
    got = evaluate(graph, [result.id, *_first(graph, result.id, (x, y))], points, width)
    want = np.array([[function(*p), *_gradient(function, p)] for p in points], float)
    np.testing.assert_allclose(got, want, rtol=1e-13, atol=1e-13 * max(1, abs(want).max()))


@pytest.mark.parametrize("name", SMOOTH)
def test_second_derivatives(name, inputs, evaluate):
    function, limits = SMOOTH[name]
    graph, xs = inputs(2)
    result = function(*xs) + 0.0 * xs[0]
    first = _first(graph, result.id, xs)
    second = [n for f in first for n in _first(graph, f, xs)]
    points = _points(name, limits)
    got = evaluate(graph, second, points, 4)
    h = 1e-5
    around = np.concatenate([points + s * h * e for e in np.eye(2) for s in (1, -1)])
    slopes = evaluate(graph, first, around, 4).reshape(2, 2, len(points), 2)
    numeric = ((slopes[:, 0] - slopes[:, 1]) / (2 * h)).transpose(1, 2, 0).reshape(len(points), 4)
    np.testing.assert_allclose(got, numeric, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(got[:, 1], got[:, 2], rtol=1e-12, atol=1e-12)


# operations with steps, at points that include the steps themselves
STEPPED = {
    "floor": (np.floor, lambda x: np.floor(x)),
    "ceil": (np.ceil, lambda x: np.ceil(x)),
    "modulo": (lambda x: x % 0.75, lambda x: x % 0.75),
    "floor division": (lambda x: x // 0.5, lambda x: x // 0.5),
    "sign": (np.sign, sign),
    "equal": (lambda x: 1.0 * (x == 0.5), lambda x: select(x == 0.5, 1.0, 0.0)),
    "not equal": (lambda x: 1.0 * (x != 0.5), lambda x: select(x != 0.5, 1.0, 0.0)),
    "less": (lambda x: 1.0 * (x < 0.5), lambda x: 1.0 * (x < 0.5)),
    "at most": (lambda x: 1.0 * (x <= 0.5), lambda x: 1.0 * (x <= 0.5)),
    "truth as result": (lambda x: 1.0 * (x > 0.5), lambda x: x > 0.5),
    "truth negated as result": (lambda x: 1.0 * ~(x > 0.5), lambda x: ~(x > 0.5)),
}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", STEPPED)
def test_steps(name, width, inputs, evaluate):
    plain, traced = STEPPED[name]
    graph, (x,) = inputs(1)
    points = np.array([-1.0, -0.6, -0.5, -0.1, 0.0, 0.2, 0.5, 0.8, 1.0, 1.3, 2.0])[:, None]
    got = evaluate(graph, [traced(x).id], points, width)
    np.testing.assert_allclose(got, plain(points), rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("width", [1, 4])
def test_kinks_have_the_slope_of_the_chosen_side(width, inputs, evaluate):
    graph, (x, y) = inputs(2)
    results = [fmin(x, y), fmax(x, y), abs(x)]
    slopes = [s for r in results for s in _first(graph, r.id, (x, y))]
    got = evaluate(graph, slopes, np.array([[0.5, 0.5], [0.0, 0.0]]), width)
    np.testing.assert_array_equal(got[0], [1, 0, 1, 0, 1, 0])
    np.testing.assert_array_equal(got[1][-2:], [0, 0])


@pytest.mark.parametrize("width", [1, 4])
def test_nan_of_a_branch_not_taken_stays_there(width, inputs, evaluate):
    graph, (x, y) = inputs(2)
    root = np.sqrt(x) * y
    result = select(x > 0, root, y * y) + fmax(y * y, select(x > 1, np.log(x - 1), -1.0)) + select(x > 0, 1 / x, 0.0)
    first = _first(graph, result.id, (x, y))
    second = [n for f in first for n in _first(graph, f, (x, y))]
    got = evaluate(graph, [result.id, *first, *second], np.array([[-1.0, 3.0], [0.0, 3.0]]), width)
    np.testing.assert_allclose(got, [[18, 0, 12, 0, 0, 0, 4]] * 2, rtol=1e-14)


@pytest.mark.parametrize("width", [1, 4])
def test_powers_at_zero_have_slopes(width, inputs, evaluate):
    graph, (x, y) = inputs(2)
    got = evaluate(graph, _first(graph, (x**y).id, (x, y)), np.array([[0.0, 1.5]]), width)
    np.testing.assert_array_equal(got, [[0.0, 0.0]])
    got = evaluate(graph, _first(graph, (x**1.5).id, (x, y)), np.array([[0.0, 0.0]]), width)
    np.testing.assert_array_equal(got, [[0.0, 0.0]])


def test_infinities_and_nans_pass_through(inputs, evaluate):
    graph, (x, y) = inputs(2)
    results = [x + y, x * y, fmin(x, y), select(x < y, 1.0, 2.0), select(x != x, 1.0, 0.0)]
    points = np.array([[np.nan, 1.0], [np.inf, 1.0], [-np.inf, 1.0]])
    got = evaluate(graph, [r.id for r in results], points, 4)
    np.testing.assert_array_equal(got[0], [np.nan, np.nan, 1.0, 2.0, 1.0])
    np.testing.assert_array_equal(got[1], [np.inf, np.inf, 1.0, 2.0, 0.0])
    np.testing.assert_array_equal(got[2], [-np.inf, -np.inf, -np.inf, 1.0, 0.0])


def test_arrays_of_traced_numbers(inputs, evaluate):
    graph, xs = inputs(6)
    a, b = np.array(xs[:3]), np.array(xs[3:])
    plain_a, plain_b = np.array([0.3, -0.2, 0.9]), np.array([0.1, 0.4, -0.7])

    def several(a, b):
        return [
            *np.cross(a, b),
            a @ b,
            np.linalg.norm(a),
            np.outer(a, b).sum(),
            np.einsum("i,i", a, b),
            *fmin(a, b),
            *fmax(a, 0.2),
            *absolute(a),
            *sign(b),
            *select(a @ b < 0, a, b),
            *(np.float64(2.0) * a - 1),
        ]

    got = evaluate(graph, [r.id for r in several(a, b)], [[*plain_a, *plain_b]], 4)[0]
    np.testing.assert_allclose(got, several(plain_a, plain_b), rtol=1e-13, atol=1e-15)


def test_conditions_in_an_array(inputs, evaluate):
    graph, (x, y) = inputs(2)
    conditions = np.array([x < y, y < x], dtype=object)
    chosen = select(conditions, np.array([x, y]), 0.0)
    np.testing.assert_array_equal(evaluate(graph, [c.id for c in chosen], [[1.0, 2.0]], 4), [[1.0, 0.0]])


@pytest.mark.parametrize("width", WIDTHS)
def test_arctangent_in_all_directions(width, evaluate):
    """Within 4e-16 rad and, for small angles, 4e-16 of the angle: a few units of the last digit."""
    graph = Graph()
    y, x = (Expr(graph, graph.input(Place("lane", 0, i))) for i in range(2))
    angle = np.concatenate([np.linspace(-np.pi, np.pi, 2001)[1:], np.geomspace(1e-300, 1.0, 200)])
    size = np.tile([1e-8, 1.0, 3e5], -(-angle.size // 3))[: angle.size]
    points = np.column_stack([size * np.sin(angle), size * np.cos(angle)])
    points = np.concatenate([points, [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [-1.0, 0.0], [0.0, -1.0], [1.0, 1.0]]])
    got = evaluate(graph, [np.arctan2(y, x).id, np.arctan(y).id], points, width)
    np.testing.assert_allclose(got[:, 0], np.arctan2(*points.T), rtol=4e-16, atol=4e-16)
    np.testing.assert_allclose(got[:, 1], np.arctan(points[:, 0]), rtol=4e-16, atol=4e-16)
    small = (np.abs(got[:, 0]) < 0.3) & (points[:, 1] > 0)
    np.testing.assert_allclose(got[small, 0], np.arctan2(*points[small].T), rtol=4e-16)


def test_arctangent_of_nan_is_nan(evaluate):
    graph = Graph()
    y, x = (Expr(graph, graph.input(Place("lane", 0, i))) for i in range(2))
    got = evaluate(graph, [np.arctan2(y, x).id], [[np.nan, 1.0], [1.0, np.nan], [1.0, np.inf], [-np.inf, 1.0]], 4)
    np.testing.assert_array_equal(got[:, 0], [np.nan, np.nan, 0.0, -np.pi / 2])


@pytest.mark.parametrize("width", WIDTHS)
def test_exponential_at_all_sizes(width, evaluate):
    """Within two units of the last digit; large ones, infinities and nan as the C library has them."""
    graph = Graph()
    x = Expr(graph, graph.input(Place("lane", 0, 0)))
    ordinary = np.concatenate([np.linspace(-699.0, 699.0, 4001), np.linspace(-1.0, 1.0, 2001), [0.0, 1e-300, -1e-17]])
    got = evaluate(graph, [np.exp(x).id], ordinary[:, None], width)[:, 0]
    np.testing.assert_allclose(got, np.exp(ordinary), rtol=4.5e-16)
    far = np.array([-np.inf, -1e4, -745.0, 705.0, 709.7, 1e4, np.inf, np.nan])
    with np.errstate(over="ignore"):
        np.testing.assert_allclose(
            evaluate(graph, [np.exp(x).id], far[:, None], width)[:, 0], np.exp(far), rtol=4.5e-16
        )


@pytest.mark.parametrize("width", WIDTHS)
def test_arc_sine_and_cosine_to_the_ends(width, evaluate):
    """Within 5e-16 rad from -1 to 1, ends included; nan beyond."""
    graph = Graph()
    x = Expr(graph, graph.input(Place("lane", 0, 0)))
    points = np.concatenate([np.linspace(-1.0, 1.0, 2001), 1.0 - np.geomspace(1e-16, 0.1, 50)])
    got = evaluate(graph, [np.arcsin(x).id, np.arccos(x).id], points[:, None], width)
    np.testing.assert_allclose(got[:, 0], np.arcsin(points), rtol=0.0, atol=5e-16)
    np.testing.assert_allclose(got[:, 1], np.arccos(points), rtol=0.0, atol=5e-16)
    assert np.isnan(evaluate(graph, [np.arcsin(x).id, np.arccos(x).id], [[1.1]], width)).all()
