"""Rotors that a model declares: nothing is read from names that nobody gave."""

import numpy as np
import pytest

from samara import AeroBody, Body, Rotor, Stations, ThinAerofoil
from samara.model import Expression, Model, ModelError, Motion, Placement
from samara.models import find
from samara.models.rotors import rotor4
from samara.rotations import rotation_z


def windmill(names=("red", "green", "blue"), blades=None, sense=1, declare=True):
    """Three arms on a hub, named after colours, counter-clockwise."""
    model = Model("windmill")
    hub = model.prescribed("hub", Motion(rotation=(0, 0, Expression(lambda t: sense * t))))
    for k, name in enumerate(names):
        tip = model.node(f"{name}.tip", rotation_z(2 * np.pi * k / 3) @ [2.0, 0.0, 0.0])
        model.add(f"{name}.body", Body(tip, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    if declare:
        model.declare_rotor("wheel", hub=hub, blades=blades or names, radius=2.0, sense=sense)
    return model


def test_blades_may_have_any_names():
    rotor = windmill().rotor()
    assert rotor.blades == ("red", "green", "blue")
    assert rotor.channels("body.momentum") == ["red.body.momentum", "green.body.momentum", "blue.body.momentum"]
    assert rotor.disk.position == pytest.approx([0.0, 0.0, 0.0])


def test_numbers_in_names_make_no_rotor():
    """Parts called blade_1, blade_2 on a hub that turns are no rotor until the model says so."""
    model = windmill(names=("blade_1", "blade_2", "blade_3"), declare=False)
    model.check()
    assert model.rotors == {}
    with pytest.raises(ModelError, match=r"'windmill' declares no rotor: name its blades .*declare_rotor"):
        model.rotor()


def test_an_element_with_air_declares_its_own():
    model = Model("two blades")
    hub = model.prescribed("hub", Motion(rotation=(0, 0, Expression(lambda t: -30.0 * t))))
    rotor = model.add("main", Rotor(model.ground, hub, radius=1.0, speed=-30.0, blades=("left", "right")))
    for name, turn in (("left", 0.0), ("right", np.pi)):
        along = Stations.gauss(0.2, 1.0, 2, 0.1)
        place = Placement((0, 0, 0), rotation_z(turn))
        model.add(name, AeroBody(hub, place=place, stations=along, aerofoil=ThinAerofoil(), rotor=rotor))
    found = model.rotors["main"]
    assert (found.sense, found.radius, found.azimuth) == (-1, 1.0, "main.azimuth")
    assert (found.craft, found.hub) == (model.ground, hub)
    assert model.rotor("main") == found


def test_the_order_of_the_blades_is_that_of_their_azimuths():
    windmill(blades=("green", "blue", "red")).check()
    windmill(blades=("blue", "green", "red"), sense=-1).check()
    for blades, sense in ((("red", "blue", "green"), 1), (("red", "green", "blue"), -1)):
        order = "red, green, blue" if sense == 1 else "red, blue, green"
        with pytest.raises(ModelError, match=rf"rotor 'wheel'.*sense of rotation, {sense}: give them as {order}"):
            windmill(blades=blades, sense=sense).check()


def test_blades_on_the_shaft_have_no_azimuth():
    """A node at the hub with its mass out along the span: which way it points nothing says."""
    model = Model("arms")
    hub = model.prescribed("hub", Motion(rotation=(0, 0, Expression(lambda t: t))))
    for k in range(3):
        arm = model.node(f"arm_{k}", rotation=rotation_z(2 * np.pi * k / 3))
        model.add(f"arm_{k}.body", Body(arm, mass=1.0, com=(1.0, 0.0, 0.0), inertia=(0.1, 0.1, 0.1)))
    model.declare_rotor("wheel", hub=hub, blades=("arm_0", "arm_1", "arm_2"), radius=2.0)
    with pytest.raises(ModelError, match=r"'arm_0' lies on the shaft, so its azimuth is undefined: give it a node"):
        model.check()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"blades": ("red", "greenish", "blue")}, r"blade 'greenish' has no node"),
        ({"blades": ("red", "red", "blue")}, "name every blade once"),
        ({"blades": "red"}, "blades must be names"),
        ({"sense": 2}, r"sense must be 1 .* or -1 .* got 2"),
        ({"radius": 0.0}, "radius must be positive"),
        ({"hub": None}, "hub and craft must be a node"),
        ({"name": "wheel"}, "already has a rotor 'wheel'"),
    ],
)
def test_wrong_declarations_are_named(given, words):
    model = windmill()
    right = {"name": "second", "hub": model["hub"], "blades": ("red", "green", "blue"), "radius": 2.0}
    with pytest.raises(ModelError, match=words):
        model.declare_rotor(**{**right, **given})
        model.check()


def test_of_several_one_must_be_named():
    model = find("helicopter").make()
    assert list(model.rotors) == ["main.rotor", "tail.rotor"]
    with pytest.raises(ModelError, match=r"several rotors: .*main\.rotor, tail\.rotor"):
        model.rotor()
    with pytest.raises(ModelError, match=r"there is no rotor 'fan' \(it has: main"):
        model.rotor("fan")


@pytest.mark.parametrize("speed", [27.0, -27.0])
def test_a_ready_model_turns_either_way(speed):
    model = rotor4.build(beams=1, speed=speed)
    model.check()
    assert model.rotor().sense == np.sign(speed)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"radius": "a"}, r"rotor 'wheel': radius must be positive \[m\], got 'a'"),
        ({"radius": True}, r"rotor 'wheel': radius must be positive \[m\], got True"),
        ({"disk": 5}, "rotor 'wheel': disk must be a Placement, or a point of three numbers, got 5"),
        ({"blades": 5}, "rotor 'wheel': blades must be names: .*, got 5"),
        ({"name": ["wheel"]}, r"declare_rotor: name must be a non-empty string, got \['wheel'\]"),
        ({"hub": "ground"}, "rotor 'wheel': hub must be a node that rotates relative to the craft, got Node.'ground'"),
        ({"craft": "hub"}, "rotor 'wheel': hub must be a node that rotates relative to the craft, got Node.'hub'"),
    ],
)
def test_arguments_of_a_declaration_are_named(given, words):
    model = windmill(declare=False)
    good = {"name": "wheel", "hub": "hub", "craft": "ground", "blades": ("red", "green", "blue"), "radius": 2.0}
    asked = good | given
    with pytest.raises(ValueError, match=f"^{words}"):
        model.declare_rotor(**asked | {name: model[asked[name]] for name in ("hub", "craft")})
    with pytest.raises(ModelError, match="there is no rotor"):
        windmill().rotor(["wheel"])
