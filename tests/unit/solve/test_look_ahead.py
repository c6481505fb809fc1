"""The formulas of the scheme that looks ahead by themselves, and what it refuses."""

import numpy as np
import pytest

import samara as sm
from samara.solve.integrators.look_ahead import ahead, turned
from samara.solve.redundant.scheme import ONCE, WITHIN, C, prepare, prepare_limited, prepare_restart
from samara.solve.tangent.sensitivity_march import make_along

RADII = (0.81, 0.82, 0.83)


def companion(reach, mu):
    """Amplification of x' = mu x / h in a step, after an equal one: of (x_1, x_2)."""
    a1, a2, b0, b1, b2 = ahead(reach, 1.0)
    u1, u2, u3, v1, v2 = turned(reach, 1.0, b0)
    d = 1.0 - mu * b0
    first = np.array([a1 + mu * b1, a2 + mu * b2]) / d
    return np.array([(np.array([u1 + mu * v1, u2 + mu * v2]) + u3 * first) / d, [1.0, 0.0]])


def radius(reach, mu):
    return np.abs(np.linalg.eigvals(companion(reach, mu))).max()


@pytest.mark.parametrize("q", [0.7, 1.0, 1.3, 4.0])
@pytest.mark.parametrize("reach", [0.6, 2.25])
def test_both_formulas_are_exact_to_the_fourth_power(reach, q):
    a1, a2, b0, b1, b2 = ahead(reach, q)
    u1, u2, u3, v1, v2 = turned(reach, q, b0)
    for p in range(5):
        x, rate = (lambda t, p=p: t**p), (lambda t, p=p: p * t ** (p - 1) if p else 0.0)
        first = a1 * x(0.0) + a2 * x(-q) + b0 * rate(reach) + b1 * rate(0.0) + b2 * rate(-q)
        assert first == pytest.approx(x(reach), rel=1e-12, abs=1e-12)
        second = u1 * x(0.0) + u2 * x(-q) + u3 * x(reach) + b0 * rate(1.0) + v1 * rate(0.0) + v2 * rate(-q)
        assert second == pytest.approx(x(1.0), abs=1e-12)


@pytest.mark.parametrize("rho", RADII)
def test_nothing_grows_on_the_imaginary_axis_and_the_fastest_modes_have_the_radius(rho):
    """By the maximum principle that is A-stability, for the poles are on the right."""
    reach = sm.LookAhead(rho).reach
    # neutral at 0, so that rounding and terms of sixth order are all that is left there
    assert max(radius(reach, 1j * y) for y in np.logspace(-3, 4, 400)) < 1.0 + 1e-11
    assert radius(reach, 1e9) == pytest.approx(rho, abs=1e-6)
    assert sorted(np.abs(np.linalg.eigvals(companion(reach, 0.0))))[0] < 0.95  # zero-stable


def free_body() -> sm.Model:
    model = sm.Model("free body")
    model.add("body", sm.Body(model.node("node"), mass=1.0, inertia=(1.0, 1.0, 1.0)))
    return model


def test_coefficients_in_the_driver():
    """Both solutions have the same c0; within the step or once where that is asked for, Euler's after an event."""
    sim = sm.Simulation(free_body(), sm.LookAhead())
    sim.memory.clock.step = 0.01
    c = sim.machine.coef
    assert prepare(sim.machine, sim.settings, sim.memory, 0.01) == 1.0
    assert c[C["AHEAD"]] == sim.integrator.reach
    assert c[C["POSE"]] == pytest.approx(0.01 * ahead(sim.integrator.reach, 1.0)[2], rel=1e-14)
    prepare_limited(sim.machine, sim.settings, 0.01, 0.01, WITHIN)
    assert 0.0 < c[C["AHEAD"]] < 1.0
    prepare_limited(sim.machine, sim.settings, 0.01, 0.01, ONCE)
    assert c[C["AHEAD"]] == 0.0
    assert c[C["POSE"]] == pytest.approx(0.01 * sm.TwoStep(0.6).formula().b0, rel=1e-14)
    prepare_restart(sim.machine, sim.settings, 0.01)
    assert (c[C["AHEAD"]], c[C["POSE"]], c[C["LIMIT"]]) == (0.0, 0.01, 0.0)


# ---- what it refuses
@pytest.mark.parametrize("radius", [0.5, 0.8, 0.85, 1.0])
def test_a_radius_without_a_stable_formula(radius):
    with pytest.raises(sm.ArgumentError, match=r"LookAhead: radius must be from 0\.81 to 0\.83"):
        sm.LookAhead(radius)


def test_an_accuracy():
    with pytest.raises(sm.ArgumentError, match=r"look-ahead.* has no error estimate: use samara\.TwoStep"):
        sm.transient(free_body(), 1.0, accuracy=1e-6, integrator=sm.LookAhead())


def test_trees():
    with pytest.raises(sm.ArgumentError, match=r"LookAhead.* is for the redundant formulation: the recursive one"):
        sm.Simulation(free_body(), sm.LookAhead(), formulation="recursive")


def test_contacts_with_impacts():
    with pytest.raises(sm.ArgumentError, match=r"has contacts with impacts.* look-ahead.* does not support"):
        sm.Simulation(sm.models.find("landing").make(), sm.LookAhead())


def test_derivatives_along_a_run():
    sim = sm.Simulation(free_body(), sm.LookAhead())
    with pytest.raises(sm.ArgumentError, match=r"derivatives along a run are not available for look-ahead"):
        make_along(sim, [], np.zeros((0, sim.system.layout.state_size)))
