"""Sticks that a model declares: which inputs they feed, and what is refused."""

import json

import numpy as np
import pytest

from samara import Body, Force, Simulation, Stick
from samara.model import Input, Model, ModelError
from samara.rotations import rotation_z
from samara.scene import scene_of

SIDE, UP = Input("side", unit="N"), Input("up", initial=3.0, unit="N")


def craft(declare=True, rotation=None, **given):
    """A body that two inputs push."""
    model = Model("craft")
    body = model.node("body", rotation=rotation)
    model.add("mass", Body(body, mass=1.0, inertia=(1, 1, 1)))
    model.add("push", Force(body, force=(0, SIDE, 2.0 * UP)))
    if declare:
        right = {"craft": body, "roll": Stick(SIDE, (-1, 1)), "collective": Stick(UP, (0, 8))}
        model.declare_sticks(**{**right, **given})
    return model


def test_the_inputs_of_a_model_are_found_inside_drives():
    assert craft().inputs == [SIDE, UP]


def test_what_is_not_given_follows_from_the_input_and_the_axis():
    sticks = craft().sticks
    roll, collective = sticks.axes["roll"], sticks.axes["collective"]
    assert (roll.neutral, roll.springs, roll.rate, roll.failsafe) == (0.0, True, 2.0, None)
    assert (collective.neutral, collective.springs, collective.rate) == (3.0, False, 8.0)
    assert np.array_equal(sticks.forward, [-1.0, 0.0, 0.0])


def test_a_model_that_declares_none_has_none():
    assert craft(declare=False).sticks is None
    assert "sticks" not in scene_of(Simulation(craft(declare=False)).system)()


def test_they_are_in_the_scene_as_json():
    model = craft(rotation=rotation_z(np.pi / 2), roll=Stick(SIDE, (1, -1), failsafe=0.5), ground=-2.0)
    found = json.loads(json.dumps(scene_of(Simulation(model).system)()))["sticks"]
    assert (found["craft"], found["name"], found["ground"]) == (0, "body", -2.0)
    assert found["north"] == [-1.0, 0.0, 0.0]  # however the craft is turned
    assert found["axes"]["roll"] == {
        "input": "side", "unit": "N", "ends": [1.0, -1.0], "neutral": 0.0, "springs": True, "rate": 2.0,
        "failsafe": 0.5,
    }  # fmt: skip
    assert list(found["axes"]) == ["roll", "collective"]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (lambda: {"roll": SIDE}, r"roll must be a Stick\(input, ends=\(left, right\)\)"),
        (lambda: {"roll": Stick("side", (-1, 1))}, "a stick drives an Input"),
        (lambda: {"roll": Stick(SIDE, (1, 1))}, "input 'side': its range is empty: both ends are 1"),
        (lambda: {"roll": Stick(SIDE, 1)}, "input 'side': ends must be two numbers"),
        (lambda: {"roll": Stick(SIDE, (0, np.inf))}, "input 'side': ends must be a finite number"),
        (lambda: {"roll": Stick(SIDE, (1, 2))}, "input 'side': neutral is 0, outside the ends 1 and 2"),
        (lambda: {"roll": Stick(SIDE, (-1, 1), failsafe=2)}, "failsafe is 2, outside the ends -1 and 1"),
        (lambda: {"roll": Stick(SIDE, (-1, 1), rate=0)}, "input 'side': rate must be a positive number"),
        (lambda: {"roll": Stick(SIDE, (-1, 1), springs="no")}, "input 'side': springs"),
        (lambda: {"roll": Stick(UP, (0, 8))}, "roll and collective drive the same input 'up'"),
        (lambda: {"roll": Stick(Input("lost"), (-1, 1))}, r"input 'lost' of roll is not used by .*inputs: side, up"),
        (lambda: {"roll": Stick(Input("side"), (-1, 1))}, "input 'side' of roll is not the same object as the model's"),
        (lambda: {"roll": None, "collective": None}, "give at least one axis of roll, pitch, yaw, collective"),
        (lambda: {"craft": "body"}, "craft must be a node"),
        (lambda: {"craft": craft()["body"]}, "node 'body' does not belong to model 'craft'"),
        (lambda: {"forward": (0, 0, 0)}, "forward must be a direction"),
        (lambda: {"forward": (0, 0, 2)}, "forward and up must be different directions"),
        (lambda: {"up": (0, 1)}, "up must be three finite numbers"),
        (lambda: {"ground": None}, "ground must be a finite number"),
    ],
)  # fmt: skip
def test_wrong_declarations_are_named(given, words):
    with pytest.raises(ValueError, match=words):
        craft(**given()).check()


def test_they_are_declared_once_and_not_for_the_ground():
    model = craft()
    with pytest.raises(ModelError, match="already has sticks"):
        model.declare_sticks(craft=model["body"], roll=Stick(SIDE, (-1, 1)))
    model = craft(declare=False)
    with pytest.raises(ModelError, match="not the ground"):
        model.declare_sticks(craft=model.ground, roll=Stick(SIDE, (-1, 1)))
