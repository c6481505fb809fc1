"""A ball that falls and bounces (bouncing_ball.csv): times of impacts, speeds and heights, by time stepping.

The file has closed forms to ten digits. A step h = 1e-4 s meets an impact up to a step late; a delay d at the speed v
leaves the next flight longer by about 2 d, so that the n-th impact is late by n steps at most: 1e-3 s is asked for of
the first five.
"""

from itertools import pairwise

import numpy as np
import pytest

import samara as sm

GRAVITY, RADIUS, STEP = 9.81, 0.1, 1e-4


@pytest.fixture(scope="module")
def table(data):
    return np.loadtxt(data / "bouncing_ball.csv", delimiter=",", skiprows=2)


@pytest.fixture(scope="module")
def fall():
    model = sm.Model("ball", gravity=(0, 0, -GRAVITY))
    ball = model.node("ball", position=(0, 0, 1.0 + RADIUS))
    model.add("body", sm.Body(ball, mass=2.0, inertia=(0.1,) * 3))
    floor = {"place_a": (0, 0, 0), "shape": sm.BallShape(RADIUS), "friction": 0.3, "restitution": 0.8}
    model.add("floor", sm.Contact(model.ground, ball, **floor))
    return sm.transient(model, 5.0, STEP, formulation="recursive", progress=False)


def impacts(run, count):
    """Samples where a force is seen after none."""
    force = run["floor.force"][:, 0]
    return np.flatnonzero((force[1:] > 0) & (force[:-1] == 0))[:count] + 1


def test_times_of_impacts(table, fall):
    assert fall.time[impacts(fall, 5)] == pytest.approx(table[:5, 1], abs=1e-3)


def test_speeds_of_impacts(table, fall):
    """Each impact is early or late by the step, g h = 1e-3 m/s; they add up to n of them."""
    i, v = impacts(fall, 5), fall["ball.velocity"][:, 2]
    assert -v[i - 1] == pytest.approx(table[:5, 2], abs=5e-3)
    assert v[i] == pytest.approx(table[:5, 3], abs=5e-3)


def test_heights_of_flights(table, fall):
    """v^2 / 2g with 5e-3 m/s in v: 2e-3 m."""
    i, z = impacts(fall, 6), fall["floor.gap"]
    tops = [z[a:b].max() for a, b in pairwise(i)]
    assert tops == pytest.approx(table[:5, 4], abs=2e-3)


def test_rest_after_the_accumulation(fall):
    """All impacts are over at t_1 (1 + e) / (1 - e) = 4.0637 s; then the floor carries the weight."""
    end = np.sqrt(2.0 / GRAVITY) * 1.8 / 0.2
    rest = fall.time > end + 1e-2  # ten late impacts, a hundred steps
    assert np.abs(fall["ball.velocity"][rest]).max() < 1e-12
    assert fall["floor.force"][rest, 0] == pytest.approx(2.0 * GRAVITY, rel=1e-9)
    bouncing = fall.time < end - 0.1
    assert np.abs(fall["ball.velocity"][bouncing][-1000:, 2]).max() > 0.1
