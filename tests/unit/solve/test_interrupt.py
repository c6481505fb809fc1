"""Ctrl-C in the middle of a long run leaves a readable file and a checkpoint that fits it."""

import importlib
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import samara as sm
from samara.solve.interrupt import noting_interrupts

PENDULUM = """
import sys
import samara as sm

def pendulum():
    model = sm.Model("pendulum", gravity=(0, 0, -9.81))
    bob = model.node("bob", (-1, 0, 0))
    model.add("mass", sm.Body(bob, mass=1.0, inertia=(0.01, 0.01, 0.01)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    return model
"""
LONG_RUN = (
    PENDULUM
    + """
sm.transient(pendulum(), 0.1, 1e-3, progress=False)  # what has to be compiled is compiled
print("running", flush=True)
try:
    sm.transient(pendulum(), 1e5, 1e-3, outputs="bob.position", every=100, save=sys.argv[1], checkpoint=sys.argv[2],
                 progress=False)
except sm.Interrupted as stop:
    print(stop.results.attrs.status, len(stop.results), flush=True)
"""
)


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to another process")
def test_ctrl_c_leaves_a_readable_file(tmp_path):
    file, state = tmp_path / "run.nc", tmp_path / "state.npz"
    command = [sys.executable, "-c", LONG_RUN, str(file), str(state)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "running\n", child.stderr.read()
        time.sleep(0.7)
        child.send_signal(signal.SIGINT)
        output, errors = child.communicate(timeout=60)
    assert child.returncode == 0, errors
    status, rows = output.split()
    assert status == "interrupted"

    found = sm.Results.load(file)
    assert found.attrs.status == "interrupted"
    assert "interrupted at t = " in found.attrs.message
    assert len(found) == int(rows) > 10
    assert np.diff(found.time) == pytest.approx(np.full(len(found) - 1, 0.1))
    assert np.linalg.norm(found["bob.position"], axis=1) == pytest.approx(np.ones(len(found)), abs=1e-9)

    # the checkpoint takes up where the file ends: no row is missing between them
    space: dict = {}
    exec(PENDULUM, space)
    end = found.time[-1] + 0.5
    more = sm.transient(space["pendulum"](), end, 1e-3, outputs="bob.position", every=100, resume=state, progress=False)
    assert more.time[0] - found.time[-1] == pytest.approx(0.1)


def test_a_press_is_noted_and_not_raised():
    with noting_interrupts() as pressed:
        assert not pressed()
        signal.raise_signal(signal.SIGINT)
        assert pressed()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_handler_of_somebody_else_is_left_alone():
    heard = []
    old = signal.signal(signal.SIGINT, lambda *_: heard.append(1))
    try:
        with noting_interrupts() as pressed:
            signal.raise_signal(signal.SIGINT)
            assert heard == [1]
            assert not pressed()
    finally:
        signal.signal(signal.SIGINT, old)


def test_runs_in_threads_are_left_alone():
    results = []

    def body():
        with noting_interrupts() as pressed:
            results.append(pressed())

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    assert results == [False]


def one_link() -> sm.Model:
    space: dict = {}
    exec(PENDULUM, space)
    return space["pendulum"]()


def test_a_press_in_the_start_leaves_no_checkpoint(monkeypatch, tmp_path):
    """Nothing is there to be taken up again, and no half-written file either."""

    def pressed(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(importlib.import_module("samara.solve.start.start"), "assemble", pressed)
    with pytest.raises(sm.Interrupted, match=r"^interrupted$") as stop:
        sm.transient(one_link(), 0.1, 1e-3, progress=False, save=tmp_path / "a.nc", checkpoint=tmp_path / "a.npz")
    assert len(stop.value.results) == 0
    assert [p.name for p in tmp_path.iterdir()] == ["a.nc"]


def test_a_press_while_files_are_written_waits_for_them(monkeypatch, tmp_path):
    write = sm.Results.save

    def interrupted_save(self, path):
        signal.raise_signal(signal.SIGINT)
        return write(self, path)

    monkeypatch.setattr(sm.Results, "save", interrupted_save)
    with pytest.raises(sm.Interrupted) as stop:
        sm.transient(one_link(), 0.1, 1e-3, progress=False, save=tmp_path / "a.nc", checkpoint=tmp_path / "a.npz")
    assert len(stop.value.results) == len(sm.Results.load(tmp_path / "a.nc")) == 101
    assert len(sm.transient(one_link(), 0.2, 1e-3, progress=False, resume=tmp_path / "a.npz")) == 100
