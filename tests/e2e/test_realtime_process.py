"""`samara realtime` as a user has it: its processes are killed, stopped, interrupted; it ends in order and says why."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from samara.benchmarks.real_time.soak import children
from samara.cli import main
from samara.realtime import Command, Session, recording
from samara.realtime.session.accounts import Account
from samara.realtime.session.ledger import Phase
from samara.results import Results


@pytest.fixture
def begin():
    started = []

    def begin(
        *options: str, model: str = "pendulum", rate: int = 200, folder: str = ".", deaf: bool = False
    ) -> tuple[subprocess.Popen, Session]:
        name = f"test-rt-{os.getpid()}-{len(started)}"
        command = [
            sys.executable, "-m", "samara.cli", "realtime", model, "--rate", str(rate), "--session", name,
            "--json", *(options or ("--no-browser",)),
        ]  # fmt: skip
        process = subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            preexec_fn=(lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)) if deaf else None,
        )  # fmt: skip
        started.append(process)
        session = Session.connect(name, timeout=240.0)
        started.append(session)
        until(lambda: session.ledger.accounts[Account.CYCLES] > 20)
        return process, session

    yield begin
    for thing in started:
        if isinstance(thing, Session):
            thing.close()
        else:
            thing.kill()
            thing.communicate()


def until(holds, timeout=60.0):
    """Waits until something holds; the time is ample, for machines under load."""
    end = time.monotonic() + timeout
    while not holds():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def test_a_stuck_loop_is_stopped_and_its_accounts_are_told(begin):
    process, session = begin()
    pid = session.card.process.pid
    assert pid != process.pid  # the loop has a process of its own
    os.kill(pid, signal.SIGSTOP)
    out, err = process.communicate(timeout=60.0)
    answer = json.loads(out)
    assert process.returncode == 1
    assert answer["ended"] == "stuck"
    assert answer["cycles"] > 20
    assert "watchdog" in err
    assert not session.path.exists()  # nothing is left behind


def test_a_killed_loop_is_told(begin):
    process, session = begin()
    os.kill(session.card.process.pid, signal.SIGKILL)
    out, err = process.communicate(timeout=60.0)
    assert json.loads(out)["ended"] == "killed"
    assert "SIGKILL" in err


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_ends_with_its_summary(begin, how):
    process, _ = begin()
    process.send_signal(how)
    out, _ = process.communicate(timeout=60.0)
    assert process.returncode == 0
    assert json.loads(out)["ended"] == "asked"


def test_a_run_in_the_background_of_a_script_ends_with_its_summary(begin):
    """What a shell starts with & ignores Ctrl-C, and so do its children; SIGTERM is heard all the same."""
    process, _ = begin(deaf=True)
    process.terminate()
    out, _ = process.communicate(timeout=60.0)
    assert process.returncode == 0
    assert json.loads(out)["ended"] == "asked"


def test_a_loop_ends_when_who_looks_after_it_is_killed(begin):
    process, session = begin()
    process.kill()
    until(lambda: not session.alive)
    until(lambda: not session.path.exists())
    assert session.ledger.phase == Phase.ENDED  # in order: it was not killed with it


def test_what_a_killed_supervisor_left_is_removed_by_the_next(begin, tmp_path, monkeypatch):
    """Its folder, once its loop has ended too; those of the living, of links and of other files stay."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    (tmp_path / "samara-report-file").write_text("mine")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "samara-report-link").symlink_to(tmp_path / "elsewhere")
    living, _ = begin()
    killed, session = begin()
    killed.kill()
    until(lambda: not session.alive)
    assert len(list(tmp_path.glob("samara-report-*"))) == 4
    third, _ = begin()
    assert len(list(tmp_path.glob("samara-report-*"))) == 4
    for process in (living, third):
        process.terminate()
        process.communicate(timeout=60.0)
    assert {path.name for path in tmp_path.glob("*")} == {"samara-report-file", "samara-report-link", "elsewhere"}


def test_the_loop_has_no_threads_of_a_blas(begin):
    """Where one library reads its environment it has one thread; the main thread, the loop and the tuner remain."""
    _, session = begin()
    threads = [path.read_text() for path in Path(f"/proc/{session.card.process.pid}/task").glob("*/comm")]
    assert len(threads) <= 3, threads


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_recorder_that_nobody_replaces_is_told_and_accounted_for(begin, tmp_path, how):
    """Every step of the loop is in the file, or counted as dropped or unrecorded; the exit code says that some are."""
    file = tmp_path / "run.nc"
    process, session = begin("--no-browser", "--save", str(file))
    until(lambda: recording.state(session).rows > 20)
    os.kill(recording.state(session).process.pid, how)
    until(lambda: not recording.state(session).alive)
    after = int(session.ledger.accounts[Account.CYCLES])
    until(lambda: session.ledger.accounts[Account.CYCLES] > after + 50)
    session.command(Command.STOP)
    out, err = process.communicate(timeout=60.0)
    answer = json.loads(out)
    assert process.returncode == 1
    assert answer["unrecorded"] >= 50
    assert f"{answer['unrecorded']} steps were not recorded" in err
    if how == signal.SIGKILL:  # rows may have been written that had not left the queue yet
        assert f"{file} was not written; recover the data with `samara record --recover {file}`" in err
        assert main(["record", "--recover", str(file), "--quiet"]) == 0
        steps = set(Results.load(file)["recorder.sequence"].astype(int))
        assert steps == set(range(1, len(steps) + 1))
        assert len(steps) + answer["unrecorded"] + answer["dropped"] >= answer["cycles"]
    else:
        rows = len(Results.load(file).time)
        assert rows + answer["unrecorded"] + answer["dropped"] == answer["cycles"]


def test_a_recorder_that_is_replaced_loses_nothing(begin, tmp_path):
    file = tmp_path / "run.nc"
    process, session = begin("--no-browser", "--save", str(file))
    until(lambda: recording.state(session).rows > 20)
    os.kill(recording.state(session).process.pid, signal.SIGKILL)
    until(lambda: not recording.state(session).alive)
    second = recording.start_recorder(session.card.name, file)
    session.command(Command.STOP)
    out, _ = process.communicate(timeout=60.0)
    assert (process.returncode, second.wait()) == (0, 0)
    answer = json.loads(out)
    assert (answer["unrecorded"], answer["dropped"]) == (0, 0)
    assert len(Results.load(file).time) == answer["cycles"]


def test_hold_step_start_reset_stop(begin):
    process, session = begin()
    ledger = session.ledger
    session.command(Command.HOLD)
    until(lambda: ledger.held)
    before = int(ledger.accounts[Account.CYCLES])
    session.command(Command.STEP, 3)
    until(lambda: ledger.accounts[Account.CYCLES] == before + 3)
    until(lambda: ledger.held)
    session.command(Command.RESET)
    until(lambda: ledger.accounts[Account.RESETS] == 1)
    until(lambda: session.sensors.read().time == 0.0)
    assert ledger.held
    session.command(Command.START)
    until(lambda: session.sensors.read().time > 0.05)
    session.command(Command.STOP)
    out, _ = process.communicate(timeout=60.0)
    answer = json.loads(out)
    assert (answer["ended"], answer["resets"]) == ("asked", 1)
    assert answer["paused"] > 0


def test_with_its_panel_and_a_recorder_at_hand(begin, tmp_path):
    """The address is told and answers; what the panel's button asks for is recorded, with the time before; killing both
    leaves the loop alone."""
    process, session = begin("--no-open", folder=str(tmp_path))
    line = process.stderr.readline()
    assert line.startswith("panel: http://127.0.0.1:")
    with urllib.request.urlopen(line.split()[1], timeout=30.0) as page:
        assert page.status == 200
    name = session.card.name
    until(lambda: recording.state(name).alive)
    until(lambda: session.sensors.read().time > 2.5)
    asked = session.sensors.read().time
    recording.start(session)
    told = session.sensors.read().time
    until(lambda: recording.state(name).rows > 500)
    recording.stop(session)
    until(lambda: list(tmp_path.glob("*.nc")))
    until(lambda: not list(tmp_path.glob("*.chunks")))
    found = Results.load(next(tmp_path.glob("*.nc")))
    # two seconds of the clock before the request, which came between `asked` and `told`
    assert asked - 2.0 - 1e-9 <= found.time[0] <= told
    assert found.time[-1] > asked
    for child in children(process.pid):
        if child != session.card.process.pid:
            os.kill(child, signal.SIGKILL)
    before = int(session.ledger.accounts[Account.CYCLES])
    until(lambda: session.ledger.accounts[Account.CYCLES] > before + 100)
    session.command(Command.STOP)
    out, err = process.communicate(timeout=60.0)
    assert json.loads(out)["ended"] == "asked"
    assert "the recorder has ended (exit code -9)" in err
