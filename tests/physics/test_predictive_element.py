"""Predictive control as an element of the model: two flywheels on a shaft, sampled inside the continuous step."""

import numpy as np
import pytest
from scipy.linalg import expm

import samara as sm
from samara import ARMAX, AdaptivePredictiveControl, Horizons, Lags, PredictiveControl

PERIOD, STIFFNESS = 0.05, 100.0  # s, N m/rad
AXIS: dict = {"axis": (0, 0, 1)}


def flywheels(law=None, shaken=0.0, damping=0.0, start=0.0):
    """Ground, torsion spring, wheel, torsion spring, wheel; 1 kg m^2, a torque at the inner one by the law.

    What goes in is the angle of the outer wheel.
    """
    model = sm.Model("flywheels", gravity=(0, 0, 0))
    inner, outer = model.node("inner"), model.node("outer", angular_velocity=(0.0, 0.0, start))
    spring = sm.LinearLaw(STIFFNESS, damping=damping)
    for name, a, b in (("first", model.ground, inner), ("second", inner, outer)):
        model.add(f"{name}.body", sm.Body(b, mass=1.0, inertia=(1, 1, 1)))
        model.add(f"{name}.bearing", sm.Revolute(model.ground, b, **AXIS))
        model.add(f"{name}.spring", sm.Torsion(a, b, law=spring, **AXIS))
    if shaken:
        wave = sm.Sine(shaken, 5.5) + sm.Sine(0.5 * shaken, 14.0)
        model.add("shaker", sm.Couple(outer, couple=(0.0, 0.0, wave)))
    if law is not None:
        sensor = model.add("sensor", sm.MotionSensor(model.ground, outer, **AXIS))
        lists = None if isinstance(law, PredictiveControl) else (1,)
        block = model.add("law", sm.SampledBlock([sensor.output], law=law, lists=lists, unit="N m"))
        model.add("motor", sm.ServoMotor(model.ground, inner, block.output, **AXIS))
    return model


def sampled():
    """The same in closed form: A, B, C of the angles and their rates, with a held torque."""
    K = STIFFNESS * np.array([[2.0, -1.0], [-1.0, 1.0]])
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-K, np.zeros((2, 2))]])
    B = np.array([[0.0], [0.0], [1.0], [0.0]])
    whole = expm(np.block([[A, B], [np.zeros((1, 5))]]) * PERIOD)
    return whole[:4, :4], whole[:4, 4:], np.array([[0.0, 1.0, 0.0, 0.0]])


def test_deadbeat_inside_the_model():
    """Eight samples after a push both wheels are at rest, by the plant's closed form; second order in the step."""
    model = ARMAX.from_state_space(*sampled())
    left = []
    for steps in (50, 100):
        law = PredictiveControl(model, Horizons(last=7, controls=4, first=4, beyond="zero"), step=PERIOD)
        built = flywheels(law, start=1e-3)
        results = sm.transient(built, 12 * PERIOD, PERIOD / steps, integrator=sm.CrankNicolson())
        energy = results["model.kinetic"] + results["model.potential"]
        left.append(np.sqrt(energy[-1] / energy.max()))
    assert left[1] < 2e-3
    assert left[1] == pytest.approx(left[0] / 4, rel=0.3)


def test_it_learns_inside_the_model():
    """Waves at the outer wheel: in decibels against the same without control."""
    law = AdaptivePredictiveControl(
        Lags(1, 1, 8, 8), Horizons(12, 12), step=PERIOD, output_scale=0.05, control_weight=1e-4, forgetting=0.998,
        closed=False, learning=600, dither=0.5,
    )  # fmt: skip
    sizes = []
    for given in (None, law):
        results = sm.transient(flywheels(given, shaken=1.0, damping=0.5), 100.0, 0.01, outputs="second.bearing.angle")
        sizes.append(np.std(results["second.bearing.angle"][results.time > 70.0]))
    assert law.closed
    assert 20.0 * np.log10(sizes[1] / sizes[0]) < -20.0
