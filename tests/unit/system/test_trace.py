"""Formulating an element on traced numbers: measures and their virtual work, and errors that name the element."""

import numpy as np
import pytest

import samara as sm
from samara.model import Contribution, Element, Output, driven, node, number, option
from samara.rotations import Pose, adjoint_times, exp_so3
from samara.system.kernels.kinds import make_kind
from samara.system.kernels.trace import TracedSite, trace
from samara.system.memory.blocks import ACC, CARRIER, ETA, INCREMENT, POSITION, ROTATION, Coefficient
from samara.tracing import Expr, Graph, TracingError


# ---- values of traced numbers, by plain Python
def value_of(graph: Graph, wanted: int, inputs: dict) -> float:
    """Walks the graph with floats: the oracle of these tests is not the compiler."""
    from samara.tracing.expressions.graph import BINARY, COMPARE, UNARY

    plain = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b}
    plain |= {"neg": lambda a: -a, "select": lambda c, a, b: a if c else b, **UNARY, **BINARY, **COMPARE}
    values: dict[int, float] = {}
    for i in graph.live([wanted]):
        op, args = graph.nodes[i]
        if op == "const":
            values[i] = args[0]
        elif op == "input":
            values[i] = inputs[tuple(args[0])]
        else:
            values[i] = plain[op](*(values[a] for a in args))
    return values[wanted]


class Bench:
    """Two nodes in motion, as inputs of a traced site."""

    def __init__(self, rng, site: TracedSite) -> None:
        self.site, self.inputs = site, {("coefficient", 0, int(Coefficient.TIME)): 0.7}
        self.R, self.p, self.eta = [], [], []
        for i in range(site.node_count):
            R, p, eta, acc = exp_so3(rng.uniform(-1, 1, 3)), *(rng.uniform(-1, 1, n) for n in (3, 6, 6))
            self.R.append(R), self.p.append(p), self.eta.append(eta)
            V = rng.uniform(-1, 1, 3)  # of a carrier, of which nothing may be seen
            seen = eta - np.concatenate([R.T @ V, np.zeros(3)])
            rate = acc + np.concatenate([np.cross(eta[3:], R.T @ V), np.zeros(3)])
            blocks = {ROTATION: R.ravel(), POSITION: p, ETA: seen, ACC: rate, CARRIER: V, INCREMENT: np.zeros(6)}
            for first, numbers in blocks.items():
                self.inputs |= {("node", i, first + k): float(v) for k, v in enumerate(numbers)}

    def __call__(self, expr) -> float:
        return value_of(self.site.graph, expr.id, self.inputs) if isinstance(expr, Expr) else float(expr)

    def power(self, wrenches) -> float:
        """Of wrenches on the nodes, along their twists."""
        return sum(np.array([self(w) for w in wrench]) @ eta for wrench, eta in zip(wrenches, self.eta, strict=True))

    def moved(self, t: float):
        """Poses a little later, along the twists."""
        from samara.rotations import exp_se3

        steps = [exp_se3(t * eta) for eta in self.eta]
        return [Pose(R @ s.R, p + R @ s.p) for R, p, s in zip(self.R, self.p, steps, strict=True)]


def gap(a, b):
    """Some coordinates of a pair of frames: they depend on both poses."""
    return [b.p @ b.p - a.p @ a.p + a.x @ b.y, (b.p - a.p) @ a.z]


def plain_gap(poses):
    """The same on plain poses, seen from the last node."""
    a, e = poses
    R, p = e.R.T @ a.R, e.R.T @ (a.p - e.p)
    return np.array([-p @ p + R[:, 0] @ np.eye(3)[1], -p @ R[:, 2]])


@pytest.fixture
def bench(rng):
    return Bench(rng, TracedSite(2))


def test_frames_are_seen_from_the_last_node(bench):
    site = bench.site
    a, e = site.frames
    R, p = bench.R[1].T @ bench.R[0], bench.R[1].T @ (bench.p[0] - bench.p[1])
    np.testing.assert_allclose([[bench(x) for x in row] for row in a.R], R, atol=1e-15)
    np.testing.assert_allclose([bench(x) for x in a.p], p, atol=1e-15)
    np.testing.assert_array_equal(e.R, np.eye(3))
    np.testing.assert_allclose([bench(x) for x in site.world.p], -bench.R[1].T @ bench.p[1], atol=1e-15)


def test_a_measure_and_its_rate(bench):
    measured = bench.site.measure(gap)
    np.testing.assert_allclose([bench(v) for v in measured.value], plain_gap(bench.moved(0.0)), atol=1e-14)
    h = 1e-6
    numeric = (plain_gap(bench.moved(h)) - plain_gap(bench.moved(-h))) / (2 * h)
    np.testing.assert_allclose([bench(r) for r in measured.rate], numeric, atol=1e-8)


def test_efforts_work_along_the_rates(bench):
    """Power of the wrenches on the nodes' twists = efforts times rates: the meaning of virtual work."""
    measured = bench.site.measure(gap)
    assert bench.power(measured.wrenches([2.0, -0.3])) == pytest.approx(
        2.0 * bench(measured.rate[0]) - 0.3 * bench(measured.rate[1]), rel=1e-12
    )


def test_wrenches_of_a_relative_measure_balance(bench):
    """Action and reaction: moved to one point, the two wrenches cancel."""
    wrenches = [np.array([bench(w) for w in wrench]) for wrench in bench.site.measure(gap).wrenches([1.0, 1.0])]
    a, e = (Pose(R, p) for R, p in zip(bench.R, bench.p, strict=True))
    total = np.zeros(6)
    for pose, wrench in ((a, wrenches[0]), (e, wrenches[1])):
        force, moment = pose.R @ wrench[:3], pose.R @ wrench[3:]
        total += [*force, *(moment + np.cross(pose.p, force))]
    np.testing.assert_allclose(total, 0.0, atol=1e-13)


def test_rates_can_be_measured_too(bench):
    measured = bench.site.measure_rates(lambda a, b: [a.w @ b.x + b.v[2], a.v[0] * 3.0])
    assert bench.power(measured.wrenches([2.0, 5.0])) == pytest.approx(
        2.0 * bench(measured.value[0]) + 5.0 * bench(measured.value[1]), rel=1e-12
    )


def test_the_relative_twist_is_that_of_the_poses(bench):
    """Pose tangents in the relative directions, contracted with the relative twist, are the rates of the poses."""
    a, _ = bench.site.frames
    rate = np.array([bench(r) for r in bench.site.rate(bench.site.lift(a.p))])
    R, p = bench.R[1].T @ bench.R[0], bench.R[1].T @ (bench.p[0] - bench.p[1])
    twist = adjoint_times(Pose(R, p), bench.eta[0]) - bench.eta[1]
    np.testing.assert_allclose(rate, twist[:3] + np.cross(twist[3:], p), atol=1e-13)


def test_constants_are_lifted(bench):
    lifted = bench.site.lift([1.0, 2, bench.site.time])
    assert all(isinstance(v, Expr) for v in lifted)
    assert [bench(v) for v in lifted] == [1.0, 2.0, 0.7]


# ---- what becomes of an element's fields
class Tie(Element):
    """A force k x + drive, with an option."""

    n: sm.Node = node(kw_only=False)
    stiffness: float = number(unit="N/m")
    force: float = driven(default=0.0, unit="N")
    doubled: bool = option(default=False)

    def formulate(self, site):
        assert isinstance(self.stiffness, Expr)
        assert isinstance(self.doubled, bool)
        x = site.world.p[0] * self.stiffness * (2.0 if self.doubled else 1.0) + self.force
        return Contribution(wrenches=[np.array([x, 0.0, 0.0, 0.0, 0.0, 0.0])], outputs=[Output("pull", "N", x)])


def joined(make, *args, **kwargs):
    element = make(sm.Model("traced").node("n"), *args, **kwargs)
    element.join("tie")
    return element


def test_numbers_are_parameters_drives_are_signals_options_stay():
    traced = trace(joined(Tie, stiffness=3.0, force=sm.Sine(amplitude=1.0, frequency=2.0)))
    assert traced.parameters == [0]
    assert traced.signals == [1]


def test_numbers_share_a_kernel_options_do_not():
    make = lambda **k: make_kind(joined(Tie, **k))  # noqa: E731
    from samara.tracing.kernels.native import fingerprint

    keys = [fingerprint(kind.functions, 4, kind.shape) for kind in (make(stiffness=1.0), make(stiffness=2.0))]
    assert keys[0] == keys[1]
    other = make(stiffness=1.0, doubled=True)
    assert fingerprint(other.functions, 4, other.shape) != keys[0]


def test_the_users_element_is_not_touched():
    element = joined(Tie, stiffness=3.0)
    trace(element)
    assert element.stiffness == 3.0


# ---- errors
class Faulty(Element):
    """Does something with its node's speed that cannot be traced."""

    n: sm.Node = node(kw_only=False)
    fault: str = option(default="branch")

    def formulate(self, site):
        speed = site.frames[-1].v[0]
        if self.fault == "branch":
            speed = speed if speed > 0 else 0.0
        elif self.fault == "loop":
            while speed > 1.0:
                speed = speed / 2
        elif self.fault == "float":
            speed = float(speed)
        elif self.fault == "index":
            speed = [0.0, 1.0][speed]
        elif self.fault == "zero":
            speed = speed * (1 / 0)
        elif self.fault == "kept":
            Faulty.kept = getattr(Faulty, "kept", speed)
            speed = Faulty.kept * speed
        elif self.fault == "solve":
            speed = np.linalg.solve(np.diag(site.frames[-1].v), np.ones(3))[0]
        return Contribution(wrenches=[np.array([speed, 0.0, 0.0, 0.0, 0.0, 0.0])])


def build(fault: str) -> sm.System:
    model = sm.Model("faulty")
    n = model.node("n")
    model.add("mass", sm.Body(n, mass=1.0, inertia=(1.0, 1.0, 1.0)))
    model.add("culprit", Faulty(n, fault=fault))
    return sm.System(model, lanes=1)


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        ("branch", r"branch or loop that depends on a simulated value.*select\(condition, a, b\)"),
        ("loop", "branch or loop that depends on a simulated value"),
        ("float", "has no plain number while it is traced"),
        ("index", "index or count that depends on a simulated value"),
    ],
)
def test_what_cannot_be_traced_names_the_element_and_the_line(fault, says):
    with pytest.raises(TracingError, match=says) as caught:
        build(fault)
    assert str(caught.value).startswith("element 'culprit' (Faulty): ")
    places = [entry.name for entry in caught.traceback]
    assert "formulate" in places  # the user sees the own line


def test_numbers_kept_from_another_trace_are_refused():
    with pytest.raises(TracingError, match=r"element 'culprit' \(Faulty\): .*keep no traced numbers between calls"):
        build("kept")


def test_functions_that_take_plain_numbers_alone_name_the_element():
    with pytest.raises(sm.ModelError, match=r"element 'culprit' \(Faulty\): .*takes plain numbers alone"):
        build("solve")


def test_an_exception_of_the_author_names_the_element():
    with pytest.raises(ZeroDivisionError, match=r"element 'culprit' \(Faulty\): division by zero"):
        build("zero")


def test_as_many_constraints_as_multipliers():
    class Uneven(Element):
        n: sm.Node = node(kw_only=False)

        def formulate(self, site):
            site.multipliers(2)
            return Contribution(wrenches=[np.zeros(6)], constraints=[site.world.p[0]])

    with pytest.raises(ValueError, match="as many constraints as multipliers"):
        make_kind(joined(Uneven))
