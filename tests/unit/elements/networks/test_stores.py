"""Stores whose content bends with their value, in every analysis: what is kept is a state tied to the value."""

import numpy as np
import pytest
import scipy
from made_elements import Leak, Level, Vessel

import samara as sm
from samara.solve.linear_systems.first_order import first_order

SIZE, BEND, RATE = 2.0, 3.0, 0.7


def filled(stores=((SIZE, BEND),), start=0.5, source=None):
    """A source fills stores at one junction through a leak."""
    model = sm.Model("filled")
    high, low = model.junction("high"), model.junction("low", value=start)
    model.add("source", source(high) if source else Level(high, level=2.0))
    for k, (size, bend) in enumerate(stores):
        model.add(f"store_{k}", Vessel(low, size=size, bend=bend))
    model.add("leak", Leak(high, low, rate=RATE))
    return model


def exact(t, start=0.5, size=SIZE, bend=BEND, level=2.0):
    """(size + bend x) dx/dt = rate (level - x), solved for t: size ln(...) and what the bend adds."""

    def time(x):
        return ((size + bend * level) * np.log((level - start) / (level - x)) - bend * (x - start)) / RATE

    return scipy.optimize.brentq(lambda x: time(x) - t, start, level - 1e-9)


@pytest.mark.parametrize("formulation", ["redundant", "recursive"])
def test_a_store_fills_as_its_equation_says(formulation):
    """Of second order in the step or better; in minimal coordinates too."""
    results = sm.transient(sm.Simulation(filled(), formulation=formulation), 4.0, 1e-2, progress=False)
    for k in (100, 200, 400):
        assert results["low.value"][k] == pytest.approx(exact(results.time[k]), rel=2e-6)


@pytest.mark.parametrize("step", [0.5, 0.1, 0.02])
def test_what_flows_in_is_there(step):
    """Content is the integral of the flow, by the integrator's own rule, however large the step."""
    model = filled()
    results = sm.transient(model, 4.0, step, integrator=sm.TwoStep(1.0), progress=False)
    inflow, x = results["leak.flow"], results["low.value"]
    taken = np.concatenate([[0.0], np.cumsum(0.5 * (inflow[1:] + inflow[:-1]) * np.diff(results.time))])
    content = SIZE * x + 0.5 * BEND * x**2
    np.testing.assert_allclose(content - content[0], taken, atol=1e-9 * content[-1])
    np.testing.assert_allclose(results["store_0.content"], content, rtol=1e-12)


def test_stores_at_one_junction_are_one():
    """Two halves, or a part that does not bend and one that does, are the whole."""
    one = sm.transient(filled(), 2.0, 0.05, progress=False)
    for stores in (((SIZE / 2, BEND / 2),) * 2, ((SIZE / 2, 0.0), (SIZE / 2, BEND)), ((SIZE / 10, BEND / 10),) * 10):
        many = sm.transient(filled(stores), 2.0, 0.05, progress=False)
        np.testing.assert_allclose(many["low.value"], one["low.value"], rtol=1e-10)


@pytest.mark.parametrize("start", [0.5, 1.9])
def test_the_time_constant_follows_the_value(start):
    """-rate / (size + bend x), about any x at an instant of a run, and about the balance."""
    sim = sm.Simulation(filled(start=start))
    sm.assemble(sim)
    found = first_order(sm.linearise(sim)).A
    np.testing.assert_allclose(np.linalg.eigvals(found), -RATE / (SIZE + BEND * start), rtol=1e-9)
    at_rest = sm.modes(filled(start=start)).eigenvalues
    np.testing.assert_allclose(at_rest, -RATE / (SIZE + BEND * 2.0), rtol=1e-9)


def test_multipliers_of_a_store_that_breathes():
    """exp of the mean of -d/dx [rate (level - x) / (size + bend x)] over the periodic solution of the equation."""
    omega = 2.0
    period = 2.0 * np.pi / omega

    def rates(t, y):
        x, multiplier = y
        level, content = 2.0 + np.sin(omega * t), SIZE + BEND * x
        slope = -RATE / content - RATE * (level - x) * BEND / content**2
        return [RATE * (level - x) / content, slope * multiplier]

    x = 2.0
    for _ in range(60):
        x = scipy.integrate.solve_ivp(rates, (0.0, period), [x, 1.0], rtol=1e-11, atol=1e-12).y[0, -1]
    multiplier = scipy.integrate.solve_ivp(rates, (0.0, period), [x, 1.0], rtol=1e-11, atol=1e-12).y[1, -1]
    model = filled(start=x, source=lambda n: Level(n, level=sm.Sine(1.0, omega, offset=2.0)))
    found = sm.floquet(model, period, period / 200)
    assert np.exp(found.eigenvalues.real.max() * period) == pytest.approx(multiplier, rel=1e-4)


def test_derivatives_of_a_run_by_the_size_of_a_store():
    """Against differences of runs, of fourth order: the content at the start follows the size."""

    def build(size):
        model = sm.Model("sized")
        high, low = model.junction("high"), model.junction("low", value=0.5)
        model.add("source", Level(high, level=2.0))
        model.add("store", Vessel(low, size=size, bend=BEND))
        model.add("leak", Leak(high, low, rate=RATE))
        return model

    def run(size):
        return sm.transient(build(size), 2.0, 0.05, tolerance=1e-13, progress=False)

    channels = ("low.value", "store.content", "store.amount.value", "store.flow")
    model = build(sm.Parameter("size", SIZE))
    found = sm.transient_sensitivity(model, 2.0, 0.05, "size", outputs=channels, tolerance=1e-13)
    for channel in channels:
        near = run(SIZE + 1e-3)[channel] - run(SIZE - 1e-3)[channel]
        far = run(SIZE + 2e-3)[channel] - run(SIZE - 2e-3)[channel]
        expected = (8.0 * near - far) / 12e-3
        np.testing.assert_allclose(found[channel, "size"], expected, atol=1e-7 * np.abs(expected).max())


@pytest.mark.parametrize("size", [sm.Input("size", initial=2.0), sm.Constant(sm.Parameter("size", 2.0)), 2.0])
def test_a_store_of_any_size_knows_what_matters(size):
    """By how much its content changes with a unit of its value: of inputs, drives with parameters and numbers."""

    class Driven(sm.Storage):
        """content = size n."""

        size: float = sm.driven()

        def content(self, n):
            return self.size * n.value

    model = sm.Model("driven")
    store = model.add("store", Driven(model.junction("n", value=1.0), size=size))
    assert store.owned["amount"].scale == pytest.approx(2.0)
    sm.System(model)
