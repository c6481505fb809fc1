"""States that must not fall below a value: a run ends there by name, and a step that is only too long is divided."""

import numpy as np
import pytest

import samara as sm


class Drain(sm.Element):
    """A level that falls at a constant rate, and that cannot be negative."""

    x: sm.State = sm.state(kw_only=False)
    rate: float = sm.number(unit="m/s")

    def join(self, name):
        super().join(name)
        self.x.bound_below(0.0, "the tank is empty; fill it, or end the run before", name)

    def formulate(self, site):
        return sm.Contribution(wrenches=[], balances=[site.states[0].rate + self.rate])


#: What a level is known to [m]: Newton's method and rounding leave so much of its scale, of either sign.
KNOWN_TO = 1e-12


class Hole(sm.Element):
    """Torricelli: the level falls by about a root of itself; it cannot be negative, and below nothing flows."""

    x: sm.State = sm.state(kw_only=False)
    speed: float = sm.number(unit="m^0.5/s")

    def join(self, name):
        super().join(name)
        self.x.bound_below(-KNOWN_TO, "the tank is empty", name)

    def formulate(self, site):
        x = site.states[0]
        return sm.Contribution(wrenches=[], balances=[x.rate + self.speed * flow(sm.fmax(x.value, 0.0))])


def flow(x):
    """A root whose slope at zero is finite."""
    return np.sqrt(x + THIN**2) - THIN


THIN = 1e-2


def tanks(element, value, **numbers) -> sm.Model:
    """Two of them, one that stays and, after it, the one that runs out."""
    model = sm.Model("tanks")
    model.add("slow", element(model.state("full", value=100.0, unit="m"), **numbers))
    model.add("outlet", element(model.state("level", value=value, unit="m"), **numbers))
    return model


def test_a_run_ends_in_the_step_in_which_a_state_falls_below_its_floor(way):
    """1.01 m at 2 m/s: empty after 0.505 s. Every record before is there; state and element are named."""
    with pytest.raises(sm.Diverged) as error:
        way.run(tanks(Drain, 1.01, rate=2.0), 2.0, 1e-2)
    said, run = str(error.value), error.value.results
    assert "'level' fell to" in said and "'outlet'" in said and "the tank is empty" in said
    assert "'full'" not in said and "'slow'" not in said and "Newton" not in said
    assert run.time[-1] == pytest.approx(0.5, abs=1e-9)
    np.testing.assert_allclose(run["level.value"], 1.01 - 2.0 * run.time, atol=1e-9)


def test_the_end_does_not_depend_on_what_is_recorded(way):
    with pytest.raises(sm.Diverged, match=r"'level' fell to .* at t = 0\.5[01]"):
        way.run(tanks(Drain, 1.01, rate=2.0), 2.0, 1e-2, every=75)


def test_a_step_that_is_only_too_long_is_taken_in_parts(way, fine):
    """The level never falls below zero, but a step of 0.1 s leads there from where little is left: its parts do not."""
    model = sm.Model("tank")
    model.add("outlet", Hole(model.state("level", value=1.0, unit="m"), speed=6.0))
    run = way.run(model, 0.6, 0.1)
    exact = fine(lambda t, x: -6.0 * flow(np.maximum(x, 0.0)), 0.6, [1.0])(run.time)[0]
    assert run["level.value"].min() >= -KNOWN_TO
    # a third of a level per step: order one is off by half of that
    np.testing.assert_allclose(run["level.value"], exact, atol=0.15 if way.order == 1 else 0.03)
    assert run["level.value"][-1] < 1e-2


def test_a_run_that_stays_above_goes_on(way):
    run = way.run(tanks(Drain, 1.0, rate=2.0), 0.4, 1e-2)
    assert run["level.value"][-1] == pytest.approx(0.2)


class Dip(sm.Element):
    """A level that falls by 0.21 m within a hundredth of a second around 0.5 s, of 0.7 m that there are."""

    x: sm.State = sm.state(kw_only=False)

    def join(self, name):
        super().join(name)
        self.x.bound_below(0.0, "the tank is empty", name)

    def formulate(self, site):
        u = (site.time - 0.5) / 0.002
        return sm.Contribution(wrenches=[], balances=[site.states[0].rate + 60.0 * np.exp(-u * u)])


def test_a_step_that_is_refused_leaves_no_trace(way):
    """A step of 0.1 s sees the dip at its end, falls below the floor, and is taken in parts.

    Beside it another level falls evenly. Every formula has that exactly, in parts and in whole steps.
    """
    model = sm.Model("dip")
    model.add("even", Drain(model.state("even.level", value=10.0, unit="m"), rate=2.0))
    model.add("dip", Dip(model.state("level", value=0.7, unit="m")))
    run = way.run(model, 1.0, 0.1)
    assert run.attrs.counters["divided"] > 0
    np.testing.assert_allclose(run["even.level.value"], 10.0 - 2.0 * run.time, atol=1e-9)
    assert 0.0 <= run["level.value"].min() < 0.6  # it has dipped
