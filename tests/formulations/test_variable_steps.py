"""Steps that follow an accuracy: where there is an estimate of the error, it is kept; elsewhere that is refused."""

import numpy as np
import pytest
from ways_to_step import ways

import samara as sm

G, END = 9.81, 1.0


def pendulum(load=0.0) -> sm.Model:
    """1 kg at 1 m from its hinge, pushed down at its end, let go in the horizontal."""
    model = sm.Model("pendulum", gravity=(0, 0, -G))
    bob = model.node("bob", (1, 0, 0))
    model.add("body", sm.Body(bob, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    model.add("push", sm.Force(bob, force=(0, 0, load)))
    return model


def fallen(fine, jump):
    """Angles at times, with twice the weight from the jump on."""

    def rates(factor):
        return lambda t, y: np.array([y[1], factor * G * np.cos(y[0]) / 1.1])

    first = fine(rates(1.0), jump, np.zeros(2))
    second = fine(rates(2.0), END - jump, first(jump))
    return lambda t: np.where(t < jump, first(np.minimum(t, jump))[0], second(np.maximum(t - jump, 0.0))[0])


@ways(where=lambda way: way.adapts)
@pytest.mark.parametrize("accuracy", [1e-5, 1e-7])
def test_a_jump_is_passed_with_the_accuracy_asked_for(way, accuracy, fine):
    """Errors of single steps add up: the whole is off by no more than there are steps, and some for what they grow."""
    jump = 0.3217
    run = way.run(pendulum(sm.Step(-G, time=jump)), END, accuracy=accuracy)
    assert run.attrs.counters["events"] == 1
    error = np.abs(np.unwrap(run["hinge.angle"]) - fallen(fine, jump)(run.time)).max()
    assert error < accuracy * len(run)
    assert 10 < len(run) < 3.0 / accuracy**0.5


@ways(where=lambda way: way.adapts)
def test_records_between_the_steps_change_no_step(way, fine):
    jump = 0.3217
    alone = way.run(pendulum(sm.Step(-G, time=jump)), END, accuracy=1e-7)
    even = way.run(pendulum(sm.Step(-G, time=jump)), END, 0.05, accuracy=1e-7)
    np.testing.assert_allclose(even.time, 0.05 * np.arange(21), atol=1e-12)
    np.testing.assert_array_equal(even["hinge.angle"][-1], alone["hinge.angle"][-1])
    # dense output is of one order less than the steps, which are a hundredth of the time or shorter
    np.testing.assert_allclose(np.unwrap(even["hinge.angle"]), fallen(fine, jump)(even.time), atol=1e-4)


@ways(where=lambda way: not way.adapts)
def test_an_accuracy_without_an_estimate_is_refused_by_name(way):
    with pytest.raises(sm.ArgumentError, match=way.integrator.name.replace(".", r"\.")) as refusal:
        way.run(pendulum(), END, accuracy=1e-6)
    assert "accuracy" in str(refusal.value)
