"""Weights of the target in a PID: against closed forms, and against the discrete one."""

import numpy as np
import pytest

import samara as sm
from samara import PID

JUMP, SLOPE, LAG, KP, KD = 2.0, 0.7, 0.05, 3.0, 0.4
AXIS = {"axis": (0, 0, 1)}


def open_loop(law, step, end=0.5, at=0.2):
    """A target that jumps at a time, and a measured ramp."""
    model = sm.Model("pid")
    target = sm.Step(JUMP, time=at)
    model.add("pid", sm.SignalRegulator(u=lambda t: SLOPE * t, target=target, law=law))
    return sm.transient(model, end=end, step=step, progress=False)


@pytest.mark.parametrize("b", [0.0, 0.6, 1.0])
@pytest.mark.parametrize("c", [0.0, 0.4, 1.0])
def test_the_answer_to_a_jump_and_a_ramp(b, c):
    """u = kp (b r - y) + kd (c J / lag exp(-(t - t_0) / lag) - slope (1 - exp(-t / lag))), J from t_0 on.

    Second order in the step: the filter is wrong by (h / lag)^2 / 12 of what goes through it, 3e-5; a factor of 4 for
    the start of each exponential.
    """
    step = 1e-3
    law = sm.PID(proportional=KP, derivative=KD, lag=LAG, b=b, c=c)
    results = open_loop(law, step)
    t, u = results.time, results["pid.output.value"]
    away = np.abs(t - 0.2) > 1.5 * step
    after = t > 0.2
    kick = np.where(after, c * JUMP / LAG * np.exp(-np.where(after, t - 0.2, 0.0) / LAG), 0.0)
    closed = KP * (b * JUMP * after - SLOPE * t) + KD * (kick - SLOPE * (1.0 - np.exp(-t / LAG)))
    size = KD * (c * JUMP / LAG + SLOPE)
    np.testing.assert_allclose(u[away], closed[away], rtol=0, atol=4 * (step / LAG) ** 2 / 12 * size + 1e-9)


def test_no_kick_without_the_weight():
    """The derivative of what is measured does not see the target: the same output but for the proportional jump."""
    found = {c: open_loop(sm.PID(derivative=KD, lag=LAG, c=c), 1e-3)["pid.output.value"] for c in (0.0, 1.0)}
    assert np.abs(found[0.0]).max() <= KD * SLOPE * (1.0 + 1e-9)
    assert found[1.0].max() > 0.9 * KD * JUMP / LAG


@pytest.mark.parametrize("b", [0.0, 0.5, 1.0])
def test_a_flywheel_under_pi_with_a_weight(b):
    """I w'' + kp w' + ki w = ki r + kp b r': w = r (1 - e^(-s t) (cos(o t) + (s - kp b / I) / o sin(o t))) from rest.

    Second order in the step, as in the test of the plain one: 1e-4 of the target.
    """
    inertia, kp, ki, target = 2.0, 6.0, 40.0, 5.0
    model = sm.Model("flywheel")
    wheel = model.node("wheel")
    model.add("disc", sm.Body(wheel, mass=1.0, inertia=(1.0, 1.0, inertia)))
    model.add("bearing", sm.Revolute(model.ground, wheel, **AXIS))
    law = sm.PID(proportional=kp, integral=ki, b=b)
    governor = model.add("governor", sm.SpeedRegulator(model.ground, wheel, law=law, target=target, **AXIS))
    model.add("motor", sm.ServoMotor(model.ground, wheel, governor.output, **AXIS))
    results = sm.transient(model, end=3.0, step=1e-3, progress=False)
    t, s = results.time, kp / (2 * inertia)
    o = np.sqrt(ki / inertia - s**2)
    part = (s - kp * b / inertia) / o
    closed = target * (1 - np.exp(-s * t) * (np.cos(o * t) + part * np.sin(o * t)))
    np.testing.assert_allclose(results["wheel.angular_velocity"][:, 2], closed, rtol=0, atol=1e-4 * target)


def test_as_the_discrete_one():
    """With the same weights, sampled a hundred times per lag: a backward Euler filter, within h / lag of the kick."""
    step, b, c = 5e-4, 0.7, 0.3
    results = open_loop(sm.PID(proportional=KP, derivative=KD, lag=LAG, b=b, c=c), step)
    block = PID(proportional=KP, derivative=KD, step=step, lag=LAG, b=b, c=c)
    discrete = [block(JUMP if t > 0.2 - 0.5 * step else 0.0, SLOPE * t) for t in results.time]
    away = np.abs(results.time - 0.2) > 2.5 * step
    size = KD * c * JUMP / LAG + KD * SLOPE
    np.testing.assert_allclose(
        results["pid.output.value"][away], np.array(discrete)[away], rtol=0, atol=2 * step / LAG * size
    )


@pytest.mark.parametrize("c", [0.0, 1.0])
def test_whole_turns_of_an_angle_do_not_kick(c):
    """The target jumps by a turn: nothing has changed. The derivative stays where it was."""
    model = sm.Model("turns")
    wheel = model.node("wheel")
    model.add("disc", sm.Body(wheel, mass=1.0, inertia=(1.0, 1.0, 1.0)))
    model.add("bearing", sm.Revolute(model.ground, wheel, **AXIS))
    target = 0.3 + sm.Step(2.0 * np.pi, time=0.1)
    law = sm.PID(proportional=1.0, derivative=0.5, lag=0.01, c=c)
    model.add("angle", sm.AngleRegulator(model.ground, wheel, law=law, target=target, **AXIS))
    results = sm.transient(model, end=0.2, step=1e-3, progress=False)
    np.testing.assert_allclose(results["angle.output.value"], 0.3, rtol=0, atol=1e-8)
