"""`samara controller` as a user starts it: files, names, mistakes; and a loop closed through two processes."""

import json
import math
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import samara as sm
from samara.cli import main
from samara.models import find

LIFT = """
import math

from samara.realtime.controllers import Controller, tunable


class Lift(Controller):
    rate = 250.0
    sensors = ("hinge.angle", "hinge.angle_rate")
    actuators = ("torque",)
    stiffness = tunable(30.0, unit="N m/rad", lower=0.0, upper=500.0)

    def step(self, t, y):
        away = math.remainder(math.pi - y.hinge_angle, 2 * math.pi)
        return (self.stiffness * away - 9.0 * y.hinge_angle_rate,)
"""


def command(*args):
    return [sys.executable, "-m", "samara.cli", "controller", *map(str, args)]


@pytest.fixture
def samara(tmp_path, monkeypatch, capsys):
    """Runs the command in this process, in an empty folder: (exit code, standard output, standard error)."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])

    def call(*args):
        code = main(["controller", *args])
        return code, *capsys.readouterr()

    return call


def test_the_list_of_ready_controllers(samara):
    _, text, _ = samara()
    assert "pendulum-swing" in text and "torque_1, torque_2" in text
    found = {c["name"]: c for c in json.loads(samara("--json")[1])["controllers"]}
    gain = next(p for p in found["tiltrotor"]["parameters"] if p["name"] == "gain")
    assert (gain["unit"], gain["lower"], gain["upper"]) == ("1", 0.0, 2.0)
    assert found["robot"]["sensors"] == ["joint_1.angle", "joint_2.angle"]


@pytest.mark.parametrize(
    ("text", "args", "words"),
    [
        ("x = 1", (), "defines no controller: define a subclass"),
        (LIFT + "\n\nclass Other(Controller):\n    pass\n", (), "defines several controllers (Lift, Other): keep one"),
        (LIFT, (), "the session of the simulator is missing: --session NAME"),
        (LIFT, ("--session", "s", "--set", "stiffness=900"), "'stiffness': 900 N m/rad is outside [0, 500]"),
        (LIFT, ("--session", "s", "--set", "softness=1"), "Lift has no parameter 'softness'; it has stiffness"),
        ("import nothing_of_that_name", (), "wrong.py, line 1: ModuleNotFoundError"),
        (
            "from samara.realtime.controllers import Controller\nclass A(Controller):\n    actuators = 'u'",
            (),
            'write ("u",)',
        ),
    ],
)
def test_mistakes_are_one_line(samara, tmp_path, text, args, words):
    (tmp_path / "wrong.py").write_text(text)
    code, _, said = samara("wrong.py", *args)
    assert code == 2
    assert words in said and said.count("\n") == 1


def test_unknown_names_and_files(samara):
    assert "there is no ready controller 'rob'; did you mean robot" in samara("rob")[2]
    assert "none.py: no such file" in samara("none.py")[2]


class Simulator:
    """A pendulum with its session: publishes a sample, waits for the answer to it, takes a step."""

    def __init__(self, name, rate):
        session = pytest.importorskip("samara.realtime.session")
        realtime = pytest.importorskip("samara.realtime")
        self.stepper = sm.Stepper(find("pendulum").make(motor=True, angle=0.0), 1.0 / rate, outputs="hinge.*")
        self.names = ("hinge.angle", "hinge.angle_rate", "bob.position.x")
        signals = [realtime.Signal(n, self.stepper.measures[n]) for n in self.names]
        actuators = [realtime.Signal("torque", "N m")]
        self.session = session.Session.create(name, rate=rate, sensors=signals, actuators=actuators)
        self.connect = session.Session.connect

    def play(self, samples, patience=60.0):
        """So many samples, each answered before the next step. The first is sent until somebody answers."""
        torque = np.zeros(1)
        box = self.session.seats
        end = time.monotonic() + patience
        while not box.driven.all():
            assert time.monotonic() < end, "no controller came"
            self.publish()
            time.sleep(0.01)
        for _ in range(samples):
            self.publish()
            end = time.monotonic() + patience
            while self.stepper.time not in box.port.time:  # an answer carries the time of its sample
                assert time.monotonic() < end, "no answer came"
                box.gather(torque)
            self.stepper.feed("torque", float(torque[0]))
            self.stepper.advance()

    def publish(self):
        self.session.sensors.write([self.stepper.measure(n) for n in self.names], self.stepper.time)


@pytest.fixture
def simulator():
    found = Simulator(f"test-{os.getpid()}", 250.0)
    yield found
    found.session.close()


def test_a_loop_through_two_processes(tmp_path, simulator):
    """The pendulum is lifted and held by a controller in another process; a gain is changed from outside; it is killed,
    and another takes over; the last ends in order when it is told to."""
    (tmp_path / "lift.py").write_text(LIFT)
    name = simulator.session.card.name
    start = command(tmp_path / "lift.py", "--session", name, "--json")

    def controller():
        return subprocess.Popen(start, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    first = controller()
    try:
        simulator.play(400)
        panel = simulator.connect(f"{name}.lift", timeout=60.0)
        assert panel.card.parameters[0].name == "stiffness" and panel.parameters.read().values.tolist() == [30.0]
        panel.tune({"stiffness": 60.0})
        simulator.play(300)
        assert panel.parameters.read().values.tolist() == [60.0]
        panel.close()
        assert abs(simulator.stepper.measure("hinge.angle")) == pytest.approx(math.pi, abs=0.02)
    finally:
        first.kill()
        first.communicate()
    assert not simulator.session.seats.controllers()[0].process.alive
    second = controller()
    try:
        end = time.monotonic() + 30.0
        while not any(c.process.alive for c in simulator.session.seats.controllers()) and time.monotonic() < end:
            simulator.publish()
            time.sleep(0.02)
        simulator.play(100)
        assert abs(simulator.stepper.measure("hinge.angle")) == pytest.approx(math.pi, abs=0.02)
        second.send_signal(signal.SIGTERM)
        out, err = second.communicate(timeout=60.0)
    finally:
        second.kill()
        second.communicate()
    summary = json.loads(out)
    assert second.returncode == 0, err
    assert (summary["ended"], summary["controller"]) == ("interrupted", "Lift")
    assert summary["handled"] > 20
    assert simulator.session.seats.controllers() == []  # it gave its actuator back


@pytest.mark.parametrize("wait", [False, True])
def test_a_simulator_that_goes_away(tmp_path, simulator, wait):
    """The controller says so and ends, or takes up again with the next simulator of that name."""
    (tmp_path / "lift.py").write_text(LIFT)
    name = simulator.session.card.name
    start = command(tmp_path / "lift.py", "--session", name, "--json", *["--wait"] * wait)
    process = subprocess.Popen(start, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        simulator.play(100)
        simulator.session.close()
        if wait:
            again = Simulator(name, 250.0)
            again.play(50)
            again.session.close()
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60.0)
    finally:
        process.kill()
        process.communicate()
    summary = json.loads(out)
    assert process.returncode == 0
    assert f"the simulator {name!r} has gone" in err
    assert summary["ended"] == ("interrupted" if wait else "simulator gone")
    assert summary["restarts"] == int(wait)


def test_an_actuator_that_is_taken(samara, tmp_path, simulator):
    (tmp_path / "lift.py").write_text(LIFT)
    holder = simulator.connect(simulator.session.card.name)
    holder.claim(["torque"])
    code, _, said = samara("lift.py", "--session", simulator.session.card.name)
    holder.close()
    assert code == 2
    assert "actuator 'torque' is claimed by this process: release it there first" in said


def test_a_simulator_that_is_not_there(samara):
    pytest.importorskip("samara.realtime.session")
    code, _, said = samara("robot", "--session", "nobody", "--timeout", "0.1")
    assert code == 2
    assert "there is no session 'nobody': start its simulator first" in said
