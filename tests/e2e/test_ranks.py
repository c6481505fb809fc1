"""Runs under mpirun: the same trajectory for any number of processes, and one of them speaks."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import samara as sm

if importlib.util.find_spec("mpi4py") is None:
    pytest.skip("mpi4py is not installed", allow_module_level=True)

pytestmark = pytest.mark.slow
MPIRUN = shutil.which("mpirun", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]))
RUN = ("run", "puma", "--end", "0.1", "--backend", "mpi", "--json", "--outputs", "*.position", "*.force", "*.thrust")


def mpirun(count: int, *arguments: str) -> subprocess.CompletedProcess:
    assert MPIRUN, "mpi4py is there, but no mpirun beside Python or on the path"
    command = [MPIRUN, "-n", str(count), sys.executable, *arguments]
    environment = os.environ | {"SAMARA_PROGRESS": "0"}
    return subprocess.run(command, capture_output=True, text=True, timeout=240, env=environment)


def samara(count: int, *arguments: str) -> subprocess.CompletedProcess:
    return mpirun(count, "-m", "samara", *arguments)


@pytest.fixture(scope="module")
def runs(tmp_path_factory) -> dict[int, sm.Results]:
    folder, found = tmp_path_factory.mktemp("ranks"), {}
    for count in (1, 2, 4):
        file = folder / f"{count}.nc"
        done = samara(count, *RUN, "--partition", "blades", "--save", str(file))
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["options"]["ranks"] == count  # one document, of one process
        found[count] = sm.Results.load(file)
    return found


def test_any_number_of_ranks_gives_the_same_bits(runs):
    for count in (2, 4):
        assert np.array_equal(runs[count].table, runs[1].table)


def test_ranks_give_the_trajectory_of_the_whole(runs):
    from samara.models.articulated_rotors import puma

    model = puma.build()
    outputs = ("*.position", "*.force", "*.thrust")
    whole = sm.transient(sm.Simulation(model, sm.TwoStep(0.6)), 0.1, 2.5e-3, outputs=outputs, progress=False)
    for channel in whole.channels:
        size = 1.0 if channel.unit == "m" else np.abs(whole["rotor.thrust"]).max()
        np.testing.assert_allclose(runs[4][channel.name], whole[channel.name], rtol=0, atol=1e-9 * size)


def test_an_error_is_the_error_of_all():
    done = samara(2, *RUN, "--partition", "400")
    assert done.returncode != 0
    assert "cannot be cut into 400 parts" in done.stderr


SCRIPT = """
from mpi4py import MPI
import samara as sm
from samara.models.rotors import hammond

second, step = MPI.COMM_WORLD.rank == 1, 1e-3
sim = sm.Simulation(hammond.build(kick_deg=1.0), partition="blades", backend="mpi")
{}
"""


@pytest.mark.parametrize(
    ("calls", "words"),
    [
        (
            "sim.system.set_parameter('damper', 100.0 if second else 200.0); sm.transient(sim, 0.05, step)",
            "parameter 'damper' is 200.0 in process 0 and 100.0 in 1",
        ),
        (
            "sm.transient(sim, 0.06 if second else 0.05, step)",
            "the end of the run [s] is 0.05 in process 0 and 0.06 in 1",
        ),
    ],
    ids=["parameter", "end"],
)
def test_processes_that_differ_are_all_refused(calls, words):
    done = mpirun(2, "-c", SCRIPT.format(calls))
    assert done.returncode != 0
    assert done.stderr.count(f"Diverged: the processes differ: {words};") == 2


@pytest.mark.parametrize(
    ("calls", "words"),
    [
        (
            "stepper = sm.Stepper(sim, step); stepper.advance(); 1 / (not second); stepper.advance()",
            "ZeroDivisionError",
        ),
        ("sm.transient(sim, 0.05, step); second or sm.transient(sim, 0.1, step)", ""),
    ],
    ids=["failed", "ended"],
)
def test_nobody_waits_for_a_process_that_has_gone(calls, words):
    done = mpirun(2, "-c", SCRIPT.format(calls))
    assert done.returncode != 0
    assert words in done.stderr
    assert done.stderr.count("Diverged: process 1 has ended before the others") == 1
