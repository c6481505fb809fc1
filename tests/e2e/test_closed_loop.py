"""Loops closed through two processes in real time, seen by a third.

What is asserted does not depend on how punctual the machine is. Late steps are bridged by the policy: slip moves the
deadlines, and a step is still a step of the same length. Late answers act later, which shows in the record. So every
step must obey the equations of the machine for the command that was in force, and every command must be what the law
says to an earlier sample. Where a run is compared with the same off-line, the room for late answers is stated.
"""

import math
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from samara import experiments
from samara.experiments import real_time as against
from samara.experiments.mechanisms import pendulum_killed
from samara.experiments.mechanisms import pendulum_realtime as pendulum
from samara.experiments.mechanisms import robot_realtime as robot
from samara.experiments.real_time import ReadyController, aligned, delays, in_real_time, off_line
from samara.experiments.rotors import puma_realtime
from samara.experiments.tiltrotors import windmill_realtime
from samara.models import find
from samara.models.tiltrotors.tiltrotor import GAIN, SPEED
from samara.realtime.controllers.ready import READY, PendulumLift
from samara.realtime.loop import Job
from samara.realtime.mailbox.port import PATIENCE
from samara.realtime.mailbox.shared import directory
from samara.solve import SolveError, Stepper


@pytest.fixture(autouse=True)
def nothing_is_left():
    """Neither processes nor sessions: these are removed by the simulator's own end."""
    yield
    mine = f"-experiment-{os.getpid()}"
    assert [path.name for path in directory().iterdir() if mine in path.name] == []


def complete(taken):
    """Every step of the run is in the record, once."""
    rate = taken.results.attrs.options["rate"]
    assert taken.report["dropped"] == 0
    assert np.diff(taken.results.time) == pytest.approx(1.0 / rate, rel=1e-6)
    assert (np.diff(taken.stamps) > 0).all()
    return taken.results


def replayed(job, law, results):
    """The same model off-line, fed with the commands that were in force; from the same sample on."""
    ready, end = find(job.model), float(results.time[-1])
    model, method = ready.make(**job.settings), job.method_of(ready.method)
    stepper = Stepper(model, 1.0 / job.rate, outputs=job.options.sensors, end=end, method=method)
    stepper.advance(round(results.time[0] * job.rate))
    for k in range(1, len(results)):
        for name in READY[law.name].actuators:
            stepper.feed(name, float(results[name][k]))
        stepper.advance()
    return aligned(stepper.results(), results)


def test_the_pendulum_is_lifted_and_held():
    """The law of the source. Every torque is its answer to an earlier sample, bit for bit."""
    job, law = pendulum.setup("lift", False, 0.0, "slip")
    taken = in_real_time(job, law, 3.0)
    results = complete(taken)
    old = delays(law, results, pendulum.RATE)
    assert (old >= 0).all()
    assert old[0] == 0  # the handshake: the first sample waits for its answer
    errors, bounds = pendulum.step_errors(results)
    assert (errors < bounds).all()
    assert pendulum.energy_error(results) < 2e-3  # J, of 19.62 on top: second order in the step
    # the loop is stable with answers 20 ms old, and comes to rest in half a second
    assert pendulum.largest(results, 0.5) < pendulum.NEAR
    (summary,) = taken.summaries
    assert summary["ended"] == "simulator gone"
    assert summary["handled"] + summary["missed"] >= len(results) - 1


def test_a_controller_is_killed_and_another_takes_over():
    """kill -9 near the top: the torque holds, the pendulum falls, the loop goes on and counts; a new process lifts it.

    Nobody drives meanwhile: m l^2 q'' = T - m g l sin q with that torque, so the energy is what the torque gives.
    """
    job, law = pendulum.setup("lift", False, 0.0, "slip")
    taken = in_real_time(job, law, 7.0, kill=1.2, dead=0.8)
    results, marks = complete(taken), taken.marks
    assert marks["killed"] < marks["started"] <= marks["heard"] < results.time[-1]
    assert taken.summaries[0] is None and taken.summaries[1]["handled"] > 0
    alone = pendulum_killed.unheard(taken)
    assert alone.time[-1] - alone.time[0] > 0.8 - 0.2  # when it was killed is seen some hundredths of a second late
    fell = np.ptp(alone["model.kinetic"])
    assert fell > 1e-4  # J
    assert pendulum.energy_error(alone) < 1e-4 * fell
    # cycles are a period or more apart: at most patience times rate of them go by before they count as silent
    assert len(alone) - PATIENCE * pendulum.RATE - 5 <= taken.report["silent"]
    errors, bounds = pendulum.step_errors(results)
    assert (errors < bounds).all()
    # what the second one says is the law again, on samples since its start
    rest, first = np.flatnonzero(results.time > marks["heard"] + 0.3), int(np.sum(results.time < marks["started"]))
    said = lifted(results)
    for k in rest[::7]:
        assert np.abs(said[first:k] - results["torque"][k]).min() < 1e-9
    assert pendulum.largest(results, 0.3) < pendulum.NEAR


def lifted(results):
    """What the lift says to each sample, about the turn of the last one, which each controller finds by itself."""
    q, law = np.unwrap(results["hinge.angle"]), PendulumLift()
    q -= 2 * math.pi * round((q[-1] - math.pi) / (2 * math.pi))
    return law.stiffness * (math.pi - q) - law.damping * results["hinge.angle_rate"]


def test_the_pendulum_with_friction_and_a_direct_current_motor():
    """It sticks where the spring of the law, less the weight, is as strong as the friction: closed form."""
    found = experiments.find("pendulum-realtime").run(
        law="lift", electric=True, friction=0.1, duration=4.0, policy="slip"
    )
    assert found.problem == ""
    assert found["dropped_rows"] == 0
    assert found["stuck_at"] == pytest.approx(pendulum.stuck(0.1), rel=1e-2)
    # J, of 19.62: what the torque does within a step of the length of L / R is known by its samples to 0.3 %
    assert found["energy_error"] < 0.06
    assert found.draw() is not None


def test_the_robot_in_step_with_its_controller():
    """A loop that waits for each answer goes as off-line, bit for bit, through two processes on any machine.

    With direct-current motors, joints that rub, at 3.3 kHz and the gains of the experiment.
    """
    job, law = robot.setup("voltage", 0.5, 3300.0, "slip")
    job, law = job.with_options(driven=True, rate=3300.0), ReadyController(law.name, {"duration": 0.5, "begin": 0.05})
    taken = in_real_time(job, law, 0.6)
    results = complete(taken)
    twin = aligned(off_line(job, law, float(results.time[-1])), results)
    assert np.ptp(results["joint_1.angle"]) > 0.5
    for name in ("joint_1.angle", "joint_2.angle", "link_2.n2.position"):
        assert np.array_equal(results[name], twin[name])
    assert taken.summaries[0]["missed"] == 0


def test_the_robot_on_its_path():
    """1.5 s instead of five, so that a run is short; the commands in force move the robot as they do off-line.

    Where hardly an answer is late, it goes as off-line under the same controller, too.
    """
    job, law = robot.setup("torque", 0.0, 330.0, "slip")
    # ten times the experiment's damping: with that, two samples of delay are too many; with this, 40 are borne
    job = replace(job, settings=job.settings | {"damping": 1e-2})
    law = ReadyController(law.name, {"duration": 1.5, "begin": 0.1})
    taken = in_real_time(job, law, 2.0)
    results = complete(taken)
    again = replayed(job, law, results)
    for k in (1, 2):
        # free of weight, so that what Newton's method leaves (1e-6 of the speed) adds up to no more than that
        assert results[f"joint_{k}.angle"] == pytest.approx(again[f"joint_{k}.angle"], abs=1e-5)
    twin = aligned(off_line(job, law, float(results.time[-1]), taken.begin), results)
    (summary,) = taken.summaries
    if summary["missed"] + summary["late"] < 0.02 * summary["handled"]:
        for k in (1, 2):
            assert results[f"joint_{k}.angle"] == pytest.approx(twin[f"joint_{k}.angle"], abs=math.radians(1.0))


def test_the_tiltrotors_speed_is_held_from_outside():
    """The pitch in force is the integral of the error that was measured, late by what the answers are.

    The room: gain times the largest error times 0.1 s, in which a controller must have answered or it counts as silent.
    """
    job, law = windmill_realtime.setup(0.2, "slip")
    taken = in_real_time(job, law, 2.0)
    results = complete(taken)
    error = results["rotor.speed"] - SPEED
    pitch = results["collective"][1] + GAIN * np.concatenate([[0.0], np.cumsum(error[:-1])]) / job.rate
    moved = np.ptp(results["collective"])
    assert moved > math.radians(3.0)  # 12 m/s^2 of wind ask for 5 degrees in 1.8 s, the rotor gives way to some
    silent = taken.report["silent"] / job.rate
    room = GAIN * np.abs(error).max() * (0.1 + silent)
    assert np.abs(results["collective"][1:] - pitch[:-1]).max() < room
    if not taken.report["overruns"]:
        assert room < 0.3 * moved
    again = replayed(job, law, results)
    assert results["rotor.speed"] == pytest.approx(again["rotor.speed"], rel=1e-6)


def test_the_puma_flies_as_off_line():
    """Nobody drives: a step in real time is a step."""
    job = puma_realtime.setup("rigid", "slip")
    taken = in_real_time(job, None, 0.4)
    results = complete(taken)
    twin = aligned(off_line(job, None, float(results.time[-1])), results)
    for name in ("rotor.CT_sigma", "blade_1.flap.angle", "blade_1.lag.angle"):
        assert results[name] == pytest.approx(twin[name], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    ("job", "law", "words"),
    [
        (Job("pendulum", {"length": -1.0}), None, "no simulator: .*length must be positive"),
        (
            Job("pendulum", {"motor": True}),
            ReadyController("robot"),
            "no controller drives the model: .*no sensor 'joint_1.angle'",
        ),
    ],
)
def test_what_cannot_start_says_why(job, law, words):
    with pytest.raises(SolveError, match=words):
        in_real_time(job.with_options(session="wrong-experiment"), law, 1.0)


def test_a_controller_that_ends_on_its_own_ends_the_run(monkeypatch):
    """Stopped by somebody else: nothing goes on as if it were there."""
    start, timers = against.popen, []

    def watched(command):
        process = start(command)
        if "samara.realtime.controllers.process" in command:
            timers.append(threading.Timer(2.0, process.terminate))
            timers[0].start()
        return process

    monkeypatch.setattr(against, "popen", watched)
    with pytest.raises(SolveError, match="its process ended with"):
        in_real_time(*pendulum.setup("lift", False, 0.0, "slip"), 60.0)
    timers[0].join()


ENDLESS = """
from samara.experiments.mechanisms import pendulum_realtime as pendulum
from samara.experiments.real_time import in_real_time

in_real_time(*pendulum.setup("lift", False, 0.0, "slip"), 1e4)
"""


def test_nobody_is_left_behind():
    """Ctrl-C, or kill -9 of who runs the experiment: simulator and controller end, and remove their session."""
    signals = (signal.SIGINT, signal.SIGKILL)
    runs = [subprocess.Popen([sys.executable, "-c", ENDLESS], stderr=subprocess.DEVNULL) for _ in signals]
    # of the simulator, and of the controller's own numbers
    paths = [directory() / f"pendulum-experiment-{run.pid}{own}" for run in runs for own in ("", ".pendulumlift")]
    try:
        wait(lambda: all(path.exists() for path in paths), 400.0)  # they may have to compile
        for run, number in zip(runs, signals, strict=True):
            run.send_signal(number)
            assert run.wait(30.0) == -number
    finally:
        for run in runs:
            run.kill()
            run.wait()
    wait(lambda: not any(path.exists() for path in paths))


def wait(done, timeout=60.0):
    end = time.monotonic() + timeout
    while not done():
        assert time.monotonic() < end
        time.sleep(0.02)
