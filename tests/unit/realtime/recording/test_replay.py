"""A run is replayed as a session: every row in order, at the speed that is asked for; it can be held and jumped in."""

import numpy as np
import pytest

from samara.dashboard.feed.feed import Feed
from samara.dashboard.feed.health import SimulatorState
from samara.models import find
from samara.realtime import Command, Session
from samara.realtime.recording.replay import Replay
from samara.solve import transient


@pytest.fixture(scope="module")
def results():
    return transient(find("pendulum").make(), end=6.0, step=0.01, progress=False)


@pytest.fixture
def replay(results, name):
    found = Replay(results, name)
    yield found
    found.close()


@pytest.fixture
def feed(replay):
    found = Feed(Session.connect(replay.session.card.name))
    yield found
    found.close()


def play(replay, feed, seconds, look=0.05):
    for _ in range(round(seconds / look)):
        assert replay.look(look)
        feed.update()


def test_every_row_comes_at_its_time_with_the_poses(replay, feed, results):
    play(replay, feed, 2.0)
    assert feed.time == pytest.approx(2.0) and feed.state is SimulatorState.RUNNING
    times, angle = feed.column("hinge.angle")
    assert np.array_equal(times, results.time[: len(times)]) and len(times) == 201
    assert np.array_equal(angle, results["hinge.angle"][:201])
    place = list(feed.card.nodes).index("bob")
    assert np.array_equal(feed.poses()[place, :3], results["bob.position"][200])
    assert feed.scene["nodes"] == results.scene["nodes"]
    assert replay.session.card.vectors  # names as off line


def test_speed_hold_step_and_the_end(replay, feed):
    feed.session.tune({"replay.speed": 2.0})
    play(replay, feed, 1.0)
    assert feed.time == pytest.approx(2.0)
    feed.session.command(Command.HOLD)
    play(replay, feed, 1.0)
    assert feed.time == pytest.approx(2.0) and feed.state is SimulatorState.HELD
    feed.session.command(Command.STEP, 3)
    play(replay, feed, 0.1)
    assert feed.time == pytest.approx(2.03)
    feed.session.command(Command.START)
    play(replay, feed, 4.0)
    assert feed.time == pytest.approx(6.0) and feed.state is SimulatorState.HELD
    feed.session.command(Command.START)  # once more, from the beginning
    play(replay, feed, 0.1)
    assert feed.time == pytest.approx(0.2)
    feed.session.command(Command.STOP)
    assert not replay.look(0.1)


def test_a_jump_brings_the_seconds_before_it(replay, feed, results):
    play(replay, feed, 1.0)
    feed.session.tune({"replay.time": 5.0})
    feed.session.command(Command.HOLD)
    play(replay, feed, 0.1)
    times, angle = feed.column("hinge.angle")
    assert times[-1] == pytest.approx(5.0)
    recent = times >= 2.0
    assert np.count_nonzero(recent) == 301
    assert np.array_equal(angle[recent], results["hinge.angle"][200:501])
    feed.session.tune({"replay.time": 0.5})
    play(replay, feed, 0.1)
    assert feed.time == pytest.approx(0.5)


def test_a_run_without_poses_is_replayed_without_the_machine(name):
    found = transient(find("pendulum").make(), end=0.1, step=0.01, outputs=["hinge.angle"], progress=False)
    replay = Replay(found, name)
    assert replay.session.scene == {} and replay.session.card.nodes == ()
    replay.close()
