"""One method, given to whoever takes steps: bit for bit the same motion."""

import json

import numpy as np
import pytest

import samara as sm
from samara.cli import main
from samara.results import Results
from samara.sweep import listed, sweep

STEP, STEPS = 1e-2, 40
MODEL = """
import samara as sm


def make_model():
    model = sm.Model("pendulum", gravity=(0, 0, -9.81))
    bob = model.node("bob", (1.0, 0, 0))
    model.add("body", sm.Body(bob, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    return model
"""
METHODS = {
    "default": sm.Method(),
    "damped": sm.Method(integrator=sm.TwoStep(0.8), tolerance=1e-6),
    "tree": sm.Method(formulation="recursive", integrator="rk4"),
    "implicit tree": sm.Method(formulation="recursive", integrator="bdf2", tolerance=1e-12),
}


def make() -> sm.Model:
    known: dict = {}
    exec(MODEL, known)
    return known["make_model"]()


def last(run) -> float:
    return run["hinge.angle"][-1]


@pytest.fixture(params=METHODS, ids=lambda name: name.replace(" ", "-"))
def method(request) -> sm.Method:
    return METHODS[request.param]


@pytest.fixture
def angle(method) -> float:
    """By a run."""
    return last(sm.transient(make(), STEP * STEPS, STEP, method=method, progress=False))


def test_simulation_stepper_and_keywords(method, angle):
    end, fields = STEP * STEPS, {k: v for k, v in vars(method).items() if v is not None}
    assert last(sm.transient(sm.Simulation(make(), method=method), end, STEP, progress=False)) == angle
    assert last(sm.transient(make(), end, STEP, **fields, progress=False)) == angle
    timeline = sm.Timeline(end, STEP, outputs=("hinge.angle",))
    assert last(sm.transient(make(), timeline=timeline, method=method, progress=False)) == angle
    stepper = sm.Stepper(make(), STEP, method=method)
    stepper.advance(STEPS)
    assert stepper.measure("hinge.angle") == angle


def test_a_sweep(method, angle):
    found = sweep(
        lambda n: make(), last, listed([{"n": 1}]), end=STEP * STEPS, step=STEP, method=method, progress=False
    )
    assert float(found["value"][0]) == angle


def test_the_command_line(method, angle, tmp_path, capsys):
    path = tmp_path / "pendulum.py"
    path.write_text(MODEL)
    words = [f"--formulation={method.formulation}", f"--tolerance={method.tolerance!r}"]
    words += [f"--integrator={method.integrator}"] * bool(method.integrator)
    assert main(["run", str(path), f"--end={STEP * STEPS!r}", f"--step={STEP!r}", *words, "--json"]) == 0
    channels = json.loads(capsys.readouterr().out)["channels"]
    assert next(c["last"] for c in channels if c["name"] == "hinge.angle") == angle


def test_results_say_which_method_made_them(method, tmp_path):
    run = sm.transient(make(), 2 * STEP, STEP, method=method, save=tmp_path / "run.nc", progress=False)
    told = sm.Method(**Results.load(tmp_path / "run.nc").attrs.method)
    assert told == sm.Method(**run.attrs.method) == sm.Simulation(make(), method=method).method
    assert method.integrator in (None, told.integrator) and told.tolerance == method.tolerance
    assert f"formulation = {method.formulation}, integrator = {told.integrator}" in run.summary()
    again = sm.transient(make(), 2 * STEP, STEP, method=told, progress=False)
    np.testing.assert_array_equal(again.table, run.table)
