"""What `RigidTree` refuses: states off their loops, models without inertia, changed models, arguments that are none."""

from __future__ import annotations

import math
import re
import threading

import numpy as np
import pytest

import samara as sm
from samara import Body, InLine, Model, Revolute, RigidTree, Spherical, TreeError
from samara.models import find
from samara.recursive.argument_checks import not_finite_message
from samara.recursive.graph.states import relative_pivots, solve_linear
from samara.rotations import exp_so3
from samara.tracing import Expr, Graph, tangents
from samara.tracing.kernels.evaluate import evaluate
from samara.tracing.kernels.lanes import Function, Place


def body(model: Model, name: str, at=(0.0, 0.0, 0.0), **fields):
    node = model.node(name, at)
    model.add(f"{name}.mass", Body(node, **{"mass": 1.0, "inertia": (0.1, 0.1, 0.1)} | fields))
    return node


def pendulum() -> Model:
    model = Model("pendulum", gravity=(0.0, 0.0, -9.81))
    mass = sm.Parameter("mass", 1.0)
    model.add("hinge", Revolute(model.ground, body(model, "a", (0.5, 0, 0), mass=mass), at=(0, 0, 0), axis=(0, 1, 0)))
    model.add("push", sm.Force(model["a"], force=(sm.Input("force", initial=0.0), 0.0, 0.0)))
    return model


@pytest.fixture(scope="module")
def tree() -> RigidTree:
    return RigidTree(pendulum())


@pytest.fixture(scope="module")
def ball() -> RigidTree:
    model = Model("ball")
    model.add("joint", Spherical(model.ground, body(model, "ball")))
    return RigidTree(model)


# ---- cut joints
def four_bar(last: type, flat: bool = False) -> Model:
    """A square in a plane that is not one of the axes, or all bars along one line: a change point."""
    turn = exp_so3(np.array([0.3, 0.5, -0.7]))
    points = [(0, 0, 0), (1, 0, 0), (2, 0, 0), (1, 0, 0)] if flat else [(0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 0, 0)]
    points = [turn @ np.array(p, float) for p in points]
    model = Model("plane", gravity=turn @ (3.0, -9.81, 0.0))
    bars = [body(model, f"bar_{k}", 0.5 * (points[k] + points[k + 1])) for k in range(3)]
    ends = [model.ground, *bars]
    for k in range(3):
        model.add(f"hinge_{k}", Revolute(ends[k], ends[k + 1], at=points[k], axis=turn[:, 2]))
    model.add("last", last(bars[2], model.ground, at=points[3], axis=turn[:, 2]))
    return model


@pytest.mark.parametrize("joint", [Revolute, Spherical])
def test_cut_joints_that_hold_too_much(joint):
    tree = RigidTree(four_bar(joint), cut=("last",))
    q, s = tree.start()
    words = "'last', repeat each other or hold what the tree holds already: cut a joint that holds less"
    for call in (tree.forward_dynamics, tree.derivatives):
        with pytest.raises(TreeError, match=words) as error:
            call(q, s)
        assert "batch" not in str(error.value)
    with pytest.raises(TreeError, match=f"{words}.*; so it is at state 0 of the batch"):
        tree.forward_dynamics([q, q], s)


def test_cut_joints_at_a_change_point():
    """An InLine holds no more than is needed, but where all bars are on one line; elsewhere it is as good as ever."""
    tree = RigidTree(four_bar(InLine, flat=True), cut=("last",))
    q, s = tree.start()
    with pytest.raises(TreeError, match="repeat each other"):
        tree.forward_dynamics(q, s)
    good = RigidTree(four_bar(InLine), cut=("last",))
    q, s = good.start()
    np.testing.assert_allclose(good.forward_dynamics(q, s), np.array([-1, 1, -1]) * 3.52941176, atol=1e-7)


def test_states_off_the_loop():
    tree = RigidTree(find("four-bar").make(), cut=("closure_B",))
    q, s = tree.start()
    rates = tree.forward_dynamics(q, s)
    for call in (tree.forward_dynamics, tree.derivatives):
        with pytest.raises(TreeError, match=r"cut joint 'closure_B' is open by .* of the mechanism's size"):
            call(q + 0.3, s)
        with pytest.raises(TreeError, match=r"cut joint 'closure_B' opens by .* of the speeds"):
            call(q, s * (1.0, 2.0, 1.0))
    with pytest.raises(TreeError, match="at state 2 of the batch"):
        tree.forward_dynamics([q, q, q + 0.3], s)
    # stages of integrators and differences are near enough
    np.testing.assert_allclose(tree.forward_dynamics(q + 1e-6, s), rates, rtol=1e-4)


def test_states_are_closed():
    tree = RigidTree(find("four-bar").make(), cut=("closure_B",))
    (q, s), moved = tree.start(), np.array([0.1, 0.0, 0.0])
    near, speeds = tree.close(q + moved, s)
    assert np.isfinite(tree.forward_dynamics(near, speeds)).all() and np.abs(near - q).max() > 0.01
    for found, given in zip(tree.close(near, speeds), (near, speeds), strict=True):
        np.testing.assert_allclose(found, given, atol=1e-9)
    many, _ = tree.close([q, q + moved], s)
    np.testing.assert_allclose(many, [q, near], atol=1e-9)
    free = RigidTree(pendulum())
    np.testing.assert_array_equal(free.close([0.3], [1.0]), ([0.3], [1.0]))


def test_cut_is_checked():
    with pytest.raises(sm.ArgumentError, match="cut must be names of joints"):
        RigidTree(pendulum(), cut=None)
    with pytest.raises(TreeError, match="'hinge' is named twice"):
        RigidTree(pendulum(), cut=("hinge", "hinge"))


# ---- threads
def test_threads_share_a_tree():
    tree, rng = RigidTree(find("chain").make(links=8)), np.random.default_rng(0)
    Q, S = rng.normal(size=(2, 50, 8))
    right = [tree.forward_dynamics(q, s) for q, s in zip(Q, S, strict=True)]
    wrong = []

    def work(first: int) -> None:
        for k in [*range(first, 50, 4)] * 40:
            if not np.array_equal(tree.forward_dynamics(Q[k], S[k]), right[k]):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_threads_have_their_own_inputs():
    """Inputs are told to the system that threads share: each call must use its own."""
    tree, wrong = RigidTree(pendulum()), []
    zero, one = (tree.forward_dynamics([0.5], [0.0], inputs={"force": x})[0] for x in (0.0, 1.0))

    def work(force: float) -> None:
        for _ in range(2000):
            found = tree.forward_dynamics([0.5], [0.0], inputs={"force": force})[0]
            if not math.isclose(found, zero + force * (one - zero), rel_tol=1e-12):
                wrong.append(found)

    threads = [threading.Thread(target=work, args=(float(k),)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


# ---- models that change
def test_a_changed_model_is_refused():
    for change in (
        lambda model: setattr(model.parameters["mass"], "value", 3.0),
        lambda model: model.add("more", sm.Force(model["a"], force=(0.0, 0.0, 1.0))),
    ):
        model = pendulum()
        tree = RigidTree(model)
        q, s = tree.start()
        tree.forward_dynamics(q, s)
        change(model)
        for call in (tree.forward_dynamics, tree.bias, tree.coriolis):
            with pytest.raises(sm.ModelError, match="'pendulum' has changed since it was compiled"):
                call(q, s)
        with pytest.raises(sm.ModelError, match="has changed"):
            tree.start()
        with pytest.raises(sm.ModelError, match="has changed"):
            RigidTree(tree.system)
        RigidTree(model).forward_dynamics(q, s)


# ---- results that are no numbers
def needle(axis=(1.0, 0.0, 0.0)) -> Model:
    model = Model("needle", gravity=(0.0, 0.0, -9.81))
    arm = body(model, "arm", (0.0, 0.5, 0.0))
    model.add("shoulder", Revolute(model.ground, arm, at=(0, 0, 0), axis=(0, 0, 1)))
    tip = body(model, "tip", (0.0, 1.0, 0.0), inertia=(0.0, 0.1, 0.1), com=(0.3, 0.0, 0.0))
    model.add("spin", Revolute(arm, tip, at=(0, 1, 0), axis=axis))
    return model


def test_a_needle_on_its_own_axis():
    tree = RigidTree(needle())
    q, s = tree.rest()
    assert np.isfinite(tree.mass_matrix(q)).all()
    with pytest.raises(TreeError, match=r"'needle': the acceleration of joint '\w+' .* is not finite") as error:
        tree.forward_dynamics(q, s)
    assert "a motion of 'spin.angle_rate' moves no mass: a needle on its own axis" in str(error.value)
    with pytest.raises(TreeError, match="is not finite at state 0 of the batch"):
        tree.forward_dynamics([q, q], s)
    with pytest.raises(TreeError, match="is not finite"):
        tree.derivatives(q, s)
    assert np.isfinite(RigidTree(needle((0.0, 0.0, 1.0))).forward_dynamics(q, s)).all()


def test_coaxial_hinges_with_nothing_between():
    model = Model("coaxial", gravity=(0.0, 0.0, -9.81))
    a, b = model.node("a", (1.0, 0.0, 0.0), static=True), body(model, "b", (2.0, 0.0, 0.0))
    for name, ends in (("inner", (model.ground, a)), ("outer", (a, b))):
        model.add(name, Revolute(*ends, at=(0, 0, 0), axis=(0, 1, 0)))
    tree = RigidTree(model)
    with pytest.raises(TreeError, match=r"a motion of 'inner.angle_rate', 'outer.angle_rate' moves no mass"):
        tree.forward_dynamics(*tree.rest())


class NoNumber(sm.Load):
    """A load that is not a number where the node moves up."""

    def load(self, n, world):
        return np.array([0.0 * n.v[0], 0.0 * n.v[0], np.sqrt(-n.v[2])]), np.zeros(3)


def test_a_load_that_is_not_a_number():
    model = pendulum()
    model.add("own", NoNumber(model["a"]))
    tree = RigidTree(model)
    assert np.isfinite(tree.forward_dynamics([0.3], [1.0])).all()
    with pytest.raises(TreeError, match=r"joint 'hinge' \(hinge.angle_rate\) is not finite at state 1 .* a load that"):
        tree.forward_dynamics([[0.3], [0.3]], [[1.0], [-1.0]])
    for call in (tree.bias, lambda q, s: tree.inverse_dynamics(q, s, [0.0])):
        with pytest.raises(TreeError, match=r"the effort of joint 'hinge' .* is not finite"):
            call([0.3], [-1.0])


def test_what_is_said_of_a_base_that_floats():
    model = Model("craft")
    body(model, "hull")
    told = not_finite_message(sm.Tree(model), np.array([0.0, 1.0, 2.0, 3.0, np.nan, np.inf]))
    assert "node 'hull' (hull.angular_velocity.y) is not finite, nor is that of 1 more: look for" in told


def test_large_numbers_are_numbers(tree):
    """Their sum overflows, they do not."""
    assert np.isfinite(tree.forward_dynamics([0.3], [0.0], [1e307])).all()
    assert np.isfinite(tree.forward_dynamics([1.5e308], [1.5e308 * 1e-200], [1e200])).all()
    with pytest.raises(sm.ArgumentError, match="efforts must be finite"):
        tree.forward_dynamics([0.3], [0.0], [np.inf])


# ---- arguments
def test_no_state_at_all(tree, ball):
    assert tree.forward_dynamics(np.zeros((0, 1)), np.zeros((0, 1))).shape == (0, 1)
    q, s = np.zeros((0, 4)), np.zeros((0, 3))
    assert ball.forward_dynamics(q, s).shape == ball.inverse_dynamics(q, s, s).shape == ball.bias(q, s).shape == (0, 3)
    assert ball.mass_matrix(q).shape == ball.coriolis(q, s).shape == (0, 3, 3)
    assert [x.shape for x in ball.jacobian("ball", q)] == [(0, 6, 3)] * 2
    pose, twist = ball.frame("ball", q)
    assert (pose.R.shape, pose.p.shape, twist.shape) == ((0, 3, 3), (0, 3), (0, 6))
    assert ball.integrate(q, s).shape == (0, 4)


@pytest.mark.parametrize(
    "given", [None, "abc", ["a"], [[1.0], [1.0, 2.0]], np.array([1 + 2j]), [1j], {"a": 1.0}, [10**400], [object()]]
)
def test_what_is_no_numbers(refuses, tree, given):
    with refuses("RigidTree: q"):
        tree.forward_dynamics(given, 0.0)
    if given is not None:
        with refuses("RigidTree: s"):
            tree.forward_dynamics([0.3], given)
    with refuses("integrate: ds"):
        tree.integrate([0.3], given)


def test_shapes(tree):
    for given in (0.3, np.zeros((2, 2, 1))):
        with pytest.raises(sm.ArgumentError, match=r"q must be of shape \(1,\) or \(count, 1\), got \("):
            tree.mass_matrix(given)
    with pytest.raises(sm.ArgumentError, match=r"s must be of shape \(1, 1\), got \(1, 1, 1\)"):
        tree.forward_dynamics([0.3], np.zeros((1, 1, 1)))


@pytest.mark.parametrize("time", ["x", None, [0.0], np.zeros(2), math.nan, math.inf, True])
def test_times(refuses, tree, time):
    with refuses("RigidTree: time"):
        tree.forward_dynamics([0.3], [0.0], time=time)
    assert tree.forward_dynamics([0.3], [0.0], time=2) == tree.forward_dynamics([0.3], [0.0], time=np.float32(2.0))


def test_inputs(refuses, tree):
    for given in ([1.0], "force", 1.0, []):
        with refuses("RigidTree: inputs"):
            tree.forward_dynamics([0.3], [0.0], inputs=given)


def test_nodes(tree):
    for given in (["a"], None, 3):
        with pytest.raises(sm.ArgumentError, match=re.escape(f"has no node {given!r} (it has: ground, a)")):
            tree.jacobian(given, [0.3])
    with pytest.raises(sm.ArgumentError, match="node 'a' is one of another model, not of 'pendulum'"):
        tree.frame(pendulum()["a"], [0.3])
    assert np.isfinite(tree.jacobian(tree.model["a"], [0.3])).all()


@pytest.mark.parametrize("order", ["ZYQ", "ZZX", "XYY", "ZY", "zyx", "", None, 3, ["Z", "Y", "X"]])
def test_orders_of_euler_angles(refuses, tree, order):
    with refuses("euler_angles: order"):
        tree.euler_angles("a", [0.3], order=order)


def test_integrate_checks_what_it_is_given(refuses, tree, ball):
    bad = [
        ("ds", [0.3], [1.0, 2.0]),
        ("q", [0.3, 3.0], [1.0]),
        ("q", 0.3, [1.0]),
        ("q", [np.nan], [1.0]),
        ("ds", [0.3], [np.inf]),
        ("ds", np.zeros((3, 1)), np.zeros((2, 1))),  # not as many states
    ]
    for argument, q, ds in bad:
        with refuses(f"integrate: {argument}"):
            tree.integrate(q, ds)
    with pytest.raises(sm.ArgumentError, match=r"joint.rotation is a quaternion .* of length 1, got 0") as caught:
        ball.integrate(np.zeros(4), np.ones(3))
    assert caught.value.argument == "q"
    with refuses("integrate: ds"):
        ball.integrate(ball.rest()[0], (1e200, 0.0, 0.0))
    np.testing.assert_array_equal(tree.integrate([0.3], [[1.0], [2.0]]), [[1.3], [2.3]])


def test_the_quaternion_that_is_wrong_is_shown(ball):
    q = np.array([1.0, 0.0, 0.0, 0.0])
    for size in (0.5, 2.0):
        with pytest.raises(sm.ArgumentError, match=f"of length 1, got {size:g} in row 1"):
            ball.forward_dynamics([q, size * q, q], np.zeros(3))


# ---- equations of states
def linear(by_size: bool, q: float) -> np.ndarray:
    """Solution of [[q, 1], [1, q]] x = (1, 2) as the graph has it."""
    graph = Graph()
    x = Expr(graph, graph.input(Place("lane", 0, 0)))
    one = Expr(graph, graph.const(1.0))
    A = np.array([[x, one], [one, x]], dtype=object)
    found = solve_linear(A, [one, 2.0 * one], by_size)
    return np.array(evaluate(_function(graph, found), lambda place: q))


def _function(graph: Graph, values: list) -> Function:
    return Function("f", graph, [(Place("lane", 0, k), x.id) for k, x in enumerate(values)])


@pytest.mark.parametrize("q", [0.0, 1e-18, -0.5, 3.0])
def test_pivots_by_size(q):
    np.testing.assert_allclose(linear(True, q), np.linalg.solve([[q, 1.0], [1.0, q]], [1.0, 2.0]), rtol=1e-14)


def test_larger_matrices_and_their_derivatives(rng):
    """Entries that pass through zero: solved as NumPy does, whose derivative is that of the inverse."""
    for n in (3, 4):
        B, C, b = rng.normal(size=(n, n)), rng.normal(size=(n, n)), rng.normal(size=n)
        B[np.arange(n), np.arange(n)] = 0.0
        C[0, 1] = B[0, 1] = 0.0
        graph = Graph()
        lane = graph.input(Place("lane", 0, 0))
        x = Expr(graph, lane)
        A = np.array([[c * x + v for c, v in zip(*rows, strict=True)] for rows in zip(C, B, strict=True)], dtype=object)
        found = solve_linear(A, [Expr(graph, graph.const(v)) for v in b], by_size=True)
        slopes = tangents(graph, [y.id for y in found], {lane: {("x",): graph.const(1.0)}})
        all_of = [*found, *(Expr(graph, s[("x",)]) for s in slopes)]
        for q in (0.0, 0.7, -1.3):
            got = np.array(evaluate(_function(graph, all_of), lambda place, q=q: q))
            M = q * C + B
            y = np.linalg.solve(M, b)
            np.testing.assert_allclose(got[:n], y, rtol=1e-10)
            np.testing.assert_allclose(got[n:], -np.linalg.solve(M, C @ y), rtol=1e-9)


def test_constants_cost_nothing(rng):
    graph = Graph()
    b = [Expr(graph, graph.input(Place("lane", 0, k))) for k in range(3)]
    A = np.array([[Expr(graph, graph.const(v)) for v in row] for row in rng.normal(size=(3, 3))], dtype=object)
    found = solve_linear(A, b, by_size=True)
    assert not any(graph.nodes[i].op == "select" for i in graph.live([x.id for x in found]))
    assert graph.operations([x.id for x in found]) <= 18


def test_what_gauss_leaves():
    graph = Graph()
    const = lambda M: np.array([[Expr(graph, graph.const(v)) for v in row] for row in M], dtype=object)  # noqa: E731
    value = lambda x: x if isinstance(x, float) else graph.value(x.id)  # noqa: E731
    assert [value(x) for x in relative_pivots(const([[4.0, 2.0], [2.0, 4.0]]))] == [1.0, 0.75]
    assert [value(x) for x in relative_pivots(const([[-4.0, 2.0], [2.0, -1.0]]))] == [1.0, 0.0]
    assert [value(x) for x in relative_pivots(const([[0.0, 0.0], [0.0, 1.0]]))] == [0.0, 1.0]


class Two(sm.Element):
    """Two states whose equations have the angle q of a link as their first pivot: [[q, 1], [1, q]]."""

    a: sm.Node = sm.node(kw_only=False)
    b: sm.Node = sm.node(kw_only=False)

    def own_states(self):
        return {name: sm.State(1, unit="1", scale=1.0) for name in "xy"}

    def formulate(self, site):
        x, y = site.states
        angle = site.measure(lambda a, b: [np.arctan2(a.x[2], a.x[0])])
        q, rate = angle.value[0], angle.rate[0]
        balances = [q * x.rate + y.rate - rate + x.value, x.rate + q * y.rate + y.value - 1.0]
        return sm.Contribution(wrenches=angle.wrenches([0.3 * x.value]), balances=balances)


def test_states_that_start_at_a_zero_pivot():
    model = pendulum()
    model.add("own", Two(model.ground, model["a"]))
    run = sm.transient(model, 0.01, 1e-3, formulation="recursive", progress=False)
    x = run["own.x.value"]
    assert np.isfinite(x).all() and x[1] == pytest.approx(1e-3, rel=0.05)
