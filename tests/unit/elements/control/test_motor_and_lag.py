"""A direct-current motor and a lag against their closed forms."""

import numpy as np
import pytest

import samara as sm

K, R, L, J, V = 0.5, 2.0, 0.4, 0.1, 6.0


def wheel(held=False):
    model = sm.Model("motor")
    disc = model.node("disc")
    model.add("mass", sm.Body(disc, mass=1.0, inertia=(J, J, J)))
    if held:
        model.add("clamp", sm.Clamp(model.ground, disc))
    else:
        model.add("bearing", sm.Revolute(model.ground, disc, axis=(0, 0, 1)))
    numbers = {"voltage": V, "constant": K, "resistance": R, "inductance": L}
    model.add("motor", sm.DCMotor(model.ground, disc, axis=(0, 0, 1), **numbers))
    return model


def test_a_held_motor():
    """i = V / R (1 - exp(-R t / L)); two-step scheme, second order: some h^2 (R / L)^2 / 12 = 2e-6 of it."""
    results = sm.transient(wheel(held=True), 1.0, 1e-3, progress=False)
    expected = V / R * (1 - np.exp(-R / L * results.time))
    assert results["motor.current.value"] == pytest.approx(expected, abs=2e-5 * V / R)
    assert results["motor.torque"] == pytest.approx(K * expected, abs=2e-5)


def test_a_free_motor():
    """J w' = K i, L i' + R i + K w = V: a linear system of second order, by its matrix exponential."""
    from scipy.linalg import expm

    results = sm.transient(wheel(), 3.0, 1e-3, progress=False)
    A, rest = np.array([[0.0, K / J], [-K / L, -R / L]]), np.array([V / K, 0.0])
    for k in (200, 1000, 3000):
        w, i = rest - expm(A * results.time[k]) @ rest
        assert results["motor.angle_rate"][k] == pytest.approx(w, abs=1e-4 * V / K)
        assert results["motor.current.value"][k] == pytest.approx(i, abs=1e-4 * V / R)


def test_energy_of_a_motor():
    """What the supply gives is in the wheel, in the coil and in the heat of the wire: trapezoids, h^2."""
    results = sm.transient(wheel(), 1.0, 1e-3, progress=False)
    net = results["model.supplied"] - results["model.dissipated"]
    work = np.concatenate([[0.0], np.cumsum(0.5e-3 * (net[1:] + net[:-1]))])
    stored = results["model.kinetic"] + results["model.potential"]
    assert results["model.supplied"] == pytest.approx(V * results["motor.current.value"], abs=1e-12)
    assert stored - stored[0] == pytest.approx(work, abs=1e-4 * stored.max())


def test_a_lag_follows_a_command():
    """A jump: 1 - exp(-t / time). Half a sample of it is the scheme's, for which a jump is a ramp over a step."""
    model = sm.Model("lag")
    disc = model.node("disc")
    model.add("mass", sm.Body(disc, mass=1.0, inertia=(J, J, J)))
    command = sm.Input("command", initial=0.2, unit="rad")
    lag = model.add("lag", sm.Lag(command=command, time=0.05, start=0.2, unit="rad", scale=0.1))
    assert lag.output.unit == "rad"
    stepper = sm.Stepper(model, 1e-3, outputs="lag.*")
    stepper.advance(10)
    assert stepper.measure("lag.output.value") == pytest.approx(0.2, abs=1e-12)
    stepper.feed("command", 1.2)
    stepper.advance(100)
    results = stepper.results()
    t = np.maximum(results.time - 0.01, 0.0)
    expected = 0.2 + 1 - np.exp(-t / 0.05)
    assert np.abs(results["lag.output.value"] - expected).max() < 1e-3 / 0.05
    assert results["lag.command"][-1] == 1.2
