"""Discrete laws inside a model: sampled at their instants, held between, with their memory, in every way to step."""

import numpy as np
import pytest

import samara as sm
from samara.realtime.controllers import PID

PERIOD, J = 0.05, 0.2
STIFF, DAMP = 1.6, 0.4  # N m/rad, N m s/rad
HINGE = {"axis": (0, 0, 1)}


def difference(t, memory, u, y):
    """-k (x - 1) - d (x - x_1) / T, with the last sample x_1 in its memory."""
    y[0] = -STIFF * (u[0] - 1.0) - DAMP * (u[0] - memory[0]) / PERIOD
    memory[0] = u[0]


def wheel() -> sm.Model:
    """A flywheel that a discrete law turns to 1 rad."""
    model = sm.Model("wheel")
    node = model.node("wheel")
    model.add("disc", sm.Body(node, mass=5.0, inertia=(0.1, 0.1, J)))
    model.add("bearing", sm.Revolute(model.ground, node, **HINGE))
    sensor = model.add("sensor", sm.MotionSensor(model.ground, node, **HINGE))
    law = model.add("law", sm.SampledBlock([sensor.output], law=difference, step=PERIOD, memory=1, unit="N m"))
    model.add("motor", sm.ServoMotor(model.ground, node, law.output, **HINGE))
    return model


def exact(count):
    """Angles and held torques at the samples: a torque that is held makes a parabola."""
    angle = speed = last = 0.0
    angles, torques = [], []
    for _ in range(count):
        torque = -STIFF * (angle - 1.0) - DAMP * (angle - last) / PERIOD
        angles.append(angle)
        torques.append(torque)
        last = angle
        angle, speed = angle + speed * PERIOD + 0.5 * torque / J * PERIOD**2, speed + torque / J * PERIOD
    return np.array(angles), np.array(torques)


def test_a_loop_with_a_discrete_law_is_its_difference_equation(way):
    """Between two samples the motion is a parabola, exact in every formula of order two: so are all samples."""
    step, count = PERIOD / 10, 30
    run = way.run(wheel(), count * PERIOD, step)
    angles, torques = exact(count)
    at = 10 * np.arange(count)
    # order one: the speed of the end for that of the middle of a step, in a loop that forgets within ten samples
    allowed = 0.5 * step * 5.0 if way.order == 1 else 1e-9
    np.testing.assert_allclose(run["bearing.angle"][at], angles, atol=allowed)
    np.testing.assert_allclose(run["law.output.value"][at + 1], torques, atol=20.0 * allowed)


def test_answers_are_held_between_samples(way):
    """Ten steps to a sample, the same in each, and another one after it."""
    run = way.run(wheel(), 20 * PERIOD, PERIOD / 10, tolerance=1e-10)
    held = run["law.output.value"][1:].reshape(20, 10)  # of a step: what acted in it
    # in the redundant formulation they are unknowns, found to the tolerance of Newton's method
    np.testing.assert_allclose(held, held[:, -1:] * np.ones(10), rtol=1e-9, atol=1e-9)
    assert (np.abs(np.diff(held[:, 0])) > 1e-6).all()


def test_a_run_in_pieces_samples_as_one(way):
    """Pieces that end between two samples, with Stepper and transient, bit by bit."""
    whole = way.run(wheel(), 1.0, PERIOD / 10)
    stepper = way.stepper(wheel(), PERIOD / 10)
    for count in (7, 13, 1, 179):
        stepper.advance(count)
    np.testing.assert_array_equal(stepper.results().table, whole.table)
    sim = way.simulation(wheel())
    pieces = [sm.transient(sim, end, PERIOD / 10, progress=False).table for end in (0.335, 1.0)]
    np.testing.assert_array_equal(np.concatenate(pieces), whole.table)


def test_a_step_that_misses_samples_is_refused_by_name(way):
    with pytest.raises(sm.ArgumentError, match="'law'"):
        way.run(wheel(), 1.0, 0.03)


def regulated() -> tuple[sm.Model, sm.Parameter]:
    """A flywheel that a PID turns to 0.2 rad, and its gain."""
    model, gain = sm.Model("regulated"), sm.Parameter("gain", 8.0)
    node = model.node("wheel")
    model.add("disc", sm.Body(node, mass=5.0, inertia=(0.1, 0.1, J)))
    model.add("bearing", sm.Revolute(model.ground, node, **HINGE))
    sensor = model.add("sensor", sm.MotionSensor(model.ground, node, **HINGE))
    law = PID(proportional=gain, integral=4.0, derivative=0.5, step=PERIOD / 5)
    block = model.add("law", sm.SampledBlock([0.2, sensor.output], law=law, unit="N m"))
    model.add("motor", sm.ServoMotor(model.ground, node, block.output, **HINGE))
    return model, gain


def test_a_gain_that_is_changed_acts_whoever_takes_the_steps(way, tmp_path):
    """From then on, without a bump: the integral takes over. A run that goes on, one that is resumed, a stepper."""
    step, count, found = PERIOD / 10, 40, {}
    (model, gain), file = regulated(), tmp_path / "state.npz"
    sim = way.simulation(model)
    before = sm.transient(sim, count * step, step, checkpoint=file, progress=False)["law.output.value"]
    gain.value = 12.0
    found["goes on"] = sm.transient(sim, 2 * count * step, step, progress=False)
    model, gain = regulated()
    gain.value = 12.0
    found["resumed"] = way.run(model, 2 * count * step, step, resume=file)
    torques = {name: run["law.output.value"] for name, run in found.items()}
    model, gain = regulated()
    stepper, torques["stepper"] = way.stepper(model, step), np.zeros(count)
    for k in range(2 * count):
        if k == count:
            gain.value = 12.0
        stepper.advance()
        if k >= count:
            torques["stepper"][k - count] = stepper.measure("law.output.value")
    for name in ("resumed", "stepper"):
        np.testing.assert_allclose(torques[name], torques["goes on"], rtol=1e-9, err_msg=name)
    as_before = way.run(regulated()[0], 2 * count * step, step)["law.output.value"][count + 1 :]
    assert np.abs(torques["goes on"] - as_before).max() > 0.1 * np.abs(before).max()
    # a bump would be as large as the change of the gain times the error, 4 * 0.02; the motion makes a tenth of that
    assert abs(torques["goes on"][0] - as_before[0]) < 0.5 * np.abs(np.diff(before)).max()
