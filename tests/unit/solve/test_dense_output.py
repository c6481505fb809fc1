"""Records at given times between steps that follow an accuracy, in every formulation."""

import importlib

import numpy as np
import pytest
from scipy.special import ellipj

import samara as sm

GRAVITY = 9.81
FORMULATIONS = ["redundant", "recursive"]
END, INTERVAL = 2.0, 0.01


def pendulum():
    """A point on a rod of 1 m, from the horizontal."""
    model = sm.Model("pendulum", gravity=(0, 0, -GRAVITY))
    bob = model.node("bob", position=(-1, 0, 0))
    model.add("mass", sm.Body(bob, mass=1.0, inertia=(1e-9, 1e-9, 1e-9)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    return model


def exact(t):
    """Position, speed and force in the rod."""
    k, w = np.sin(np.pi / 4), np.sqrt(GRAVITY)
    _, cn, dn, _ = ellipj(w * t, k**2)
    angle = 2 * np.arcsin(k * cn / dn)
    position = np.column_stack([-np.sin(angle), np.zeros_like(t), -np.cos(angle)])
    speed = np.sqrt(np.maximum(2.0 * GRAVITY * np.cos(angle), 0.0))
    return position, speed, 3.0 * GRAVITY * np.cos(angle)


def run(model, accuracy, interval=INTERVAL, end=END, **options):
    return sm.transient(model, end, interval, accuracy=accuracy, progress=False, **options)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_records_are_at_the_times_asked_for(formulation):
    found = run(pendulum(), 1e-4, formulation=formulation)
    np.testing.assert_array_equal(found.time, [k / 100 for k in range(201)])
    assert found.attrs.counters["steps"] < 120  # steps are longer than the records are apart


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_between_steps_the_motion_is_as_right_as_at_them(formulation):
    """Positions, speeds and reactions; what is between is of the order h^4, h^3 and h^2, at steps it is h^2."""
    for accuracy in (1e-4, 1e-6):
        at_steps = errors(sm.transient(pendulum(), END, accuracy=accuracy, formulation=formulation, progress=False))
        between = errors(run(pendulum(), accuracy, formulation=formulation))
        assert np.all(between < 1.5 * at_steps + [accuracy, 10 * accuracy, 1e3 * accuracy])


def errors(found):
    """Largest of a run: position [m], speed [m/s] and reaction [N]."""
    position, speed, force = exact(found.time)
    return np.array(
        [
            np.linalg.norm(found["bob.position"] - position, axis=1).max(),
            np.abs(np.linalg.norm(found["bob.velocity"], axis=1) - speed).max(),
            np.abs(np.linalg.norm(found["hinge.force"], axis=1) - force).max(),
        ]
    )


def test_what_is_recorded_changes_no_step():
    """Steps and the last state are those of a run in which each step is recorded, to the last bit."""
    plain, dense = sm.Simulation(forced()), sm.Simulation(forced())
    one = sm.transient(plain, END, accuracy=1e-6, progress=False)
    two = run(dense, 1e-6)
    counters = [{k: v for k, v in r.attrs.counters.items() if k != "seconds"} for r in (one, two)]
    assert counters[0] == counters[1]
    np.testing.assert_array_equal(plain.machine.state, dense.machine.state)
    for name in (channel.name for channel in one.channels):
        np.testing.assert_array_equal(one[name][-1], two[name][-1], err_msg=name)


def forced():
    """All that may be on the way: a spinning body that flies, a prescribed node, a circuit, jumps, a sampled law."""
    model = sm.Model("forced", gravity=(0, 0, -GRAVITY))
    body = model.node("body", position=(0, 0, 1))
    body.begin(velocity=(1, 0, 5), angular_velocity=(0.3, 0.1, 6.0))
    model.add("inertia", sm.Body(body, mass=2.0, inertia=(0.02, 0.03, 0.04)))
    hand = model.prescribed("hand", sm.Motion(position=(sm.Sine(0.1, 4.0), 0, 0)))
    model.add("spring", sm.Spring(hand, body, stiffness=20.0, length=0.5))
    model.add("push", sm.Force(body, force=(sm.Step(1.0, time=0.503) - sm.Step(1.0, time=1.0), 0.0, 0.0)))
    law = model.add("law", sm.SampledBlock([sm.Sine(1.0, 3.0)], law=doubled, step=0.04, memory=1))
    model.add("lag", sm.Lag(command=law.output, time=0.1))
    return model


def doubled(t, memory, u, y):
    y[0] = 2.0 * u[0]


def test_all_kinds_of_things_are_right_on_the_way():
    """Against a run with short steps: positions, rotations, velocities, states, prescribed nodes, answers of laws."""
    fine = sm.transient(forced(), END, 1e-4, every=100, progress=False)
    found = run(forced(), 1e-8)
    np.testing.assert_allclose(found.time, fine.time, atol=1e-12)
    for name in (
        "body.position",
        "body.rotation",
        "body.velocity",
        "hand.position",
        "lag.output.value",
        "spring.effort",
    ):
        scale = np.abs(fine[name]).max()
        np.testing.assert_allclose(found[name], fine[name], atol=1e-4 * scale, err_msg=name)


def test_nothing_is_missed_around_events():
    """Impacts fall between records, close to them, and accumulate: each record is there, and on its parabola."""
    model = sm.Model("ball", gravity=(0, 0, -GRAVITY))
    ball = model.node("ball", position=(0, 0, 1))
    model.add("body", sm.Body(ball, mass=1.0, inertia=(1e-3, 1e-3, 1e-3)))
    model.add("floor", sm.Contact(model.ground, ball, restitution=0.8))
    found = run(model, 1e-6, 1e-3, 1.5)
    np.testing.assert_array_equal(found.time, [k / 1000 for k in range(1501)])
    z, speed, impact, t = found["ball.position"][:, 2], GRAVITY * np.sqrt(2 / GRAVITY), np.sqrt(2 / GRAVITY), found.time
    expected = np.where(t < impact, 1.0 - 0.5 * GRAVITY * t * t, 0.0)
    for _ in range(4):
        speed *= 0.8
        since = t - impact
        now = (since >= 0.0) & (since < 2.0 * speed / GRAVITY)
        expected[now] = speed * since[now] - 0.5 * GRAVITY * since[now] ** 2
        impact += 2.0 * speed / GRAVITY
    assert np.abs(z - expected).max() < 2e-3


def test_how_often_a_run_looks_up_does_not_matter(monkeypatch):
    """Native calls are as long as a breath of the clock on the wall: their ends changed the steps."""
    found = []
    for breath in (1e-9, 0.1):
        monkeypatch.setattr(importlib.import_module("samara.solve.run"), "LOOK_INTERVAL", breath)
        found.append(run(forced(), 1e-5))
    for name in (channel.name for channel in found[0].channels):
        np.testing.assert_array_equal(found[0][name], found[1][name], err_msg=name)


def test_joints_that_repeat_each_other_are_refused():
    model = sm.Model("door", redundant="least-squares")
    leaf = model.node("leaf", position=(1, 0, 0))
    model.add("body", sm.Body(leaf, mass=1.0, inertia=(1, 1, 1)))
    for name, z in (("upper", 1.0), ("lower", -1.0)):
        model.add(name, sm.Revolute(model.ground, leaf, at=(0, 0, z), axis=(0, 0, 1)))
    with pytest.raises(ValueError, match="a step or an accuracy, not both"):
        run(model, 1e-4)
