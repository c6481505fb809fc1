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


def test_the_highest_floor_counts():
    level = State(1, value=1.0)
    level.bound_below(0.1, "low", "a")
    level.bound_below(0.3, "higher", "b")
    level.bound_below(0.2, "lower again", "c")
    assert level.floor is not None
    assert (level.floor.lower, level.floor.element) == (0.3, "b")
