"""States that an element only reads: no balance, no equation; signals are such states, or drives."""

import numpy as np
import pytest

import samara as sm


class Doubled(sm.Element):
    """y = 2 x, x only read."""

    x: sm.State = sm.reads(kw_only=False)

    def own_states(self):
        return {"y": sm.State(0)}

    def formulate(self, site):
        x, y = site.states
        return sm.Contribution(wrenches=[], balances=[y.value - 2.0 * x.value])


class Padded(Doubled):
    """Gives a balance for what it said it only reads."""

    def formulate(self, site):
        x, y = site.states
        return sm.Contribution(wrenches=[], balances=[0.0, y.value - 2.0 * x.value])


class Added(sm.Element):
    """y = the sum of its signals, less a state that it shares."""

    z: sm.State = sm.state(kw_only=False)
    u: object = sm.signals()
    v: object = sm.signal(default=0.0)

    def own_states(self):
        return {"y": sm.State(0)}

    def formulate(self, site):
        y, total = site.states[-1], sum(self.received(site, "u")) + self.received(site, "v")
        return sm.Contribution(wrenches=[], balances=[site.states[0].value - 7.0, y.value - total])


def test_a_state_that_is_only_read_needs_an_equation():
    model = sm.Model("reading")
    x = model.state("x")
    model.add("twice", Doubled(x))
    with pytest.raises(sm.ModelError, match="state 'x' of model 'reading' has no equation: 'twice' only reads it"):
        model.check()


def test_balances_are_those_of_governed_states_alone():
    model = sm.Model("reading")
    lag = model.add("lag", sm.Lag(command=1.0, time=0.1, start=0.5))
    model.add("twice", Padded(lag.output))
    with pytest.raises(sm.ModelError, match=r"each of its 1 states, got 2; a state that it only reads is declared by"):
        sm.Simulation(model)


def test_a_state_that_is_read_moves_what_reads_it_and_not_itself():
    model = sm.Model("reading")
    lag = model.add("lag", sm.Lag(command=1.0, time=0.1, start=0.5))
    model.add("twice", Doubled(lag.output))
    results = sm.transient(model, end=0.3, step=1e-3, progress=False)
    # up to Newton's tolerance
    np.testing.assert_allclose(results["twice.y.value"], 2.0 * results["lag.output.value"], rtol=1e-8)
    exact = 1.0 - 0.5 * np.exp(-results.time / 0.1)
    np.testing.assert_allclose(results["lag.output.value"], exact, atol=2e-5)  # second order: (h/time)^2 / 12


def test_signals_are_states_drives_and_numbers_in_any_order_and_any_number_of_times():
    model = sm.Model("signals")
    z = model.state("z", 0)
    lag = model.add("lag", sm.Lag(command=2.0, time=1.0, start=2.0))
    model.add("sum", Added(z, u=[3.0, lag.output, lambda t: t, lag.output], v=lag.output))
    model.add("other", sm.Lag(command=lag.output, time=1.0, start=2.0))
    results = sm.transient(model, end=0.1, step=1e-2, progress=False)
    np.testing.assert_allclose(results["sum.y.value"], 3.0 + 2.0 + results.time + 2.0 + 2.0, rtol=1e-12)
    np.testing.assert_allclose(results["z.value"], 7.0, rtol=1e-12)
    np.testing.assert_allclose(results["other.output.value"], 2.0, rtol=1e-12)


def test_what_is_no_signal_is_refused_by_name():
    model = sm.Model("signals")
    with pytest.raises(sm.ModelError, match=r"'lag': Lag: command must be a signal, got 'north': give a state such as"):
        model.add("lag", sm.Lag(command="north", time=1.0))
    with pytest.raises(sm.ModelError, match=r"'sum': Added: u must be a list of signals, got 3\.0"):
        model.add("sum", Added(model.state("z", 0), u=3.0))


def test_a_state_cannot_be_shared_and_only_read_at_once():
    model = sm.Model("signals")
    z = model.state("z", 0)
    with pytest.raises(sm.ModelError, match="'sum': state 'z' is given twice, once as read-only"):
        model.add("sum", Added(z, u=[z]))


def test_a_regulator_takes_its_target_from_another():
    """A cascade: the outer one's output is the target of the inner one."""
    model = sm.Model("cascade")
    plant = model.add("plant", sm.Lag(command=0.0, time=1e3, start=1.0))
    outer = model.add("outer", sm.ValueRegulator(plant.output, law=sm.PID(proportional=2.0), target=4.0))
    inner = model.add("inner", sm.ValueRegulator(plant.output, law=sm.PID(proportional=5.0), target=outer.output))
    assert inner.output.name == "inner.output"
    results = sm.transient(model, end=0.01, step=1e-3, progress=False)
    x = results["plant.output.value"]
    np.testing.assert_allclose(results["inner.output.value"], 5.0 * (2.0 * (4.0 - x) - x), rtol=1e-9)
