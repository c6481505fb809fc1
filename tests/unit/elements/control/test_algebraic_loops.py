"""Loops of blocks: solved within the step where there is a solution, refused by name where there is none."""

import numpy as np
import pytest

import samara as sm


class Squared(sm.Element):
    """y = u^2 + 1 of a state that is there already, so that loops are closed."""

    y: sm.State = sm.state(kw_only=False)
    u: object = sm.signal()

    def formulate(self, site):
        u = self.received(site, "u")
        return sm.Contribution(wrenches=[], balances=[site.states[0].value - u * u - 1.0])


class Tied(sm.Element):
    """y = gain u + offset, likewise."""

    y: sm.State = sm.state(kw_only=False)
    u: object = sm.signal()
    gain: float = sm.number(default=1.0)
    offset: object = sm.driven(default=0.0)

    def formulate(self, site):
        y = site.states[0].value
        return sm.Contribution(wrenches=[], balances=[y - self.gain * self.received(site, "u") - self.offset])


def looped(gain, closing, **options):
    model = sm.Model("loop")
    y = model.state("y", 0)
    twice = model.add("amplifier", sm.Gain(y, gain=gain))
    model.add("return", closing(y, u=twice.output, **options))
    model.add("beside", sm.Gain(y, gain=3.0))
    return model


def test_a_linear_loop_is_solved_in_the_step():
    """y = -2 y + sin t has the value sin t / 3 at all times: there is no delay in it."""
    model = looped(-2.0, Tied, offset=lambda t: np.sin(t))
    results = sm.transient(model, end=1.0, step=0.05, progress=False)
    np.testing.assert_allclose(results["y.value"], np.sin(results.time) / 3.0, atol=1e-9)


def test_a_loop_without_a_solution_names_its_blocks():
    """y = (2 y)^2 + 1: no real y."""
    model = looped(2.0, Squared)
    message = r"'loop'.* no solution of the algebraic loop of 'amplifier', 'return' was found; put a Lag.*start nearer"
    with pytest.raises(sm.SolveError, match=message):
        sm.transient(model, end=1.0, step=0.05, progress=False)


def test_a_loop_of_gain_one_names_its_blocks():
    """y = y + 1: the equations are singular, and contradict each other."""
    model = looped(1.0, Tied, offset=1.0)
    with pytest.raises(
        sm.SolveError, match=r"no solution of the algebraic loop of 'amplifier', 'return' was found; put a Lag"
    ):
        sm.transient(model, end=1.0, step=0.05, progress=False)


def test_a_loop_that_loses_its_solution_in_a_run_stops_by_name_and_keeps_its_results():
    """y = y^2 + 1 - (1.2 - t): two roots meet at t = 0.45, as y reaches 1/2."""

    class Falling(sm.Element):
        y: sm.State = sm.state(kw_only=False)
        u: object = sm.signal()

        def formulate(self, site):
            u = self.received(site, "u")
            return sm.Contribution(wrenches=[], balances=[site.states[0].value - u * u - 1.0 + (1.2 - site.time)])

    model = looped(1.0, Falling)
    with pytest.raises(sm.Diverged, match=r"algebraic loop of 'amplifier', 'return'") as caught:
        sm.transient(model, end=2.0, step=0.01, progress=False)
    results = caught.value.results
    assert 0.4 < results.time[-1] <= 0.45 + 1e-9
    t, y = results.time[:-2], results["y.value"][:-2]  # the slope is infinite at the end
    np.testing.assert_allclose(y, 0.5 - np.sqrt(0.45 - t), atol=1e-6)


@pytest.mark.parametrize(
    ("domain", "holder"),
    [("potential", "VoltageSource"), ("pressure", "PressureSource"), ("temperature", "TemperatureSource")],
)
def test_a_link_makes_nothing_flow_from_nowhere(domain, holder):
    """Kirchhoff's law at a junction is not the link's: 5 A would come out of none."""
    model = sm.Model("link")
    with pytest.raises(sm.ModelError, match=rf"'link': SignalLink: y must be .*'a' is a junction.*{holder}"):
        model.add("link", sm.SignalLink(getattr(model, domain)("a", 300.0), 5.0))


def test_two_that_say_what_a_state_is_are_refused_by_name():
    """y = 1 and y = 2: the sum of both equations has the solution 3/2, which neither says."""
    model = sm.Model("twice")
    y = model.state("y", 0)
    model.add("one", sm.SignalLink(y, 1.0))
    model.add("two", sm.SignalLink(y, 2.0))
    with pytest.raises(
        sm.ModelError, match=r"state 'y' of model 'twice' has two equations: 'one' and 'two' both define it"
    ):
        sm.transient(model, end=1.0, step=0.1, progress=False)


@pytest.mark.parametrize("second", [lambda y: sm.SignalLink(y, 1.0), lambda y: Tied(y, u=1.0)])
def test_the_output_of_a_block_is_that_of_the_block_alone(second):
    model = sm.Model("twice")
    gain = model.add("gain", sm.Gain(3.0, gain=2.0))
    model.add("again", second(gain.output))
    with pytest.raises(sm.ModelError, match=r"state 'gain\.output' of model 'twice' has two equations: .*SignalSum"):
        sm.Simulation(model)


def test_elements_may_share_the_equation_of_a_plain_state():
    """Each gives y less half of one: 2 y = 1."""
    model = sm.Model("shared")
    y = model.state("y", 0)
    for name in ("a", "b"):
        model.add(name, Tied(y, u=0.5))
    results = sm.transient(model, end=0.2, step=0.1, progress=False)
    np.testing.assert_allclose(results["y.value"], 0.5, atol=1e-9)
