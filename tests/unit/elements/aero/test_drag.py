"""Drag of bluff bodies against closed forms."""

import numpy as np
import pytest

import samara as sm
from samara import Air, Drag


def test_a_body_falls_at_its_terminal_speed():
    """v = v_t tanh(g t / v_t), v_t = sqrt(2 m g / (rho S)); 1e-5 of it is what second order leaves at (g h / v_t)^2."""
    model = sm.Model("fall", gravity=(0, 0, -9.81))
    body = model.node("body")
    model.add("mass", sm.Body(body, mass=80.0, inertia=(1.0, 1.0, 1.0)))
    model.add("drag", Drag(body, area=(0.0, 0.0, 2.0), air=Air(density=1.2)))
    run = sm.transient(model, 4.0, 5e-3, progress=False)
    final = np.sqrt(2 * 80.0 * 9.81 / (1.2 * 2.0))
    closed = -final * np.tanh(9.81 * run.time / final)
    assert np.abs(run["body.velocity"][:, 2] - closed).max() < 1e-4 * final


def test_force_in_a_wind():
    """-rho / 2 |v| S v by components in the body's axes, and its moment about the node."""
    wind, area, at = np.array([3.0, -2.0, 4.0]), np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.0, 0.2])
    model = sm.Model("wind")
    body = model.node("body")
    model.add("mass", sm.Body(body, mass=1e6, inertia=(1e6, 1e6, 1e6)))
    model.add("drag", Drag(body, area=area, place=at, air=Air(density=1.1, wind=wind)))
    run = sm.transient(model, 1e-3, 1e-3, progress=False)
    force = 0.5 * 1.1 * np.linalg.norm(wind) * area * wind
    assert run["drag.force"][0] == pytest.approx(force, rel=1e-5)
    rates = np.gradient(run["body.angular_velocity"], run.time, axis=0)[0] * 1e6
    assert rates == pytest.approx(np.cross(at, force), rel=1e-3)
