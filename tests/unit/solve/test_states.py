"""Scalar states of order zero, one and two: integrated, started, balanced and linearised like the motion of nodes."""

from typing import Any

import numpy as np
import pytest

import samara as sm

TAU = 0.5


class Lag(sm.Element):
    """tau x_dot + x = u."""

    x: sm.State = sm.state(kw_only=False)
    tau: float = sm.number(unit="s", positive=True)
    u: Any = sm.driven(default=1.0)

    def formulate(self, site):
        x = site.states[0]
        return sm.Contribution(wrenches=[], balances=[self.tau * x.rate + x.value - self.u])


class Sum(sm.Element):
    """y + y^3 = x + x_dot: an algebraic unknown that follows from a state and its rate."""

    x: sm.State = sm.state(kw_only=False)
    y: sm.State = sm.state(kw_only=False)

    def formulate(self, site):
        x, y = site.states
        return sm.Contribution(wrenches=[], balances=[0.0, y.value + y.value**3 - x.value - x.rate])


class Oscillator(sm.Element):
    """m q_ddot + k q = 0, with a state of its own."""

    mass: float = sm.number(positive=True)
    stiffness: float = sm.number(positive=True)

    def own_states(self):
        return {"q": sm.State(2, value=1.0, unit="m", scale=1.0)}

    def formulate(self, site):
        q = site.states[0]
        return sm.Contribution(
            wrenches=[],
            balances=[self.mass * q.acceleration + self.stiffness * q.value],
            kinetic=0.5 * self.mass * q.rate**2,
            potential=0.5 * self.stiffness * q.value**2,
        )


def lag_and_more() -> sm.Model:
    model = sm.Model("states")
    x, y = model.state("x", unit="Pa"), model.state("y", 0)
    model.add("lag", Lag(x, tau=TAU))
    model.add("sum", Sum(x, y))
    model.add("oscillator", Oscillator(mass=1.0, stiffness=4.0))
    return model


def errors(step: float) -> np.ndarray:
    results = sm.transient(lag_and_more(), 2.0, step, progress=False)
    t, x, y = results.time, results["x.value"], results["y.value"]
    exact = 1.0 - np.exp(-t / TAU)
    rate = np.exp(-t / TAU) / TAU
    return np.array([
        np.abs(x - exact).max(),
        np.abs(results["x.rate"] - rate).max(),
        np.abs(results["oscillator.q.value"] - np.cos(2.0 * t)).max(),
        np.abs(y + y**3 - x - results["x.rate"]).max(),
    ])  # fmt: skip


def test_second_order_in_the_step():
    coarse, fine = errors(0.02), errors(0.01)
    np.testing.assert_allclose(np.log2(coarse[:3] / fine[:3]), 2.0, atol=0.1)
    assert fine[3] < 1e-8  # algebraic: to the tolerance of Newton's method, whatever the step


def test_the_start_is_consistent():
    results = sm.transient(lag_and_more(), 0.01, 0.01, progress=False)
    assert results["x.rate"][0] == pytest.approx(1.0 / TAU, rel=1e-9)
    y = results["y.value"][0]
    assert y + y**3 == pytest.approx(1.0 / TAU, rel=1e-8)


def test_variable_step_keeps_its_accuracy():
    results = sm.transient(lag_and_more(), 2.0, accuracy=1e-6, progress=False)
    error = np.abs(results["x.value"] - (1.0 - np.exp(-results.time / TAU))).max()
    assert error < 1e-6 * len(results.time)  # the sum of what each step may err
    assert len(results.time) < 1000


def test_static_and_modes():
    sim = sm.Simulation(lag_and_more())
    results = sm.static(sim)
    y = results["y.value"][-1]
    assert results["x.value"][-1] == pytest.approx(1.0)
    assert y + y**3 == pytest.approx(1.0)
    found = sm.modes(sim)
    np.testing.assert_allclose(found.eigenvalues, [-1.0 / TAU, 2.0j], atol=1e-12)
    lag = found.state_shapes[0]
    assert lag[1] / lag[0] == pytest.approx((1.0 - 1.0 / TAU) / (1.0 + 3.0 * y**2))  # y follows x + s x


def test_units_reach_the_results():
    results = sm.transient(lag_and_more(), 0.01, 0.01, progress=False)
    units = {c.name: c.unit for c in results.channels}
    assert units["x.value"] == "Pa"
    assert units["x.rate"] == "Pa/s"
    assert units["oscillator.q.value"] == "m"


def test_a_run_taken_up_again_is_the_same(tmp_path):
    whole = sm.transient(lag_and_more(), 1.0, 0.01, progress=False)
    path = tmp_path / "half.npz"
    sm.transient(lag_and_more(), 0.5, 0.01, checkpoint=path, progress=False)
    rest = sm.transient(lag_and_more(), 1.0, 0.01, resume=path, progress=False)
    np.testing.assert_array_equal(rest["x.value"][-1], whole["x.value"][-1])
    np.testing.assert_array_equal(rest["oscillator.q.value"][-1], whole["oscillator.q.value"][-1])


class Suspended(sm.Element):
    """A mass on a node's x axis at the distance q, which a spring holds: a body with one freedom of its own."""

    n: sm.Node = sm.node(kw_only=False)
    mass: float = sm.number(positive=True)
    stiffness: float = sm.number(positive=True)
    length: float = sm.number()

    def own_states(self):
        return {"q": sm.State(2, value=0.1, unit="m")}

    def formulate(self, site):
        def speed(n):
            q = site.states[0]
            p = np.array([self.length + q.value, 0.0, 0.0])
            return n.v + np.cross(n.w, p) + np.array([q.rate, 0.0, 0.0])

        # d/dt of the momentum, by the virtual work of the velocity: F = m a
        v = site.measure_rates(speed)
        n = site.frames[-1]
        acceleration = v.rate + np.cross(n.w, v.value)
        q, force = site.states[0], self.mass * acceleration
        balance = v.balances(force) + np.array([self.stiffness * q.value])
        return sm.Contribution(
            wrenches=v.wrenches(force),
            balances=balance,
            kinetic=0.5 * self.mass * (v.value @ v.value),
            potential=0.5 * self.stiffness * q.value**2,
        )


def test_a_node_and_its_state_exchange_momentum():
    """A free body with a sprung mass inside: momentum and energy stay, the frequency is that of the pair."""
    M, m, k = 3.0, 1.0, 200.0
    model = sm.Model("sprung")
    node = model.node("n", (0, 0, 0))
    model.add("body", sm.Body(node, mass=M, inertia=(0.1, 0.2, 0.3)))
    model.add("inside", Suspended(node, mass=m, stiffness=k, length=0.0))
    found = sm.modes(sm.Simulation(model))
    assert found.frequencies.max() == pytest.approx(np.sqrt(k * (1 / m + 1 / M)), rel=1e-9)
    results = sm.transient(model, 2.0, 0.002, integrator=sm.TwoStep(1.0), progress=False)
    energy = results["model.kinetic"] + results["model.potential"]
    assert np.ptp(energy) < 1e-3 * energy[0]
    momentum = (M + m) * results["n.velocity"][:, 0] + m * results["inside.q.rate"]
    np.testing.assert_allclose(momentum, 0.0, atol=1e-9)


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda model: model.state("x", 3), "order must be 0, 1 or 2"),
        (lambda model: model.state("x", scale=0.0), "scale must be positive"),
        (lambda model: model.state("x", value=np.nan), "must be finite"),
        (lambda model: (model.state("x"), sm.transient(model, 1.0, 0.1)), "state 'x' of model 'bad' has no equation"),
        (lambda model: model.add("lag", Lag(1.0, tau=1.0)), "is not a state"),
        (lambda model: model.add("lag", Lag(sm.Model("other").state("x"), tau=1.0)), "does not belong to model 'bad'"),
    ],
)
def test_mistakes_are_named(build, words):
    with pytest.raises(sm.ModelError, match=words):
        build(sm.Model("bad"))


def test_a_state_of_the_wrong_order_is_named():
    """Declared of order one, but no rate in its equation: nothing gives the rate at the start."""
    model = sm.Model("bad")
    x, y = model.state("x"), model.state("y", 1)
    model.add("lag", Lag(x, tau=TAU))
    model.add("sum", Sum(x, y))
    with pytest.raises(sm.SolveError, match="state 'y'"):
        sm.transient(model, 1.0, 0.1, progress=False)
