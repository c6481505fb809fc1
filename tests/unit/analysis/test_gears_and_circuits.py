"""Eigenvalues of what is tied by rates beside states that follow at once: motors on gears, sensors."""

import numpy as np
import pytest

import samara as sm

AXIS = (0.0, 0.0, 1.0)
INERTIA, RATIO, STIFFNESS = 0.01, 4.0, 50.0


def geared():
    """Two wheels in mesh, the slow one on a spring."""
    model = sm.Model("geared")
    a, b = model.node("a"), model.node("b")
    for node in (a, b):
        model.add(f"{node.name}_wheel", sm.Body(node, mass=1.0, inertia=(INERTIA,) * 3))
        model.add(f"{node.name}_bearing", sm.Revolute(model.ground, node, axis=AXIS))
    model.add("gear", sm.Gear(a, b, model.ground, ratio=RATIO, axis_a=AXIS, axis_b=AXIS))
    model.add("spring", sm.Torsion(model.ground, b, axis=AXIS, law=sm.LinearLaw(STIFFNESS)))
    return model, a, b


def largest(model):
    found = sm.modes(model).eigenvalues
    return found[np.argmax(found.imag)]


def test_a_sensor_changes_nothing():
    """sqrt(k / (J_b + n^2 J_a)), with a sensor too."""
    model, _, b = geared()
    model.add("sensor", sm.MotionSensor(model.ground, b, axis=AXIS))
    exact = np.sqrt(STIFFNESS / (INERTIA * (1.0 + RATIO**2)))
    assert largest(model).imag == pytest.approx(exact, rel=1e-9)
    assert largest(geared()[0]).imag == pytest.approx(exact, rel=1e-9)


def test_a_motor_on_a_gear():
    """Three equations by hand: angle and speed of the fast wheel, and the current."""
    model, a, _ = geared()
    earth, high, low = (model.potential(name) for name in ("earth_end", "high", "low"))
    model.add("earth", sm.Earth(earth))
    model.add("source", sm.VoltageSource(high, earth, voltage=0.0))
    model.add("lead", sm.Resistor(high, low, resistance=0.5))
    model.add("motor", sm.Motor(model.ground, a, low, earth, constant=0.1, resistance=1.5, inductance=1e-2, axis=AXIS))
    J, k = INERTIA * (1.0 + 1.0 / RATIO**2), STIFFNESS / RATIO**2
    A = np.array([[0.0, 1.0, 0.0], [-k / J, 0.0, 0.1 / J], [0.0, -0.1 / 1e-2, -2.0 / 1e-2]])
    exact = np.linalg.eigvals(A)
    found = sm.modes(model).eigenvalues
    for value in exact[exact.imag >= 0.0]:
        assert np.abs(found - value).min() < 1e-9 * np.abs(value)
    system = sm.state_space(model, outputs=("motor.current.value", "low.value"))
    assert np.abs(np.linalg.eigvals(system.A) - exact[0]).min() < 1e-6 * np.abs(exact[0])
