"""The registry of ready models: names, arguments with units, errors that name the culprit."""

import inspect
import re
import subprocess
import sys

import pytest

from samara import Simulation, assemble, models
from samara.model import Model, ModelError


@pytest.fixture(params=models.names())
def ready(request):
    return models.find(request.param)


def test_the_models_of_the_readme_are_the_ready_ones(root):
    text = (root / "README.md").read_text("utf-8")
    listed = [line.split("`")[1] for line in text.splitlines() if line.startswith("| `")]
    assert listed == models.names()


def test_every_model_says_what_it_is(ready):
    assert ready.description and ready.source and ready.plot
    assert ready.duration > ready.step > 0
    assert inspect.getdoc(ready.build)
    for argument in ready.arguments.values():
        assert argument.meaning
        assert isinstance(argument.default, argument.type)
        assert argument.unit or argument.type is not float, f"{argument.name} has no unit"


def test_every_model_is_built_as_described(ready):
    model = ready.make()
    assert isinstance(model, Model)
    assert model.description == ready.description
    assert set(ready.values()) == {a.name for a in ready.arguments.values() if a.type is not str}


def test_every_model_starts_where_it_is_drawn(ready):
    sim = Simulation(ready.make())
    assemble(sim, balance=ready.analysis != "static", step=ready.step)
    assert sim.adjusted.notes() == ()


def test_arguments_are_read_from_text():
    top = models.find("spinning-top").arguments
    assert top["steady"].check("no") is False
    assert top["spin"].check("1.5e2") == 150.0
    links = models.find("chain").arguments["links"]
    assert links.check("7") == 7
    assert links.check(7.0) == 7


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("pendulum", {"lenght": 2}, "no parameter 'lenght'; did you mean length"),
        ("pendulum", {"length": "long"}, "length must be a number, got 'long'"),
        ("pendulum", {"length": 0.0}, "length must be positive, got 0.0 m"),
        ("pendulum", {"mass": "nan"}, "mass must be a finite number"),
        ("chain", {"links": 2.5}, "links must be a whole number"),
        ("chain", {"links": True}, "links must be a whole number, got True"),
        ("pendulum", {"length": True}, "length must be a number, got True"),
        ("chain", {"links": 0}, "links must be positive, got 0$"),
        ("puma", {"collective_deg": 80}, r"blade pitch of 82.1 deg at the azimuth 0 deg.* within about -69 .. 69 deg"),
        ("tiltrotor", {"wind": 1.0}, r"a wind of 1 m/s does not turn the rotor at 72.22 rad/s unpowered: it takes"),
        ("spinning-top", {"steady": "maybe"}, "steady must be true or false"),
        ("spinning-top", {"spin": 1.0}, r"no steady precession at a spin of 1 rad/s \(at least 142.8 is needed\)"),
        ("four-bar", {"crank": 5.0}, "do not meet"),
        ("andrews", {"stiffness": -1.0}, "parameter 'stiffness': -1 N/m is outside"),
        ("helicopter", {"blades": "soft"}, "helicopter: blades must be one of rigid, elastic, got 'soft'"),
    ],
)
def test_wrong_arguments_are_named(name, settings, message):
    with pytest.raises(ModelError, match=message):
        models.find(name).make(**settings)


def test_unknown_models_are_named():
    with pytest.raises(ModelError, match="no ready model is called 'pendulun'; did you mean pendulum"):
        models.find("pendulun")


def test_named_parameters_of_a_model_are_set_too():
    model = models.find("pendulum").make()
    with pytest.raises(ModelError, match=r"'hinge\.friction'"):
        models.set_parameters(model, {"hinge.friction": 1.0})
    squeezer = models.find("andrews").make(torque=0.05)
    assert squeezer.parameters["torque"].value == 0.05


def test_integrators_by_name():
    assert models.make_integrator("two-step", 0.3).radius == 0.3
    assert models.make_integrator("bdf2").radius == 0.0
    assert models.make_integrator("crank-nicolson").formula().a2 == 0.0
    with pytest.raises(ValueError, match="no integrator is called 'rk5'"):
        models.make_integrator("rk5")


def test_building_models_needs_no_compiler():
    build = "from samara import models; [ready.make() for ready in models.READY.values()]"
    code = f"import sys; {build}; print('numba' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


def test_the_range_of_wind_that_is_told_is_right():
    """A tenth inside the wind that the message names, the rotor turns; a tenth outside, it does not."""
    with pytest.raises(ModelError, match="it takes") as caught:
        models.find("tiltrotor").make(wind=1.0)
    least = float(re.search(r"it takes ([0-9.]+)", str(caught.value))[1])
    models.find("tiltrotor").make(wind=1.1 * least)
    with pytest.raises(ModelError, match="does not turn"):
        models.find("tiltrotor").make(wind=0.9 * least)


def test_a_gain_has_one_sign():
    """More speed, more pitch by a positive gain, and no parameter of the model says otherwise."""
    ready = models.find("tiltrotor")
    model = ready.make(gain=0.2)
    assert ready.values(gain=0.2)["gain"] == (0.2, "1") and "gain" not in model.parameters
    assert float(model.elements["governor"].law.gain) == -0.2  # on target less speed
