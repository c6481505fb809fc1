"""New values of parameters are checked at one place, conditions on several numbers included."""

import math

import pytest

import samara as sm
from samara.model import ModelError
from samara.model.changes import ParameterChanges


def spinner():
    """A body whose moments of inertia are parameters: none may be more than the sum of the other two."""
    model = sm.Model("spinner")
    node = model.node("top")
    moments = [sm.Parameter(f"J{axis}", 1.0, "kg m^2", lower=0.0) for axis in "xyz"]
    model.add("body", sm.Body(node, mass=sm.Parameter("mass", 2.0, "kg", upper=9.0), inertia=moments))
    push = sm.Ramp(1.0, start=sm.Parameter("on", 1.0, "s"), end=sm.Parameter("off", 2.0, "s"))
    model.add("push", sm.Force(node, force=(0, 0, push)))
    return model


@pytest.fixture
def changes():
    return ParameterChanges(spinner())


def values(changes):
    return {name: parameter.value for name, parameter in changes.parameters.items()}


def test_limits_are_those_of_the_parameter_and_of_its_fields(changes):
    """A mass is positive, whatever its parameter says."""
    assert changes.limits("mass") == (0.0, 9.0)
    assert changes.limits("Jx") == (0.0, math.inf)
    assert changes.limits("on") == (-math.inf, math.inf)


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"mass": 0.0}, "element 'body': Body: mass must be a positive number"),
        ({"mass": 9.5}, r"parameter 'mass': 9.5 kg is outside \[-inf, 9\]"),
        ({"Jx": 2.5}, "element 'body': .*inertia is not physical"),
        ({"Jy": 1.0, "Jx": 2.5}, "inertia is not physical"),
        ({"off": 0.5}, r"element 'push': Ramp: end \(0.5 s\) is before start \(1 s\)"),
        ({"Jx": 1.5, "J": 1.0}, r"'spinner' has no parameter 'J' \(it has: mass, Jx"),
        ({"Jx": "much"}, "parameter 'Jx' must be a number"),
        ({"Jx": 1.5, "mass": 10**400}, "parameter 'mass' must be a finite number, got one that is too large"),
    ],
)
def test_what_is_wrong_changes_nothing(changes, wanted, words):
    before = values(changes)
    for attempt in (changes.put, changes.check):
        with pytest.raises(ModelError, match=words):
            attempt(wanted)
        assert values(changes) == before


def test_values_that_suit_each_other_only_together(changes):
    """2.5 < 1 + 1.6, although neither moment may have its value alone with the first; times move together too."""
    before = changes.put({"Jx": 2.5, "Jy": 1.6, "off": 0.5, "on": 0.2})
    assert before == {"Jx": 1.0, "Jy": 1.0, "off": 2.0, "on": 1.0}
    assert values(changes)["Jx"] == 2.5
    changes.take_back(before)
    changes.check({"Jx": 1.9})
    assert values(changes)["Jx"] == 1.0


def test_a_system_asks_the_same(changes):
    system = sm.System(spinner())
    with pytest.raises(ModelError, match="before start"):
        system.set_parameter("off", 0.5)
    with pytest.raises(ModelError, match="inertia is not physical"):
        system.set_parameter("Jx", 2.5)
    system.set_parameter("Jx", 1.9)
    assert 1.9 in system.parameters.values()
