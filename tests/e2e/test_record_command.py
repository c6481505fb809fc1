"""`samara record` as a user starts it, beside `samara realtime`: whole, killed, on a full disk, told by others."""

import json
import os
import re
import resource
import secrets
import subprocess
import sys
import time

import numpy as np
import pytest

from samara.cli import main
from samara.realtime import Command, Session, Signal, recording
from samara.realtime.session.accounts import Account
from samara.results import Results

PATIENCE = 300.0  # [s]: the driver may have to be compiled first


def samara(*args):
    return [sys.executable, "-m", "samara.cli", *map(str, args)]


@pytest.fixture
def name():
    return f"test-{os.getpid()}-{secrets.token_hex(4)}"


@pytest.fixture
def start():
    """start(*args): the command as a process; it is killed at the end, if it still runs."""
    running = []

    def call(*args, **options):
        process = subprocess.Popen(
            samara(*args), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
        )  # fmt: skip
        running.append(process)
        return process

    yield call
    for process in running:
        process.kill()
        process.communicate()


@pytest.fixture
def call(capsys):
    """Runs the command in this process: (exit code, standard output, standard error)."""

    def run(*args):
        code = main(["record", *map(str, args)])
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def simulator(name):
    sensors = [Signal(f"x{k}", "m") for k in range(8)]
    with Session.create(name, rate=1000.0, sensors=sensors, record=8192) as session:
        yield session


def wait_for(happens):
    end = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_run_against_the_clock_is_recorded(tmp_path, start):
    """As many rows as the loop served periods, from the first; simulated time goes on by a period each time.
    A file that exists is refused before anything runs."""
    path = tmp_path / "run.nc"
    args = ("realtime", "pendulum", "--rate", "200", "--duration", "1", "--save", path, "--no-browser", "--json")
    simulator = start(*args)
    out, err = simulator.communicate(timeout=PATIENCE)
    assert simulator.returncode == 0, err
    report, found = json.loads(out), Results.load(path)
    assert (len(found), report["dropped"], found.attrs.counters["lost"]) == (report["cycles"], 0, 0)
    assert found.time == pytest.approx((np.arange(len(found)) + 1) / 200.0, abs=1e-9)  # a sum of 200 periods
    assert np.array_equal(found["recorder.sequence"], np.arange(len(found)) + 1)
    assert found.unit("hinge.angle") == "rad"
    assert found.attrs.model == "pendulum" and found.attrs.options["ended"] == "simulator ended"
    assert os.listdir(tmp_path) == ["run.nc"]
    again = start(*args)
    assert "run.nc already exists; choose another file" in again.communicate(timeout=PATIENCE)[1]
    assert again.returncode == 2


def test_a_recorder_that_is_killed_leaves_the_simulator_alone(tmp_path, start, call, name):
    options = ("--rate", "200", "--session", name, "--record", "64", "--no-browser", "--json")
    simulator = start("realtime", "pendulum", *options)
    recorder = start("record", name, "--to", tmp_path / "run.nc", "--timeout", PATIENCE)
    wait_for(lambda: recording.state(name).rows > 20)
    recorder.kill()
    with Session.connect(name, timeout=PATIENCE) as session:
        wait_for(lambda: session.ledger.accounts[Account.DROPPED] > 0)
        session.command(Command.STOP)
    report = json.loads(simulator.communicate(timeout=PATIENCE)[0])
    assert (simulator.returncode, report["ended"]) == (0, "asked")
    assert report["dropped"] > 0
    code, out, err = call("--recover", tmp_path / "run.nc", "--json")
    (saved,) = json.loads(out)["recordings"]
    assert code == 0 and "the recorder was killed: data that it had not written are missing" in err
    found = Results.load(tmp_path / "run.nc")
    assert saved["rows"] == len(found) > 20
    assert (np.diff(found["recorder.sequence"]) > 0).all()  # a busy machine may make it drop some, which are counted
    missing = report["cycles"] - report["dropped"] - len(found)
    assert 0 <= missing <= 64  # what is in the queue; what it had written but not yet released is in both


@pytest.mark.parametrize("limit", [3_000, 60_000])
def test_a_disk_that_is_full(tmp_path, start, call, simulator, limit):
    """A limit on the size of files stands for it: rows are lost, the queue is drained, what was written is valid."""
    name, path = simulator.card.name, tmp_path / "run.nc"
    recorder = start(
        "record", name, "--to", path, "--json",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )  # fmt: skip
    wait_for(lambda: recording.state(name).alive)
    for k in range(100):
        simulator.record.write(np.full((20, 8), 1.0 * k), 0.02 * k)
        time.sleep(0.002)
    wait_for(lambda: simulator.record.waiting == 0)
    wait_for(lambda: "File too large" in recording.state(name).message)
    assert simulator.record.dropped == 0
    simulator.close()
    out, err = recorder.communicate(timeout=PATIENCE)
    assert recorder.returncode == 1
    assert err.count("nothing can be written (File too large): steps are being lost") == 1
    (saved,) = json.loads(out)["recordings"]
    assert saved["lost_disk"] == 2000 - saved["rows"] > 0
    if not saved["made"]:  # the file has a limit too
        assert re.search(r"run\.nc\.chunks stays: `samara record --recover \S+run\.nc` makes the file", err)
        assert call("--recover", path)[0] == 0
    found = Results.load(path)
    assert len(found) == saved["rows"]
    assert np.array_equal(found["x7"], (found["recorder.sequence"] - 1) // 20)


def test_on_demand_from_the_command_line(tmp_path, call, simulator):
    """Nothing before it is told; then what was kept and what follows, until it is told again."""
    name = simulator.card.name
    process = recording.start_recorder(name, tmp_path / "run.nc", armed=True, pre=0.05)
    try:
        simulator.record.write(np.zeros((200, 8)), 0.0)
        wait_for(lambda: simulator.record.waiting == 0)
        assert "armed; finished: nothing" in call(name, "--state")[1]
        code, out, _ = call(name, "--on")
        assert code == 0 and re.match(r"recording to \S+run-001\.nc: 50 rows", out)
        simulator.record.write(np.ones((30, 8)), 0.0)
        wait_for(lambda: recording.state(name).rows == 80)
        assert json.loads(call(name, "--off", "--json")[1])["on"] is False
        wait_for(lambda: recording.state(name).finished)
    finally:
        simulator.close()
        assert process.wait(PATIENCE) == 0
    found = Results.load(tmp_path / "run-001.nc")
    assert np.array_equal(found["x0"], [0.0] * 50 + [1.0] * 30)
    assert os.listdir(tmp_path) == ["run-001.nc"]


def test_ctrl_c_ends_a_recording_in_order(tmp_path, start, simulator):
    recorder = start("record", simulator.card.name, "--to", tmp_path / "run.nc")
    wait_for(lambda: recording.state(simulator).alive)
    assert os.getpriority(os.PRIO_PROCESS, recorder.pid) == 19
    simulator.record.write(np.zeros((10, 8)), 0.0)
    wait_for(lambda: simulator.record.waiting == 0)
    recorder.send_signal(2)
    out, err = recorder.communicate(timeout=PATIENCE)
    assert recorder.returncode == 0, err
    assert "10 rows, 0 steps lost, ended: interrupted" in out
    assert len(Results.load(tmp_path / "run.nc")) == 10


# ---- mistakes
def test_mistakes_are_one_line(tmp_path, call, simulator):
    name = simulator.card.name
    (tmp_path / "old.nc").write_text("precious")
    for args, words in [
        ((), "the session is missing: samara record SESSION"),
        (("nobody", "--timeout", "0.1"), "there is no session 'nobody': start its simulator first"),
        ((name, "--to", tmp_path / "none" / "a.nc"), "does not exist; create it first"),
        ((name, "--to", tmp_path / "old.nc"), "already exists; choose another file, or overwrite it with --force"),
        ((name, "--on"), "has no recorder: start one with `samara record"),
        (("--recover", tmp_path / "a.nc"), "there is nothing to recover for a.nc"),
        (("bad name",), "session name 'bad name': use letters"),
    ]:
        code, out, err = call(*args)
        assert (code, out) == (2, ""), args
        assert words in err and err.count("\n") == 1, args
    assert (tmp_path / "old.nc").read_text() == "precious"
    assert sorted(os.listdir(tmp_path)) == ["old.nc"]


def test_a_starter_says_why_it_did_not(tmp_path, simulator):
    (tmp_path / "old.nc").write_text("precious")
    with pytest.raises(OSError, match="exists"):
        recording.start_recorder(simulator.card.name, tmp_path / "old.nc")
    with pytest.raises(recording.RecordingError, match="did not start: exit code 2"):
        recording.start_recorder(simulator.card.name, tmp_path / "none" / "run.nc", armed=True)
