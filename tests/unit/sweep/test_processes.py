"""Local processes: the same numbers, and what happens when one dies, hangs or cannot begin."""

import os
import signal
import subprocess
import sys
import threading
import time
import types

import pytest

from samara.sweep import SweepError, grid, sweep
from samara.sweep.study import RunSettings, make_study
from samara.sweep.workers import travel

VARIANTS = grid(length=[0.5, 1.0], damping=[0.0, 0.2, 0.4])


def test_the_same_numbers_as_in_one_process(study, separately):
    make, measure, options = study
    found = sweep(make, measure, VARIANTS, workers=2, **options)
    assert not found.failures
    for variant in VARIANTS:
        assert found["last"].sel(variant).item() == separately(**variant)["last"]


def test_a_worker_that_dies_costs_its_variant_a_try_and_nothing_else(tmp_path):
    """One variant kills the first process that has it, another every one."""
    notes = str(tmp_path)

    def measure(x):
        import os
        import signal

        tries = sum(name.startswith(f"{x:g} ") for name in os.listdir(notes))
        if x == 2.0 or (x == 3.0 and not tries):
            open(os.path.join(notes, f"{x:g} {os.getpid()}"), "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        return {"twice": 2 * x}

    found = sweep(lambda x: x, measure, grid(x=[1.0, 2.0, 3.0, 4.0]), workers=2, retries=1, progress=False)
    assert sorted(path.name[0] for path in tmp_path.iterdir()) == ["2", "2", "3"]
    (failure,) = found.failures
    assert failure == ({"x": 2.0}, "WorkerDied: the process that ran it was ended by SIGKILL, 2 times")
    assert found["twice"].sel(x=[1.0, 3.0, 4.0]).values.tolist() == [2.0, 6.0, 8.0]


def test_a_variant_that_takes_too_long():
    def measure(x):
        import time

        time.sleep(60.0 if x == 2.0 else 0.0)
        return x

    found = sweep(lambda x: x, measure, grid(x=[1.0, 2.0, 3.0]), timeout=1.0, progress=False)
    assert found.failures == [({"x": 2.0}, "TimeoutError: not finished after 1 s")]
    assert found["value"].sel(x=[1.0, 3.0]).values.tolist() == [1.0, 3.0]


def test_what_a_worker_is_like(capfd):
    """It has one thread, what it prints is no answer, and it is gone afterwards."""

    def measure(x):
        import os

        print("hello from a variant")
        os.write(1, b"and from below\n")
        return {"threads": int(os.environ["OMP_NUM_THREADS"]), "pid": os.getpid()}

    found = sweep(lambda x: x, measure, grid(x=[1.0, 2.0]), workers=1, progress=False)
    assert found["threads"].values.tolist() == [1.0, 1.0]
    said = capfd.readouterr()
    assert said.out == "" and "hello from a variant" in said.err and "and from below" in said.err
    with pytest.raises(ProcessLookupError):
        os.kill(int(found["pid"][0].item()), signal.SIGCONT)


SCRIPT = """
import sys
from samara.sweep import grid, sweep

SCALE = 3.0

def make(x):
    return SCALE * x

print(sweep(make, lambda y: y + 1.0, grid(x=[1.0, 2.0]), workers=2, progress=False)["value"].values.tolist())
print("distributed" in sys.modules)
"""


def test_a_script_needs_no_guard(tmp_path):
    """Its functions and numbers travel; the workers do not run it again. Nothing of a cluster is loaded."""
    (tmp_path / "script.py").write_text(SCRIPT)
    run = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True)
    assert run.stdout == "[4.0, 7.0]\nFalse\n", run.stderr


LOCAL = """
import os, time
from samara.sweep import grid, sweep

def measure(x):
    open(f"{os.getpid()}.pid", "w").close()
    time.sleep(600.0)

sweep(lambda x: x, measure, grid(x=[1.0, 2.0]), scheduler="local", workers=2, progress=False)
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_local_work_listens_to_nobody_and_ends_with_its_sweep(tmp_path, how):
    """No socket, which other users could connect to; no process is left, however the sweep ends."""
    psutil = pytest.importorskip("psutil")
    (tmp_path / "script.py").write_text(LOCAL)
    run = subprocess.Popen([sys.executable, "script.py"], cwd=tmp_path, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 60.0
        while not list(tmp_path.glob("*.pid")):
            assert run.poll() is None and time.monotonic() < until
            time.sleep(0.05)
        family = [psutil.Process(run.pid), *psutil.Process(run.pid).children(recursive=True)]
        assert int(next(tmp_path.glob("*.pid")).stem) in [process.pid for process in family]
        assert [link for process in family for link in process.net_connections("all")] == []
        run.send_signal(how)
        run.wait(timeout=30.0)
        _, left = psutil.wait_procs(family[1:], timeout=30.0)
        assert left == []
    finally:
        run.kill()
        run.wait()


def test_functions_that_cannot_travel(monkeypatch):
    lock = threading.Lock()
    with pytest.raises(SweepError, match="cannot be sent to another process"):
        sweep(lambda x: lock, lambda x: 1.0, grid(x=[1.0]), workers=1, progress=False)
    monkeypatch.setitem(sys.modules, "cloudpickle", None)  # as if it were not installed
    with pytest.raises(SweepError, match=r"install cloudpickle \(pip install samara\[sweep\]\)"):
        sweep(lambda x: x, lambda x: 1.0, grid(x=[1.0]), workers=1, progress=False)


def test_another_version_is_refused(monkeypatch):
    packed = travel.pack(make_study(named, named, RunSettings(), grid(x=[1.0])))
    assert travel.unpack(packed).names == ("x",)
    monkeypatch.setattr("samara.__version__", "0.0.9")
    with pytest.raises(SweepError, match=r"it has Samara 0\.0\.9, the sweep comes from"):
        travel.unpack(packed)


def named(x):
    return x


def test_a_study_that_a_worker_cannot_load(monkeypatch):
    """Its module is here, and looks as if it were installed, but is nowhere to be found."""
    module = types.ModuleType("made_up_here")
    exec("def same(x):\n    return x", vars(module))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    with pytest.raises(SweepError, match=r"a worker cannot use make or measure: ModuleNotFoundError.*made_up_here"):
        sweep(module.same, module.same, grid(x=[1.0]), workers=1, progress=False)
