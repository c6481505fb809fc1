"""A stuck loop is told from one that is busy, held, or kept from running by the machine."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from samara.realtime import Session, Signal
from samara.realtime.loop.watchdog import LIMIT, PAUSE, Scheduled, Watchdog, schedule_file, scheduled
from samara.realtime.session import clear
from samara.realtime.session.ledger import Phase
from samara.realtime.session.schedule import Schedule

SIMULATOR = """
    import sys, threading, time
    from samara.realtime import Session, Signal
    from samara.realtime.session.ledger import Phase

    session = Session.create(sys.argv[1], rate=1000.0, sensors=[Signal("x", "m")])
    session.ledger.thread = threading.get_native_id()
    session.sensors.write([0.0], 0.0)
    session.ledger.phase = Phase.RUNNING
    end = time.monotonic() + float(sys.argv[2])
    while time.monotonic() < end:
        session.sensors.write([0.0], 0.0)
        time.sleep(0.001)
    {then}
"""
BUSY = "while True: pass"
ASLEEP = "time.sleep(60)"


@pytest.fixture
def start():
    started = []

    def start(then: str, lives: float) -> tuple[subprocess.Popen, Session]:
        name = f"test-dog-{os.getpid()}-{len(started)}"
        script = textwrap.dedent(SIMULATOR.format(then=then))
        process = subprocess.Popen([sys.executable, "-c", script, name, str(lives)])
        started.append(process)
        session = Session.connect(name, timeout=60.0)
        started.append(session)
        while session.ledger.phase != Phase.RUNNING:
            time.sleep(0.001)
        return process, session

    yield start
    for thing in started:
        if isinstance(thing, Session):
            thing.close()
            clear(thing.card.name)
        else:
            thing.kill()
            thing.wait()


@pytest.mark.parametrize("then", [BUSY, ASLEEP], ids=["busy", "asleep"])
def test_a_stuck_loop_is_found_and_stopped(start, then):
    process, session = start(then, lives=0.3)
    dog = Watchdog(session)
    deadline = time.monotonic() + 30.0
    while not dog.look():
        assert time.monotonic() < deadline
        time.sleep(PAUSE)
    # what it is told to bear, and no less; how much more is a matter of the machine's load
    assert dog.silence > LIMIT
    dog.stop()
    assert process.wait(10.0) == -signal.SIGKILL
    assert not session.alive


def test_a_stopped_process_is_stuck_too(start):
    process, session = start("pass", lives=60.0)
    dog = Watchdog(session)
    assert not dog.look()
    os.kill(process.pid, signal.SIGSTOP)
    deadline = time.monotonic() + 30.0
    while not dog.look():
        assert time.monotonic() < deadline
        time.sleep(PAUSE)
    dog.stop()
    assert process.wait(10.0) == -signal.SIGKILL


class Quiet:
    """A session whose loop was last heard some time ago, by a clock of the test's own."""

    def __init__(self, name):
        self.session = Session.create(name, rate=1000.0, sensors=[Signal("x", "m")])
        self.session.ledger.thread = 1
        self.session.sensors.write([0.0], 0.0)  # now what it needs is compiled
        self.session.ledger.phase = Phase.RUNNING

    def silent_for(self, seconds):
        self.session.sensors.write([0.0], 0.0, time.monotonic_ns() - round(seconds * 1e9))


@pytest.fixture
def quiet(monkeypatch):
    monkeypatch.setattr("samara.realtime.loop.watchdog.ASLEEP", 1000.0)  # a machine that stands still is no loop
    rig = Quiet(f"test-quiet-{os.getpid()}")
    yield rig
    rig.session.close()


def test_only_a_running_loop_must_show_life(quiet):
    dog, ledger = Watchdog(quiet.session), quiet.session.ledger
    quiet.silent_for(0.0)
    assert not dog.look()
    time.sleep(1.5 * LIMIT)
    ledger.phase = Phase.ENDED
    assert not dog.look()


def test_the_renewal_of_pivots_takes_its_time(quiet):
    dog, ledger = Watchdog(quiet.session), quiet.session.ledger
    quiet.silent_for(0.0)
    dog.look()
    ledger.schedule[Schedule.CYCLE] = 1
    time.sleep(1.5 * LIMIT)
    assert not dog.look()
    ledger.schedule[Schedule.CYCLE] = 0
    time.sleep(1.5 * LIMIT)
    assert dog.look()


def test_only_time_at_work_counts(quiet, monkeypatch):
    """Neither time without a processor, nor time that the machine below gave to others: the thread has not run."""
    told = [Scheduled(0.0, 0.0)]
    monkeypatch.setattr("samara.realtime.loop.watchdog.scheduled", lambda file: told[0])
    dog = Watchdog(quiet.session)
    quiet.silent_for(0.0)
    dog.look()
    time.sleep(1.5 * LIMIT)
    told[0] = Scheduled(0.0, 1000.0)  # all of it, and more than any delay of this test
    assert not dog.look()
    told[0] = Scheduled(0.5 * LIMIT, 0.0)
    assert not dog.look()
    told[0] = Scheduled(1000.0, 0.0)
    assert dog.look()


def test_a_loop_that_the_machine_does_not_wake_up_is_given_more_time(quiet):
    dog, ledger = Watchdog(quiet.session), quiet.session.ledger
    ledger.schedule[Schedule.WAITING] = 1
    quiet.silent_for(0.0)
    dog.look()
    time.sleep(1.5 * LIMIT)
    assert not dog.look()
    ledger.schedule[Schedule.WAITING] = 0
    assert dog.look()


def test_a_slow_loop_is_given_its_periods():
    with Session.create(f"test-slow-{os.getpid()}", rate=2.0, sensors=[Signal("x", "m")]) as session:
        assert Watchdog(session).limit == 2.0


def test_how_a_thread_was_scheduled():
    """It runs on, and is unknown for a thread that is not there."""
    file = schedule_file(os.getpid(), os.getpid())
    if file is None:
        pytest.skip("this system does not tell how threads were scheduled")
    first = scheduled(file)
    end = time.thread_time() + 0.05
    while time.thread_time() < end:
        pass
    # the system brings its count up to date when it looks after the thread, some hundred times a second
    assert scheduled(file).run - first.run > 0.02
    os.close(file)
    assert scheduled(schedule_file(os.getpid(), 2**30)) is None


@pytest.mark.parametrize("how", ["before the run", "renewal of pivots"])
def test_silence_with_leave_does_not_count(how):
    """The first beat may come a little after the run began, or after the pivots were renewed: then it counts."""
    with Session.create(f"test-dog-{os.getpid()}-leave", rate=1000.0, sensors=[Signal("x", "m")]) as session:
        session.ledger.phase = Phase.READY if how == "before the run" else Phase.RUNNING
        session.ledger.schedule[Schedule.CYCLE] = how == "renewal of pivots"
        session.sensors.write([0.0], 0.0)
        dog = Watchdog(session)
        end = time.monotonic() + 3 * LIMIT
        while time.monotonic() < end:
            assert not dog.look()
        session.ledger.phase, session.ledger.schedule[Schedule.CYCLE] = Phase.RUNNING, 0
        begin = time.monotonic()
        while not dog.look():
            assert time.monotonic() < begin + 30.0
        assert LIMIT < dog.silence < session.sensors.silence - LIMIT
