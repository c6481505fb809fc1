"""The samara command with its streams closed, and when it is interrupted or killed: nothing unexpected, nobody left."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="looks for processes as Linux lists them")
COMMAND = [sys.executable, "-m", "samara.cli"]


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(("args", "code"), [("run pendulum --end 0.01", 0), ("run no-such-model", 2), ("--help", 0)])
def test_closed_streams(tmp_path, closed, args, code):
    line = f"exec {' '.join(COMMAND)} {args} {closed}"
    run = subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == code
    assert "unexpected" not in run.stderr and "Traceback" not in run.stderr


def workers(pid):
    """Processes that compile for this one."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(one) for one in found if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()]


def gone(pids, within):
    end = time.monotonic() + within
    while any(Path(f"/proc/{pid}").is_dir() and _running(pid) for pid in pids):
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def _running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def warming(tmp_path):
    """A `samara warm` that has begun to compile everything anew, with a worker."""
    (tmp_path / "cache").mkdir(mode=0o700)
    process = subprocess.Popen(
        [*COMMAND, "warm", "pendulum", "--jobs", "1"],
        env={**os.environ, "SAMARA_CACHE": str(tmp_path / "cache")},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    end = time.monotonic() + 120.0
    while not workers(process.pid) and time.monotonic() < end:
        time.sleep(0.05)
    yield process
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.communicate()


@pytest.mark.parametrize("whole", [True, False], ids=["group", "parent"])
@pytest.mark.parametrize("after", [0.0, 4.0], ids=["starting", "compiling"])
def test_an_interrupted_warm_says_so_and_ends(warming, whole, after):
    time.sleep(after)
    pids = workers(warming.pid)
    (os.killpg if whole else os.kill)(warming.pid, signal.SIGINT)
    _, said = warming.communicate(timeout=60.0)
    assert warming.returncode == 130
    assert "samara warm: interrupted" in said and "Traceback" not in said
    assert pids and gone(pids, 60.0)


def test_workers_end_with_a_warm_that_is_killed(warming):
    time.sleep(4.0)
    pids = workers(warming.pid)
    warming.kill()
    assert pids and gone(pids, 60.0)
