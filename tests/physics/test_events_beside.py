"""Events beside what carries reactions: gears, told speeds, redundant and relaxed joints, contacts."""

import numpy as np
import pytest

import samara as sm

Z: dict = {"axis": (0, 0, 1)}


def wheel(model: sm.Model, name: str, place, inertia: float = 0.03) -> sm.Node:
    node = model.node(name, position=place)
    model.add(f"{name}.body", sm.Body(node, mass=1.0, inertia=(0.02, 0.02, inertia)))
    model.add(f"{name}.bearing", sm.Revolute(model.ground, node, at=place, **Z))
    return node


def add_gear(model: sm.Model) -> None:
    a, b = wheel(model, "a", (1, 0, 0)), wheel(model, "b", (1.2, 0, 0))
    model.add("gear", sm.Gear(a, b, model.ground, ratio=-2.0))
    model.add("motor", sm.RotaryActuator(model.ground, a, at=a.position, torque=3.0, **Z))


def add_rate(model: sm.Model) -> None:
    b = wheel(model, "b", (1, 0, 0))
    model.add("rate", sm.PrescribedRate(model.ground, b, at=b.position, rate=lambda t: 5.0 * t, **Z))


def add_door(model: sm.Model) -> None:
    model.redundant = "least-squares"
    leaf = wheel(model, "leaf", (1, 0, 0))
    model.add("second", sm.Revolute(model.ground, leaf, at=(1, 0, 0.5), **Z))


def add_table(model: sm.Model) -> None:
    slab = model.node("slab", position=(1, 0, 0))
    model.add("slab.body", sm.Body(slab, mass=2.0, inertia=(0.1, 0.1, 0.1)))
    clamp = sm.Clamp(model.ground, slab, at=(1, 0, 0))
    model.add("clamp", sm.RelaxedJoint(joint=clamp, compliance=1e-6))


def add_resting_ball(model: sm.Model) -> None:
    ball = model.node("resting", position=(1, 0, 0.1))
    model.add("resting.body", sm.Body(ball, mass=2.0, inertia=(0.008,) * 3))
    model.add("floor", sm.Contact(model.ground, ball, place_a=(0, 0, 0), shape=sm.BallShape(0.1)))


BESIDE = [add_gear, add_rate, add_door, add_table, add_resting_ball]


@pytest.mark.parametrize("add", BESIDE)
def test_reactions_are_no_leap_of_a_place(add):
    """A torque that jumps beside what carries a reaction: J dw/dt = 1 N m from the jump on, exactly."""
    model = sm.Model("beside", gravity=(0, 0, -9.81))
    free = wheel(model, "free", (0, 0, 1))
    model.add("push", sm.RotaryActuator(model.ground, free, at=free.position, torque=sm.Step(1.0, time=0.0205), **Z))
    add(model)
    run = sm.transient(model, 0.04, 1e-3, progress=False)
    assert run.attrs.counters["leaps"] == 0
    assert run["free.angular_velocity"][-1, 2] == pytest.approx((0.04 - 0.0205) / 0.03, rel=1e-8)


@pytest.mark.parametrize("add", [add_gear, add_rate, add_door])
def test_a_ball_bounces_beside_what_carries_a_reaction(add):
    """Elastic: 4 impacts leave its energy (before, velocities of before the impact came back: ten times the energy)."""
    model = sm.Model("beside", gravity=(0, 0, -9.81))
    ball = model.node("ball", position=(0, 0, 0.12))
    model.add("ball.body", sm.Body(ball, mass=2.0, inertia=(0.008,) * 3))
    shape = sm.BallShape(0.1)
    model.add("floor", sm.Contact(model.ground, ball, place_a=(0, 0, 0), shape=shape, restitution=1.0))
    add(model)
    run = sm.transient(model, 0.5, 1e-3, progress=False)
    energy = 0.5 * run["ball.velocity"][:, 2] ** 2 + 9.81 * run["ball.position"][:, 2]
    assert run.attrs.counters["impacts"] >= 4
    np.testing.assert_allclose(energy[-1], energy[0], rtol=1e-7)  # of an impact's instant, which is found to 1e-8
