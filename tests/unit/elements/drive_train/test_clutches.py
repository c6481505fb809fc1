"""Clutch, brake and freewheel against closed forms."""

import numpy as np
import pytest

import samara as sm

AXIS = (0.0, 0.0, 1.0)


@pytest.mark.parametrize("inertias", [(0.5, 0.5), (0.2, 1.0)])
def test_energy_of_an_engagement(shafts, inertias):
    """J1 J2 / (J1 + J2) (w1 - w2)^2 / 2 is lost, whatever the torque: half of the energy for equal flywheels.

    A wheel that stands is brought to the common speed in J w / C. The heat is a state: what a step of the scheme makes
    of it, 1e-5 here; and disks that should stick still creep by a part of the transition, 1e-3 of the speed.
    """
    j1, j2 = inertias
    capacity, speed, transition = 20.0, 30.0, 0.03
    train = shafts()
    a, b = train.wheel("a", j1, speed=speed), train.wheel("b", j2)
    engaged = sm.Cosine(1.0, 0.2, start=0.1)
    clutch = sm.Clutch(a, b, axis=AXIS, engaged=engaged, capacity=capacity, transition=transition)
    train.model.add("clutch", clutch)
    results = sm.transient(train.model, 2.0, 1e-3, progress=False)
    reduced = j1 * j2 / (j1 + j2)
    lost = 0.5 * reduced * speed**2
    assert results["clutch.heat.value"][-1] == pytest.approx(lost, rel=1e-3)
    assert results["model.kinetic"][0] - results["model.kinetic"][-1] == pytest.approx(lost, rel=1e-3)
    if j1 == j2:
        assert results["model.kinetic"][-1] == pytest.approx(0.5 * results["model.kinetic"][0], rel=1e-3)
    common = j1 * speed / (j1 + j2)
    assert results["b.bearing.angle_rate"][-1] == pytest.approx(common, abs=transition)
    # the drive passes on half of the capacity over its 0.2 s: slipping ends at 0.2 s + reduced w / C
    end = 0.2 + reduced * speed / capacity
    assert results.time[np.abs(results["clutch.slip"]) > transition][-1] == pytest.approx(end, abs=5e-3)


def test_a_clutch_has_a_capacity(shafts):
    """What is asked beyond it slips: b is driven with the capacity alone, by a motor of twice as much."""
    train = shafts()
    a, b = train.wheel("a", 1.0), train.wheel("b", 1.0)
    train.model.add("motor", sm.RotaryActuator(train.casing, a, axis=AXIS, torque=10.0))
    train.model.add("clutch", sm.Clutch(a, b, axis=AXIS, engaged=1.0, capacity=2.0, transition=0.01))
    results = sm.transient(train.model, 1.0, 1e-3, progress=False)
    assert results["b.bearing.angle_rate"][-1] == pytest.approx(2.0, rel=1e-3)
    assert results["a.bearing.angle_rate"][-1] == pytest.approx(8.0, rel=1e-3)


def test_a_released_clutch_passes_nothing_on(shafts):
    train = shafts()
    a, b = train.wheel("a", 1.0, speed=3.0), train.wheel("b", 1.0)
    train.model.add("clutch", sm.Clutch(a, b, axis=AXIS, engaged=-1.0, capacity=2.0, transition=0.01))
    results = sm.transient(train.model, 0.1, 1e-3, progress=False)
    assert np.abs(results["clutch.torque"]).max() == 0.0
    np.testing.assert_allclose(results["a.bearing.angle_rate"], 3.0, rtol=1e-12)


def test_a_brake_stops_and_its_carrier_feels_it(shafts):
    """w = w0 - C t / J until J w0 / C; the free casing takes the momentum on."""
    train = shafts(casing=(4.0, 4.0, 4.0))
    wheel = train.wheel("wheel", 1.0, speed=10.0)
    train.model.add("brake", sm.Brake(train.casing, wheel, axis=AXIS, applied=1.0, capacity=5.0, transition=0.02))
    results = sm.transient(train.model, 3.0, 1e-3, progress=False)
    reduced = 4.0 / 5.0  # J of wheel and casing in series
    slip = np.maximum(10.0 - 5.0 / reduced * results.time, 0.0)
    np.testing.assert_allclose(results["brake.slip"], slip, atol=0.02)
    assert results["casing.angular_velocity"][-1, 2] == pytest.approx(10.0 / 5.0, abs=1e-3)
    assert results["brake.heat.value"][-1] == pytest.approx(0.5 * reduced * 100.0, rel=1e-3)


@pytest.mark.parametrize("sense", [1, -1])
def test_a_freewheel_drives_and_overruns(shafts, sense):
    """A motor drives both wheels until it turns back: then b goes on at its speed, and nothing is passed on."""
    train = shafts()
    a, b = train.wheel("a", 1.0), train.wheel("b", 3.0)
    torque = sm.Step(-4.0 * sense, time=1.0, before=8.0 * sense)
    train.model.add("motor", sm.RotaryActuator(train.casing, a, axis=AXIS, torque=torque))
    wheel = sm.Freewheel(a, b, axis=AXIS, stiffness=2e4, damping=200.0, sense=sense, start=6.0 / 2e4)
    train.model.add("freewheel", wheel)
    results = sm.transient(train.model, 2.0, 1e-3, progress=False)
    driven, over = results.time < 0.999, results.time > 1.05
    # with the windup of a steady start there is nothing to vibrate: 8 N m on 4 kg m^2, three quarters of it for b
    np.testing.assert_allclose(results["b.bearing.angle_rate"][driven], sense * 2.0 * results.time[driven], atol=1e-6)
    np.testing.assert_allclose(results["freewheel.torque"][driven], sense * 6.0, rtol=1e-6)
    assert np.abs(results["freewheel.torque"][over]).max() == 0.0
    speed = sense * results["b.bearing.angle_rate"][over]
    np.testing.assert_allclose(speed, speed[0], rtol=1e-12)
    # while they unwind, in damping / stiffness = 10 ms, the sprags give b 6 N m 10 ms / 3 kg m^2 at most
    assert 2.0 <= speed[0] < 2.02
    assert sense * results["a.bearing.angle_rate"][-1] == pytest.approx(2.0 - 4.0, rel=2e-2)


def test_a_freewheel_grips_again(shafts):
    """b overruns, is braked below a, and is held at a's speed from then on: T = k windup, without play."""
    train = shafts()
    a, b = train.wheel("a", 1e4, speed=5.0), train.wheel("b", 1.0, speed=8.0)
    train.model.add("load", sm.RotaryActuator(train.casing, b, axis=AXIS, torque=-3.0))
    train.model.add("freewheel", sm.Freewheel(a, b, axis=AXIS, stiffness=3e3, damping=30.0))
    results = sm.transient(train.model, 2.0, 1e-3, progress=False)
    over = results.time < 0.99
    np.testing.assert_allclose(results["b.bearing.angle_rate"][over], 8.0 - 3.0 * results.time[over], rtol=1e-9)
    assert results["b.bearing.angle_rate"][-1] == pytest.approx(5.0, rel=1e-3)
    assert results["freewheel.torque"][-1] == pytest.approx(3.0, rel=1e-3)
    assert results["freewheel.windup.value"].min() > -1e-6


def test_energy_of_a_freewheel(shafts):
    """Stored, lost and supplied power close, through grip and release; trapezoids over the jumps of slope."""
    train = shafts()
    a, b = train.wheel("a", 1.0), train.wheel("b", 1.0, speed=0.5)
    train.model.add("motor", sm.RotaryActuator(train.casing, a, axis=AXIS, torque=sm.Sine(6.0, 5.0)))
    train.model.add("freewheel", sm.Freewheel(a, b, axis=AXIS, stiffness=500.0, damping=10.0))
    step = 2e-4
    results = sm.transient(train.model, 2.0, step, progress=False)
    net = results["model.supplied"] - results["model.dissipated"]
    work = np.concatenate([[0.0], np.cumsum(0.5 * step * (net[1:] + net[:-1]))])
    stored = results["model.kinetic"] + results["model.potential"]
    assert stored - stored[0] == pytest.approx(work, abs=1e-4 * stored.max())


def test_disks_are_pressed_fully_at_most(shafts):
    """A command of 5 presses as 1 does: J w / capacity until a shaft stands."""
    train = shafts()
    shaft = train.wheel("shaft", 2.0, speed=10.0)
    train.model.add("brake", sm.Brake(train.casing, shaft, axis=(0, 0, 1), applied=5.0, capacity=4.0, transition=0.01))
    results = sm.transient(train.model, 1.0, 1e-2, progress=False)
    assert results["shaft.bearing.angle_rate"][-1] == pytest.approx(10.0 - 4.0 / 2.0, rel=1e-9)
