"""The samara command, as a user starts it: every sub-command, its JSON, its errors and its exit codes."""

import contextlib
import dataclasses
import io
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
import warnings
from types import SimpleNamespace

import numpy as np
import pytest

from samara import experiments, models
from samara.benchmarks.rows import Row
from samara.cli import COMMANDS, main, parser
from samara.cli.settings import run_fields
from samara.cli.studies import bench, experiment
from samara.method.method import Method
from samara.method.timeline import Timeline
from samara.models.beams import rollup
from samara.results import Results
from samara.tracing import cache
from samara.tracing.private_folder import PrivateFolder

HEAVY = ("numpy", "scipy", "numba", "llvmlite", "xarray", "matplotlib")
FALLING = """
import numpy as np
import samara as sm

duration, step, plot = 0.1, 1e-3, "body.position"


def make_model(mass=1.0, until=9.0):
    model = sm.Model("falling", gravity=(0, 0, sm.Parameter("gravity", -9.81, "m/s^2")))
    body = model.node("body")
    model.add("mass", sm.Body(body, mass=mass, inertia=(1, 1, 1)))
    model.add("push", sm.Force(body, force=(lambda t: np.sqrt(until - t), 0, 0)))
    return model
"""
REPEATED = """
import samara as sm

model = sm.Model("repeated")
body = model.node("body")
model.add("mass", sm.Body(body, mass=1.0, inertia=(1, 1, 1)))
model.add("hinge", sm.Revolute(model.ground, body, at=(0, 0, 0), axis=(0, 0, 1)))
model.add("pin", sm.Spherical(model.ground, body, at=(0, 0, 0)))
"""


def samara(folder, *args, check=None, **variables):
    """Run the command in a folder, in a process of its own; `check` is the exit code that it must have."""
    command = [sys.executable, "-m", "samara.cli", *map(str, args)]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**os.environ, **variables})
    if check is not None:
        assert run.returncode == check, run.stderr
    assert "Traceback" not in run.stderr
    return run


def called(folder, *args, check):
    """The same within this process: a second and a half less, most of it imports."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("default", UserWarning)
            code = main(args)
    assert code == check, err.getvalue()
    return SimpleNamespace(stdout=out.getvalue(), stderr=err.getvalue())


@pytest.fixture
def falling(tmp_path):
    (tmp_path / "falling.py").write_text(FALLING)
    return tmp_path


# ---- help, and what it costs


@pytest.mark.parametrize("args", [["--help"], ["run", "--help"], ["--version"], ["check", "--help"]])
def test_help_loads_nothing_heavy(args):
    code = (
        "import sys\nfrom samara.cli import main\n"
        f"try:\n    main({args})\nexcept SystemExit:\n    pass\n"
        f"print(*[n for n in {HEAVY} if n in sys.modules], sep=',')"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == ""


def test_help_names_every_command_and_units(tmp_path):
    text = samara(tmp_path, "--help", check=0).stdout
    assert all(command in text for command in ("run", "models", "modes", "campbell", "kernels", "bench", "check"))
    text = samara(tmp_path, "run", "--help", check=0).stdout
    assert "[s]" in text and "SI units" in text


def test_listing_models_needs_no_compiler():
    code = "import sys\nfrom samara.cli import main\nmain(['models'])\nprint('numba' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "False"


def test_a_run_takes_every_field_of_method_and_timeline():
    words = [
        "--stabilise",
        "--cut",
        "a",
        "--every",
        "3",
        "--integrator",
        "bdf2",
        "--partition",
        "2",
        "--accuracy",
        "1e-4",
    ]
    args = parser.make_parser().parse_args(["run", "pendulum", *words])
    assert {f.name for kind in (Method, Timeline) for f in dataclasses.fields(kind)} <= vars(args).keys()
    chosen = {"stabilise": True, "cut": ["a"], "every": 3, "integrator": "bdf2", "partition": 2, "accuracy": 1e-4}
    assert run_fields(args) == chosen


# ---- models


def test_models(tmp_path):
    text = called(tmp_path, "models", check=0).stdout
    assert all(name in text for name in models.names())
    listed = json.loads(called(tmp_path, "models", "--json", check=0).stdout)["models"]
    assert [m["name"] for m in listed] == models.names()


def test_one_model(tmp_path):
    text = called(tmp_path, "models", "pendulum", check=0).stdout
    assert "IFToMM" in text and "rad/s" in text and "mass of the bob" in text
    one = json.loads(called(tmp_path, "models", "spinning-top", "--json", check=0).stdout)
    spin = next(p for p in one["parameters"] if p["name"] == "spin")
    assert (spin["default"], spin["unit"]) == (150.0, "rad/s")


# ---- run


def test_run_plots_saves_and_sums_up(tmp_path):
    run = samara(tmp_path, "run", "pendulum", "--end", 0.5, "--plot", "--save", "p.nc", "--set", "length=2", check=0)
    assert "real/simulated" in run.stdout and "completed" in run.stdout
    assert (tmp_path / "pendulum.png").read_bytes().startswith(b"\x89PNG")
    results = Results.load(tmp_path / "p.nc")
    assert results.time[-1] == pytest.approx(0.5)
    assert results.attrs.parameters["length"] == (2.0, "m")
    assert np.abs(np.linalg.norm(results["bob.position"], axis=1) - 2.0).max() < 1e-9


def test_run_as_json_with_chosen_outputs(tmp_path):
    options = ["--end", 0.1, "--step", 1e-3, "--every", 10, "--outputs", "*.angle", "model.*", "--integrator", "bdf2"]
    run = called(tmp_path, "run", "four-bar", *options, "--json", check=0)
    assert run.stderr == ""
    answer = json.loads(run.stdout)
    assert answer["status"] == "completed"
    assert answer["samples"] == 11
    assert answer["integrator"] == "BDF2"
    assert answer["real_over_simulated"] > 0
    assert {c["name"] for c in answer["channels"]} >= {"hinge_O.angle", "model.kinetic"}
    assert answer["parameters"]["speed"] == {"value": 12.0, "unit": "rad/s"}
    assert list(tmp_path.iterdir()) == []


def test_run_with_a_step_of_its_own_choice(tmp_path):
    common = ["run", "pendulum", "--end", 1, "--json", "--accuracy"]
    coarse, fine = (json.loads(called(tmp_path, *common, a, check=0).stdout) for a in (1e-5, 1e-7))
    assert 10 < coarse["samples"] < fine["samples"]


def test_a_static_model_is_loaded_in_steps(tmp_path):
    run = called(tmp_path, "run", "rollup", "--step", 0.25, "--plot", "--save", "r.nc", check=0)
    assert "real/simulated" not in run.stdout
    results = Results.load(tmp_path / "r.nc")
    assert results.time == pytest.approx([0.25, 0.5, 0.75, 1.0])
    assert results["n20.position"] == pytest.approx(rollup.circle(results.time), abs=1e-4)
    assert "stability     stable" in run.stdout
    assert "static analysis in 10 load steps" in called(tmp_path, "models", "rollup", check=0).stdout
    refused = called(tmp_path, "run", "rollup", "--end", 2, "--lanes", 1, check=2).stderr
    assert refused == "samara run: rollup is a static model, not run in time: omit --lanes, --end\n"


def test_quiet_is_quiet(tmp_path):
    run = called(tmp_path, "run", "pendulum", "--end", 0.01, "--quiet", "--integrator", "two-step:0.3", check=0)
    assert (run.stdout, run.stderr) == ("", "")


def test_a_run_goes_on_bit_by_bit(tmp_path):
    common = ["run", "double-pendulum", "--quiet", "--outputs", "lower.*"]
    called(tmp_path, *common, "--end", 0.2, "--save", "whole.nc", check=0)
    called(tmp_path, *common, "--end", 0.1, "--checkpoint", "half.npz", check=0)
    called(tmp_path, *common, "--end", 0.2, "--resume", "half.npz", "--save", "rest.nc", check=0)
    whole, rest = Results.load(tmp_path / "whole.nc"), Results.load(tmp_path / "rest.nc")
    assert np.array_equal(whole.table[-1], rest.table[-1])


def test_a_file_is_run(falling):
    run = samara(falling, "run", "falling.py", "--set", "mass=2", "gravity=-1", "--plot", "--save", "f.nc", check=0)
    assert "completed" in run.stdout
    assert (falling / "falling.png").exists()
    results = Results.load(falling / "f.nc")
    assert results["body.acceleration"][0] == pytest.approx([1.5, 0.0, -1.0])
    assert results.attrs.parameters["mass"][0] == 2.0
    assert results.attrs.parameters["gravity"] == (-1.0, "m/s^2")


@pytest.mark.parametrize(
    ("full", "lost"), [("np.savez", "a.npz"), ("sm.Results.save", "a.nc"), ("sm.Results.plot", "a.png")]
)
def test_a_file_that_cannot_be_written_costs_no_other(tmp_path, full, lost):
    spoiled = f"{FALLING}\n\ndef full(*_, **__):\n    raise OSError(28, 'No space left on device')\n\n\n{full} = full\n"
    (tmp_path / "falling.py").write_text(spoiled)
    given = ("--save", "a.nc", "--plot", "a.png", "--checkpoint", "a.npz")
    run = samara(tmp_path, "run", "falling.py", *given, check=1)
    assert f"{lost} cannot be written" in run.stderr
    assert lost not in run.stdout
    left = {path.name for path in tmp_path.iterdir() if path.suffix in (".nc", ".npz", ".png")}
    assert left == {"a.nc", "a.npz", "a.png"} - {lost}


def test_a_run_that_fails_keeps_what_it_has(falling):
    run = called(falling, "run", "falling.py", "--set", "until=0.05", "--save", "f.nc", "--json", check=1)
    answer = json.loads(run.stdout)
    assert answer["status"] == "failed"
    assert len(run.stderr.splitlines()) == 1
    assert "'push'" in run.stderr and "t = 0.05" in run.stderr
    kept = Results.load(falling / "f.nc")
    assert kept.attrs.status == "failed"
    assert 0.045 < kept.time[-1] < 0.055
    assert (falling / "f.dump.npz").exists()


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal to watch")
def test_ctrl_c_leaves_a_readable_file(tmp_path):
    ours, theirs = os.openpty()
    options = ["--end", "1e5", "--every", "1000", "--outputs", "model.*", "--save", "c.nc"]
    command = [sys.executable, "-m", "samara.cli", "run", "chain", *options]
    run = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=theirs, text=True)
    os.close(theirs)
    seen, deadline = b"", time.monotonic() + 240
    while b"real/sim" not in seen and time.monotonic() < deadline:  # the bar is there: it runs
        if select.select([ours], [], [], 1.0)[0]:
            seen += os.read(ours, 1000)
    run.send_signal(signal.SIGINT)
    while run.poll() is None and time.monotonic() < deadline:
        if select.select([ours], [], [], 0.1)[0]:
            try:
                os.read(ours, 1000)
            except OSError:  # the other side is closed
                break
    out, _ = run.communicate(timeout=60)
    os.close(ours)
    assert run.returncode == 130
    assert "interrupted" in out
    kept = Results.load(tmp_path / "c.nc")
    assert kept.attrs.status == "interrupted"
    assert len(kept) > 0


# ---- check


def test_check(tmp_path):
    text = called(tmp_path, "check", "four-bar", check=0).stdout
    assert "degrees of freedom: 1" in text and "no warnings" in text
    answer = json.loads(called(tmp_path, "check", "andrews", "--json", check=0).stdout)
    assert answer["nodes"]["dynamic"] == 7
    assert (answer["unknowns"], answer["multipliers"], answer["rank"]) == (83, 41, 41)
    assert answer["degrees_of_freedom"] == 1
    assert answer["violation"] < 1e-12
    assert answer["mass"] == pytest.approx(0.21023)
    assert answer["elements"]["InLine"] == 3


def test_check_warns_of_joints_that_do_not_fit(tmp_path):
    code = REPEATED.replace("at=(0, 0, 0), axis=(0, 0, 1)", "place_a=(0, 0, 0), place_b=(0.1, 0, 0)")
    (tmp_path / "apart.py").write_text(code.partition('model.add("pin"')[0])
    answer = json.loads(called(tmp_path, "check", "apart.py", "--json", check=0).stdout)
    assert answer["violation_at_start"] == pytest.approx(0.1)
    assert "assembly moved node 'body'" in answer["warnings"][0]


THROWN = """
import samara as sm

model = sm.Model("thrown")
body = model.node("body", (1, 0, 0), velocity=(2, 0, 3), angular_velocity=(0, -3, 0))
model.add("mass", sm.Body(body, mass=1.0, inertia=(1, 1, 1)))
model.add("hinge", sm.Revolute(model.ground, body, at=(0, 0, 0), axis=(0, 1, 0)))
"""


def test_velocities_that_had_to_change_are_printed_by_check_and_run(tmp_path):
    """The hinge takes the 2 m/s along the arm."""
    (tmp_path / "thrown.py").write_text(THROWN)
    told = "node 'body': velocity by 2 m/s"
    text = called(tmp_path, "check", "thrown.py", check=0).stdout
    assert f"changed at the start: {told}" in text
    assert "warning: the given start is inconsistent with the joints" in text
    answer = json.loads(called(tmp_path, "check", "thrown.py", "--json", check=0).stdout)
    assert answer["changed_at_start"][0]["velocity"] == pytest.approx(2.0)
    run = samara(tmp_path, "run", "thrown.py", "--end", 0.01, "--step", 0.001, "--outputs", "body.position", check=0)
    assert told in run.stdout and "Warning" not in run.stderr
    answer = json.loads(called(tmp_path, "run", "thrown.py", "--end", 0.01, "--step", 0.001, "--json", check=0).stdout)
    assert told in answer["notes"][0]


def test_check_tells_of_velocities_beside_redundant_constraints(tmp_path):
    """A table on four legs, one too many; a slider across its rail, which has nothing to do with them."""
    (tmp_path / "table.py").write_text(
        "import samara as sm\n"
        "model = sm.Model('table')\n"
        "top = model.node('top', velocity=(1, 0, 0))\n"
        "model.add('body', sm.Body(top, mass=20, inertia=(2, 3, 4)))\n"
        "for k, p in enumerate([(0.5, 0.4, -0.7), (-0.5, 0.4, -0.7), (-0.5, -0.4, -0.7), (0.5, -0.4, -0.7)]):\n"
        "    model.add(f'leg{k}', sm.InPlane(model.ground, top, at=p, axis=(0, 0, 1)))\n"
        "slider = model.node('slider', position=(5, 0, 0), velocity=(3, 0, 0))\n"
        "model.add('mass', sm.Body(slider, mass=1, inertia=(1, 1, 1)))\n"
        "model.add('rail', sm.Prismatic(model.ground, slider, at=(5, 0, 0), axis=(0, 1, 0)))\n"
    )
    run = called(tmp_path, "check", "table.py", check=1)
    assert "1 redundant" in run.stderr
    assert "changed at the start: node 'slider': velocity by 3 m/s" in run.stdout
    assert "changed node 'top'" not in run.stdout
    assert "warning: the given start is inconsistent with the joints" in run.stdout
    assert "no warnings" not in run.stdout


def test_check_names_redundant_constraints(tmp_path):
    (tmp_path / "repeated.py").write_text(REPEATED)
    run = called(tmp_path, "check", "repeated.py", "--json", check=1)
    assert "3 redundant" in run.stderr and "'pin'" in run.stderr
    answer = json.loads(run.stdout)
    assert "'hinge'" in answer["error"]
    held = "joint 'pin' (Spherical) holds what joint 'hinge' holds already: translation along x, y and z at (0, 0, 0) m"
    assert answer["redundant"] == [f"{held}; that is all it holds: remove it"]
    assert (answer["rank"], answer["degrees_of_freedom"]) == (5, 1)
    assert held in called(tmp_path, "check", "repeated.py", check=1).stdout


def test_an_over_constrained_model_runs_if_asked_to(tmp_path):
    (tmp_path / "repeated.py").write_text(REPEATED)
    options = ["--redundant", "least-squares"]
    assert json.loads(called(tmp_path, "check", "repeated.py", *options, "--json", check=0).stdout)["error"] == ""
    called(tmp_path, "run", "repeated.py", *options, "--end", 0.1, "--step", 0.01, "--quiet", check=0)
    refused = called(tmp_path, "run", "repeated.py", "--end", 0.1, "--step", 0.01, "--quiet", check=1).stderr
    assert "3 redundant" in refused


def test_check_tells_and_draws_what_can_move(tmp_path):
    run = called(tmp_path, "check", "double-pendulum", "--plot", check=0)
    assert "joint 'hinge_2' (Revolute) turns about z; node 'lower' moves most, along y" in run.stdout
    assert "picture     double-pendulum-freedoms.png" in run.stdout
    assert (tmp_path / "double-pendulum-freedoms.png").read_bytes().startswith(b"\x89PNG")
    answer = json.loads(called(tmp_path, "check", "spinning-top", "--json", "--plot", "top.svg", check=0).stdout)
    assert [one["count"] for one in answer["freedoms"]] == [1, 1, 1]
    assert answer["plot"] == "top.svg" and (tmp_path / "top.svg").exists()


# ---- kernels


def test_kernels_of_a_model_come_from_the_cache_the_second_time(tmp_path):
    private = {"SAMARA_CACHE": str(tmp_path / "cache")}
    assert "no kernels yet" in samara(tmp_path, "kernels", check=0, **private).stdout
    first, second = (
        json.loads(samara(tmp_path, "kernels", "pendulum", "--json", check=0, **private).stdout)["kernels"]
        for _ in range(2)
    )
    assert {k["state"] for k in first} == {"compiled now"}
    assert {k["state"] for k in second} == {"from cache"}
    assert {"Body", "Revolute"} <= {k["kind"] for k in first}
    assert all(k["operations"] >= 0 and k["lanes"] >= 1 and k["bytes"] > 0 for k in second)
    text = samara(tmp_path, "kernels", check=0, **private).stdout
    assert "Revolute" in text and "ok" in text and "compile time [s]" in text


def test_warm_compiles_all_that_runs_need(tmp_path):
    """From a cache without any kernel and without the solver's outermost functions; the others are compiled once."""
    run = ("run", "pendulum", "--end", "0.01", "--json")
    samara(tmp_path, "warm", "pendulum", check=0)
    private = {"SAMARA_CACHE": str(tmp_path / "cache")}
    shutil.copytree(cache.directory() / "driver", tmp_path / "cache" / "driver")
    (tmp_path / "cache").chmod(0o700)
    outer = ("samara.solve.step.march.march", "samara.realtime.loop.loop.loop")
    for path in (tmp_path / "cache" / "driver").glob("*.driver"):
        about = cache.read_about(PrivateFolder(path.parent), path.name)
        if about is None or about["function"] in outer:
            path.unlink()
    cold = json.loads(samara(tmp_path, *run, check=0, **private).stdout)
    assert cold["seconds_to_compile"] > 0.3 > cold["seconds_to_run"]
    answer = json.loads(samara(tmp_path, "warm", "pendulum", "--json", check=0, **private).stdout)
    assert [one["model"] for one in answer["models"]] == ["pendulum"] and not answer["troubles"]
    assert json.loads(samara(tmp_path, *run, check=0, **private).stdout)["seconds_to_compile"] == 0.0
    solver = json.loads(samara(tmp_path, "kernels", "--json", check=0, **private).stdout)["solver"]
    functions = {one["function"].rpartition(".")[2]: one for one in solver}
    assert {"march", "step", "newton", "loop"} <= set(functions)
    assert functions["newton"]["compile_seconds"] > 0.0 and functions["newton"]["bytes"] > 0
    assert "newton" in samara(tmp_path, "kernels", check=0, **private).stdout


def test_warm_names_a_model_that_it_does_not_know(tmp_path):
    refused = called(tmp_path, "warm", "pendulom", check=2)
    assert "pendulom" in refused.stderr and "pendulum" in refused.stderr


def test_damaged_kernels_are_seen_and_the_cache_is_emptied(tmp_path, monkeypatch):
    monkeypatch.setenv("SAMARA_CACHE", str(tmp_path))
    for key in ("good", "bad"):
        cache.write(key, cache.KernelInfo("Body", 10, 4, 0.1), b"code")
    (tmp_path / "bad.kernel").write_bytes((tmp_path / "bad.kernel").read_bytes()[:-1])
    found = json.loads(samara(tmp_path, "kernels", "--json", check=0).stdout)["kernels"]
    assert {k["key"]: k["state"].split(",")[0] for k in found} == {"good": "ok", "bad": "damaged"}
    assert json.loads(samara(tmp_path, "kernels", "--clear", "--json", check=0).stdout)["removed"] == 1
    assert not list(tmp_path.glob("*.kernel"))


# ---- bench


def test_bench_lists_what_there_is(tmp_path):
    answer = json.loads(samara(tmp_path, "bench", "--json", check=0).stdout)
    assert all(b["name"] not in ("rows", "chain", "peers") for b in answer["benchmarks"])
    samara(tmp_path, "bench", check=0)


def test_bench_prints_rows(monkeypatch, capsys):
    made = SimpleNamespace(rows=lambda: [Row("chain-2", "us_per_step", 1.5, "us", "20x", "a note")])
    monkeypatch.setattr(bench, "available", lambda: {"fake": "a benchmark"})
    monkeypatch.setattr(bench, "module_of", lambda name: name)
    monkeypatch.setattr(bench.importlib, "import_module", lambda name: made)
    assert bench.main(SimpleNamespace(name="fake", json=True)) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["metric"] == "us_per_step"
    assert bench.main(SimpleNamespace(name="fake", json=False)) == 0
    assert "us_per_step" in capsys.readouterr().out


def test_experiment_lists_what_there_is(tmp_path):
    answer = json.loads(called(tmp_path, "experiment", "--json", check=0).stdout)
    assert {"windmill-spin-up", "windmill-gust"} <= {e["name"] for e in answer["experiments"]}
    assert "windmill-gust" in called(tmp_path, "experiment", check=0).stdout
    run = called(tmp_path, "experiment", "windmil-gust", check=2)
    assert "did you mean windmill-gust" in run.stderr


def test_experiment_runs_and_draws(tmp_path):
    run = samara(tmp_path, "experiment", "windmill-gust", "--plot", "gust.png", "--save", "gust.nc", "--json", check=0)
    answer = json.loads(run.stdout)
    assert answer["stand_in"]
    assert answer["findings"]["largest_error"]["unit"] == "%"
    assert (tmp_path / "gust.png").stat().st_size > 0
    assert "rotor.speed" in Results.load(tmp_path / "gust.nc").channels


def test_experiment_takes_settings_and_prints_its_table(tmp_path):
    settings = ["--set", "aerofoil=linear", "low=8", "high=8", "count=1", "steps=30"]
    answer = json.loads(called(tmp_path, "experiment", "hover-sweep", *settings, "--json", check=0).stdout)
    assert answer["sheet"]["collective deg"] == [8.0]
    assert answer["sheet"]["CT/sigma theory"] == pytest.approx(answer["sheet"]["CT/sigma"], rel=0.02)
    run = called(tmp_path, "experiment", "hover-sweep", "--set", "coun=1", check=2)
    assert "did you mean count" in run.stderr
    listed = json.loads(called(tmp_path, "experiment", "--json", check=0).stdout)["experiments"]
    assert {e["name"]: e["settings"] for e in listed}["hover-sweep"]["low"]["unit"] == "deg"


def test_an_experiment_fills_a_folder(tmp_path):
    """Its figure, and what it prints as JSON; a file in the way is told before anything is run."""
    settings = ["--set", "aerofoil=linear", "low=8", "high=8", "count=1", "steps=30"]
    run = called(tmp_path, "experiment", "hover-sweep", *settings, "--out", "hover/sweep", "--json", check=0)
    answer = json.loads(run.stdout)
    assert (tmp_path / answer["files"]["figure"]).read_bytes().startswith(b"\x89PNG")
    assert json.loads((tmp_path / "hover" / "sweep" / "summary.json").read_text("utf-8")) == answer
    (tmp_path / "taken").write_text("")
    run = called(tmp_path, "experiment", "hover-sweep", "--out", "taken", check=2)
    assert "--out taken: cannot create the folder" in run.stderr


def test_an_experiment_with_several_figures_has_a_folder(tmp_path, monkeypatch):
    """Of its name, unless one figure is asked for."""
    monkeypatch.chdir(tmp_path)
    found, given = experiments.find("tiltrotor-stability"), parser.make_parser().parse_args
    assert experiment._prepare(given(["experiment", found.name, "--plot", "one.png"]), found) is None
    folder = experiment._prepare(given(["experiment", found.name]), found)
    assert folder is not None and folder.is_dir() and folder.name == "tiltrotor-stability"


def test_an_experiment_that_fails_says_so(tmp_path):
    """Thrust beyond stall: there is no trim. The table is printed all the same."""
    settings = ["--set", "thrust=0.5", "count=1", "steps=30", "--json"]
    run = called(tmp_path, "experiment", "forward-flight-sweep", *settings, check=1)
    assert "1 of 1 points not trimmed" in run.stderr and run.stderr.count("\n") == 1
    answer = json.loads(run.stdout)
    assert "not trimmed" in answer["problem"] and answer["findings"]["points_trimmed"]["value"] == 0


# ---- seeing a run


def test_a_run_is_seen_at_once_and_from_its_file(tmp_path):
    pytest.importorskip("nicegui")
    words = ["--end", "0.1", "--outputs", "hinge.angle", "--animate", "--save", "p.nc", "--json"]
    answer = json.loads(called(tmp_path, "run", "pendulum", *words, check=0).stdout)
    assert answer["files"] == {"save": "p.nc", "animate": "pendulum.html"}
    page = (tmp_path / "pendulum.html").read_text("utf-8")
    answer = json.loads(called(tmp_path, "view", "p.nc", "--json", check=0).stdout)
    assert answer == {"file": "p.html", "bytes": len(page.encode())}
    assert (tmp_path / "p.html").read_text("utf-8") == page
    called(tmp_path, "view", "p.nc", "--beside", "p.nc", "--to", "both.html", "--no-open", check=0)
    assert len((tmp_path / "both.html").read_text("utf-8")) > len(page)


# ---- modes and fan diagrams


def test_modes(tmp_path):
    """A pendulum of 1 m hanging: sqrt(g / l) for a point mass, as the IFToMM pendulum is."""
    options = ["--set", "angle=0", "--animate", "p.html", "--plot", "p.png"]
    run = called(tmp_path, "modes", "pendulum", *options, "--json", check=0)
    answer = json.loads(run.stdout)
    assert answer["about"] == "static equilibrium"
    assert answer["modes"][0]["frequency_hz"] == pytest.approx(np.sqrt(9.81) / (2 * np.pi), rel=1e-6)
    assert answer["files"] == {"plot": "p.png", "animate": "p.html"}
    assert "<canvas" in (tmp_path / "p.html").read_text("utf-8")
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
    text = called(tmp_path, "modes", "robot", "--count", 6, check=0).stdout
    assert "rest at the start, where it is free to move" in text
    assert len(text.splitlines()) == 8
    low = json.loads(called(tmp_path, "modes", "pendulum", "--json", check=0).stdout)  # let go from the horizontal
    assert low["about"] == "static equilibrium"
    assert low["modes"][0]["frequency_hz"] == pytest.approx(answer["modes"][0]["frequency_hz"], rel=1e-9)
    (tmp_path / "falling.py").write_text(FALLING)
    said = called(tmp_path, "modes", "falling.py", check=1).stderr
    assert "nothing ties node 'body' to the ground" in said and "it does not rest at the start either" in said


GOVERNOR = """
import samara as sm

model = sm.Model("governor")
hub = model.prescribed("hub", sm.Motion(
    rotation=(0, 0, sm.Constant(sm.Parameter("speed", 1.0, "rad/s")) * sm.Expression(lambda t: t))))
bob = model.node("bob", (0.5, 0, 0))
model.add("body", sm.Body(bob, mass=2.0, inertia=(1e-9, 1e-9, 1e-9)))
model.add("hinge", sm.Revolute(hub, bob, at=(0.1, 0, 0), axis=(0, 1, 0)))
"""


def test_campbell(tmp_path):
    """A flapping point mass on a hinge at e: omega = Omega sqrt(1 + e / l), here e / l = 1 / 4."""
    (tmp_path / "governor.py").write_text(GOVERNOR)
    options = ["--speeds", "2:6:3", "--count", 1, "--plot", "fan.png"]
    answer = json.loads(called(tmp_path, "campbell", "governor.py", *options, "--json", check=0).stdout)
    assert answer["speeds"] == [2.0, 4.0, 6.0]
    expected = np.sqrt(1.25) * np.array(answer["speeds"]) / (2 * np.pi)
    assert np.ravel(answer["frequencies_hz"]) == pytest.approx(expected, rel=1e-6)
    assert (tmp_path / "fan.png").read_bytes().startswith(b"\x89PNG")
    assert "speed [rad/s]" in called(tmp_path, "campbell", "governor.py", *options, check=0).stdout
    # modes at one speed: the parameter follows as well
    answer = json.loads(called(tmp_path, "modes", "governor.py", "--speed", 4, "--json", check=0).stdout)
    assert answer["modes"][0]["frequency_hz"] == pytest.approx(expected[1], rel=1e-6)


def test_floquet_says_that_it_found_rest(tmp_path):
    """A pendulum that swings has no period of 1 s but rest; one that goes round has, and is far away."""
    run = called(tmp_path, "floquet", "pendulum", "--period", 1, "--set", "angle=0.3", check=0)
    assert run.stdout.startswith("pendulum, about rest (period 1 s) in 2000 steps, found in ")
    turning = called(tmp_path, "floquet", "hammond", check=0)
    assert turning.stdout.startswith("hammond, about a motion of period 0.24 s in ")


UNWRITABLE = "/proc"  # where nobody may make a file, whatever their rights


@pytest.mark.skipif(not os.path.isdir(UNWRITABLE), reason="there is a place like this on Linux")
@pytest.mark.parametrize(
    ("command", "option", "name"),
    [
        (["modes", "no-model.py"], "--plot", "x.png"),
        (["modes", "no-model.py"], "--animate", "x.html"),
        (["floquet", "no-model.py"], "--plot", "x.png"),
        (["floquet", "no-model.py"], "--animate", "x.html"),
        (["campbell", "no-model.py", "--speeds", "1:2:2"], "--plot", "x.png"),
        (["sweep", "no-model.py", "--vary", "length=1,2"], "--plot", "x.png"),
    ],
)
def test_a_place_that_cannot_be_written_is_refused_before_the_work(tmp_path, command, option, name):
    """The model is not even looked for."""
    run = called(tmp_path, *command, option, f"{UNWRITABLE}/{name}", check=2)
    assert f"{option} {UNWRITABLE}/{name}: cannot be written (" in run.stderr and "; choose another file" in run.stderr
    assert len(run.stderr.splitlines()) == 1 and run.stdout == ""


@pytest.mark.parametrize("name", ["p.png", "p.html"])
def test_a_file_that_is_write_protected(tmp_path, name):
    path = tmp_path / name
    path.write_text("mine")
    path.chmod(0o400)
    if os.access(path, os.W_OK):
        pytest.skip("this user may write anything")
    option = "--plot" if name.endswith("png") else "--animate"
    assert "cannot be written" in samara(tmp_path, "modes", "no-model.py", option, name, check=2).stderr
    assert path.read_text() == "mine"


def full(*args, **kwargs):
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("words", [["modes"], ["floquet", "--period", "0.02"]])
def test_a_file_that_cannot_be_written_leaves_the_result(tmp_path, capsys, monkeypatch, words):
    """What was computed is printed, then what is missing is said; the other file is there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(f"{COMMANDS[words[0]]}.write", full)
    files = ["--plot", "p.png", "--animate", "p.html"]
    code = main([words[0], "pendulum", "--set", "angle=0", *words[1:], *files, "--json"])
    said = capsys.readouterr()
    answer = json.loads(said.out)
    assert code == 1 and answer["files"] == {"animate": "p.html"} and (tmp_path / "p.html").exists()
    assert answer["modes"][0]["frequency_hz"] == pytest.approx(np.sqrt(9.81) / (2 * np.pi), rel=1e-5)
    assert "p.png cannot be written ([Errno 28] No space left on device)" in said.err
    assert len(said.err.splitlines()) == 1


def test_a_mode_that_is_not_there_leaves_the_result(tmp_path):
    run = called(tmp_path, "modes", "pendulum", "--set", "angle=0", "--plot", "p.png", "--mode", "9", check=2)
    assert "0.498" in run.stdout and run.stderr == "samara modes: --mode 9: the number of modes is 1\n"
    assert not (tmp_path / "p.png").exists()


# ---- what a user may get wrong: one line, exit code 2


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "COMMAND"),
        (["fly"], "invalid choice: 'fly'"),
        (["run"], "NAME"),
        (["run", "pendulun"], "there is no ready model 'pendulun'; did you mean pendulum or double-pendulum?"),
        (["run", "nowhere.py"], "nowhere.py: no such file"),
        (["run", "pendulum", "--set", "length"], "--set length: expected NAME=VALUE"),
        (["run", "pendulum", "--set", "lenght=1"], "no parameter 'lenght'; did you mean length?"),
        (["run", "pendulum", "--set", "mass=0"], "mass must be positive"),
        (["run", "pendulum", "--step", "-1"], "--step: must be a positive number"),
        (["run", "pendulum", "--step", "fast"], "--step: invalid number value: 'fast'"),
        (["run", "pendulum", "--accuracy", "1"], "accuracy must be"),
        (["run", "pendulum", "--integrator", "two-step:2"], "radius must be from 0 to 1"),
        (["run", "pendulum", "--integrator", "bdf2:0.5"], "bdf2 takes no parameters"),
        (["run", "pendulum", "--integrator", "rk5"], "there is no integrator 'rk5'"),
        (["run", "pendulum", "--threads", "2"], "threads=2 requires backend"),
        (["run", "pendulum", "--cut", "hinge"], "cut applies to the recursive formulation only"),
        (["run", "pendulum", "--every", "0"], "--every: must be at least 1"),
        (["run", "pendulum", "--outputs", "bob.hinge"], "no channel matches 'bob.hinge'"),
        (["run", "pendulum", "--save", "nowhere/p.nc"], "the folder nowhere does not exist"),
        (["run", "pendulum", "--plot", "p.xyz"], "--plot p.xyz: unsupported picture format"),
        (["run", "pendulum", "--resume", "no.npz"], "--resume no.npz: no such file"),
        (["modes", "rotating-beam"], "node 'hub' has a prescribed motion: give the --speed"),
        (["modes", "rotor4", "--speed", "9", "--parameter", "w"], "rotor4 has no parameter 'w'; it has speed"),
        (["modes", "rollup"], "rollup has no modes"),
        (["modes", "pendulum", "--set", "angle=0", "--animate", "p.gif"], "give a name that ends in .html"),
        (["modes", "pendulum", "--plot", "p.xyz"], "--plot p.xyz: unsupported picture format"),
        (["campbell", "pendulum", "--speeds", "0:1"], "--speeds: invalid A:B:N value: '0:1'"),
        (["campbell", "pendulum", "--speeds", "0:1:2", "--parameter", "w"], "pendulum has no parameter 'w'"),
        (["run", "pendulum", "--animate", "p.avi"], "--animate p.avi: an animation ends in .html"),
        (["view", "absent.nc"], "absent.nc: no such file"),
        (["view", "absent.nc", "--to", "p.avi"], "p.avi: an animation ends in .html"),
        (["check", "pendulun"], "there is no ready model"),
        (["models", "pendulun"], "did you mean pendulum"),
        (["kernels", "pendulum", "--clear"], "--clear empties the whole cache"),
        (["bench", "nothing"], "there is no benchmark 'nothing'"),
    ],
)
def test_misuse_is_one_line(tmp_path, args, message):
    run = called(tmp_path, *args, check=2)
    assert message in run.stderr
    assert len(run.stderr.splitlines()) == 1
    assert run.stdout == ""


def test_misuse_ends_a_process_with_one_line(tmp_path):
    run = called(tmp_path, "run", "pendulum", "--set", "mass=0", "--json", check=2)
    assert "mass must be positive" in run.stderr and len(run.stderr.splitlines()) == 1
    assert "mass must be positive" in json.loads(run.stdout)["error"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["run", "pendulum", "--end", "soon"], "--end: invalid number value: 'soon'"),
        (["run", "pendulum", "--end", "nan"], "--end: must be a positive number, got nan"),
        (["run", "pendulum", "--tolerance", "-1"], "--tolerance: must be a positive number, got -1"),
        (["run", "pendulum", "--every", "2.5"], "--every: invalid whole number value: '2.5'"),
        (["run", "pendulum", "--end", "1e-5"], "is longer than the whole run, 1e-05 s"),
        (["run", "pendulum", "--accuracy", "1e-6", "--every", "3"], "every = 3 needs a fixed step"),
        (["run", "pendulum", "--save", "run.csv"], "run.csv: results are written as NetCDF"),
        (["run", "pendulum", "--set", "mass=heavy"], "mass must be a number, got 'heavy'"),
        (["run", "princeton", "--step", "7"], "step = 7 s is longer than the whole run, 1 s"),
        (["run", "princeton", "--every", "3"], "omit --every"),
        (["check", "pendulum", "--set", "mass=nan"], "mass must be a finite number, got nan"),
        (["modes", "rotor4", "--speed", "fast"], "--speed: invalid number value: 'fast'"),
        (["modes", "rotor4", "--speed", "inf"], "--speed: must be a finite number, got inf"),
        (["modes", "rotor4", "--count", "0"], "--count: must be at least 1, got 0"),
        (["campbell", "rotor4", "--speeds", "0:x:3"], "--speeds: invalid A:B:N value: '0:x:3'"),
        (["realtime", "pendulum", "--rate", "often"], "--rate: invalid number value: 'often'"),
        (["realtime", "pendulum", "--priority", "200"], "--priority: must be from 0 to 99, got 200"),
        (["realtime", "pendulum", "--cpu", "-1"], "--cpu: must be from 0 to 4095, got -1"),
        (["realtime", "pendulum", "--port", "99999"], "--port: must be from 0 to 65535, got 99999"),
        (["realtime", "pendulum", "--save", "run.csv"], "run.csv: results are written as NetCDF"),
        (
            ["realtime", "pendulum", "--duration", "1e-5", "--no-browser"],
            "a duration of 1e-05 s is shorter than one step",
        ),
        (["controller", "pendulum-swing", "--set", "gain=much"], "parameter 'gain'"),
        (["record", "nobody", "--every", "0"], "--every: must be at least 1, got 0"),
        (["record", "nobody", "--to", "run.csv"], "run.csv: results are written as NetCDF"),
        (["experiment", "hover-sweep", "--set", "count=many"], "count must be a whole number, got 'many'"),
        (["experiment", "windmill-gust", "--save", "run.csv"], "run.csv: results are written as NetCDF"),
        (["panel", "nobody", "--port", "high"], "--port: invalid whole number value: 'high'"),
        (["bench", "engine", "--fast"], "unrecognized arguments: --fast"),
    ],
)
def test_misuse_as_json_is_a_document_and_one_line(tmp_path, args, message):
    run = called(tmp_path, *args, "--json", check=2)
    assert message in run.stderr and message in json.loads(run.stdout)["error"]
    assert len(run.stderr.splitlines()) == 1


TYPED = """
import samara as sm

duration, step = 0.01, 1e-3


def make_model(mass=1, length=1.0, light=False, label="bob"):
    model = sm.Model(label, gravity=(0, 0, -9.81))
    bob = model.node("bob", position=(length, 0, 0))
    model.add("mass", sm.Body(bob, mass=0.5 * mass if light else mass, inertia=(0.1, 0.1, 0.1)))
    return model
"""


def test_settings_of_a_file_have_the_type_of_their_default(tmp_path):
    (tmp_path / "typed.py").write_text(TYPED)
    answer = json.loads(
        called(tmp_path, "check", "typed.py", "--set", "mass=2.5", "light=yes", "label=7", "--json", check=0).stdout
    )
    assert answer["mass"] == 1.25 and answer["model"] == "7"
    for setting, words in (
        ("mass=heavy", "mass must be a number, got 'heavy'"),
        ("length=inf", "length must be a finite number, got inf"),
        ("light=perhaps", "light must be true or false, got 'perhaps'"),
    ):
        run = called(tmp_path, "check", "typed.py", "--set", setting, check=2)
        assert words in run.stderr and len(run.stderr.splitlines()) == 1


@pytest.mark.parametrize("given", ["'1'", "True", "float('inf')", "-1"])
def test_a_file_says_its_step_in_seconds(tmp_path, given):
    (tmp_path / "typed.py").write_text(TYPED.replace("step = 0.01, 1e-3", f"step = 0.01, {given}"))
    run = called(tmp_path, "run", "typed.py", check=2)
    assert "typed.py: step [s] must be a positive number, got" in run.stderr
    assert len(run.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("x = 1 / 0", "model.py, line 1: ZeroDivisionError: division by zero"),
        ("x = (", "model.py, line 1: '(' was never closed"),
        ("x = 1", "model.py: defines neither `model`"),
        (
            REPEATED.replace("mass=1.0", "mass=-1.0"),
            "line 6: element 'mass': Body: mass must be a positive number [kg], got -1",
        ),
        (REPEATED, "does not define the end and step of its run"),
    ],
)
def test_mistakes_in_a_file_have_their_line(tmp_path, code, message):
    (tmp_path / "model.py").write_text(code)
    run = called(tmp_path, "run", "model.py", check=2)
    assert message in run.stderr
    assert len(run.stderr.splitlines()) == 1


def test_debug_shows_where(tmp_path):
    command = [sys.executable, "-m", "samara.cli", "run", "pendulum", "--set", "mass=0", "--debug"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert "Traceback" in run.stderr and "registry.py" in run.stderr


def test_a_closed_pipe_is_no_error(tmp_path):
    command = f"{sys.executable} -m samara.cli models --json | head -1"
    run = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True)
    assert run.stderr == ""


def test_realtime_reports_what_it_served(tmp_path):
    """How long steps took is the machine's affair; that every period is accounted for is ours."""
    answer = json.loads(
        samara(tmp_path, "realtime", "pendulum", "--rate", "500", "--duration", "0.4", "--no-browser", "--json").stdout
    )
    assert answer["cycles"] + answer["skipped"] == 200
    assert answer["simulated"] == pytest.approx(answer["cycles"] / 500.0)
    assert answer["overruns"] >= answer["skipped"]
    for name in ("step_us", "latency_us", "bare_latency_us"):
        assert 0 <= answer[name]["p50"] <= answer[name]["p99"] <= answer[name]["p999"] <= answer[name]["max"]
    assert {"real_over_sim", "not_converged", "dropped"} <= answer.keys()


def test_realtime_stops_at_a_late_step_if_told_to(tmp_path):
    """No machine steps at a billion hertz: the first step is late, and the exit code says so."""
    run = samara(
        tmp_path, "realtime", "pendulum", "--rate", "1e9", "--duration", "1e-6", "--policy", "stop", "--no-browser"
    )
    assert run.returncode == 1
    assert "ended: overrun" in run.stdout


def test_a_long_run_keeps_fewer_steps_and_says_so(tmp_path, monkeypatch, capsys):
    """So many that they are within the bound; all of them where the user says how many, or which channels."""
    from samara.cli.runs import run
    from samara.results import Results

    monkeypatch.setattr(run, "MOST_BYTES", 30e3)
    words = ["run", "pendulum", "--end", "1", "--step", "0.01", "--quiet", "--save"]
    assert main([*words, str(tmp_path / "thin.nc")]) == 0
    assert "--every 1 keeps them" in capsys.readouterr().err
    thin = Results.load(tmp_path / "thin.nc")
    assert 15e3 < thin.table.nbytes <= 30e3 and thin.time[-1] == 1.0
    assert main([*words, str(tmp_path / "all.nc"), "--every", "1"]) == 0
    assert len(Results.load(tmp_path / "all.nc")) == 101
    assert main([*words, str(tmp_path / "some.nc"), "--outputs", "hinge.angle"]) == 0
    assert len(Results.load(tmp_path / "some.nc")) == 101
    assert "keeps" not in capsys.readouterr().err
