"""The state refuses what is no state, by name, before anything is changed; a run takes a change of it as an event."""

import threading

import numpy as np
import pytest

import samara as sm
from samara.rotations import Pose
from samara.system.state.tangents import Change


@pytest.fixture
def sim():
    model = sm.Model("two", gravity=(0, 0, -9.81))
    for name, x in (("a", 0.0), ("b", 1.0)):
        model.add(f"mass_{name}", sm.Body(model.node(name, (x, 0, 0)), mass=1.0, inertia=(1, 1, 1)))
    return sm.Simulation(model)


WRONG = {
    "twists, too few": lambda s, n: setattr(s, "twists", np.zeros(5)),
    "twists, none": lambda s, n: setattr(s, "twists", None),
    "twists, not finite": lambda s, n: setattr(s, "twists", np.full(12, np.nan)),
    "accelerations, a text": lambda s, n: setattr(s, "accelerations", "fast"),
    "restore, none": lambda s, n: s.restore(None),
    "restore, a number": lambda s, n: s.restore(0.0),
    "restore, another size": lambda s, n: s.restore(np.zeros(3)),
    "difference, a number": lambda s, n: s.difference(0.0),
    "move, a number": lambda s, n: s.move(1.0),
    "move, none": lambda s, n: s.move(None),
    "move, too short": lambda s, n: s.move(np.ones(5)),
    "move, empty": lambda s, n: s.move([]),
    "move, not finite": lambda s, n: s.move(np.full(12, np.inf)),
    "place, no rotation": lambda s, n: s.place(n, Pose(np.ones((3, 3)), np.zeros(3))),
    "place, in a plane": lambda s, n: s.place(n, Pose(np.eye(3), np.zeros(2))),
    "write, past the block": lambda s, n: s.write(n, 80, np.ones(20)),
    "set_twist, too few": lambda s, n: s.set_twist(n, [1.0, 2.0]),
    "set_time, not finite": lambda s, n: s.set_time(np.nan),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_no_state_is_refused_and_changes_nothing(sim, case):
    before = sim.state.copy()
    with pytest.raises(sm.ArgumentError, match=r"^state: "):
        WRONG[case](sim.state, sim.model["a"])
    assert np.array_equal(sim.state.copy(), before)


def test_nodes_of_others_are_refused(sim):
    other = sm.Model("other").node("stranger")
    for node in (other, "a", None):
        with pytest.raises(sm.ModelError, match="model 'two' has no node"):
            sim.state.pose(node)


CHANGES = {
    "pose": lambda: Change(pose=np.zeros(3)),
    "twist": lambda: Change(twist=1.0),
    "acceleration": lambda: Change(acceleration=np.full(12, np.nan)),
    "multipliers": lambda: Change(multipliers=np.zeros(2)),
}


@pytest.mark.parametrize("part", CHANGES)
def test_changes_of_the_wrong_length_are_refused(sim, part):
    with pytest.raises(sm.ArgumentError, match=rf"^Change: {part} must be \d+ finite numbers"):
        sim.system.tangents.residual(CHANGES[part]())


@pytest.mark.parametrize("step", [1e-2, 1e-3])
def test_a_run_goes_on_from_a_state_that_was_set(sim, step):
    """A body that falls is stopped: it falls anew, without the history that it had."""
    node = sim.model["a"]
    sm.transient(sim, 0.5, step, progress=False)
    sim.state.set_twist(node, np.zeros(6))
    results = sm.transient(sim, 0.5 + 5 * step, step, progress=False)
    np.testing.assert_allclose(results["a.velocity"][:, 2], -9.81 * step * np.arange(1, 6), rtol=1e-9)
    np.testing.assert_allclose(results["b.velocity"][:, 2], -9.81 * (0.5 + step * np.arange(1, 6)), rtol=1e-9)


def test_looking_at_a_state_is_no_event(sim):
    plain = sm.Simulation(sim.model)
    runs = []
    for one in (sim, plain):
        first = sm.transient(one, 0.1, 1e-3, progress=False)
        if one is sim:
            with one.state.kept():
                one.state.twists = 3.0
            with one.state.plain():
                one.state.residual()
        runs.append((first, sm.transient(one, 0.2, 1e-3, progress=False)))
    for ours, theirs in zip(*runs, strict=True):
        assert np.array_equal(ours.table, theirs.table)


def test_another_thread_is_refused_while_a_run_goes_on(sim):
    found = []

    def look():
        try:
            sim.state.copy()
        except sm.SolveError as error:
            found.append(str(error))

    with sim.alone():
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    assert found and "in use by another thread" in found[0]
