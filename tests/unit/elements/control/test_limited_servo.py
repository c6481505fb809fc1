"""Servos with limits, and an engine with a governor."""

import numpy as np
import pytest

import samara as sm

LIMITS = {"time": 0.05, "rate": 2.0, "lower": -0.5, "upper": 0.8, "corner": 0.02}


def run(command, end=1.0, step=1e-3, **how):
    model = sm.Model("servo")
    model.add("servo", sm.LimitedServo(command=command, **(LIMITS | how)))
    found = sm.transient(model, end, step, progress=False)
    return found.time, found["servo.output.value"]


def test_a_small_step_is_a_lag():
    """x = c (1 - exp(-t / time)) while neither limit is near; the step's error is (h / time)^2 / 12."""
    t, x = run(0.05)
    assert np.abs(x - 0.05 * (1 - np.exp(-t / 0.05))).max() < 1e-4 * 0.05 + 2e-5


@pytest.mark.parametrize("command", [5.0, -5.0, 0.7])
def test_limits_hold(command):
    """Neither value nor rate passes its limit; the rate is reached, and so is the value that may be."""
    t, x = run(command)
    rates = np.diff(x) / np.diff(t)
    assert np.abs(rates).max() <= 2.0 * (1 + 1e-9)
    assert np.abs(rates).max() > 1.95
    assert -0.5 - 1e-12 <= x.min() and x.max() <= 0.8 + 1e-12
    assert x[-1] == pytest.approx(np.clip(command, -0.5, 0.8), abs=1e-4)


def test_states_are_added():
    """A state with its gain, on top of the command."""
    model = sm.Model("servo")
    lag = model.add("lag", sm.Lag(command=0.2, time=0.01))
    model.add("servo", sm.LimitedServo(command=0.1, y=[lag.output], gain=-0.5, **LIMITS))
    found = sm.transient(model, 1.0, 1e-3, progress=False)
    assert found["servo.output.value"][-1] == pytest.approx(0.1 - 0.5 * 0.2, abs=1e-6)
    assert found["servo.command"][-1] == pytest.approx(0.0, abs=1e-9)


def flywheel(throttle: float, sense: int = 1, speed: float = 100.0) -> sm.Model:
    """An engine that speeds up a flywheel of 0.02 kg m^2 on the ground."""
    model = sm.Model("engine")
    wheel = model.node("wheel")
    model.add("body", sm.Body(wheel, mass=1.0, inertia=(0.01, 0.01, 0.02)))
    places = {"place_a": sm.Placement(), "place_b": sm.Placement()}
    model.add("shaft", sm.Revolute(model.ground, wheel, start={"angle_rate": sense * speed}, **places))
    x = model.add("throttle", sm.Lag(command=throttle, time=1.0, start=throttle)).output
    model.add("engine", sm.Engine(model.ground, wheel, x, power=500.0, slow=20.0, sense=sense, **places))
    return model


@pytest.mark.parametrize("sense", [1, -1])
def test_power_becomes_kinetic_energy(sense):
    """J (w^2 - w_0^2) / 2 = P t at constant throttle, in either sense."""
    found = sm.transient(flywheel(0.6, sense), 0.5, 1e-3, progress=False)
    w = np.sqrt(100.0**2 + 2 * 0.6 * 500.0 * found.time / 0.02)
    assert np.abs(found["engine.speed"] - w).max() < 1e-3 * w.max()
    assert found["engine.power"] == pytest.approx(np.full(len(found), 300.0))


def test_torque_is_limited_at_rest():
    """Below `slow` the torque is constant: P / slow."""
    found = sm.transient(flywheel(1.0, speed=0.0), 1e-3, 1e-4, progress=False)
    assert found["engine.torque"] == pytest.approx(np.full(len(found), 25.0))
