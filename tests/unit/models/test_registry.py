"""The registry of ready models: names, arguments with units, errors that name the culprit."""

import inspect
import math
import re
import subprocess
import sys
from typing import Annotated

import pytest

from samara import Body, Clamp, Cosine, Simulation, assemble, models
from samara.method.integrators import integrator
from samara.method.timeline import Timeline
from samara.model import Model, ModelError, Motion, Parameter
from samara.models.controls import Controllable, at_start, control
from samara.models.registry import Quantity, ReadyModel


@pytest.fixture(params=models.names())
def ready(request):
    return models.find(request.param)


def test_the_models_of_the_readme_are_the_ready_ones(root):
    text = (root / "README.md").read_text("utf-8")
    listed = [line.split("`")[1] for line in text.splitlines() if line.startswith("| `")]
    assert listed == models.names()


def test_every_model_says_what_it_is(ready):
    assert ready.description and ready.source and ready.plot
    assert ready.timeline.end > ready.timeline.step > 0
    assert inspect.getdoc(ready.build)
    for argument in ready.arguments.values():
        assert argument.meaning
        assert isinstance(argument.default, argument.type)
        assert argument.unit or argument.type is not float, f"{argument.name} has no unit"


def test_every_model_is_built_as_described(ready):
    model = ready.make()
    assert isinstance(model, Model)
    assert model.description == ready.description
    plain = {a.name for a in ready.arguments.values() if a.type not in (str, tuple)}
    parts = {f"{a.name}_{axis}" for a in ready.arguments.values() if a.type is tuple for axis in "xyz"}
    assert set(ready.values()) == plain | parts


def test_every_model_starts_where_it_is_drawn(ready):
    sim = Simulation(ready.make())
    assemble(sim, balance=ready.analysis != "static", step=ready.timeline.step)
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
        ("pendulum", {"length": 0.0}, "pendulum: length must be positive, got 0 m"),
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
        ("andrews", {"stiffness": -1.0}, "andrews: stiffness must not be negative, got -1 N/m"),
        ("helicopter", {"blades": "soft"}, "helicopter: blades must be one of rigid, elastic, got 'soft'"),
    ],
)
def test_wrong_arguments_are_named(name, settings, message):
    with pytest.raises(ModelError, match=message):
        models.find(name).make(**settings)


def test_unknown_models_are_named():
    with pytest.raises(ModelError, match="there is no ready model 'pendulun'; did you mean pendulum"):
        models.find("pendulun")


def test_named_parameters_of_a_model_are_set_too():
    model = models.find("pendulum").make()
    with pytest.raises(ModelError, match=r"'hinge\.friction'"):
        models.set_parameters(model, {"hinge.friction": 1.0})
    squeezer = models.find("andrews").make(torque=0.05)
    assert squeezer.parameters["torque"].value == 0.05


def test_integrators_by_name():
    assert integrator("two-step:0.3").radius == 0.3
    assert integrator("bdf2").radius == 0.0
    assert integrator("crank-nicolson").formula().a2 == 0.0
    assert integrator("look-ahead").order == 4
    with pytest.raises(ValueError, match="there is no integrator 'rk5'"):
        integrator("rk5")


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


def open_model(
    angle_deg: Annotated[Controllable, Quantity("deg", "of the joint")] = 0.0,
    count: Annotated[int, Quantity("", "of nothing")] = 1,
    extras: tuple = (),
) -> Model:
    """A node that turns as it is told."""
    model = Model("open")
    model.extras = extras
    arm = model.prescribed("arm", Motion(rotation=(0, 0, control("angle", angle_deg, given="deg").drive)))
    ball = model.node("ball")
    model.add("mass", Body(ball, mass=1.0, inertia=(1, 1, 1)))
    model.add("clamp", Clamp(arm, ball))
    return model


OPEN = ReadyModel("open", open_model, "a test", "made up", Timeline(end=1.0, step=0.1), ())


@pytest.mark.parametrize(
    ("given", "start"), [(30.0, 30.0), ("30", 30.0), (Parameter("a", 20.0, "deg"), 20.0), (Cosine(9.0, 1.0), 0.0)]
)
def test_controls_may_be_drives_and_parameters(given, start):
    drive = OPEN.make(angle_deg=given).nodes["arm"].motion.rotation[2]
    assert at_start(drive) == pytest.approx(math.radians(start), rel=1e-14)
    assert OPEN.run(end=0.2, angle_deg=given).attrs.status == "completed"


def test_what_is_no_number_is_left_out_of_the_values_of_a_run():
    assert OPEN.values(angle_deg=2.0) == {"angle_deg": (2.0, "deg"), "count": (1.0, "1")}
    assert OPEN.values(angle_deg=Cosine(9.0, 1.0)) == {"count": (1.0, "1")}


def test_arguments_for_python_alone():
    assert OPEN.python_only == ("extras",) and "extras" not in OPEN.arguments
    assert OPEN.make(extras=(1, 2)).extras == (1, 2)
    with pytest.raises(ModelError, match="extras is not a number or text: it can only be given from Python"):
        OPEN.make(extras="gust")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"angle_deg": "much"}, "angle_deg must be a number, a Parameter, a drive such as Cosine.*, got 'much'"),
        ({"angle_deg": True}, "angle_deg must be a number, a Parameter, a drive such as Cosine.*, got True"),
        ({"count": Cosine(9.0, 1.0)}, "count must be a whole number, not a drive: it is not a control"),
        ({"count": Parameter("n", 3.0)}, "count must be a whole number, not a Parameter: it is not a control"),
    ],
)
def test_only_controls_are(settings, message):
    with pytest.raises(ModelError, match=message):
        OPEN.make(**settings)


def test_every_parameter_of_a_ready_model_says_what_it_means(ready):
    parameters = ready.make().parameters.values()
    assert [p.name for p in parameters if not p.description] == []
