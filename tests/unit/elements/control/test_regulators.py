"""Regulators that close a loop, against closed forms."""

import numpy as np
import pytest

import samara as sm
from samara.blocks.corners import beyond
from samara.rotations import rotation_from_euler

INERTIA, TARGET = 2.0, 5.0
AXIS = {"axis": (0, 0, 1)}


def flywheel(law, target=TARGET, regulator=sm.SpeedRegulator):
    model = sm.Model("flywheel")
    wheel = model.node("wheel")
    model.add("disc", sm.Body(wheel, mass=1.0, inertia=(1.0, 1.0, INERTIA)))
    model.add("bearing", sm.Revolute(model.ground, wheel, **AXIS))
    governor = model.add("governor", regulator(model.ground, wheel, law=law, target=target, unit="N m", **AXIS))
    model.add("motor", sm.ServoMotor(model.ground, wheel, governor.output, **AXIS))
    return model


def test_pi_on_a_flywheel_is_a_damped_oscillator():
    """I w'' + kp w' + ki w = ki target: its step response from rest, with w'(0) = kp target / I.

    Second order in the step: (omega h)^2 = 2e-5 of the target is allowed, omega = 4.5 rad/s, h = 1 ms.
    """
    kp, ki = 6.0, 40.0
    results = sm.transient(flywheel(sm.PID(proportional=kp, integral=ki)), end=3.0, step=1e-3, progress=False)
    t, w = results.time, results["wheel.angular_velocity"][:, 2]
    sigma = kp / (2 * INERTIA)
    omega = np.sqrt(ki / INERTIA - sigma**2)
    closed = TARGET * (1 - np.exp(-sigma * t) * (np.cos(omega * t) - sigma / omega * np.sin(omega * t)))
    np.testing.assert_allclose(w, closed, rtol=0, atol=2e-5 * TARGET * 5)
    np.testing.assert_allclose(results["governor.error"], TARGET - w, rtol=0, atol=1e-9)
    assert results.dataset["governor.error"].attrs["units"] == "rad/s"


def test_limits_hold_and_the_integral_does_not_wind_up():
    """Limited to 1 N m, the wheel needs I target / 1 = 10 s; it then settles without the overshoot of a wound integral.

    Back-calculation keeps the integral within e kp of the limit, so the overshoot is that of the linear loop at most.
    """
    law = {"proportional": 6.0, "integral": 4.0}
    limited = sm.PID(**law, lower=-1.0, upper=1.0, corner=0.02, tracking=0.5)
    results = sm.transient(flywheel(limited), end=25.0, step=5e-3, progress=False)
    torque, w = results["motor.torque"], results["wheel.angular_velocity"][:, 2]
    assert torque.max() <= 1.0 + 1e-9
    assert w[-1] == pytest.approx(TARGET, rel=1e-3)
    assert w.max() < 1.05 * TARGET


def test_integral_output_rests_at_its_limit_and_leaves_it_at_once():
    """du/dt = gain e with an error that stays, then turns."""
    gain, limit, corner = 2.0, 0.5, 0.02
    model = sm.Model("held")
    wheel = model.node("wheel")
    model.add("disc", sm.Body(wheel, mass=1.0, inertia=(1.0, 1.0, 1.0)))
    model.add("clamp", sm.Clamp(model.ground, wheel))
    target = sm.Step(-1.0, time=2.0, before=1.0)
    law = sm.Integral(gain=gain, upper=limit, corner=corner)
    model.add("governor", sm.SpeedRegulator(model.ground, wheel, law=law, target=target, **AXIS))
    results = sm.transient(model, end=3.0, step=1e-3, progress=False)
    t, u = results.time, results["governor.output.value"]
    linear = t < (limit - corner) / gain - 2e-3
    np.testing.assert_allclose(u[linear], gain * t[linear], rtol=0, atol=1e-9)
    assert u.max() < limit + 1e-9
    assert u[np.searchsorted(t, 1.9)] == pytest.approx(limit, abs=0.2 * corner)
    # at full rate from the step at which the error turns, give or take one step
    assert u[-1] == pytest.approx(limit - gain * 1.0, abs=corner + gain * 1e-3)


def test_derivative_damps_an_angle():
    """I q'' + kd q' + kp q = 0 from a push, but for the lag of the derivative: an error of about lag * 4 rad/s."""
    kp, kd, push, lag = 20.0, 8.0, 1.0, 2e-3
    model = flywheel(sm.PID(proportional=kp, derivative=kd, lag=lag), target=0.0, regulator=sm.AngleRegulator)
    model.nodes["wheel"].begin(angular_velocity=(0.0, 0.0, push))
    results = sm.transient(model, end=4.0, step=1e-3, progress=False)
    sigma = kd / (2 * INERTIA)
    omega = np.sqrt(kp / INERTIA - sigma**2)
    closed = push / omega * np.exp(-sigma * results.time) * np.sin(omega * results.time)
    np.testing.assert_allclose(results["bearing.angle"], closed, rtol=0, atol=4 * lag * closed.max())


def test_servo_follows_a_command_as_a_spring_does():
    """Commanded by a state that ramps, it lags by damping times rate / stiffness."""
    model = sm.Model("servo")
    wheel = model.node("wheel")
    model.add("disc", sm.Body(wheel, mass=1.0, inertia=(1.0, 1.0, INERTIA)))
    model.add("bearing", sm.Revolute(model.ground, wheel, **AXIS))
    held = model.node("held", static=True)
    model.add("clamp", sm.Clamp(model.ground, held))
    ramp = model.add("ramp", sm.SpeedRegulator(model.ground, held, law=sm.Integral(gain=1.0), target=0.3, **AXIS))
    model.add("servo", sm.RotaryServo(model.ground, wheel, ramp.output, stiffness=200.0, damping=40.0, **AXIS))
    results = sm.transient(model, end=3.0, step=1e-3, progress=False)
    assert results["servo.command"][-1] == pytest.approx(0.9, rel=1e-9)
    assert results["servo.command"][-1] - results["servo.angle"][-1] == pytest.approx(40.0 * 0.3 / 200.0, rel=1e-6)
    energy = results["model.kinetic"] + results["model.potential"]
    power = results["model.supplied"] - results["model.dissipated"]
    work = np.concatenate([[0.0], np.cumsum(np.diff(results.time) * 0.5 * (power[1:] + power[:-1]))])
    np.testing.assert_allclose(energy, work, rtol=0, atol=1e-3 * np.abs(work).max())


@pytest.mark.parametrize("turn", [0, 3])
def test_servo_holds_any_angle(turn):
    """A command beyond half a turn is reached and held, the short way: q and c differ by whole turns at most."""
    command = np.radians(190.0 + 360.0 * turn)
    model = sm.Model("servo")
    wheel = model.node("wheel")
    model.add("disc", sm.Body(wheel, mass=1.0, inertia=(1.0, 1.0, INERTIA)))
    model.add("bearing", sm.Revolute(model.ground, wheel, **AXIS))
    rest = model.add("rest", sm.SpeedRegulator(model.ground, wheel, law=sm.Integral(gain=0.0), target=0.0, **AXIS))
    servo = sm.RotaryServo(model.ground, wheel, rest.output, stiffness=200.0, damping=40.0, offset=command, **AXIS)
    model.add("servo", servo)
    results = sm.transient(model, end=3.0, step=5e-3, progress=False)
    # sqrt(k / I) = 10 rad/s, critically damped: exp(-30) is left of 170 degrees
    assert results["bearing.angle"][-1] == pytest.approx(np.radians(-170.0), abs=1e-9)
    assert results["servo.angle"][-1] == pytest.approx(command, abs=1e-9)
    assert np.abs(results["servo.effort"][-1]) < 1e-6
    # 0.5 k off^2 has gone into the damper, none was added: the energy never exceeds what it was
    energy = results["model.kinetic"] + results["model.potential"]
    assert energy.max() <= 0.5 * 200.0 * np.radians(170.0) ** 2 * (1 + 1e-9)


def test_corner_is_smooth_and_exact_away_from_it():
    x = np.linspace(-1.0, 1.0, 2001)
    y = np.array([float(beyond(v, 0.1)) for v in x])
    np.testing.assert_allclose(y[np.abs(x) >= 0.1], np.maximum(x, 0.0)[np.abs(x) >= 0.1], rtol=0, atol=1e-15)
    slope = np.gradient(y, x)
    assert np.abs(np.diff(slope)).max() < 1.1 * 1e-3 / 0.2  # its slope rises evenly over 2 corner
    assert np.all(y >= 0.0)


def test_attitude_is_that_of_the_euler_angles():
    """Against the conversions of `samara.rotations`, in frames that are turned in both nodes."""
    angles = np.radians([50.0, -20.0, 35.0])  # heading, pitch, roll
    F, G = sm.Placement((0, 0, 0), rotation_from_euler("XYZ", (0.3, 0.2, -0.5))), sm.Placement((0, 0, 0), np.eye(3))
    R = F.rotation @ rotation_from_euler("ZYX", angles) @ G.rotation.T
    model = sm.Model("attitude")
    body = model.node("body", rotation=R)
    model.add("mass", sm.Body(body, mass=1.0, inertia=(1.0, 1.0, 1.0)))
    for name in ("heading", "pitch", "roll"):
        law = sm.PID(proportional=2.0)
        model.add(
            name,
            sm.AttitudeRegulator(model.ground, body, place_a=F, place_b=G, angle=name, law=law, target=0.1),
        )
    run = sm.transient(model, 1e-3, 1e-3, progress=False)
    for name, angle in zip(("heading", "pitch", "roll"), angles, strict=True):
        assert run[f"{name}.measured"][0] == pytest.approx(angle, abs=1e-12)
        assert run[f"{name}.output.value"][0] == pytest.approx(2.0 * (0.1 - angle), rel=1e-9)


def test_a_linear_servo_holds_a_load():
    """At rest the spring is as long as drive and state ask for, less m g / stiffness; energy is accounted for."""
    model = sm.Model("hoist", gravity=(0, 0, -9.81))
    load = model.node("load", position=(0, 0, -1.0))
    model.add("weight", sm.Body(load, mass=10.0, inertia=(1.0, 1.0, 1.0)))
    model.add("rail", sm.Prismatic(model.ground, load, axis=(0, 0, 1)))
    held = model.node("held", static=True)
    model.add("clamp", sm.Clamp(model.ground, held))
    ramp = model.add("ramp", sm.SpeedRegulator(model.ground, held, law=sm.Integral(gain=1.0), target=0.1, **AXIS))
    model.add(
        "servo",
        sm.LinearServo(
            model.ground, load, x=[ramp.output], gains=[0.5], length=sm.Cosine(0.2, 1.0, initial=1.0),
            stiffness=4000.0, damping=400.0,
        ),
    )  # fmt: skip
    run = sm.transient(model, end=4.0, step=1e-3, progress=False)
    assert run["servo.command"][-1] == pytest.approx(1.2 + 0.5 * 0.4, rel=1e-9)
    # the damper acts against the drive, not against the state: it pulls with damping times the state's rate
    assert run["servo.length"][-1] == pytest.approx(1.4 + (98.1 - 400.0 * 0.05) / 4000.0, rel=1e-6)
    energy = run["model.kinetic"] + run["model.potential"]
    power = run["model.supplied"] - run["model.dissipated"]
    work = np.concatenate([[0.0], np.cumsum(np.diff(run.time) * 0.5 * (power[1:] + power[:-1]))])
    np.testing.assert_allclose(energy - energy[0], work, rtol=0, atol=1e-3 * np.abs(work).max())


# ---- starts
def turned(angle, **law):
    """A wheel at an angle, with a regulator that asks for zero."""
    model = flywheel(sm.PID(**law), target=0.0, regulator=sm.AngleRegulator)
    model.nodes["wheel"].begin(sm.Placement((0, 0, 0), rotation_from_euler("ZYX", (angle, 0.0, 0.0))))
    return model


def test_derivative_action_starts_at_the_error():
    """An error at the start is no jump of the error: the output is kp e and nothing else, and lets go of it smoothly.

    From rest I q'' = -kp q, so that a step later the derivative has seen kp e / I h at most, times kd.
    """
    kp, kd, q, h = 20.0, 8.0, 0.1, 1e-3
    results = sm.transient(turned(q, proportional=kp, derivative=kd, lag=0.02), 0.5, h, progress=False)
    output = results["governor.output.value"]
    assert output[0] == pytest.approx(-kp * q, rel=1e-9)
    assert abs(output[1] - output[0]) < kd * kp * q / INERTIA * h
    assert results["governor.lagged.value"][0] == pytest.approx(-q, rel=1e-12)


def test_a_state_that_starts_settled():
    """Whatever value it is given; its rate is zero, and only states of order one can."""
    results = sm.transient(turned(0.1, proportional=2.0), 0.01, 1e-3, progress=False)
    assert results["governor.lagged.rate"][0] == 0.0
    model = sm.Model("wrong")
    with pytest.raises(sm.ModelError, match="only a state of order 1 can start settled, this one has 0"):
        model.state("x", 0, settled=True)


def test_angles_go_the_short_way():
    """From 170 degrees to -170 the error is 20 degrees; at the target 180 a wheel at -180 is there."""
    for at, target, error in ((170.0, -170.0, 20.0), (-180.0, 180.0, 0.0), (179.0, 539.0, 0.0)):
        model = flywheel(sm.PID(proportional=1.0), target=np.radians(target), regulator=sm.AngleRegulator)
        model.nodes["wheel"].begin(sm.Placement((0, 0, 0), rotation_from_euler("ZYX", np.radians([at, 0.0, 0.0]))))
        results = sm.transient(model, 0.001, 1e-3, progress=False)
        assert np.degrees(results["governor.error"][0]) == pytest.approx(error, abs=1e-9)
