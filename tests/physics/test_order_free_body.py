"""A free asymmetric body whose node is off its centre of mass: every integrator is of second order on SE(3).

Independent solution: Newton-Euler about the centre of mass in world axes, by an explicit method of order eight.
"""

import inspect

import numpy as np
import pytest

import samara as sm
from samara.rotations import skew
from samara.solve import integrators
from samara.solve.native.codes import Status
from samara.solve.step.step import step
from samara.system.memory.blocks import ROTATION

MASS, COM, INERTIA = 2.0, np.array([0.4, -0.2, 0.3]), np.diag([1.0, 2.0, 3.0])
VELOCITY, SPIN = np.array([0.5, -1.0, 0.2]), np.array([3.0, 0.5, -2.0])  # at the start, where body and world axes agree
END = 2.0
EXPORTED = [getattr(integrators, name) for name in integrators.__all__]
MEMBERS = [
    *(f() for f in EXPORTED if issubclass(f, integrators.LinearTwoStep) and not inspect.isabstract(f)),
    sm.TwoStep(0.0),
    sm.TwoStep(1.0),
]


def tumbling() -> sm.Model:
    model = sm.Model("free body")
    node = model.node("node", velocity=VELOCITY, angular_velocity=SPIN)
    model.add("body", sm.Body(node, mass=MASS, inertia=INERTIA, com=COM))
    return model


@pytest.fixture(scope="module")
def exact(fine):
    """R, p, (v, w) in body axes, at the end."""

    def rate(t, y):
        R, w = y[:9].reshape(3, 3), y[9:]
        return np.concatenate([(R @ skew(w)).ravel(), np.linalg.solve(INERTIA, -np.cross(w, INERTIA @ w))])

    y = fine(rate, END, np.concatenate([np.eye(3).ravel(), SPIN]))(END)
    R, w = y[:9].reshape(3, 3), y[9:]
    v_C = VELOCITY + np.cross(SPIN, COM)  # the centre of mass goes straight on
    p = COM + END * v_C - R @ COM
    return R, p, np.concatenate([R.T @ v_C - np.cross(w, COM), w])


def momentum(R, p, eta):
    """Linear momentum and moment of momentum about the world's origin, in world axes."""
    v_C, w = eta[:3] + np.cross(eta[3:], COM), eta[3:]
    linear = MASS * R @ v_C
    return np.concatenate([linear, R @ INERTIA @ w + np.cross(p + R @ COM, linear)])


def errors(sim, exact):
    """Of rotation, position, twist, and the drift of momentum."""
    node = sim.system.layout.free[0]
    R = sim.state.pose(node).R
    p, eta = sim.state.pose(node).p, sim.state.twist(node)
    drift = momentum(R, p, eta) - momentum(np.eye(3), np.zeros(3), np.concatenate([VELOCITY, SPIN]))
    differences = (R - exact[0], p - exact[1], eta - exact[2], drift)
    return [np.linalg.norm(d) for d in differences]


def run(integrator, steps) -> sm.Simulation:
    """Through the driver, step by step, so that any sequence of steps can be taken."""
    sim = sm.Simulation(tumbling(), integrator, tolerance=1e-12)  # far below the errors looked at
    sm.assemble(sim)
    sim.analyse_for(steps[0])
    for h in steps:
        status = step(sim.work, h)
        assert status == Status.OK
    assert sim.memory.clock.time == pytest.approx(END, rel=1e-12)
    return sim


@pytest.mark.parametrize("integrator", MEMBERS, ids=lambda i: i.name)
def test_order_two_in_pose_twist_and_momentum(integrator, exact, orders):
    found = [errors(run(integrator, np.full(n, END / n)), exact) for n in (400, 800)]
    assert orders(found) == pytest.approx(np.full((1, 4), integrator.order), abs=0.05)


@pytest.mark.parametrize("integrator", MEMBERS, ids=lambda i: i.name)
def test_order_is_kept_when_steps_are_random(integrator, exact, rng):
    counts, found = (200, 400, 800, 1600), []
    for count in counts:
        steps = rng.uniform(0.75, 1.27, count)
        found.append(errors(run(integrator, steps * END / steps.sum()), exact))
    slopes = -np.polyfit(np.log(counts), np.log(found), 1)[0]
    # the chance of four grids moves a slope by a few hundredths
    assert slopes == pytest.approx(np.full(4, integrator.order), abs=0.1)


def test_radius_one_started_by_the_trapezoidal_rule_is_the_trapezoidal_rule():
    # x_k - x_{k-1} = h/2 (x'_k + x'_{k-1}) once, then always: the two-step formula adds two of them
    poses = []
    for integrator in (sm.TwoStep(1.0), sm.CrankNicolson()):
        sim = run(integrator, np.full(400, END / 400))
        poses.append(sim.state.read(sim.system.layout.free[0], ROTATION, 12 + 6))
    assert poses[0] == pytest.approx(poses[1], abs=1e-10)
