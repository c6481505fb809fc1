"""A way to step trees written from outside: a table of verbs and the kind of integrator that it is for."""

import numpy as np
import pytest

import samara as sm
from samara.solve.tree.formulation import COMMON, VERBS, begin_try, end_try
from samara.solve.tree.machine import COORDINATE, FRESH, LEVEL, PLACE
from samara.solve.tree.schemes import TreeIntegrator
from samara.solve.tree.stepping import end_status, evaluate, slope_of, turn_ball
from samara.tracing.driver.driver_cache import inner, routine

G, LEAPFROG = 9.81, 101
TREE = {"formulation": "recursive", "progress": False}


@inner
def kick(tree, h):
    """Speeds and states by their derivatives."""
    for k in range(tree.plan.moving.shape[0]):
        if tree.plan.moving[k, LEVEL] != COORDINATE:
            tree.block[tree.plan.moving[k, PLACE]] += h * slope_of(tree, k)


@inner
def drift(tree, h):
    """Coordinates by their speeds."""
    for k in range(tree.plan.moving.shape[0]):
        if tree.plan.moving[k, LEVEL] == COORDINATE:
            tree.block[tree.plan.moving[k, PLACE]] += h * slope_of(tree, k)
    for k in range(tree.plan.balls.shape[0]):
        at = tree.plan.balls[k, 1]
        turn_ball(tree, k, h * tree.block[at], h * tree.block[at + 1], h * tree.block[at + 2])


@routine
def leap(work, h, at):
    """s += h/2 s_dot(q, s),   q += h s,   s += h/2 s_dot(q, s)."""
    tree = work.machine.tree
    begin_try(work)
    kick(tree, 0.5 * h)
    drift(tree, h)
    evaluate(work.machine, at)
    kick(tree, 0.5 * h)
    evaluate(work.machine, at)  # the next step begins with it
    tree.status[FRESH] = 1
    return end_try(work, end_status(work.machine, work.memory))


@pytest.fixture
def leapfrog(monkeypatch) -> TreeIntegrator:
    monkeypatch.setitem(VERBS, LEAPFROG, COMMON | {"advance": leap})
    return TreeIntegrator("leapfrog", 2, ((), (1.0,)), (0.5, 0.5), (0.0, 1.0), method=LEAPFROG)


def pendulum() -> sm.Model:
    model = sm.Model("pendulum", gravity=(0, 0, -G))
    bob = model.node("bob", (1, 0, 0))
    model.add("body", sm.Body(bob, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    return model


def test_it_is_of_second_order(leapfrog, fine, orders):
    """J theta'' = m g L cos(theta), by an explicit method of order eight."""
    exact = fine(lambda t, y: np.array([y[1], G * np.cos(y[0]) / 1.1]), 1.0, np.zeros(2))(1.0)
    errors = []
    for h in (1e-2, 5e-3):
        run = sm.transient(pendulum(), 1.0, h, integrator=leapfrog, **TREE)
        errors.append(np.abs([run["hinge.angle"][-1] - exact[0], run["hinge.angle_rate"][-1] - exact[1]]).max())
    assert orders(errors)[0] == pytest.approx(2.0, abs=0.05)


def test_the_error_of_the_energy_does_not_grow(leapfrog):
    """It is symplectic: over a thousand swings the error is as large at the end as at the beginning."""
    run = sm.transient(pendulum(), 2000.0, 2e-2, integrator=leapfrog, **TREE)
    energy = 0.55 * run["hinge.angle_rate"] ** 2 - G * np.sin(run["hinge.angle"])
    first, last = (np.abs(part).max() for part in (energy[:5000], energy[-5000:]))
    assert last < 1.01 * first


def test_it_has_jumps_checkpoints_and_failures_as_all_others(leapfrog, tmp_path):
    """What it leaves out is common to all: it knows nothing of them."""
    model, file = pendulum(), tmp_path / "state.npz"
    model.add("push", sm.Force(model["bob"], force=(0, 0, sm.Step(5.0, time=0.1003))))
    whole = sm.transient(model, 0.3, 5e-3, integrator=leapfrog, **TREE)
    sm.transient(model, 0.15, 5e-3, integrator=leapfrog, checkpoint=file, **TREE)
    rest = sm.transient(model, 0.3, 5e-3, integrator=leapfrog, resume=file, **TREE)
    np.testing.assert_array_equal(rest.table, whole.table[-len(rest) :])
    assert whole.attrs.counters["events"] == 1
    model.add("wild", sm.Force(model["bob"], force=(0, 0, sm.Expression(lambda t: (0.2003 - t) ** 0.5))))
    with pytest.raises(sm.Diverged, match="motion is not finite"):
        sm.transient(model, 0.3, 5e-3, integrator=leapfrog, **TREE)
