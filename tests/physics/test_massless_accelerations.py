"""Accelerations of nodes without mass: those of their balance from the first step on, and after events."""

import numpy as np
import pytest

import samara as sm

G, INTEGRATORS = 10.0, (sm.TwoStep(0.6), sm.BDF2(), sm.CrankNicolson())


def springs(push=0.0) -> sm.Model:
    """A body hangs on two springs in a row, the node between them has no mass: it moves by a quarter of the body."""
    model = sm.Model("springs", gravity=(0, 0, -G))
    n, b = model.node("n", (0, 0, -1.0), static=True), model.node("b", (0, 0, -2.0))
    model.add("body", sm.Body(b, mass=1.0, inertia=(1, 1, 1)))
    for node in (n, b):
        model.add(f"{node.name}.rail", sm.Prismatic(model.ground, node, at=node.position, axis=(0, 0, 1)))
    model.add("upper", sm.Spring(model.ground, n, stiffness=30.0, length=1.0))
    model.add("lower", sm.Spring(n, b, stiffness=10.0, length=1.0))
    model.add("push", sm.Force(b, force=(0, 0, push)))
    return model


@pytest.mark.parametrize("integrator", INTEGRATORS, ids=lambda x: x.name)
def test_massless_node_between_springs(integrator):
    """From the unstretched springs: a = -g/4 cos(w t), w^2 = 7.5 /s^2; the first step is of first order."""
    errors = []
    for step in (0.01, 0.005):
        run = sm.transient(springs(), 1.0, step, integrator=integrator, progress=False)
        errors.append(np.abs(run["n.acceleration"][:, 2] + 0.25 * G * np.cos(np.sqrt(7.5) * run.time))[1:].max())
    assert errors[0] < 2e-3
    assert errors[1] < 0.6 * errors[0]


@pytest.mark.parametrize("integrator", INTEGRATORS, ids=lambda x: x.name)
@pytest.mark.parametrize("time", [0.2, 0.2037], ids=["at the end of a step", "within one"])
def test_after_a_jump(integrator, time):
    """A force on the body jumps: the node goes on with a quarter of the body's acceleration, to the order of a step."""
    errors = []
    for step in (0.01, 0.005):
        run = sm.transient(springs(sm.Step(-20.0, time=time)), 0.8, step, integrator=integrator, progress=False)
        a, body = run["n.acceleration"][:, 2], run["b.acceleration"][:, 2]
        errors.append(np.abs(a - 0.25 * body)[run.time > time + 1e-6].max())
    assert errors[0] < 5e-3 * 0.25 * 30.0  # of the acceleration under the load
    assert errors[1] < 0.6 * errors[0]


@pytest.mark.parametrize("integrator", INTEGRATORS, ids=lambda x: x.name)
@pytest.mark.parametrize("damped", [False, True], ids=["springs", "dampers"])
def test_accelerations_are_those_of_the_places(integrator, damped):
    """A slider without mass between springs (and a damper) at an angle, pulled by a pendulum that swings."""
    model = sm.Model("slider", gravity=(0, 0, -G))
    n, b = (
        model.node("n", static=True),
        model.node("b", (1, 0, -1), velocity=(-0.7, 0, 0), angular_velocity=(0, 0.7, 0)),
    )
    model.add("body", sm.Body(b, mass=2.0, inertia=(0.1, 0.1, 0.1)))
    model.add("hinge", sm.Revolute(model.ground, b, at=(1, 0, 0), axis=(0, 1, 0)))
    model.add("rail", sm.Prismatic(model.ground, n, at=(0, 0, 0), axis=(1, 0, 0)))
    model.add("back", sm.Spring(model.ground, n, place_a=(-1.0, 0, 0.5), stiffness=90.0, length=0.7))
    model.add("pull", sm.Spring(n, b, stiffness=40.0, length=0.5))
    if damped:
        model.add("damper", sm.Damper(model.ground, n, place_a=(-1.0, 0, 0.5), damping=60.0))
    h = 2e-3
    run = sm.transient(model, 0.4, h, integrator=integrator, progress=False)
    x, a = run["n.position"][:, 0], run["n.acceleration"][:, 0]
    differences = (x[:-2] - 2.0 * x[1:-1] + x[2:]) / h**2
    # the first step is of first order: it errs by the change of the acceleration in half of it
    np.testing.assert_allclose(a[1:-1], differences, rtol=0.0, atol=1e-2 * np.abs(a).max())


@pytest.mark.parametrize("integrator", INTEGRATORS, ids=lambda x: x.name)
def test_massless_node_on_a_body_that_spins(integrator):
    """Clamped at a radius r: -w^2 r, from the start on."""
    model = sm.Model("spin")
    b = model.node("b", angular_velocity=(0, 0, 20.0))
    n = model.node("n", (0.5, 0, 0), static=True, velocity=(0, 10.0, 0), angular_velocity=(0, 0, 20.0))
    model.add("body", sm.Body(b, mass=1.0, inertia=(1, 1, 1)))
    model.add("hold", sm.Clamp(b, n, at=(0.5, 0, 0)))
    run = sm.transient(model, 0.1, 1e-3, integrator=integrator, progress=False)
    np.testing.assert_allclose(run["n.acceleration"], -400.0 * run["n.position"], rtol=0.0, atol=1e-4 * 200.0)
