"""A run taken step by step is the run taken at once; what is fed acts from the next step on."""

import numpy as np
import pytest

import samara as sm
from samara.models import find


def test_steps_are_those_of_a_transient_run():
    ready = find("double-pendulum")
    whole = sm.transient(ready.make(), 0.2, 1e-3, progress=False)
    stepper = sm.Stepper(ready.make(), 1e-3)
    for _ in range(50):
        stepper.advance()
    stepper.advance(150)
    steps = stepper.results()
    assert np.array_equal(steps.time, whole.time)
    for name in whole.channels.names:
        assert np.array_equal(steps[name], whole[name]), name
    assert stepper.time == pytest.approx(0.2)


def test_what_is_fed_is_felt():
    """Impulse and momentum of the pendulum without weight: m l^2 w = integral of the torque.

    A jump counts as a ramp over one step, so that the impulse is known to less than that of a step.
    """
    model = find("pendulum").make(gravity=0.0, angle=0.0, mass=2.0, length=0.5, motor=True)
    stepper = sm.Stepper(model, 1e-2, outputs="hinge.*")
    assert stepper.inputs == {"torque": "N m"}
    assert stepper.measures["bob.position.x"] == "m"
    stepper.feed("torque", 0.3)
    stepper.advance(20)
    rate = stepper.measure("hinge.angle_rate")
    assert 0.5 * rate == pytest.approx(0.3 * 0.2, abs=0.3 * 1e-2)
    stepper.feed("torque", 0.0)
    stepper.advance(5)
    coasting = stepper.measure("hinge.angle_rate")
    stepper.advance(5)
    # what a jump leaves in a two-step scheme has fallen to some 1e-5 by then
    assert stepper.measure("hinge.angle_rate") == pytest.approx(coasting, rel=1e-4)
    coasting = stepper.measure("hinge.angle_rate")
    assert stepper.measure("bob.angular_velocity.z") == pytest.approx(coasting, rel=1e-9)
    assert set(stepper.results().channels.names) >= {"hinge.angle"}
    with pytest.raises(sm.ModelError, match="has no input 'couple'"):
        stepper.feed("couple", 1.0)
    with pytest.raises(KeyError, match=r"has no measure 'hinge.colour'"):
        stepper.measure("hinge.colour")
    with pytest.raises(KeyError, match=r"has no measure \['hinge.angle'\]"):
        stepper.measure(["hinge.angle"])
    with pytest.raises(sm.ArgumentError, match=r"Stepper: step = .* is too short for a run of 1 s"):
        sm.Stepper(model, 1e-320)


def test_a_run_that_fails_keeps_what_it_had(tmp_path):
    model = sm.Model("failing")
    body = model.node("body")
    model.add("mass", sm.Body(body, mass=1.0, inertia=(1, 1, 1)))
    model.add("push", sm.Force(body, force=(lambda t: np.sqrt(0.0505 - t), 0, 0)))
    stepper = sm.Stepper(model, 1e-2)
    with pytest.raises(sm.Diverged, match=r"not finite at t = 0.06 s, first found at element 'push'") as caught:
        stepper.advance(10)
    assert caught.value.results.time[-1] == pytest.approx(0.05)
    later = stepper.results().attrs
    assert (later.status, later.message) == ("failed", str(caught.value))
