"""Arguments of every builder: whatever is wrong with one is refused by name, from Python as by `make`."""

import inspect
import math
import pickle
import sys

import numpy as np
import pytest

import samara as sm
from samara import models
from samara.model import ModelError, Parameter
from samara.models.articulated_rotors import puma
from samara.models.helicopters import helicopter
from samara.models.quantity import Argument, Quantity, every_argument
from samara.models.tiltrotors import tiltrotor, wrats

EVERY = [
    pytest.param(ready, argument, id=f"{ready.name}-{argument.name}")
    for ready in models.READY.values()
    for argument in every_argument(ready.build, ready.name).values()
]
NOT_TEXTS = [3.5, [1], {"a": 1}, None, object()]
NOT_NUMBERS = ["x", "", None, True, [1.0], {}, object(), 1j, b"1", math.nan, math.inf, -math.inf, "nan", "inf", 10**400]


def wrong_values(argument: Argument):
    """Values of another kind, not finite, or outside of the range."""
    quantity = argument.quantity
    if argument.type is object:
        yield from ["x", 3.0, math.nan, None, [math.nan], {"a": 1}]
        return
    if argument.type is tuple:
        yield from ["x", 3.0, "1,2", (1.0, 2.0), (1.0, 2.0, math.nan), (1.0, 2.0, "x"), (True, 0.0, 0.0), None]
        return
    if argument.type is str:
        yield from [*NOT_TEXTS, "no such word", ""]
    elif argument.type is bool:
        yield from ["maybe", "", 2, 0.5, math.nan, None, [True], object()]
    else:
        yield from NOT_NUMBERS
        yield from [2.5, "2.5"] if argument.type is int else []
        yield from [0, -1] if quantity.positive else []
        yield from [quantity.lower - 1, str(quantity.lower - 1)] if quantity.lower > -math.inf else []
        yield from [quantity.upper + 1, 500 + quantity.upper] if quantity.upper < math.inf else []
    if not argument.is_control:
        yield from [sm.Cosine(1.0, 1.0), Parameter("mine", 1.0)]
    elif quantity.upper < math.inf:
        yield from [sm.Constant(quantity.upper * 1.01), Parameter("mine", quantity.upper + 1.0, argument.unit)]


@pytest.mark.parametrize(("ready", "argument"), EVERY)
def test_what_is_wrong_is_refused_by_name(ready, argument):
    for value in wrong_values(argument):
        for make in (ready.build, ready.make):
            with pytest.raises(ModelError) as caught:
                make(**{argument.name: value})
            said = str(caught.value)
            assert said.startswith(f"{ready.name}: {argument.name} "), (value, said)
            assert "\n" not in said and len(said) < 400, (value, said)


@pytest.mark.parametrize("ready", models.READY.values(), ids=lambda ready: ready.name)
def test_every_argument_is_checked(ready):
    """Annotated all, the defaults pass, and the function of the module is the one that checks."""
    arguments = every_argument(ready.build, ready.name)
    assert list(arguments) == list(inspect.signature(ready.build).parameters)
    assert ready.build is sys.modules[ready.build.__module__].build
    assert ready.build.machine == ready.name
    assert pickle.loads(pickle.dumps(ready.build)) is ready.build
    for argument in arguments.values():
        assert argument.check(argument.default) == argument.default
        if argument.type is str:
            assert argument.default in argument.quantity.choices
        if argument.quantity.needs:
            other, *wanted = argument.quantity.needs
            assert all(arguments[other].check(value) == value for value in wanted)


@pytest.mark.parametrize(("ready", "argument"), EVERY)
def test_ends_of_the_range_are_in_it(ready, argument):
    for end in (argument.quantity.lower, argument.quantity.upper):
        if math.isfinite(end) and not (argument.quantity.positive and end <= 0):
            assert argument.check(end) == argument.check(str(argument.type(end))) == end
            if argument.is_control:  # through radians and back
                drive = Parameter("mine", end, argument.unit)
                assert argument.check(drive) is drive


def test_a_wrapped_builder_keeps_its_signature():
    parameters = inspect.signature(puma.build).parameters
    assert list(parameters)[:3] == ["blades", "lag", "collective_deg"]
    assert parameters["blades"].default == "rigid"
    assert "flight 123" in inspect.getdoc(puma.build)
    with pytest.raises(TypeError, match="colective_deg"):
        puma.build(colective_deg=3.0)


@pytest.mark.parametrize(
    ("build", "settings", "message"),
    [
        (puma.build, {"collective_deg": "x"}, r"puma: collective_deg must be a number, a Parameter, .* -90 to 90 deg"),
        (puma.build, {"collective_deg": 500}, r"puma: collective_deg must be from -90 to 90 deg, got 500 deg"),
        (puma.build, {"collective_deg": lambda t: 500.0 + t}, r"from -90 to 90 deg, got 500 deg at the start"),
        (tiltrotor.build, {"speed": -1}, r"tiltrotor: speed must be positive, got -1 rad/s"),
        (tiltrotor.build, {"inflow": [1]}, r"tiltrotor: inflow must be one of momentum, .* or an Inflow, got \[1\]"),
        (tiltrotor.build, {"points": -3}, r"tiltrotor: points must be positive, got -3"),
        (wrats.build, {"speed_rpm": -875}, r"wrats: speed_rpm must be positive, got -875 rpm"),
        (wrats.build, {"gust": [3.0]}, r"wrats: gust must be a Gust, or several in a list, got \[3.0\]"),
        (wrats.build, {"beams": 5}, r"wrats: beams has no effect without blades=elastic: give that too, or omit"),
        (helicopter.build, {"release": math.nan}, r"helicopter: release must be a finite number, got nan: 0 s or more"),
        (helicopter.build, {"offset": -400}, r"helicopter: offset must be from -100 to 100 K, got -400 K"),
        (helicopter.build, {"altitude": 30000}, r"helicopter: altitude must be from -2000 to 20000 m, got 30000 m"),
        (helicopter.build, {"height": 7.0}, r"helicopter: height has no effect without ground=True: give that too"),
        (helicopter.build, {"wind": (5, 1)}, r"helicopter: wind must have three components along x, y and z, got "),
        (helicopter.build, {"wind": (5, 1, "x")}, r"helicopter: wind along z must be a number, a Parameter, a drive"),
    ],
)
def test_messages_say_what_is_meant(build, settings, message):
    with pytest.raises(ModelError, match=message):
        build(**settings)


def test_flags_are_read_and_not_taken_by_truth():
    for clockwise, sense in (("false", 1), (False, 1), (np.False_, 1), (0, 1), ("yes", -1), (np.True_, -1)):
        spin = puma.build(clockwise=clockwise).nodes["blade_1.link"].angular_velocity[2]
        assert np.sign(spin) == sense


def test_whole_numbers_and_numbers_of_other_types():
    links = models.find("chain").arguments["links"]
    for value in (7, 7.0, "7", "7.0", np.int32(7), np.float32(7.0), np.array(7)):
        assert links.check(value) == 7 and type(links.check(value)) is int
    mass = models.find("chain").arguments["mass"]
    for value in (2, "2", np.float32(2.0), np.array(2.0)):
        assert mass.check(value) == 2.0 and type(mass.check(value)) is float


@pytest.mark.parametrize("wind", [(5, 1, 0), [5.0, 1.0, 0.0], np.array([5.0, 1.0, 0.0]), "5,1,0", "(5, 1, 0)"])
def test_a_wind_of_three_components(wind):
    for make in (helicopter.build, models.find("helicopter").make):
        model = make(wind=wind)
        assert [float(model.parameters[name]) for name in ("wind", "wind_y", "wind_z")] == [5.0, 1.0, 0.0]
    assert models.find("helicopter").values(wind=wind)["wind_y"] == (1.0, "m/s")


def test_components_may_be_drives():
    model = helicopter.build(wind=(sm.Cosine(5.0, 1.0), Parameter("side", 2.0, "m/s"), 0.0))
    assert {"side", "wind_z"} <= set(model.parameters) and "wind" not in model.parameters


@pytest.mark.parametrize("name", ["puma", "helicopter", "tiltrotor", "wrats", "air-resonance"])
def test_inflow_by_name_in_every_rotor(name):
    ready = models.find(name)
    known = ready.arguments["inflow"].quantity.choices
    for word in known:
        rotor = "main.rotor" if name == "helicopter" else "rotor"
        by_name = ready.make(inflow=word).elements[rotor].inflow
        assert type(ready.make(inflow=type(by_name)()).elements[rotor].inflow) is type(by_name)
    assert known == models.find("puma").arguments["inflow"].quantity.choices


def test_ranges_in_words():
    assert Quantity("deg", "", lower=-90, upper=90).range == "from -90 to 90 deg"
    assert Quantity("1", "", positive=True, upper=1.0).range == "above 0 and up to 1"
    assert Quantity("kg", "", positive=True).range == "above 0 kg"
    assert Quantity("", "", lower=2).range == "2 or more"
    assert Quantity("", "", choices=("a", "b")).range == "one of a, b"
    assert Quantity("m", "").range == ""
