"""A free wake over the ground: nothing flows through it, and thrust rises as Cheeseman and Bennett say, to a bound."""

from functools import cache

import numpy as np
import pytest

import samara as sm
from samara import FreeWake
from samara.models.rotors.hinged_rotor import CHORD, RADIUS, SPEED, hinged_rotor

TURN, STEPS = 2 * np.pi / SPEED, 30
PROFILE = 4 * CHORD / (np.pi * RADIUS) * 0.01 / 8  # C_Q of drag alone


def rotor(h=None, wake=None, **more):
    """Its disk at h [R] over the ground, or without any."""
    ground = {} if h is None else {"ground": True, "height": -h * RADIUS}
    inflow = FreeWake(**{"step": TURN / STEPS, "inboard": 3} | (wake or {}))
    return hinged_rotor(inflow=inflow, collective=0.12, **ground, **more)


@cache
def hover(h=None):
    """Thrust and induced power, means of the last 15 of 40 turns; and the wake."""
    sim = sm.Simulation(rotor(h))
    run = sm.transient(sim, 40 * TURN, TURN / STEPS, progress=False, outputs=("rotor.CT", "rotor.CQ"))
    CT, CQ = (run[f"rotor.{name}"][-15 * STEPS :].mean() for name in ("CT", "CQ"))
    return CT, CQ - PROFILE, sm.wake_geometry(sim)


@pytest.mark.parametrize("h", [1.0, 0.5])
def test_nothing_flows_through_the_ground(h, rng):
    """Velocity along the normal is rounding, 1e-12 of that at the disk; along the ground the wake flows out."""
    wake = hover(h)[2]
    points = np.column_stack([rng.uniform(-3, 3, (40, 2)) * RADIUS, np.full(40, -h * RADIUS)])
    u = wake.velocity(points)
    assert np.abs(u[:, 2]).max() < 1e-12 * np.abs(u).max()
    assert all(f.points[:, 2].min() > -h * RADIUS for f in wake.filaments)
    ring = 2.5 * RADIUS * np.array([[np.cos(a), np.sin(a), 0.0] for a in np.linspace(0, 2 * np.pi, 24, endpoint=False)])
    outward = np.einsum("ij,ij->i", wake.velocity(ring + np.array([0, 0, (0.02 - h) * RADIUS])), ring) / (2.5 * RADIUS)
    assert outward.mean() > 1.0


@pytest.mark.parametrize(("h", "bound"), [(2.0, 0.02), (1.0, 0.02), (0.5, 0.10)])
def test_thrust_at_constant_power(h, bound):
    """T / T_far = (P / T^1.5)^(-2/3), beside 1 / (1 - (R / 4 h)^2), within the scatter of measurements.

    At R / 2 the formula, one source for a whole rotor, ends: the wake gives 1.25 there and not 1.33.
    """
    (CT, power, _), (CT_far, power_far, _) = hover(h), hover()
    ratio = (power / CT**1.5 / (power_far / CT_far**1.5)) ** (-2 / 3)
    assert ratio == pytest.approx(1 / (1 - (0.25 / h) ** 2), abs=bound)
    assert ratio > 1.0
    assert CT > CT_far  # and at constant pitch it rises too


def test_a_ground_far_below_is_none():
    """Images 60 R away induce 1e-3 of the velocity of the wake at most: the first turns are the same to 1e-3."""
    wake = {"carried": 0.0, "turns": 2.0}  # over a ground nothing is carried
    far, none = (
        sm.transient(rotor(h, wake), 2 * TURN, TURN / STEPS, progress=False, outputs="rotor.CT")["rotor.CT"]
        for h in (30.0, None)
    )
    np.testing.assert_allclose(far, none, rtol=1e-3)


def test_grounds_that_differ_and_what_cannot_be():
    with pytest.raises(sm.ModelError, match="geometry must be 'free'"):
        sm.Simulation(rotor(1.0, {"geometry": "landgrebe"}))
    with pytest.warns(UserWarning, match="inboard=3"):
        sm.transient(rotor(1.0, {"inboard": 1}), TURN, TURN / STEPS, progress=False)
