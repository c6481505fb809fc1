"""Steps of models with contacts that are taken back: for an impact, for accuracy, because they fail."""

import numpy as np
import pytest

import samara as sm
from samara.solve.store.checkpoint import restore, snapshot

G = 9.81


def lifted(rate: float) -> sm.Model:
    """A mass on the floor that a growing force takes off."""
    model = sm.Model("lifted", gravity=(0, 0, -G))
    node = model.node("mass")
    model.add("body", sm.Body(node, mass=2.0, inertia=(0.01,) * 3))
    model.add("floor", sm.Contact(model.ground, node, restitution=0.5))
    model.add("pull", sm.Force(node, force=(0, 0, lambda t: rate * t)))
    return model


@pytest.mark.parametrize(("rate", "accuracy"), [(20.0, 1e-6), (20.0, 1e-7), (60.0, 1e-6)])
def test_a_contact_that_opens_in_a_step_that_is_rejected_is_closed_again(rate, accuracy):
    """The shorter step ends before it lifts off: the floor still carries what is left of the weight, without impact."""
    run = sm.transient(lifted(rate), 1.5, accuracy=accuracy, progress=False)
    assert run.attrs.counters["rejected"] > 0
    on = slice(1, int(np.searchsorted(run.time, 2.0 * G / rate)))
    assert run["floor.force"][on, 0] == pytest.approx(2.0 * G - rate * run.time[on], abs=1e-9)
    assert run.attrs.counters["events"] == 1  # the start
    assert run.attrs.counters["impacts"] == 0


def test_a_contact_that_opens_in_a_step_that_another_impact_ends():
    """Mass a lifts off late in the step in which mass b hits: a is closed again as far as that.

    The time of lift-off is not looked for: until the end of its step the mass is held, an error of a t^2 / 2 with the
    acceleration a = rate h / m of a step h = 10 ms.
    """
    rate, h = 20.0, 0.01
    off = 2.0 * G / rate
    first = np.floor(off / h) * h
    for part in (0.02, 0.05):
        model = lifted(rate)
        other = model.node("other", position=(1, 0, 0.5 * G * (first + part * h) ** 2))
        model.add("other.body", sm.Body(other, mass=2.0, inertia=(0.01,) * 3))
        model.add("other.floor", sm.Contact(model.ground, other, restitution=0.5))
        run = sm.transient(model, 1.2, h, progress=False)
        t = np.maximum(run.time - off, 0.0)
        late = rate * h / 2.0 * h  # speed that it may lack
        np.testing.assert_allclose(run["mass.position"][:, 2], rate * t**3 / 12.0, atol=late * (1.2 - off))
        assert run["floor.gap"].min() > -1e-12 and run.attrs.counters["impacts"] == 1


def ball(formulation: str) -> sm.Stepper:
    model = sm.Model("ball", gravity=(0, 0, -G))
    node = model.node("ball", position=(0, 0, 0.3), velocity=(1.0, 0, 0))
    model.add("body", sm.Body(node, mass=2.0, inertia=(0.008,) * 3))
    rough = {"shape": sm.BallShape(0.1), "friction": 0.3, "restitution": 0.5}
    model.add("floor", sm.Contact(model.ground, node, place_a=(0, 0, 0), **rough))
    return sm.Stepper(model, 1e-3, formulation=formulation)


@pytest.mark.parametrize("formulation", ["redundant", "recursive"])
def test_a_run_that_is_put_back_is_the_same_run(formulation):
    """From any step: in flight, just before and after impacts, at rest; positions, forces and counters, bit by bit."""
    stepper, kept, seen = ball(formulation), [], []
    for k in range(900):
        if k % 97 == 0 or 195 < k < 215:
            kept.append((k, snapshot(stepper.sim)))
        stepper.advance()
        seen.append((stepper.measure("ball.position.z"), stepper.measure("floor.force.normal")))
    last = stepper.sim.counters.copy()
    for k, state in reversed(kept):
        restore(stepper.sim, state)
        again = []
        for _ in range(k, 900):
            stepper.advance()
            again.append((stepper.measure("ball.position.z"), stepper.measure("floor.force.normal")))
        assert again == seen[k:]
        assert np.array_equal(stepper.sim.counters, last)
