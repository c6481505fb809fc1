"""Records: what is structure (another kernel) and what is a number (the same kernel)."""

from itertools import pairwise

import numpy as np
import pytest

import samara as sm
from samara.model.changes import ParameterChanges
from samara.system.memory.blocks import ACC


def rod(law, **numbers):
    model = sm.Model("pair")
    a, b = model.node("a"), model.node("b", position=(1, 0, 0))
    return model.add("rod", sm.Rod(a, b, law=law, **numbers))


def test_numbers_do_not_change_the_kernel():
    a = rod(sm.LinearLaw(1.0))
    b = rod(sm.LinearLaw(sm.Parameter("k", 5.0), damping=3.0), length=0.5, place_a=(0.1, 0.2, 0.3))
    assert a.structure() == b.structure()
    assert len(a.leaves()) == len(b.leaves())


def test_laws_options_and_the_number_of_terms_do():
    linear, table = sm.LinearLaw(1.0), sm.TableLaw(sm.Curve([0, 1], [0, 1]))
    laws = [
        linear,
        table,
        sm.CubicLaw(1.0, 2.0),
        linear + linear,
        linear + linear + linear,
        sm.OneSidedLaw(linear),
        sm.OneSidedLaw(linear, side="tension"),
        sm.OneSidedLaw(table),
    ]
    structures = {rod(law).structure() for law in laws}
    assert len(structures) == len(laws)


def test_a_record_is_put_together_again_from_its_leaves():
    element = rod(sm.OneSidedLaw(sm.LinearLaw(7.0, 2.0), gap=0.3) + sm.CubicLaw(1.0, sm.Parameter("k3", 4.0)))
    leaves = [float(leaf) for leaf in element.leaves()]
    twin = element.rebuild(iter(leaves))
    assert twin.law(0.1, -0.5) == pytest.approx(-(7.0 * 0.2 + 2.0 * 0.5) + 0.1 + 4.0 * 0.001)
    assert [float(leaf) for leaf in twin.leaves()] == leaves
    assert isinstance(element.law.terms[1].cubic, sm.Parameter)  # the original is untouched


def test_a_table_may_differ_between_instances_of_one_kernel():
    model = sm.Model("two tables")
    ends = []
    for k, slope in enumerate((10.0, 30.0)):
        node = model.node(f"n{k}", position=(1.5, k, 0))
        model.add(f"body{k}", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
        law = sm.TableLaw(sm.Curve([-1, 0, 1], [-slope, 0, slope], "spline", "linear"))
        model.add(f"rod{k}", sm.Rod(model.ground, node, place_a=(0, k, 0), law=law, length=1.0))
        ends.append(node)
    system = sm.System(model)
    assert [len(g.elements) for g in system.groups if g.kind.name == "Rod"] == [2]
    sim = sm.Simulation(system)
    sm.assemble(sim)
    found = np.array([system.state.read(node, ACC, 3)[0] for node in ends])
    assert found == pytest.approx([-5.0, -15.0])


def test_repr_shows_the_fields():
    assert repr(sm.LinearLaw(2.0)) == "LinearLaw(stiffness=2.0, damping=0.0, preload=0.0)"


def test_a_law_that_many_share_is_checked_once():
    """A model of thousands of joints with one law has one law to check."""
    checked = []

    class Counted(sm.LinearLaw):
        def validate(self):
            checked.append(self)
            super().validate()

    model, law = sm.Model("row"), Counted(1.0)
    nodes = [model.node(f"n{k}", (k, 0, 0)) for k in range(5)]
    for k, (a, b) in enumerate(pairwise(nodes)):
        model.add(f"rod_{k}", sm.Rod(a, b, law=law))
    assert len(checked) == 1


def test_a_shared_law_with_a_parameter_is_checked_again():
    stiffness = sm.Parameter("k", 1.0)
    law = sm.LinearLaw(stiffness, damping=sm.Parameter("d", 0.1))
    model = sm.Model("row")
    nodes = [model.node(f"n{k}", (k, 0, 0)) for k in range(3)]
    for k, (a, b) in enumerate(pairwise(nodes)):
        model.add(f"rod_{k}", sm.Rod(a, b, law=law))
    with pytest.raises(sm.ModelError, match="negative"):
        ParameterChanges(model).put({"d": -1.0})


def test_objects_are_the_leaves_that_are_no_plain_numbers():
    """Numbers are most of the leaves; parameters, tables and drives are looked for without them."""
    table = sm.Curve([0, 1], [0, 1])
    element = rod(sm.OneSidedLaw(sm.TableLaw(table)) + sm.LinearLaw(sm.Parameter("k", 5.0)), place_a=(0.1, 0.2, 0.3))
    numbers = (float, int, np.floating)
    assert element.objects() == [leaf for leaf in element.leaves() if not isinstance(leaf, numbers)]
    assert table in element.objects()


def test_a_default_is_given_by_name():
    """Where a type checker sees it; the message says how to write it."""
    assert sm.number(default=0.5, unit="m").default == 0.5
    with pytest.raises(TypeError, match=r"number: give the default of a field by keyword: number\(default=0.5\)"):
        sm.number(0.5, unit="m")
    with pytest.raises(TypeError, match=r"matrix: .*: matrix\(\(3, 3\), default=None\)"):
        sm.matrix((3, 3), None)
    with pytest.raises(TypeError, match=r"setting: .*default='1'"):
        sm.setting("1")
