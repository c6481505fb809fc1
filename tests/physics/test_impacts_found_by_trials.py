"""Impacts that unseen cases have found: with an accuracy, of grazing bodies, from inside, in substructures."""

import itertools
import warnings

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import samara as sm

G = 9.81


def ball(model, name, position, velocity, *, inertia=0.004):
    node = model.node(name, position=position, velocity=velocity)
    model.add(f"{name}.body", sm.Body(node, mass=1.0, inertia=(inertia,) * 3))
    return node


# An arm on a stop against its own equation ----------------------------------------------------------------------------


def arm_on_a_stop():
    model = sm.Model("arm", gravity=(0, 0, -G))
    arm = model.node("arm", position=(0.3, 0, 0))
    model.add("body", sm.Body(arm, mass=1.0, inertia=(0.01, 0.02, 0.02)))
    hinge = {"at": (0, 0, 0), "axis": (0, -1, 0)}
    model.add("hinge", sm.Revolute(model.ground, arm, start={"angle_rate": -1.0}, **hinge))
    model.add("stop", sm.AngleStop(model.ground, arm, limit=-0.01, side="lower", restitution=0.8, **hinge))
    return model


def angle_of_the_arm(end):
    """(m l^2 + J) a'' = -m g l cos a, with a'(+) = -0.8 a'(-) at a = -0.01."""
    y, t = np.array([0.0, -1.0]), 0.0

    def gap(_, y):
        return y[0] + 0.01

    gap.terminal, gap.direction = True, -1
    while True:
        found = solve_ivp(
            lambda _, y: [y[1], -G * 0.3 * np.cos(y[0]) / 0.11], (t, end), y, events=gap, rtol=1e-12, atol=1e-14
        )
        t, y = found.t[-1], found.y[:, -1] * (1.0, 1.0)
        if t >= end:
            return y
        y = np.array([-0.01 + 1e-16, -0.8 * y[1]])


@pytest.mark.parametrize(("pace", "bound"), [({"step": 1e-3}, 1e-6), ({"accuracy": 1e-9}, 1e-5)])
def test_an_arm_bounces_as_its_equation_says(pace, bound):
    """Rates after two impacts were off by 2e-5: where an impact was looked for, all turned steadily within a step."""
    run = sm.transient(arm_on_a_stop(), 0.12, progress=False, **pace)
    angle, rate = angle_of_the_arm(0.12)
    assert run["hinge.angle"][-1] == pytest.approx(angle, abs=0.1 * bound)
    assert run["hinge.angle_rate"][-1] == pytest.approx(rate, abs=bound)


# Variable steps -------------------------------------------------------------------------------------------------------


def test_a_puck_turns_at_the_wall_whatever_its_steps_are():
    """Steps grow to 5 s; an impact within the first hundredth of one was taken as it began, 49 mm before the wall."""
    model = sm.Model("puck")
    puck = ball(model, "puck", (0, 0, 43.191 + 0.0099 * 5 + 0.1), (0, 0, -1))
    wall = {"place_a": (0, 0, 0), "shape": sm.BallShape(0.1), "restitution": 1.0}
    model.add("wall", sm.Contact(model.ground, puck, **wall))
    run = sm.transient(model, end=100.0, accuracy=1e-8, progress=False)
    exact = np.abs(43.191 + 0.0099 * 5 - run.time)
    np.testing.assert_allclose(run["wall.gap"], exact, atol=1e-9)


def fan():
    """Four blades of two links that fall on droop stops and come to rest by ever smaller bounces."""
    model = sm.Model("fan", gravity=(0, 0, -G))
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, sm.Ramp(2.0))))
    for k in range(4):
        way = np.array([np.cos(np.pi * k / 2), np.sin(np.pi * k / 2), 0.0])
        axis = (way[1], -way[0], 0.0)
        before = hub
        for name, at, place, mass in (("blade", 0.1, 1.0, 3.0), ("tip", 1.3, 1.6, 1.0)):
            node = model.node(f"{name}{k}", position=place * way)
            model.add(f"{name}{k}.body", sm.Body(node, mass=mass, inertia=(0.3 * mass,) * 3))
            frames = {"at": tuple(at * way), "axis": axis}
            start = {"angle": 0.2 + 0.1 * k if name == "blade" else 0.0}
            model.add(f"{name}{k}.hinge", sm.Revolute(before, node, start=start, **frames))
            stop = {"limit": -0.2, "side": "lower", "restitution": 0.5 if name == "blade" else 0.0}
            model.add(f"{name}{k}.stop", sm.AngleStop(before, node, **stop, **frames))
            before = node
    return model


@pytest.mark.parametrize("accuracy", [1e-5, 1e-8])
def test_a_variable_step_comes_through_bounces_that_end_in_rest(accuracy):
    """It failed as too small; and where an impact was not met at once, time went on as if the whole step were done."""
    exact = sm.transient(fan(), 1.5, 1e-4, every=10, progress=False)
    dense = sm.transient(fan(), 1.5, 1e-3, accuracy=accuracy, progress=False)
    run = sm.transient(fan(), 1.5, accuracy=accuracy, progress=False)
    for k in range(4):
        name = f"blade{k}.hinge.angle"
        # 1e-4 s: 1e-6 rad after all bounces; of these, each multiplies what is left of an error
        np.testing.assert_allclose(dense[name], exact[name], atol=1e-5 + 20.0 * accuracy)
        assert run[name][-1] == pytest.approx(-0.2, abs=1e-6 + accuracy)


def test_records_between_steps_are_right_before_and_after_an_impact():
    """Dense output of a ball in one parabola after the other."""
    model = sm.Model("ball", gravity=(0, 0, -G))
    node = ball(model, "ball", (0, 0, 1.1), (0, 0, 0))
    floor = {"place_a": (0, 0, 0), "shape": sm.BallShape(0.1), "restitution": 0.8}
    model.add("floor", sm.Contact(model.ground, node, **floor))
    run = sm.transient(model, 1.0, 1e-3, accuracy=1e-6, progress=False)
    fall = np.sqrt(2.0 / G)
    t = run.time - fall
    exact = np.where(t < 0.0, 1.0 - 0.5 * G * run.time**2, 0.8 * G * fall * t - 0.5 * G * t**2)
    np.testing.assert_allclose(run["floor.gap"], exact, atol=1e-9)
    speed = np.where(t < 0.0, -G * run.time, 0.8 * G * fall - G * t)
    np.testing.assert_allclose(run["ball.velocity"][:, 2], speed, atol=1e-7)


# Impacts at fixed steps -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", [5e-2, 1e-3])
def test_grazing_balls_keep_their_energy(step):
    """A normal that turns in a step counted as a force that holds them together: half of the impulse was lost."""
    offset = 0.1999
    model = sm.Model("graze")
    still, moving = ball(model, "still", (0, 0, 0), (0, 0, 0)), ball(model, "moving", (-1, offset, 0), (1, 0, 0))
    touch = {"surface": sm.SphereSurface(0.1), "shape": sm.BallShape(0.1), "restitution": 1.0}
    model.add("pair", sm.Contact(still, moving, place_a=(0, 0, 0), **touch))
    run = sm.transient(model, 2.0, step, progress=False)
    assert np.linalg.norm(run["still.velocity"][-1]) == pytest.approx(np.sqrt(1.0 - (offset / 0.2) ** 2), rel=1e-6)
    assert run["model.kinetic"][-1] == pytest.approx(0.5, rel=1e-12)


@pytest.mark.parametrize(("height", "speed"), [(0.099, -0.1), (0.05, -0.1), (0.05, -1.0), (0.09, 0.5)])
def test_a_ball_that_starts_inside_a_floor_comes_out_or_stays(height, speed):
    model = sm.Model("inside", gravity=(0, 0, -G))
    node = ball(model, "ball", (0, 0, height), (0, 0, speed))
    floor = {"place_a": (0, 0, 0), "shape": sm.BallShape(0.1), "restitution": 0.5}
    model.add("floor", sm.Contact(model.ground, node, **floor))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "model 'inside': contact 'floor' starts")
        run = sm.transient(model, 0.3, 1e-3, progress=False)
    energy = run["model.kinetic"] + run["model.potential"]
    assert energy.max() <= energy[0] + 1e-3 and run["floor.gap"].min() >= height - 0.1 - 1e-3


def test_substructures_have_contacts():
    """At 1e-10 what Newton's method leaves may make one bounce more, the last before rest; motions are the same."""
    plain = sm.transient(sm.Simulation(fan(), tolerance=1e-12), 1.5, 2e-3, progress=False)
    for how in ({"partition": 2}, {"partition": 2, "backend": "threads", "threads": 2}):
        parts = sm.transient(sm.Simulation(fan(), tolerance=1e-12, **how), 1.5, 2e-3, progress=False)
        assert parts.attrs.counters["impacts"] == plain.attrs.counters["impacts"] > 8
        for k in range(4):  # each bounce multiplies what Newton's method leaves, 1e-12 of the speeds: 1e-7 in all
            name = f"blade{k}.hinge.angle"
            np.testing.assert_allclose(parts[name], plain[name], atol=5e-7)


@pytest.mark.parametrize("step", [5e-2, 1e-2, 1e-3])
def test_impacts_are_counted_once(step):
    """Also where a step is divided, and attempts at it are taken back."""
    model = sm.Model("row")
    nodes = [ball(model, f"b{k}", (0.25 * k, 0, 0), (3.0 if k == 0 else 0.0, 0, 0)) for k in range(4)]
    for a, b in itertools.pairwise(nodes):
        touch = {"surface": sm.SphereSurface(0.1), "shape": sm.BallShape(0.1), "restitution": 1.0}
        model.add(f"{a.name}.{b.name}", sm.Contact(a, b, place_a=(0, 0, 0), **touch))
    run = sm.transient(model, 0.4, step, progress=False)
    assert run.attrs.counters["impacts"] == 3
    assert run["b3.velocity"][-1, 0] == pytest.approx(3.0, abs=1e-9)
