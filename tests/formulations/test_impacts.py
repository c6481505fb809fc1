"""Impacts: rigid ones where a formulation has them, by name refused elsewhere; elastic ones in every way to step."""

import numpy as np
import pytest
from ways_to_step import ways

import samara as sm

G, RADIUS, HEIGHT, MASS = 9.81, 0.1, 0.5, 2.0
FALL = np.sqrt(2.0 * HEIGHT / G)  # time of the first fall [s]


def ball(height=HEIGHT, restitution=0.8) -> sm.Model:
    """A ball above a rigid floor."""
    model = sm.Model("ball", gravity=(0, 0, -G))
    node = model.node("ball", (0, 0, RADIUS + height))
    model.add("body", sm.Body(node, mass=MASS, inertia=(0.1, 0.1, 0.1)))
    floor = sm.Contact(model.ground, node, place_a=(0, 0, 0), shape=sm.BallShape(RADIUS), restitution=restitution)
    model.add("floor", floor)
    return model


def flights(t: np.ndarray, e: float) -> tuple[np.ndarray, np.ndarray]:
    """Height and velocity by the flights between the impacts, each e times as fast as the one before."""
    z, v = HEIGHT - 0.5 * G * t**2, -G * t
    begin, speed = FALL, e * G * FALL
    for _ in range(5):
        z = np.where(t >= begin, speed * (t - begin) - 0.5 * G * (t - begin) ** 2, z)
        v = np.where(t >= begin, speed - G * (t - begin), v)
        begin, speed = begin + 2.0 * speed / G, e * speed
    return z, v


@ways("redundant", "time stepping")
def test_a_ball_bounces_as_newtons_law_says(way):
    """Two impacts. Event-driven steps meet them when they are; time stepping up to a step late each, v h of height."""
    step, end = 1e-3, 1.0
    run = way.run(ball(), end, step)
    z, v = flights(run.time, 0.8)
    late = way.kind == "time stepping"
    away = np.abs(run.time[:, None] - [FALL, FALL * 2.6]).min(axis=1) > 3.0 * step
    # parabolas are exact; time stepping: two impacts, each late by up to a step, and the flight after it by two
    np.testing.assert_allclose(run["floor.gap"], z, atol=3.0 * G * FALL * step if late else 1e-9)
    np.testing.assert_allclose(run["ball.velocity"][away, 2], v[away], atol=6.0 * G * step if late else 1e-9)
    assert run["floor.gap"].min() > (-G * FALL * step if late else -1e-9)


@ways("redundant", "time stepping")
def test_a_ball_at_rest_is_carried(way):
    run = way.run(ball(height=0.0), 0.1, 1e-3)
    np.testing.assert_allclose(run["floor.force"][2:, 0], MASS * G, rtol=1e-6)
    np.testing.assert_allclose(run["floor.gap"], 0.0, atol=1e-9)


@ways("explicit", "implicit")
def test_rigid_contacts_are_refused_by_name_where_there_are_none(way):
    """The error names the contact and the integrator that takes it."""
    with pytest.raises(sm.ArgumentError, match=r"'floor'.*MoreauJean"):
        way.run(ball(), 0.1, 1e-3)


def on_a_spring(stiffness=2e4) -> sm.Model:
    """A ball on a guide above a spring that only pushes."""
    model = sm.Model("ball on a spring", gravity=(0, 0, -G))
    node = model.node("ball", (0, 0, HEIGHT))
    model.add("body", sm.Body(node, mass=MASS, inertia=(0.1, 0.1, 0.1)))
    model.add("guide", sm.Prismatic(model.ground, node, axis=(0, 0, 1)))
    law = sm.OneSidedLaw(sm.LinearLaw(stiffness), gap=0.0, side="compression")
    model.add("spring", sm.Axial(model.ground, node, place_b=(0, 0, 0), law=law))
    return model


def test_a_ball_bounces_on_a_spring_as_high_as_it_fell(way):
    """m x'' = -m g - k x below zero: x = -g / w^2 (1 - cos w t) - (v / w) sin w t, then a flight as fast as before.

    The law has a kink, which no step meets: each of two costs a part of (w h)^2 of the speed, whatever the order.
    """
    step, k = 2e-4, 2e4
    run = way.run(on_a_spring(), 0.6, step)
    rate, speed = np.sqrt(k / MASS), G * FALL
    # the velocity is reversed when the force is zero again
    below = 2.0 * (np.pi - np.arctan2(speed * rate, G)) / rate
    away = FALL + below
    flown = run.time > away + 2.0 * step
    t = run.time[flown] - away
    allowed = 0.05 * speed * (rate * step) ** min(way.order, 2)
    np.testing.assert_allclose(run["ball.velocity"][flown, 2], speed - G * t, atol=allowed)
    np.testing.assert_allclose(run["ball.position"][flown, 2], speed * t - 0.5 * G * t**2, atol=allowed)
