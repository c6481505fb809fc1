"""An element of one's own that returns the wrong things: the message names element, class and function."""

import numpy as np
import pytest

import samara as sm


def compiled(make):
    model = sm.Model("own")
    node = model.node("bob", position=(1, 0, 0))
    model.add("mass", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
    model.add("it", make(model.ground, node))
    return sm.System(model)


def formulated(returned):
    """An element on one node whose `formulate` returns this function of the site."""

    class Own(sm.Element):
        n: sm.Node = sm.node(kw_only=False)

        def formulate(self, site):
            return returned(site)

    return lambda ground, node: Own(node)


def with_states(balances, states=2):
    class Own(sm.Element):
        n: sm.Node = sm.node(kw_only=False)

        def own_states(self):
            return {f"x{k}": sm.State(1) for k in range(states)}

        def formulate(self, site):
            return sm.Contribution([np.zeros(6)], balances=balances(site))

    return lambda ground, node: Own(node)


def between(family, **functions):
    """An element of a family between ground and node with these functions."""
    kind = type("Own", (family,), {name: staticmethod(f) for name, f in functions.items()})
    return lambda ground, node: kind(ground, node, place_a=(1, 0, 0))


def loaded(load):
    kind = type("Own", (sm.Load,), {"load": staticmethod(load)})
    return lambda ground, node: kind(node)


def sprung(**functions):
    kind = type("Own", (sm.Law,), {name: staticmethod(f) for name, f in functions.items()})
    return lambda ground, node: sm.Rod(ground, node, law=kind(), length=1.0)


def x(a, b):
    return [(b.p - a.p)[0]]


def asking(count, **parts):
    """A contribution after asking for so many multipliers."""

    def returned(site):
        site.multipliers(count)
        return sm.Contribution([np.zeros(6)], **{name: part(site) for name, part in parts.items()})

    return formulated(returned)


SIX = [np.zeros(6)]
CASES = [
    (formulated(lambda site: None), "formulate must return a Contribution, got NoneType"),
    (formulated(lambda site: (SIX, ())), "formulate must return a Contribution, got tuple"),
    (formulated(lambda site: sm.Contribution(None)), "a list of six numbers for each of its 1 nodes"),
    (formulated(lambda site: sm.Contribution([np.zeros(5)])), "six numbers for each of its 1 nodes, got shapes [(5,)]"),
    (formulated(lambda site: sm.Contribution(2 * SIX)), "six numbers for each of its 1 nodes"),
    (formulated(lambda site: sm.Contribution(np.zeros(6))), "six numbers for each of its 1 nodes"),
    (formulated(lambda site: sm.Contribution(SIX, kinetic=site.world.p)), "kinetic must be one number, got a list of"),
    (formulated(lambda site: sm.Contribution(SIX, potential=None)), "potential must be one number, got NoneType"),
    (formulated(lambda site: sm.Contribution(SIX, outputs=sm.Output("x", "m", 1.0))), "outputs must be a list of"),
    (formulated(lambda site: sm.Contribution(SIX, outputs=[("x", "m", 1.0)])), "outputs must be a list of Output("),
    (
        formulated(lambda site: sm.Contribution(SIX, outputs=[sm.Output("x", "m", site.world.p)])),
        "output 'x' has 3 numbers for 1 component(s): name them",
    ),
    (asking(2, constraints=lambda s: [s.world.p[0]]), "got 1 constraints and 0 rates for 2 multipliers"),
    (asking(0, constraints=lambda s: [s.world.p[0]]), "got 1 constraints and 0 rates for 0 multipliers"),
    (asking(1, constraints=lambda s: s.world.p), "got 3 constraints and 0 rates for 1 multipliers"),
    (asking(1, constraints=lambda s: None), "constraints must be a list of numbers, got NoneType"),
    (asking(1, rates=lambda s: ["x"]), "rates must be a list of numbers, got a list of more than plain numbers"),
    (with_states(lambda s: [s.states[0].rate]), "one balance for each of its 2 states, got 1"),
    (with_states(lambda s: s.states[0].rate, 1), "one balance for each of its 1 states, got no list"),
    (between(sm.Joint, constraint=lambda a, b: None), "constraint must return one number or more, got NoneType"),
    (between(sm.Joint, constraint=lambda a, b: []), "constraint must return one number or more, got a list of 0"),
    (between(sm.Joint, constraint=lambda a, b: [b.p, 1.0]), "constraint must return one number or more, got a list of"),
    (between(sm.Joint), "define a method constraint(a, b)"),
    (between(sm.RateJoint, rate_constraint=lambda a, b: "w"), "rate_constraint must return one number or more, got"),
    (
        between(sm.Joint, constraint=x, motion=lambda a, b: {"y": ((b.p - a.p)[:2], "m")}),
        "motion must return {name: (one number or three, unit)}, see 'y'",
    ),
    (between(sm.Joint, constraint=x, motion=lambda a, b: {"y": (b.p - a.p)[1]}), "motion must return {name: (one"),
    (between(sm.Coupling, coordinates=x, effort=lambda q, v: [q[0], q[0]]), "effort must return one number, got a"),
    (between(sm.Coupling, coordinates=x, effort=lambda q, v: None), "effort must return one number, got NoneType"),
    (between(sm.Coupling, coordinates=x), "define a method effort(q, q_rate)"),
    (
        between(sm.Coupling, coordinates=lambda a, b: b.p - a.p, effort=lambda q, v: q),
        "coordinates must return one value for each of coordinate_names, length, got 3",
    ),
    (
        between(sm.Coupling, coordinates=x, effort=lambda q, v: q, potential=lambda q: q),
        "potential must return one number, got a list of 1",
    ),
    (loaded(lambda n, world: np.zeros(3)), "load must return (force, couple), three numbers each"),
    (loaded(lambda n, world: (np.zeros(2), np.zeros(3))), "load must return 3 numbers, got a list of 2"),
    (loaded(lambda n, world: None), "load must return (force, couple)"),
    (sprung(elastic=lambda q: [q, q]), "elastic must return one number, got a list of 2"),
    (sprung(viscous=lambda q, rate: None), "viscous must return one number, got NoneType"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "words"), CASES, ids=[words for _, words in CASES])
def test_the_message_names_element_class_and_function(make, words):
    with pytest.raises(sm.ModelError) as error:
        compiled(make)
    assert str(error.value).startswith("element 'it': Own")
    assert words in str(error.value)


def test_own_states_are_states_by_label():
    class Own(sm.Element):
        n: sm.Node = sm.node(kw_only=False)

        def own_states(self):
            return [sm.State(1)]

    with pytest.raises(sm.ModelError, match=r"Own: own_states must return \{label: State\}"):
        compiled(lambda ground, node: Own(node))


def test_an_element_without_equations():
    class Own(sm.Element):
        n: sm.Node = sm.node(kw_only=False)

    with pytest.raises(sm.ModelError, match=r"element 'it': Own has no equations: define a method formulate\(site\)"):
        compiled(lambda ground, node: Own(node))


def test_a_single_number_may_stand_for_a_list_of_one():
    """Held at its place in x by a joint, and pulled to the ground in x by a coupling."""
    joint = between(sm.Joint, constraint=lambda a, b: (b.p - a.p)[0])
    assert compiled(joint).layout.multiplier_count == 1
    compiled(between(sm.Coupling, coordinates=lambda a, b: (b.p - a.p)[0], effort=lambda q, v: 3.0 * q[0]))
