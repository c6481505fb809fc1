"""Integrators written anew, as a user would (`own_integrators`): the order that they are known for."""

import numpy as np
import pytest
from own_integrators import OWN, BackwardEuler

import samara as sm
from samara.rotations import skew
from samara.solve.integrators.walks import load_walks

every_own = pytest.mark.parametrize("integrator", OWN, ids=lambda i: i.name)


@every_own
def test_a_tumbling_body_is_met_at_the_order_of_the_scheme(integrator, fine, orders):
    """R' = R [w], J w' = -w x J w, by an explicit method of order eight."""
    J, spin = np.array([1.0, 2.0, 3.0]), np.array([3.0, 0.5, -2.0])

    def rate(t, y):
        R, w = y[:9].reshape(3, 3), y[9:]
        return np.concatenate([(R @ skew(w)).ravel(), -np.cross(w, J * w) / J])

    exact = fine(rate, 2.0, np.concatenate([np.eye(3).ravel(), spin]))(2.0)
    found = []
    for h in (5e-3, 2.5e-3):
        model = sm.Model("tumbling")
        node = model.node("node", angular_velocity=spin)
        model.add("body", sm.Body(node, mass=1.0, inertia=J))
        sim = sm.Simulation(model, integrator, tolerance=1e-12)  # far below the errors looked at
        sm.transient(sim, 2.0, h, progress=False)
        R, w = sim.state.pose(node).R, sim.state.twist(node)[3:]
        found.append([np.linalg.norm(R.ravel() - exact[:9]), np.linalg.norm(w - exact[9:])])
    assert orders(found) == pytest.approx(np.full((1, 2), integrator.order), abs=0.05)


def pendulum(load=0.0) -> sm.Model:
    """1 kg at 1 m from its hinge, pushed down at its end, let go in the horizontal."""
    model = sm.Model("pendulum", gravity=(0.0, 0.0, -9.81))
    bob = model.node("bob", (1.0, 0.0, 0.0))
    model.add("body", sm.Body(bob, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0.0, 0.0, 0.0), axis=(0.0, 1.0, 0.0)))
    model.add("push", sm.Force(bob, force=(0.0, 0.0, load)))
    return model


@every_own
def test_a_pendulum_and_its_reaction_are_met_at_the_order_of_the_scheme(integrator, fine, orders):
    """J theta'' = m g L cos(theta), J = 1.1 kg m^2: angle and reaction by an explicit method of order eight."""
    theta, rate = fine(lambda t, y: np.array([y[1], 9.81 * np.cos(y[0]) / 1.1]), 0.5, np.zeros(2))(0.5)
    along, across = 9.81 * np.sin(theta) + rate**2, 9.81 * np.cos(theta) * (1.0 - 1.0 / 1.1)
    found = []
    for h in (5e-3, 2.5e-3):
        end = sm.transient(pendulum(), 0.5, h, integrator=integrator, tolerance=1e-12, progress=False)
        x, _, z = end["bob.position"][-1]
        reaction = np.linalg.norm(end["hinge.force"][-1])
        found.append([abs(np.arctan2(-z, x) - theta), abs(reaction - np.hypot(along, across))])
    assert orders(found)[0] == pytest.approx(np.full(2, integrator.order), abs=0.15)


@every_own
def test_a_load_that_jumps_is_met_with_a_restart_of_the_scheme(integrator, fine, orders):
    """A load that doubles the weight from 0.1004 s on, within a step."""

    def fall(g, end, y):
        return fine(lambda t, y: np.array([y[1], g * np.cos(y[0]) / 1.1]), end, y)(end)

    theta, _ = fall(2.0 * 9.81, 0.4 - 0.1004, fall(9.81, 0.1004, np.zeros(2)))
    found = []
    for h in (4e-3, 2e-3):
        model = pendulum(sm.Step(-9.81, time=0.1004))
        pushed = sm.transient(model, 0.4, h, integrator=integrator, tolerance=1e-12, progress=False)
        assert pushed.attrs.counters["events"] == 1
        x, _, z = pushed["bob.position"][-1]
        found.append([abs(np.arctan2(-z, x) - theta)])
    assert orders(found)[0, 0] == pytest.approx(integrator.order, abs=0.25)  # the restart errs once


def test_the_same_formulas_give_the_same_bits_and_share_their_kernels():
    runs = [sm.transient(pendulum(), 0.2, 1e-3, integrator=i, progress=False) for i in (OWN[1], sm.CrankNicolson())]
    np.testing.assert_array_equal(runs[0].table, runs[1].table)
    runs = [
        sm.transient(pendulum(), 0.2, accuracy=1e-6, integrator=i, progress=False) for i in (OWN[1], sm.CrankNicolson())
    ]
    np.testing.assert_array_equal(runs[0].table, runs[1].table)
    system = sm.Simulation(pendulum()).system
    ours, euler, newmark = (load_walks(system, i) for i in (sm.TwoStep(), OWN[0], OWN[2]))
    assert ours == euler
    assert ours[0]["predict"] != newmark[0]["predict"]


def test_a_scheme_with_too_many_numbers_is_refused():
    class Crowded(BackwardEuler):
        name, numbers = "crowded", (1.0,) * 5

    with pytest.raises(ValueError, match="integrator 'crowded' has 5 numbers: give at most 4"):
        sm.Simulation(pendulum(), Crowded())
