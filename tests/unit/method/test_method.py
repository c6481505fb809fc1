"""One record says how steps are taken: checked where it is made, kept by names, and made of plain values again."""

import dataclasses
import importlib
import inspect
import json

import pytest

import samara as sm
from samara.method import given, integrators
from samara.method.integrators import INTEGRATORS


class Mine(sm.BDF2):
    """A scheme of the user's own."""


SCHEMES = [sm.TwoStep(0.8), sm.TwoStep(), sm.BDF2(), sm.CrankNicolson(), sm.LookAhead(0.815), sm.RungeKutta4(),
           sm.DormandPrince(), sm.SemiImplicitEuler(), sm.MoreauJean(0.75), sm.MoreauJean(facets=8)]  # fmt: skip


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda s: integrators.name_of(s))
def test_an_integrator_and_its_name_are_the_same(scheme):
    again = integrators.integrator(integrators.name_of(scheme))
    assert again == scheme and type(again) is type(scheme) and again.name == scheme.name


def test_the_table_says_what_the_classes_say():
    """It is there so that nothing has to be loaded for names and formulations."""
    for name, one in INTEGRATORS.items():
        module, _, kind = one.place.partition(":")
        scheme = getattr(importlib.import_module(module), kind)
        assert scheme is getattr(sm, kind) and scheme.formulations == one.formulations, name
        assert integrators.name_of(scheme()) == name


def test_an_integrator_of_the_users_own_is_kept_itself():
    method = sm.Method(integrator=Mine())
    assert isinstance(method.integrator, Mine) and method.described()["integrator"] == "BDF2"


@pytest.mark.parametrize(
    "method",
    [
        sm.Method(),
        sm.Method(integrator=sm.TwoStep(0.9), tolerance=1e-8, stabilise=False, ceiling=1e-3),
        sm.Method(formulation="recursive", cut=["rod", "link"], substeps=1),
        sm.Method(partition="blades", backend="threads", threads=2, lanes=4),
    ],
)
def test_a_method_comes_through_text_unchanged(method):
    assert sm.Method(**json.loads(json.dumps(method.described()))) == method


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"formulation": "tree"}, "formulation must be one of 'redundant', 'recursive', got 'tree'"),
        ({"integrator": "rk5"}, "there is no integrator 'rk5'; choose from two-step, bdf2"),
        ({"integrator": "two-step:fast"}, "parameters follow the name"),
        (
            {"integrator": "rk4"},
            r"samara\.RungeKutta4\(\) is for the recursive formulation: give formulation='recursive'",
        ),
        (
            {"integrator": "look-ahead", "formulation": "recursive"},
            "is for the redundant formulation: the recursive one takes",
        ),
        ({"tolerance": 1.0}, "tolerance must be a positive number below 1"),
        ({"iterations": 0}, "iterations must be at least 1"),
        ({"substeps": 0}, "substeps must be at least 1"),
        ({"stabilise": "no"}, "stabilise must be True or False"),
        ({"cut": ("rod",)}, "cut applies to the recursive formulation only"),
        ({"partition": 2, "formulation": "recursive"}, "partition applies to the redundant formulation only"),
        ({"threads": 2}, 'threads=2 requires backend="threads"'),
        ({"backend": "mpi"}, "backend='mpi' requires a partition"),
    ],
)
def test_what_cannot_be_meant_is_refused_by_name(fields, words):
    with pytest.raises(sm.ArgumentError, match=f"^Method: .*{words}"):
        sm.Method(**fields)


def test_keywords_are_the_fields_of_the_records():
    """What editors and type checkers are told, and what there is."""
    method, timeline = ({f.name for f in dataclasses.fields(kind)} for kind in (sm.Method, sm.Timeline))
    names = {name: set(getattr(given, name).__annotations__) for name in ("MethodFields", "AllFields")}
    assert names == {"MethodFields": method, "AllFields": method | timeline}
    for function, fields in ((sm.transient, given.RunFields), (sm.Simulation, given.SimulationFields),
                             (sm.Stepper, given.StepperFields), (sm.cosimulate, given.RunFields)):  # fmt: skip
        own = set(inspect.signature(function).parameters) & (method | timeline)
        known = set(fields.__annotations__)
        assert not own & known and (own | known) >= method


def test_another_integrator_only_where_it_is_the_usual_one():
    """Trees follow an accuracy by a formula that tells its error, unless another was chosen."""
    tree = sm.Method(formulation="recursive")
    assert tree.for_accuracy().integrator == "dormand-prince"
    chosen = sm.Method(formulation="recursive", integrator="rk4")
    assert chosen.for_accuracy() == chosen and sm.Method().for_accuracy() == sm.Method()
