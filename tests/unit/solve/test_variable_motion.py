"""Steps that follow an accuracy see what turns and what moves as told, in every formulation."""

import numpy as np
import pytest
from scipy.optimize import brentq

import samara as sm

GRAVITY = 9.81
#: Half a radian per step is the most that anything turns by.
MOST_TURN = 0.5
FORMULATIONS = ["redundant", "recursive"]


def wheel(speed):
    """Free: nothing acts on it, so that no formula errs, however long the steps are."""
    model = sm.Model("wheel")
    hub = model.node("hub")
    hub.begin(angular_velocity=(0, 0, speed))
    model.add("body", sm.Body(hub, mass=1.0, inertia=(0.01, 0.01, 0.02)))
    return model


def on_a_shaft(**drive):
    def make(speed):
        model = sm.Model("shaft")
        hub = model.node("hub")
        model.add("body", sm.Body(hub, mass=1.0, inertia=(0.01, 0.01, 0.02)))
        frame = {"at": (0, 0, 0), "axis": (0, 0, 1)}
        model.add("bearing", sm.Revolute(model.ground, hub, **frame))
        if "rate" in drive:
            model.add("drive", sm.PrescribedRate(model.ground, hub, rate=speed, **frame))
        else:
            model.add("drive", sm.PrescribedAngle(model.ground, hub, angle=sm.Ramp(speed, start=-1.0), **frame))
        return model

    return make


def on_a_node(speed):
    """Clamped to a node that turns as told."""
    model = sm.Model("node")
    node = model.prescribed("turntable", sm.Motion(rotation=(0, 0, sm.Ramp(speed, start=-1.0))))
    hub = model.node("hub")
    model.add("body", sm.Body(hub, mass=1.0, inertia=(0.01, 0.01, 0.02)))
    model.add("clamp", sm.Clamp(node, hub))
    return model


SPINNING = {"free": wheel, "rate": on_a_shaft(rate=True), "angle": on_a_shaft(), "node": on_a_node}


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("speed", [40.0, 134.0])
@pytest.mark.parametrize("name", SPINNING)
def test_whatever_spins_is_followed(name, speed, formulation):
    """Steps grew to 6 rad and more, where the polynomials of rotations mean nothing: 0.015 rad off, or not finite.

    A steady rotation is an exact solution: what is left is rounding, and Newton's tolerance in each step.
    """
    run = sm.transient(SPINNING[name](speed), 1.0, accuracy=1e-6, formulation=formulation, progress=False)
    R = run["hub.rotation"].reshape(-1, 3, 3)
    turned = np.unwrap(np.arctan2(R[:, 1, 0], R[:, 0, 0]))
    assert turned - turned[0] == pytest.approx(speed * run.time, abs=1e-8)
    assert speed * np.diff(run.time).max() < MOST_TURN * (1.0 + 1e-9)
    assert len(run) < 4.0 * speed / MOST_TURN  # and no shorter than need be


def test_a_spin_that_grows_is_bounded_as_it_grows():
    """By a constant torque from rest: steps shrink with the speed, phi = a t^2 / 2 to the accuracy per step."""
    model = sm.Model("runup")
    hub = model.node("hub")
    model.add("body", sm.Body(hub, mass=1.0, inertia=(0.01, 0.01, 0.02)))
    model.add("torque", sm.Couple(hub, couple=(0, 0, 2.0)))
    run = sm.transient(model, 2.0, accuracy=1e-6, progress=False)
    w = run["hub.angular_velocity"][:, 2]
    assert w == pytest.approx(100.0 * run.time, abs=1e-6)
    assert (np.diff(run.time) * w[1:]).max() < MOST_TURN * (1.0 + 1e-9)


# ---- a ball on a plate that moves as told
def plate_and_ball(amplitude, frequency, restitution, height):
    model = sm.Model("plate", gravity=(0, 0, -GRAVITY))
    plate = model.prescribed("plate", sm.Motion(position=(0, 0, sm.Sine(amplitude, frequency))))
    ball = model.node("ball", position=(0, 0, height))
    model.add("body", sm.Body(ball, mass=1.0, inertia=(1e-3, 1e-3, 1e-3)))
    model.add("contact", sm.Contact(plate, ball, restitution=restitution))
    return model


def bounced(t, amplitude, frequency, restitution, height):
    """Height of the ball: parabolas between impacts, whose times are roots; how many there are."""
    z, v, start, found, impacts = height, 0.0, 0.0, np.zeros_like(t), 0
    while True:

        def gap(s, z=z, v=v, start=start):
            return z + v * (s - start) - 0.5 * GRAVITY * (s - start) ** 2 - amplitude * np.sin(frequency * s)

        late = next((s for s in np.arange(start + 1e-3, t[-1], 1e-3) if gap(s) < 0.0), np.inf)
        hit = brentq(gap, late - 1e-3, late) if late < np.inf else np.inf
        now = (t >= start) & (t <= hit)
        found[now] = z + v * (t[now] - start) - 0.5 * GRAVITY * (t[now] - start) ** 2
        if hit == np.inf:
            return found, impacts
        before, told = v - GRAVITY * (hit - start), amplitude * frequency * np.cos(frequency * hit)
        z, v, start = amplitude * np.sin(frequency * hit), told - restitution * (before - told), hit
        impacts += 1


@pytest.mark.parametrize("accuracy", [1e-4, 1e-6, 1e-8])
def test_a_plate_that_moves_as_told_is_hit_where_it_is(accuracy, rng):
    """The free ball errs by nothing, so steps were 50 ms at any accuracy, and the plate was where it was guessed.

    Errors are counted in steps of the accuracy times the size of the part, which is the height of the ball.
    """
    for _ in range(3):
        case = rng.uniform((5e-3, 5.0, 0.8, 0.3), (2e-2, 20.0, 1.0, 0.5))
        run = sm.transient(plate_and_ball(*case), 1.0, accuracy=accuracy, progress=False)
        exact, impacts = bounced(run.time, *case)
        assert run.attrs.counters["impacts"] == impacts >= 1
        assert np.abs(run["ball.position"][:, 2] - exact).max() < 10.0 * accuracy * case[3]


def test_a_plate_that_turns_as_told_is_hit_where_it_is():
    """By a rocking plate, 0.2 m from its axis: the height of a point on it is x tan(angle)."""
    amplitude, frequency, at, height = 0.05, 9.0, 0.2, 0.3
    model = sm.Model("rocker", gravity=(0, 0, -GRAVITY))
    plate = model.prescribed("plate", sm.Motion(rotation=(0, sm.Sine(-amplitude, frequency), 0)))
    ball = model.node("ball", position=(at, 0, height))
    model.add("body", sm.Body(ball, mass=1.0, inertia=(1e-3, 1e-3, 1e-3)))
    model.add("contact", sm.Contact(plate, ball))
    run = sm.transient(model, 0.5, accuracy=1e-7, progress=False)
    fall = brentq(lambda s: height - 0.5 * GRAVITY * s * s - at * np.tan(amplitude * np.sin(frequency * s)), 0.1, 0.4)
    flight = run.time < fall
    z = run["ball.position"][:, 2]
    assert z[flight] == pytest.approx(height - 0.5 * GRAVITY * run.time[flight] ** 2, abs=1e-7)
    touched = int(np.argmax(run["contact.gap"].ravel() < 1e-6))
    assert run.time[touched - 1] < fall <= run.time[touched]
    held = run["contact.gap"][touched:]  # it stays on the plate, from the instant of the impact on
    assert np.abs(held).max() < 1e-5


def test_fixed_steps_of_more_than_half_a_turn_are_warned_of():
    """They are off without an error: by 1e-3 at a turn per step."""
    with pytest.warns(UserWarning, match=r"rotates by 6 rad in one step.*give an accuracy"):
        sm.transient(wheel(60.0), 1.0, 0.1, progress=False)


def test_fixed_steps_that_follow_a_turn_are_fine(recwarn):
    sm.transient(wheel(60.0), 1.0, 0.01, progress=False)
    assert not recwarn.list
