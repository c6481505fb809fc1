"""Numbers beside the fields of an element: every instance has its own, or an error says what to do."""

import functools
from typing import Any

import numpy as np
import pytest

import samara as sm
from samara.elements.springs.spring import LinearLaw
from samara.model import setting
from samara.rotations import norm
from samara.system.kernels.plain_equations import NodeState, PlainSite


class Pull(sm.Coupling):
    """A linear spring without length: effort = strength distance; subclasses compute the strength otherwise."""

    strength: float = sm.number(default=1.0)

    def coordinates(self, a, b):
        return [norm(b.p - a.p)]

    def effort(self, q, q_rate):
        return [self.factor() * q[0]]

    def factor(self):
        return self.strength


class InPrepare(Pull):
    def prepare(self):
        super().prepare()
        self.half = float(self.strength) / 2

    def factor(self):
        return self.half


class AfterInit(Pull):
    def __post_init__(self):
        self.halves = {"first": np.array([float(self.strength) / 2])}

    def factor(self):
        return self.halves["first"][0]


class Computed(Pull):
    @functools.cached_property
    def half(self):
        return self.strength / 2

    def examine(self):
        assert self.half > 0

    def factor(self):
        return self.half


def model_of(*made):
    """Bodies one metre from the ground, each held by one element: the effort is the element's strength."""
    model = sm.Model("pulled")
    for k, make in enumerate(made):
        node = model.node(f"n{k}", position=(1, 0, 0))
        model.add(f"mass{k}", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
        model.add(f"pull{k}", make(model.ground, node))
    return model


def efforts(*made):
    found = sm.transient(model_of(*made), 1e-3, 1e-3, progress=False)
    return [found[f"pull{k}.effort"][0] for k in range(len(made))]


@pytest.mark.parametrize("cls", [InPrepare, AfterInit, Computed])
def test_derived_numbers_are_those_of_each_instance(cls):
    made = [functools.partial(cls, strength=strength) for strength in (2.0, 10.0)]
    assert efforts(*made) == pytest.approx([1.0, 5.0])
    assert efforts(*reversed(made)) == pytest.approx([5.0, 1.0])


def test_alike_derived_numbers_share_a_kernel():
    alike = [functools.partial(InPrepare, strength=strength) for strength in (2.0, 10.0, 2.0)]
    groups = [g for g in sm.System(model_of(*alike)).groups if g.kind.name == "InPrepare"]
    assert sorted(len(group.elements) for group in groups) == [1, 2]


def test_attributes_and_functions_that_are_given_to_an_instance():
    class Geared(Pull):
        gain = 1.0

        def factor(self):
            return self.gain * self.strength

    def geared(gain):
        def make(a, b):
            element = Geared(a, b)
            element.gain = gain
            return element

        return make

    def replaced(stiffness):
        def make(a, b):
            element = sm.Spring(a, b, stiffness=1.0, length=0.0)
            element.characteristic = lambda: LinearLaw(stiffness)
            return element

        return make

    assert efforts(geared(2.0), geared(7.0), Geared) == pytest.approx([2.0, 7.0, 1.0])
    assert efforts(replaced(2.0), replaced(7.0)) == pytest.approx([2.0, 7.0])


def test_a_law_and_a_drive_have_theirs_too():
    class Stiff(sm.LinearLaw):
        def __post_init__(self):
            self.twice = 2.0 * self.stiffness

        def elastic(self, q):
            return self.twice * q

    class Level(sm.Drive):
        level: float = sm.number()

        def __post_init__(self):
            self.tenth = self.level / 10

        def __call__(self, t):
            return self.tenth + 0.0 * t

    laws = [lambda a, b, k=k: sm.Rod(a, b, law=Stiff(k), length=0.0) for k in (1.0, 3.0)]
    assert efforts(*laws) == pytest.approx([2.0, 6.0])
    model = model_of(Pull, Pull)
    for k, level in enumerate((10.0, 30.0)):
        model.add(f"push{k}", sm.Force(model[f"n{k}"], force=(Level(level), 0, 0)))
    found = sm.transient(model, 1e-3, 1e-3, progress=False)
    assert [found[f"push{k}.force"][0, 0] for k in range(2)] == pytest.approx([1.0, 3.0])


def test_computed_numbers_follow_the_drives_on_plain_numbers():
    """A cached property is computed again where a drive has moved on."""

    class Offset(sm.Coupling):
        rest: Any = sm.driven()

        @functools.cached_property
        def twice(self):
            return 2.0 * self.rest

        def coordinates(self, a, b):
            return [norm(b.p - a.p) - self.twice]

        def effort(self, q, q_rate):
            return [1.0 * q_rate[0]]

    element = model_of(functools.partial(Offset, rest=lambda t: t))["pull0"]
    at = [NodeState(np.eye(3), np.zeros(3)), NodeState(np.eye(3), np.array([1.0, 0.0, 0.0]))]
    site = PlainSite(element, at, signals=[(0.0, 1.0)])
    assert site.formulate().wrenches[1][0] == pytest.approx(-2.0)  # the rate, by the drive alone


@pytest.mark.parametrize("cls", [InPrepare, AfterInit])
def test_plain_numbers_are_not_made_of_parameters(cls):
    words = f"{cls.__name__}: .* reads parameter 's' as a plain number and sets hal.*: compute hal.* in the equations"
    with pytest.raises(sm.ModelError, match=words):
        model_of(functools.partial(cls, strength=sm.Parameter("s", 2.0)))


def test_equations_do_not_read_settings_nodes_and_states():
    class Set(Pull):
        extra: float = setting(default=1.0)

        def factor(self):
            return self.extra

    class Placed(Pull):
        def factor(self):
            return self.b.position[0]

    assert Set.extra == 1.0
    for cls, words in ((Set, r"read extra, a setting\(\)"), (Placed, "read b.position, .*: take its frame")):
        with pytest.raises(sm.ModelError, match=f"element 'pull0': {cls.__name__}: the equations {words}"):
            sm.System(model_of(cls))


def test_a_patched_class_is_traced_again(monkeypatch):
    spring = functools.partial(sm.Spring, stiffness=1.0, length=0.0)
    assert efforts(spring) == pytest.approx([1.0])
    with monkeypatch.context() as patched:
        patched.setattr(sm.Spring, "characteristic", lambda self: LinearLaw(10 * self.stiffness))
        assert efforts(spring) == pytest.approx([10.0])
    assert efforts(spring) == pytest.approx([1.0])


def test_a_patched_law_is_traced_again(monkeypatch):
    def rod(a, b):
        return sm.Rod(a, b, law=LinearLaw(1.0), length=0.0)

    assert efforts(rod) == pytest.approx([1.0])
    with monkeypatch.context() as patched:
        patched.setattr(LinearLaw, "elastic", lambda self, q: 3 * self.stiffness * q)
        assert efforts(rod) == pytest.approx([3.0])
    assert efforts(rod) == pytest.approx([1.0])
