"""Runs that stop and go on, bit by bit; one that refuses a checkpoint is as if it had never been asked."""

import warnings
from collections.abc import Callable

import numpy as np
import pytest
from own_integrators import BackwardEuler, Trapezoidal
from ways_to_step import ways

import samara as sm
from samara.solve.tree.schemes import TreeIntegrator

G, STEP = 9.81, 2e-3
HINGE = {"at": (0, 0, 0), "axis": (0, 1, 0)}


def counting(t, memory, u, y):
    """A law that remembers all it has seen: a torque by the sum of the angles."""
    memory[0] += u[0]
    memory[1] += 1.0
    y[0] = -0.5 * u[0] - 0.05 * memory[0] + 0.01 * memory[1]


def steered() -> sm.Model:
    """A double pendulum with a discrete law at its first hinge, a load that jumps, and a state with a lag."""
    model = sm.Model("steered", gravity=(0, 0, -G))
    before, at, along = model.ground, np.zeros(3), np.array([0.5, 0.0, 0.0])
    for k in range(2):
        node = model.node(f"link{k}", at + along)
        model.add(f"body{k}", sm.Body(node, mass=1.0, inertia=(0.1, 0.1, 0.1)))
        model.add(f"hinge{k}", sm.Revolute(before, node, at=at, axis=(0, 1, 0)))
        before, at = node, node.position
    link = model["link0"]
    sensor = model.add("sensor", sm.MotionSensor(model.ground, link, **HINGE))
    law = model.add("law", sm.SampledBlock([sensor.output], law=counting, step=5 * STEP, memory=2, unit="N m"))
    model.add("motor", sm.ServoMotor(model.ground, link, law.output, **HINGE))
    model.add("push", sm.Force(model["link1"], force=(0, 0, sm.Step(-3.0, time=0.0513))))
    return model


def bouncing(height=0.05, speed=0.0) -> sm.Model:
    """A ball that falls on a floor and bounces, and one that lies there and is about to be pushed."""
    model = sm.Model("bouncing", gravity=(0, 0, -G))
    ball = model.node("ball", (0, 0, 0.1 + height), velocity=(0, 0, speed))
    lying = model.node("lying", (1, 0, 0.1))
    for node in (ball, lying):
        model.add(f"{node.name}.body", sm.Body(node, mass=2.0, inertia=(0.01, 0.01, 0.01)))
        contact = sm.Contact(model.ground, node, place_a=(0, 0, 0), shape=sm.BallShape(0.1), surface=sm.PlaneSurface())
        model.add(f"{node.name}.floor", contact)
    return model


def plain() -> sm.Model:
    """A pendulum on a ball, with no law and no contact."""
    model = sm.Model("plain", gravity=(0, 0, -G))
    bob = model.node("bob", (0.5, 0, 0), velocity=(0, 1.0, 0), angular_velocity=(0, 0, 2.0))
    model.add("body", sm.Body(bob, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    model.add("ball", sm.Spherical(model.ground, bob, at=(0, 0, 0)))
    return model


def rolling() -> sm.Model:
    """Two balls that hit the floor and each other, with friction."""
    model = sm.Model("rolling", gravity=(0, 0, -G))
    balls = [model.node(f"ball{k}", (0.03 * k, 0, 0.105 + 0.203 * k), velocity=(0.3 - k, 0.1, -k)) for k in range(2)]
    law = {"friction": 0.3, "restitution": 0.5, "shape": sm.BallShape(0.1)}
    for ball in balls:
        model.add(f"{ball.name}.body", sm.Body(ball, mass=1.0, inertia=(0.004,) * 3))
        model.add(f"{ball.name}.floor", sm.Contact(model.ground, ball, **law))
    model.add("pair", sm.Contact(*balls, surface=sm.SphereSurface(0.1), **law))
    return model


def heun(b: float) -> TreeIntegrator:
    """Weight of the end of the step; order two for 1/2."""
    return TreeIntegrator("Heun", 1, ((), (1.0,)), (1.0 - b, b), (0.0, 1.0))


def joined(*runs) -> np.ndarray:
    return np.concatenate([run.table for run in runs])


# ---- going on
@pytest.mark.parametrize("make", [plain, steered], ids=lambda make: make.__name__)
@pytest.mark.parametrize("middle", [0.05, 0.052, 0.064])  # with and without a sample, before, in and after a jump
def test_a_run_that_is_taken_up_again_is_one_that_was_not_stopped(way, make, middle, tmp_path):
    """In a simulation of its own, bit by bit, from the middle between two samples too."""
    path = tmp_path / "state.npz"
    whole = way.run(make(), 0.1, STEP)
    first = way.run(make(), middle, STEP, checkpoint=path)
    second = way.run(make(), 0.1, STEP, resume=path)
    np.testing.assert_array_equal(joined(first, second), whole.table)


@ways("redundant", "time stepping")
@pytest.mark.parametrize("middle", [0.06, 0.12])  # in flight, and after the first bounce
def test_contacts_go_on_as_they_were(way, middle, tmp_path):
    path = tmp_path / "state.npz"
    whole = way.run(bouncing(), 0.2, STEP)
    first = way.run(bouncing(), middle, STEP, checkpoint=path)
    second = way.run(bouncing(), 0.2, STEP, resume=path)
    assert np.ptp(whole["ball.velocity"][:, 2]) > 0.5
    np.testing.assert_array_equal(joined(first, second), whole.table)


@ways(where=lambda way: way.adapts)
def test_a_variable_step_goes_on_as_it_was(way, tmp_path):
    path = tmp_path / "state.npz"
    first = way.run(steered(), 0.05, accuracy=1e-6, checkpoint=path)
    sim = way.simulation(steered())
    sm.transient(sim, 0.05, accuracy=1e-6, progress=False)
    rest = sm.transient(sim, 0.1, accuracy=1e-6, progress=False)
    second = way.run(steered(), 0.1, accuracy=1e-6, resume=path)
    assert len(first) > 5
    np.testing.assert_array_equal(second.table, rest.table)


@pytest.mark.parametrize("make", [plain, steered], ids=lambda make: make.__name__)
def test_what_is_recorded_changes_no_bit(way, make):
    """Every step or every seventh one: the same to the last bit at the end, in all that a step owns."""
    assert bits_at_the_end(way, make, every=1) == bits_at_the_end(way, make, every=7)


@ways("redundant", "time stepping")
def test_what_is_recorded_of_contacts_changes_no_bit(way):
    assert bits_at_the_end(way, rolling, every=1) == bits_at_the_end(way, rolling, every=7)


def bits_at_the_end(way, make: Callable[[], sm.Model], every: int) -> dict[str, bytes]:
    sim = way.simulation(make())
    sm.transient(sim, 84 * STEP, STEP, every=every, progress=False)
    return {name: array.tobytes() for name, array in sim.owned.arrays.items()}


# ---- refusing
def test_a_refused_checkpoint_leaves_a_run_as_it_was(way, tmp_path):
    """One from after the end is read, restored, and refused then: the run goes on as if nothing had been tried."""
    assert_unharmed(way, plain, tmp_path / "state.npz")


def test_a_refused_checkpoint_leaves_laws_as_they_were(way, tmp_path):
    assert_unharmed(way, steered, tmp_path / "state.npz")


@ways("redundant", "time stepping")
def test_a_refused_checkpoint_leaves_contacts_as_they_were(way, tmp_path):
    """Here the ball is in flight, and in the file it lies on the floor."""
    assert_unharmed(way, bouncing, tmp_path / "state.npz", present=0.06, later=0.4)


def assert_unharmed(way, make: Callable[[], sm.Model], path, present=0.03, later=0.1) -> None:
    """A simulation that was offered a checkpoint of a later time, and refused it, goes on bit by bit."""
    way.run(make(), later, STEP, checkpoint=path)
    untouched, asked = way.simulation(make()), way.simulation(make())
    for sim in (untouched, asked):
        sm.transient(sim, present, STEP, progress=False)
    with pytest.raises(sm.ArgumentError, match=r"is not after the present time"):
        sm.transient(asked, present + 10 * STEP, STEP, resume=path, progress=False)
    assert asked.time == untouched.time
    with warnings.catch_warnings():  # of energy from nowhere, say: numbers tell what is wrong
        warnings.simplefilter("ignore")
        ends = [sm.transient(sim, present + 20 * STEP, STEP, progress=False) for sim in (untouched, asked)]
    np.testing.assert_array_equal(ends[1].table, ends[0].table)


NAMESAKES = {
    "theta": (rolling, {"formulation": "recursive"}, sm.MoreauJean(), sm.MoreauJean(0.8)),
    "facets": (rolling, {"formulation": "recursive"}, sm.MoreauJean(), sm.MoreauJean(facets=8)),
    "weights": (plain, {}, BackwardEuler(), type("Other", (Trapezoidal,), {"name": "backward Euler"})()),
    "table": (plain, {"formulation": "recursive"}, heun(0.5), heun(1.0)),
}


@pytest.mark.parametrize("case", NAMESAKES)
def test_a_checkpoint_of_a_namesake_is_refused(case, tmp_path):
    """Integrators of one name whose numbers or formulas differ: the run would go on by another one."""
    make, method, one, other = NAMESAKES[case]
    path = tmp_path / "state.npz"
    sm.transient(make(), 0.02, STEP, integrator=one, checkpoint=path, progress=False, **method)
    sm.transient(make(), 0.03, STEP, integrator=one, resume=path, progress=False, **method)
    with pytest.raises(sm.SolveError, match=f"was made with {one.name} with other parameters or formulas"):
        sm.transient(make(), 0.04, STEP, integrator=other, resume=path, progress=False, **method)


@pytest.mark.parametrize("way_of_other", ["formulation", "integrator"])
def test_a_checkpoint_of_another_method_is_refused_by_name(way, way_of_other, tmp_path):
    """The same model in another formulation, or with another integrator: its numbers mean something else."""
    path = tmp_path / "state.npz"
    way.run(plain(), 0.02, STEP, checkpoint=path)
    if way_of_other == "integrator":
        other = {"formulation": way.formulation, "integrator": sm.TwoStep(0.35)}
        words = way.integrator.name
    else:
        other = {"formulation": {"redundant": "recursive", "recursive": "redundant"}[way.formulation]}
        words = f"formulation='{way.formulation}'"
    with pytest.raises(sm.SolveError) as refusal:
        sm.transient(plain(), 0.04, STEP, resume=path, progress=False, **other)
    assert words in str(refusal.value)
