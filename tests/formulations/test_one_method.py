"""A model has one method, formulation and integrator: whoever runs it takes the same, or says what else was taken."""

import json

import numpy as np
import pytest
from ways_to_step import RECURSIVE, REDUNDANT

import samara as sm
from samara import models
from samara.cli import main
from samara.sweep import listed, sweep

#: The one ready model that is a tree by default.
READY, AIRSPEEDS, END = "xcell", (0.0, 5.0), 0.01
MEASURED = "fuselage.position"


def answer(capsys, *words: str) -> dict:
    """The JSON document that a command prints."""
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def run_by_command(capsys, airspeed: float) -> dict:
    return answer(capsys, "run", READY, "--end", str(END), "--set", f"airspeed={airspeed}")


def position(document: dict) -> np.ndarray:
    return np.array(next(c["last"] for c in document["channels"] if c["name"] == MEASURED))


def test_samara_run_takes_the_method_of_the_model(capsys):
    """From the command line and from Python, to the last bit."""
    by_command = run_by_command(capsys, 5.0)
    by_python = models.find(READY).run(end=END, airspeed=5.0)
    assert by_command["integrator"] == by_python.attrs.integrator == "RungeKutta4"
    np.testing.assert_array_equal(position(by_command), by_python[MEASURED][-1])


def test_samara_sweep_takes_the_method_of_samara_run(capsys):
    """The same model with the same settings ends at the same place, to the last bit."""
    ends = [position(run_by_command(capsys, v)) for v in AIRSPEEDS]
    measures = [word for axis in "xyz" for word in ("--measure", f"last:{MEASURED}.{axis}")]
    varied = f"airspeed={','.join(map(str, AIRSPEEDS))}"
    swept = answer(capsys, "sweep", READY, "--end", str(END), "--vary", varied, *measures)
    found = np.array([[variant[name] for name in swept["measures"]] for variant in swept["variants"]])
    np.testing.assert_array_equal(found, ends)
    assert swept["method"]["formulation"] == "recursive"


def pendulum(length: float = 1.0) -> sm.Model:
    model = sm.Model("pendulum", gravity=(0, 0, -9.81))
    bob = model.node("bob", (length, 0, 0))
    model.add("body", sm.Body(bob, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    return model


def last_angle(run) -> float:
    return run["hinge.angle"][-1]


def test_a_sweep_takes_every_way_that_a_run_takes(way):
    """Bit by bit, variant by variant."""
    lengths = (0.7, 1.0)
    variants = listed([{"length": length} for length in lengths])
    swept = sweep(pendulum, last_angle, variants, end=0.1, step=1e-2, tolerance=1e-12, progress=False, **way.method)
    runs = [last_angle(way.run(pendulum(length), 0.1, 1e-2)) for length in lengths]
    np.testing.assert_array_equal(np.ravel(swept["value"]), runs)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"integrator": sm.RungeKutta4()}, "RungeKutta4.*formulation='recursive'"),
        ({"integrator": sm.RungeKutta4(), "formulation": REDUNDANT}, "RungeKutta4.*formulation='recursive'"),
        ({"formulation": "tree"}, "formulation must be .*, got 'tree'"),
        ({"cut": ("hinge",)}, "cut applies to the recursive formulation only"),
        ({"formulation": RECURSIVE, "analysis": "static"}, "static analysis uses the redundant formulation"),
    ],
)
def test_a_sweep_refuses_what_no_run_takes_before_any_work(options, words):
    with pytest.raises(sm.ArgumentError, match=words):
        sweep(pendulum, last_angle, listed([{"length": 1.0}]), **{"end": 0.1, "step": 1e-2, **options})


def test_a_sweep_with_an_accuracy_takes_the_integrator_of_a_run():
    """Trees follow an accuracy by DormandPrince, where none is given."""
    method = {"accuracy": 1e-6, "formulation": RECURSIVE, "progress": False}
    swept = sweep(pendulum, last_angle, listed([{"length": 1.0}]), end=0.1, **method)
    assert float(swept["value"][0]) == last_angle(sm.transient(pendulum(), 0.1, **method))


def test_results_tell_the_integrator(way):
    """By its name, as errors have it."""
    assert way.run(pendulum(), 0.02, 1e-2).attrs.integrator == way.integrator.name


@pytest.mark.parametrize("take", ["transient", "Stepper", "Simulation"])
def test_the_usual_integrator_of_a_formulation_is_the_same_everywhere(take):
    for formulation, usual in (("redundant", sm.TwoStep(0.6)), ("recursive", sm.RungeKutta4())):
        if take == "transient":
            found = sm.transient(pendulum(), 0.02, 1e-2, formulation=formulation, progress=False).attrs.integrator
        elif take == "Stepper":
            found = sm.Stepper(pendulum(), 1e-2, formulation=formulation).sim.integrator.name
        else:
            found = sm.Simulation(pendulum(), formulation=formulation).integrator.name
        assert found == usual.name


STUDY = """
import samara as sm
from samara.models import find
from samara.models import find

method, duration, step = sm.Method(formulation="recursive"), 0.02, 1e-2


def make(length=1.0):
    return find("pendulum").make(length=length)


def measure(results):
    return float(results["bob.position"][-1, 0])
"""


def test_a_study_takes_the_method_of_its_file(tmp_path, capsys):
    """A tree's steps by Runge and Kutta, which are other than those of the two-step scheme."""
    path = tmp_path / "study.py"
    path.write_text(STUDY)
    swept = answer(capsys, "sweep", str(path), "--vary", "length=1.0")
    run = sm.transient(models.find("pendulum").make(), 0.02, 1e-2, formulation="recursive", progress=False)
    assert swept["method"]["formulation"] == "recursive"
    assert swept["variants"][0]["value"] == run["bob.position"][-1, 0]
