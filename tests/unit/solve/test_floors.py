"""States that must not fall below a value: the run ends there, by name, with what was recorded."""

import numpy as np
import pytest

import samara as sm
from samara.model import Contribution, Element, State, number, state


class Drain(Element):
    """A level that falls at a constant rate, and that cannot be negative."""

    x: State = state(kw_only=False)
    rate: float = number(unit="m/s")

    def join(self, name):
        super().join(name)
        self.x.bound_below(0.0, "the tank is empty; fill it, or end the run before", name)

    def formulate(self, site):
        return Contribution(wrenches=[], balances=[site.states[0].rate + self.rate])


def tank() -> sm.Model:
    model = sm.Model("tank")
    level = model.state("level", value=1.0, unit="m")
    model.add("drain", Drain(level, rate=2.0))
    return model


@pytest.mark.parametrize("way", [{"step": 1e-2}, {"accuracy": 1e-4}])
def test_a_run_ends_where_a_state_falls_below_its_floor(way):
    """The level reaches zero after 1 m by 2 m/s; all records before it are there."""
    with pytest.raises(sm.Diverged) as error:
        sm.transient(tank(), 2.0, **way, progress=False)
    assert "'level' fell to" in str(error.value)
    assert "the equations of 'drain' end: the tank is empty" in str(error.value)
    results = error.value.results
    assert results.time[-1] == pytest.approx(0.5, abs=0.02 if "step" in way else 0.1)
    np.testing.assert_allclose(results["level.value"], 1.0 - 2.0 * results.time, atol=1e-9)


def test_a_run_that_stays_above_goes_on():
    results = sm.transient(tank(), 0.4, 1e-2, progress=False)
    assert results["level.value"][-1] == pytest.approx(0.2)


@pytest.mark.parametrize(("unit", "words"), [("m", r"fell to -?[\d.e-]+ m at"), ("1", r"fell to -?[\d.e-]+ at")])
def test_a_pure_number_is_told_without_a_unit(unit, words):
    model = sm.Model("tank")
    model.add("drain", Drain(model.state("level", value=1.0, unit=unit), rate=2.0))
    with pytest.raises(sm.Diverged, match=f"'level' {words} t = "):
        sm.transient(model, 2.0, 1e-2, progress=False)


def test_the_highest_floor_counts():
    level = State(1, value=1.0)
    level.bound_below(0.1, "low", "a")
    level.bound_below(0.3, "higher", "b")
    level.bound_below(0.2, "lower again", "c")
    assert level.floor is not None
    assert (level.floor.lower, level.floor.element) == (0.3, "b")


def vessel() -> sm.Model:
    """1e-4 m^3 of oil at 5 MPa, which an orifice of 5 mm lets out within half a millisecond."""
    oil = sm.LinearFluid(reference_density=870.0, bulk_modulus=1.7e9, viscosity=0.07, vapour_pressure=100.0)
    model = sm.Model("vessel")
    a, t = model.pressure("a", 5e6), model.pressure("t")
    model.add("tank", sm.Tank(t, fluid=oil))
    model.add("oil", sm.Volume(a, fluid=oil, volume=1e-4))
    model.add("hole", sm.Orifice(a, t, fluid=oil, diameter=5e-3))
    return model


@pytest.mark.parametrize("way", [{"step": 1e-3}, {"step": 1e-4}, {"accuracy": 1e-5}])
def test_a_step_that_is_only_too_long_is_taken_in_parts(way):
    """In truth the pressure falls to the atmosphere's in time and never below; 1 % of 5 MPa is left to the steps."""
    results = sm.transient(vessel(), 0.03, **way, progress=False)
    c = 0.6 * 0.25 * np.pi * 5e-3**2 * np.sqrt(2.0 / 870.0) * 1.7e9 / 1e-4  # d sqrt(p - p0) / dt = -c / 2
    exact = 101325.0 + np.maximum(np.sqrt(5e6 - 101325.0) - 0.5 * c * results.time, 0.0) ** 2
    np.testing.assert_allclose(results["a.value"], exact, atol=5e4)
    assert results["a.value"][-1] == pytest.approx(101325.0, abs=1.0)
    if way.get("step") == 1e-3:
        assert results.attrs.counters["divided"] > 0


def test_what_falls_in_short_steps_too_says_that_they_may_be_too_long():
    with pytest.raises(sm.Diverged, match=r"the tank is empty.*; or use a shorter step"):
        sm.transient(tank(), 2.0, 1e-2, progress=False)


def test_a_tree_ends_in_the_step_in_which_it_falls():
    """Not where it is recorded: here after 75 steps."""
    with pytest.raises(sm.Diverged, match=r"at t = 0\.(5|4999)"):
        sm.transient(tank(), 2.0, 1e-2, formulation="recursive", every=75, progress=False)


@pytest.mark.parametrize("formulation", ["redundant", "recursive"])
def test_a_run_that_starts_below_is_refused_by_name(formulation):
    """A ramp from 0 Pa, which is vapour."""
    oil = sm.LinearFluid(reference_density=870.0, bulk_modulus=1.7e9, viscosity=0.07, vapour_pressure=100.0)
    model = sm.Model("source")
    a, b = model.pressure("a"), model.pressure("b")
    model.add("source", sm.PressureSource(a, fluid=oil, pressure=sm.Ramp(1e6)))
    model.add("oil", sm.Volume(b, fluid=oil, volume=1e-4))
    model.add("hole", sm.Orifice(a, b, fluid=oil, diameter=5e-3))
    with pytest.raises(sm.SolveError, match=r"'a' starts at 0 Pa at t = 0 s, below 100, .*'source' end: .*boils"):
        sm.transient(model, 0.01, 1e-3, formulation=formulation, progress=False)
