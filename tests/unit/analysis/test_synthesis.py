"""Reduction of structures: thin ones too, and what cannot be reduced."""

import numpy as np
import pytest

import samara as sm

MODULUS, WIDTH, DENSITY = 7e10, 0.05, 2700.0


def strip(model: sm.Model, root: sm.Node, thickness: float, shear: float | None, inertia: str) -> sm.Node:
    area = WIDTH * thickness
    second, across = WIDTH * thickness**3 / 12, thickness * WIDTH**3 / 12
    span = sm.Span(
        station=[0.0, 1.0],
        mass=DENSITY * area,
        EA=MODULUS * area,
        GJ=MODULUS / 2.6 * 4 * second,
        EI_y=MODULUS * second,
        EI_z=MODULUS * across,
        GA_y=shear,
        GA_z=shear,
        inertia_y=DENSITY * second,
        inertia_z=DENSITY * across,
    )
    return sm.add_beam(model, "strip", span, root=root, elements=4, inertia=inertia)[-1]


@pytest.mark.parametrize("inertia", ["distributed", "lumped"])
@pytest.mark.parametrize(("thickness", "shear"), [(1e-3, None), (2e-4, None), (1e-3, 1e9)])
def test_a_thin_strip_has_the_frequency_of_the_closed_form(thickness, shear, inertia):
    """Shear is up to 1e8 times as stiff as bending over an element: differences of the energy must not drown it."""
    model = sm.Model("strip")
    tip = strip(model, model.node("root"), thickness, shear, inertia)
    found = sm.craig_bampton(model, "root", [tip.name], modes=4)
    exact = 3.516015 * np.sqrt(MODULUS * thickness**2 / 12 / DENSITY)
    assert found.frequencies[0] == pytest.approx(exact, rel=1e-3)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"interfaces": ["strip.n8", "strip.n8"]}, "named twice"),
        ({"modes": 2.5}, "whole number"),
        ({"modes": 0}, "would be empty"),
        ({"damping": -0.1}, "damping.* must be a number that is not negative"),
        ({"interfaces": "root"}, "is the root"),
    ],
)
def test_mistakes_are_named(arguments, words):
    model = sm.Model("strip")
    strip(model, model.node("root"), 1e-3, None, "distributed")
    with pytest.raises((sm.ModelError, sm.ArgumentError), match=words):
        sm.craig_bampton(model, "root", **arguments)


def test_a_single_interface_may_be_a_name():
    model = sm.Model("strip")
    strip(model, model.node("root"), 1e-3, None, "distributed")
    assert sm.craig_bampton(model, "root", "strip.n8", 1).count == 7


def test_gravity_is_refused():
    model = sm.Model("strip", gravity=(0, 0, -9.81))
    strip(model, model.node("root"), 1e-3, None, "distributed")
    with pytest.raises(sm.ModelError, match="has gravity"):
        sm.craig_bampton(model, "root")


def test_a_simulation_is_left_as_it_was():
    model = sm.Model("strip")
    strip(model, model.node("root", velocity=(1, 0, 0)), 1e-3, None, "distributed")
    sim = sm.Simulation(model)
    sm.assemble(sim)
    before = sim.state.copy()
    sm.craig_bampton(sim, "root", modes=2)
    np.testing.assert_array_equal(sim.system.arrays.state, before)


ONE = {"positions": np.zeros((2, 3)), "shapes": np.ones((2, 6, 1)), "mass": [1.0, 1.0], "stiffness": [1.0]}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"shapes": np.full((2, 6, 1), np.nan)}, "shapes must be finite"),
        ({"mass": [1.0, -1.0]}, "mass must not be negative"),
        ({"damping": [-1.0]}, "damping must not be negative"),
        ({"shapes": np.ones((2, 6, 2)), "stiffness": [[1.0, 0.5], [0.0, 1.0]]}, "stiffness must be symmetric"),
        ({"names": ["a"]}, "names must be one per node"),
        ({"names": ["a", "a"]}, "same name"),
        ({"rotations": np.eye(3)}, "rotations must be"),
        ({"shapes": np.ones((2, 6, 0)), "stiffness": []}, "no modes"),
    ],
)
def test_bad_arrays_are_named(changes, words):
    with pytest.raises(sm.ModelError, match=words):
        sm.Reduction.from_arrays(**{**ONE, **changes})
