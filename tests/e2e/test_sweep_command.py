"""`samara sweep` as a user types it: tables, files, studies, what goes wrong, Ctrl-C."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from samara.cli import main
from samara.sweep import SweepResults

STUDY = """
import time

import samara as sm
from samara.sweep import grid

duration, step = 0.2, 1e-2
variants = grid(gravity=[-9.81, -1.62])


def make(mass=1.0, delay=0.0):
    time.sleep(delay)
    model = sm.Model("falling", gravity=(0, 0, sm.Parameter("gravity", -9.81, "m/s^2")))
    model.add("body", sm.Body(model.node("stone"), mass=mass, inertia=(1, 1, 1)))
    return model


def measure(results):
    return {"drop": results["stone.position"][-1, 2]}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "study.py").write_text(STUDY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def samara(capsys, *words, code=0):
    """Standard output and error of a sweep that must end with this exit code."""
    found = main(["sweep", *map(str, words)])
    said = capsys.readouterr()
    assert found == code, said.err
    return said


def test_a_ready_model(folder, capsys):
    words = ("pendulum", "--vary", "length=1:2:2", "gravity=0,9.81", "--measure", "last:bob.position", "--end", 0.1)
    said = samara(capsys, *words, "--plot", "map.png", "--save", "map.nc")
    assert "length [m]" in said.out and "results in map.nc" in said.out
    found = SweepResults.load("map.nc").dataset
    assert found["last:bob.position.x"].dims == ("length", "gravity")
    # from rest at the horizontal: without gravity it stays, with it it falls
    assert found["last:bob.position.x"].sel(gravity=0.0).values == pytest.approx([-1.0, -2.0], abs=1e-12)
    drop = found["last:bob.position.y"].sel(gravity=9.81).values
    assert drop == pytest.approx([-0.5 * 9.81 * 0.01] * 2, rel=0.02)  # while the angle is small


def test_a_study(folder, capsys):
    """Free fall: drop = g t^2 / 2, whoever computes it."""
    document = json.loads(samara(capsys, "study.py", "--json").out)
    drops = {row["gravity"]: row["drop"] for row in document["variants"]}
    assert drops == {g: pytest.approx(0.5 * g * 0.04, rel=1e-9) for g in (-9.81, -1.62)}
    assert document["units"]["gravity"] == "m/s^2" and document["failed"] == 0
    more = ("--vary", "gravity=-9.81:-1.62", "mass=1:2", "--samples", 3, "--workers", 1, "--store", "kept", "--json")
    document = json.loads(samara(capsys, "study.py", *more).out)
    assert all(r["drop"] == pytest.approx(0.5 * r["gravity"] * 0.04, rel=1e-9) for r in document["variants"])
    assert len((folder / "kept" / "done.jsonl").read_text().splitlines()) == 3
    named = ("--measure", "min:stone.velocity.z", "--vary", "mass=1,2", "--set", "delay=0", "--json")
    document = json.loads(samara(capsys, "study.py", *named).out)
    assert [r["min:stone.velocity.z"] for r in document["variants"]] == pytest.approx([-9.81 * 0.2] * 2, rel=1e-9)


def test_failures(folder, capsys):
    words = ("pendulum", "--vary", "length=1,-1", "--measure", "max:hinge.angle", "--end", 0.1)
    said = samara(capsys, *words, code=1)
    assert "ModelError: pendulum: length must be positive, got -1 m" in said.out
    assert "1 of 2 variants failed, the first at length = -1: ModelError" in said.err


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["pendulum", "--measure", "max:hinge.angle"], 2, "--vary is missing"),
        (["pendulum", "--vary", "length=1,2"], 2, "--measure is missing"),
        (["pendulum", "--vary", "length=1:2:99999999999", "--measure", "max:hinge.angle"], 2, "--vary length: "),
        (["pendulum", "--vary", "lenth=1,2", "--measure", "max:hinge.angle"], 2, "did you mean length?"),
        (["pendulum", "--vary", "length=1,2", "--measure", "max:hinge.angl"], 2, "near names: hinge.angle"),
        (["pendulum", "--vary", "length=1,2", "--measure", "top:hinge.angle"], 2, "there is no measure 'top'"),
        (["pendulum", "--vary", "length=1:2", "--measure", "max:hinge.angle"], 2, "expected NAME=first:last:count"),
        (["pendulum", "--vary", "length=1,2", "--samples", "3", "--measure", "max:hinge.angle"], 2, "=lowest:highest"),
        (
            ["pendulum", "--set", "length=3", "--vary", "length=1,2", "--measure", "max:hinge.angle"],
            2,
            "--set length=3 and --vary length conflict: omit one of them",
        ),
        (["study.py", "--set", "mass=2", "--vary", "mass=1,2"], 2, "--set mass=2 and --vary mass conflict"),
        (["study.py", "--set", "height=2"], 2, "make of study.py has no such argument"),
        (["study.py", "--plot", "no/such.png"], 2, "the folder no does not exist"),
        (
            ["study.py", "--scheduler", "nowhere"],
            2,
            "scheduler must be an address with a port, such as tcp://host:8786",
        ),
        (["study.py", "--scheduler", "tcp://127.0.0.1:9"], 1, "no Dask scheduler responds at tcp://127.0.0.1:9"),
    ],
)
@pytest.mark.filterwarnings("ignore::samara.sweep.OpenScheduler")
def test_what_is_wrong_is_said_in_one_line(folder, capsys, monkeypatch, words, code, message):
    if "--scheduler" in words:
        pytest.importorskip("distributed")
        monkeypatch.setattr("samara.sweep.workers.cluster.CONNECT", 1.0)
    said = samara(capsys, *words, "--quiet", code=code)
    assert message in said.err and said.err.count("\n") == 1


def test_ctrl_c_and_going_on(folder, capsys):
    words = ["study.py", "--vary", "mass=1,2,3", "delay=0,0.5", "--store", "kept"]
    command = [sys.executable, "-m", "samara.cli", "sweep", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        done, until = folder / "kept" / "done.jsonl", time.monotonic() + 120.0
        while not (done.exists() and done.stat().st_size) and time.monotonic() < until:
            time.sleep(0.02)
        os.kill(run.pid, signal.SIGINT)
        _, said = run.communicate()
    assert run.returncode == 130 and "variants are done and kept in kept: the same call goes on" in said
    kept = len(done.read_text().splitlines())
    assert 1 <= kept < 6
    document = json.loads(samara(capsys, *words, "--json").out)
    assert len(document["variants"]) == 6 and len(done.read_text().splitlines()) == 6
