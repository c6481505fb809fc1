"""What a step owns is all that it goes on with: everything else that it writes may be lost between two steps."""

import itertools

import numpy as np
import pytest
from own_integrators import GeneralisedAlpha
from test_free_wake import STEP as WAKE_STEP
from test_free_wake import rotor

import samara as sm
from samara.models import find
from samara.realtime.controllers import PID
from samara.solve.native.ownership import marked
from samara.solve.step.march import UNRECORDED, march
from samara.solve.store.checkpoint import restore, snapshot
from samara.solve.store.transaction import rolled_back_on_error
from samara.tracing.driver.struct import Struct

STEPS = 12
pytestmark = pytest.mark.filterwarnings("ignore:.*steps were too long for look-ahead")


def bouncing_ball() -> sm.Model:
    model = sm.Model("ball", gravity=(0, 0, -9.81))
    node = model.node("ball", position=(0, 0, 0.102), velocity=(0.3, 0, 0))
    model.add("body", sm.Body(node, mass=2.0, inertia=(0.008,) * 3))
    model.add("floor", sm.Contact(model.ground, node, shape=sm.BallShape(0.1), restitution=0.6, friction=0.2))
    return model


def sampled_pendulum() -> sm.Model:
    model = sm.Model("sampled pendulum", gravity=(0, 0, -9.81))
    bob = model.node("bob", position=(1, 0, 0))
    model.add("body", sm.Body(bob, mass=1.0, inertia=(0.01,) * 3))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    model.add("push", sm.Force(bob, force=(0.0, 0.0, sm.Step(3.0, time=0.0104))))
    return model


def crowd() -> sm.Model:
    """Balls that roll and hit each other in a box, in slots that are bound to pairs."""
    model, rng = sm.Model("crowd", gravity=(0, 0, -9.81)), np.random.default_rng(3)
    balls = []
    for k in range(8):
        place = (0.21 * (k % 2), 0.21 * (k // 2 % 2), 0.105 + 0.21 * (k // 4))
        balls.append(model.node(f"ball{k}", place, velocity=rng.uniform(-1, 1, 3), angular_velocity=(3, 0, 1)))
        model.add(f"body{k}", sm.Body(balls[-1], mass=1.0, inertia=(0.004,) * 3))
    ends = [((0, 0, 0), (0, 0, 1)), ((-0.15, 0, 0), (1, 0, 0)), ((0.36, 0, 0), (-1, 0, 0))]
    walls = [sm.Wall(model.ground, at=at, axis=axis) for at, axis in ends]
    model.add("all", sm.Contacts(balls, shape=sm.BallShape(0.1), walls=walls, friction=0.3, restitution=0.5))
    return model


def regulated_pendulum() -> sm.Model:
    """With a discrete law that remembers, compiled from a block."""
    model = sampled_pendulum()
    bob, hinge = model["bob"], {"at": (0, 0, 0), "axis": (0, 1, 0)}
    sensor = model.add("sensor", sm.MotionSensor(model.ground, bob, **hinge))
    law = PID(proportional=30.0, integral=20.0, derivative=3.0, step=5e-3)
    block = model.add("law", sm.SampledBlock([0.3, sensor.output], law=law, unit="N m"))
    model.add("motor", sm.ServoMotor(model.ground, bob, block.output, **hinge))
    return model


def locked_discs() -> sm.Model:
    """Two discs on an axis that a lock takes along with each other, in the steps that are looked at."""
    model = sm.Model("locked")
    discs = [model.node("first", angular_velocity=(0, 0, 30.0)), model.node("second", (0, 0, 1))]
    for disc in discs:
        model.add(f"{disc.name}.body", sm.Body(disc, mass=1.0, inertia=(0.3, 0.3, 0.2)))
        model.add(f"{disc.name}.bearing", sm.Revolute(model.ground, disc, at=disc.position, axis=(0, 0, 1)))
    engaged = sm.Step(1.0, time=0.0403)
    model.add("lock", sm.Lock(*discs, at=(0, 0, 0), axis=(0, 0, 1), engaged=engaged, time=4e-3))
    return model


def rotor_with_wake() -> sm.Model:
    return rotor(wind=(-12.0, 5.0, -2.0))


TREE = {"formulation": "recursive"}
CASES = {
    "redundant": (sampled_pendulum, {}, 1e-3),
    "stabilised": (sampled_pendulum, {"integrator": sm.CrankNicolson()}, 1e-3),
    "impacts": (bouncing_ball, {}, 2e-3),
    "rotor": (lambda: find("puma").make(), {}, 1 / 400),
    "soft-in-plane": (lambda: find("soft-in-plane").make(), {}, 1e-3),
    "hydraulics": (lambda: find("hydraulic-beam").make(), {}, 1e-3),
    "blades as parts": (lambda: find("rotor4").make(), {"partition": "blades"}, 1e-3),
    "look ahead": (sampled_pendulum, {"integrator": sm.LookAhead()}, 1e-3),
    "look ahead in parts": (lambda: find("hydraulic-beam").make(), {"integrator": sm.LookAhead()}, 1e-3),
    "tree": (sampled_pendulum, TREE, 1e-3),
    "implicit tree": (sampled_pendulum, TREE | {"integrator": sm.TwoStep(0.6)}, 1e-3),
    "time stepping": (bouncing_ball, TREE, 2e-3),
    "xcell": (lambda: find("xcell").make(), TREE, 1e-3),
    "crowd": (crowd, {}, 2e-3),
    "law": (regulated_pendulum, {}, 1e-3),
    "law of a tree": (regulated_pendulum, TREE, 1e-3),
    "lock": (locked_discs, {}, 1e-3),
    "wake": (rotor_with_wake, {}, WAKE_STEP),
    "wake on a tree": (rotor_with_wake, TREE | {"integrator": sm.BDF2()}, WAKE_STEP),
    "own integrator": (bouncing_ball, {"integrator": GeneralisedAlpha()}, 2e-3),
}


def arrays_of(record, path="") -> dict[str, np.ndarray]:
    """Every array of every record."""
    fields, found = getattr(record, "_tuple", record), {}
    for name, value in zip(fields._fields, fields, strict=True):
        if isinstance(value, np.ndarray):
            found[f"{path}{name}"] = value
        elif isinstance(value, Struct):
            found[f"{path}{name}"] = value.words
        elif hasattr(value, "_fields") or hasattr(value, "_tuple"):
            found |= arrays_of(value, f"{path}{name}.")
    return found


def go_on(sim: sm.Simulation, step: float) -> dict[str, bytes]:
    """Some steps; the bits of what is owned after them."""
    made = sim.advance(lambda n: march(sim.work, step, n, n + 1, 0, *UNRECORDED), STEPS, step)
    assert (made.status, made.steps) == (0, STEPS)
    return {name: array.tobytes() for name, array in sim.owned.arrays.items()}


@pytest.mark.parametrize("case", CASES)
def test_all_else_may_be_lost_between_two_steps(case):
    """Rooms that a step has written hold rubbish after a snapshot is put back: no bit of what follows is another."""
    make, method, step = CASES[case]
    sim = sm.Simulation(make(), **method)
    sm.transient(sim, end=3 * STEPS * step, step=step, progress=False)
    saved = snapshot(sim)
    before = {name: array.copy() for name, array in arrays_of(sim.work).items()}
    whole = go_on(sim, step)
    written = {name for name, array in arrays_of(sim.work).items() if array.tobytes() != before[name].tobytes()}
    restore(sim, saved)  # with arrays of another analysis, it may be
    kept = [
        sim.owned.block,
        *sim.solver_state().values(),
        sim.counters,
        sim.settings.words,
        sim.machine.samples.numbers,
    ]
    rubbish = [array for name, array in arrays_of(sim.work).items() if name in written]
    for array in (array for array in rubbish if array.dtype.kind == "f"):
        if not any(np.may_share_memory(array, own) for own in kept):
            array[...] = np.nan
    again = go_on(sim, step)
    assert [name for name in whole if whole[name] != again[name]] == []


@pytest.mark.parametrize("case", CASES)
def test_what_fails_inside_is_put_back_to_the_last_bit(case):
    make, method, step = CASES[case]
    sim = sm.Simulation(make(), **method)
    sm.transient(sim, end=2 * STEPS * step, step=step, progress=False)

    def bits() -> dict[str, bytes]:
        return {k: a.tobytes() for k, a in (sim.owned.arrays | sim.solver_state()).items()}

    before = bits()
    with pytest.raises(ZeroDivisionError), rolled_back_on_error(sim):
        go_on(sim, step)
        raise ZeroDivisionError
    assert bits() == before


@pytest.mark.parametrize("case", CASES)
def test_what_a_step_owns_is_one_block(case):
    """Every array that is marked, the clock and limits lie in it, once, and apart; Python and native code see it."""
    make, method, step = CASES[case]
    sim = sm.Simulation(make(), **method)
    sm.transient(sim, end=3 * step, step=step, progress=False)
    numbers = {"memory": sim.memory.words, "limits": sim.limits.words}
    arrays = dict(marked(sim.machine, "Owned")) | numbers
    assert {"state", "contacts.status", "samples.memory", "tree.block"} <= arrays.keys() == sim.owned.arrays.keys()
    begin, size = sim.owned.block.ctypes.data, sim.owned.block.nbytes
    spans = sorted((a.ctypes.data - begin, a.ctypes.data - begin + a.nbytes) for a in arrays.values() if a.size)
    assert spans[0][0] == 0 and spans[-1][1] <= size
    assert all(end <= first for (_, end), (first, _) in itertools.pairwise(spans))
    assert all(a.ctypes.data % 64 == 0 for a in arrays.values() if a.size)
    assert np.shares_memory(sim.state.inputs, sim.owned.block) or not sim.state.inputs.size
    unmarked = [a for name, a in arrays_of(sim.machine).items() if name not in arrays]
    assert not any(np.shares_memory(array, sim.owned.block) for array in unmarked if array.size)


def test_a_copy_of_the_block_is_all_that_a_step_needs():
    """A step taken twice from one copy, with another step in between: the same bits."""
    for case in CASES:
        make, method, step = CASES[case]
        sim = sm.Simulation(make(), **method)
        sm.transient(sim, end=2 * STEPS * step, step=step, progress=False)
        sim.memory.trust.factored_for = 0.0  # factors are no part of it
        kept = sim.step_state()
        once = go_on(sim, step)
        sim.put_step_state(kept)
        assert [name for name, bits in go_on(sim, step).items() if once[name] != bits] == [], case
