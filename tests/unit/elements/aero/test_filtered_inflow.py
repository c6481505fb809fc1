"""Induced velocity behind a filter of second order."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import samara as sm
from samara.elements.aero.inflow.filtered_inflow import momentum_velocity
from samara.models.rotors import hinged_rotor

FREQUENCY, DAMPING = 12.0, 0.7


def test_hover_and_climb():
    """Hover: sqrt(load). Climb: -V/2 + sqrt(V^2/4 + load), in closed form. 0.05 m/s are added by squares."""
    assert momentum_velocity(17.0, 0.0, 0.0) == pytest.approx(np.sqrt(17.0), rel=1e-4)
    assert momentum_velocity(-17.0, 0.0, 0.0) == pytest.approx(-np.sqrt(17.0), rel=1e-4)
    assert momentum_velocity(0.0, 0.0, 0.0) == 0.0
    for climb in (0.5, 2.0, 5.0, 20.0):
        exact = -0.5 * climb + np.sqrt(0.25 * climb**2 + 17.0)
        assert momentum_velocity(17.0, 0.0, climb) == pytest.approx(exact, rel=1e-4)


@pytest.mark.parametrize("edgewise", [0.5, 3.0, 10.0, 40.0])
@pytest.mark.parametrize("climb", [-1.0, 0.0, 3.0, 10.0])
@pytest.mark.parametrize("load", [-5.0, 2.0, 17.0, 60.0])
def test_forward_flight(edgewise, climb, load):
    """A root of Glauert's equation, found by bisection; to rounding but for sinking disks of high load."""

    def equation(u):
        return u * np.sqrt(edgewise**2 + (climb + u) ** 2 + 0.05**2) - load

    exact = brentq(equation, -40.0, 40.0, xtol=1e-13)
    assert momentum_velocity(load, edgewise**2, climb) == pytest.approx(exact, rel=1e-6 if climb >= 0.0 else 1e-2)


def held_rotor(**how) -> sm.Model:
    return hinged_rotor.hinged_rotor(inflow=sm.FilteredMomentum(frequency=FREQUENCY, damping=DAMPING), **how)


def test_steady_inflow_is_that_of_momentum_theory():
    """In hover and in forward flight the thrust settles where that of `Momentum` does, which has other dynamics."""
    for wind in ((0.0, 0.0, 0.0), (15.0, 0.0, -2.0)):
        thrust = []
        for model in (held_rotor(wind=wind), hinged_rotor.hinged_rotor(wind=wind, inflow=sm.Momentum())):
            turn = 2 * np.pi / hinged_rotor.SPEED
            run = sm.transient(model, 30 * turn, turn / 72, outputs="rotor.*", progress=False)
            thrust.append(run["rotor.thrust"][-72:].mean())
        assert thrust[0] == pytest.approx(thrust[1], rel=1e-4)


def test_a_step_of_thrust_goes_through_the_filter():
    """The thrust that a step of collective makes, as recorded, drives the equation solved by another program.

    From a quarter turn after it: a rigid pitch joint that jumps shakes the first steps. In hover u_hat = sqrt(T / 2 rho
    A). Thrust is taken as straight between steps of 1/72 turn; 1e-3 of the change of u is allowed.
    """
    model = held_rotor(collective=0.08)
    turn = 2 * np.pi / hinged_rotor.SPEED
    sim = sm.Simulation(model)
    sm.transient(sim, 20 * turn, turn / 72, progress=False)
    sim.system.set_parameter("collective", 0.14)
    run = sm.transient(sim, 40 * turn, turn / 72, outputs="rotor.*", progress=False)
    late = slice(18, None)
    t, u = run.time[late], run["rotor.induced"][late, 0]
    area = np.pi * hinged_rotor.RADIUS**2
    target = np.array([momentum_velocity(T / (2 * 1.225 * area), 0.0, 0.0) for T in run["rotor.thrust"][late]])
    rate = np.gradient(u, t, edge_order=2)[0]
    w = FREQUENCY
    found = solve_ivp(
        lambda s, y: (y[1], w**2 * (np.interp(s, t, target) - y[0]) - 2 * DAMPING * w * y[1]), (t[0], t[-1]),
        (u[0], rate), t_eval=t, rtol=1e-9, atol=1e-9, max_step=turn / 72,
    ).y[0]  # fmt: skip
    assert u[-1] - u[0] > 0.8
    assert np.abs(u - found).max() < 1e-3 * (u[-1] - u[0])
