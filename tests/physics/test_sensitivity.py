"""Exact derivatives by parameters against finite differences of whole analyses, and closed forms."""

import numpy as np
import pytest

import samara as sm

#: Differences of fourth order, with steps of 1e-3 for states and 1e-2 for eigenvalues, are good to some 1e-8.
AGREED = 1e-6


def fourth_order(value, at, step):
    """dy/dp by central differences of fourth order."""
    near = value(at + step) - value(at - step)
    far = value(at + 2 * step) - value(at - 2 * step)
    return (8.0 * near - far) / (12.0 * step)


VALUES = {"EI": 2e3, "tip_mass": 3.0, "load": 40.0}
LENGTH, COUNT = 2.0, 6


def cantilever(gravity=-9.81, **changed):
    """A beam along x that bends by much, a mass and a load at its tip; clamped to the ground."""
    p = {name: sm.Parameter(name, value) for name, value in {**VALUES, **changed}.items()}
    model = sm.Model("cantilever", gravity=(0, 0, gravity))
    section = sm.Section([1e7, 4e6, 4e6, 1e3, p["EI"], 3e3])
    last = model.node("root", static=True)
    model.add("clamp", sm.Clamp(model.ground, last))
    for k in range(COUNT):
        node = model.node(f"n{k}", ((k + 1) * LENGTH / COUNT, 0, 0))
        model.add(f"beam{k}", sm.Beam2(last, node, section=section))
        mass = p["tip_mass"] if k == COUNT - 1 else 0.5
        model.add(f"mass{k}", sm.Body(node, mass=mass, inertia=(0.01, 0.02, 0.03)))
        last = node
    model.add("pull", sm.Force(last, force=(0, 0, p["load"])))
    return model


def at_rest(**changed):
    sim = sm.Simulation(cantilever(**changed))
    sm.static(sim, tolerance=1e-12, outputs="model.violation")
    return sim


@pytest.mark.parametrize("name", VALUES)
def test_static_tip_displacement_and_reaction(name):
    outputs = (f"n{COUNT - 1}.position", "clamp.force", "clamp.couple")
    found = sm.sensitivity(at_rest(), name, outputs)

    def measured(value):
        sim = at_rest(**{name: value})
        return np.concatenate([sm.static(sim, tolerance=1e-12, outputs=outputs)[o][-1] for o in outputs])

    expected = fourth_order(measured, VALUES[name], 1e-3 * VALUES[name])
    scale = np.abs(expected).reshape(-1, 3).max(axis=1).repeat(3)
    np.testing.assert_allclose(found.values[:, 0], expected, atol=AGREED * scale.max())
    assert np.abs(found.values[2, 0]) > 0.0


@pytest.mark.parametrize("name", VALUES)
def test_eigenvalues_of_a_bent_beam(name):
    """The beam bends by much, so that a parameter moves the state as well as the matrices."""

    def eigenvalues(value):
        return sm.modes(at_rest(**{name: value}), 6).eigenvalues

    found = sm.sensitivity(sm.modes(at_rest(), 6), name)
    expected = fourth_order(eigenvalues, VALUES[name], 1e-2 * VALUES[name])
    np.testing.assert_allclose(found.values[:, 0].imag, expected.imag, atol=AGREED * np.abs(expected).max())


@pytest.mark.parametrize("speed", [5.0, 20.0])
@pytest.mark.parametrize("name", ["EI", "tip_mass"])
def test_lines_of_a_campbell_diagram(name, speed):
    """A blade that turns: the parameter moves the stretched and bent shape, its twists and the matrices."""

    def turning(**changed):
        sim = sm.steady_rotation(cantilever(gravity=0.0, load=200.0, **changed), speed, tolerance=1e-12)
        return sm.modes(sim, 5)

    found = sm.sensitivity(turning(), name)
    expected = fourth_order(lambda v: turning(**{name: v}).eigenvalues, VALUES[name], 1e-2 * VALUES[name])
    np.testing.assert_allclose(found.values[:, 0].imag, expected.imag, atol=AGREED * np.abs(expected).max())
    assert np.abs(expected).min() > 0.0


def test_a_frequency_follows_a_mass_as_its_formula_says():
    """w = sqrt(k / m): dw/dm = -w / 2 m, dw/dk = w / 2 k."""
    k, m = sm.Parameter("k", 80.0), sm.Parameter("m", 5.0)
    model = sm.Model("cart")
    cart = model.node("cart", (1.0, 0, 0))
    model.add("rail", sm.Prismatic(model.ground, cart, axis=(1, 0, 0)))
    model.add("body", sm.Body(cart, mass=m, inertia=(1, 1, 1)))
    model.add("spring", sm.Spring(model.ground, cart, stiffness=k, rest_length=1.0))
    sim = sm.Simulation(model)
    sm.static(sim, outputs="model.violation")
    found, w = sm.sensitivity(sm.modes(sim)), 4.0
    assert found["mode 1", "m"] == pytest.approx(-1j * w / 10.0, rel=1e-9)
    assert found["mode 1", "k"] == pytest.approx(1j * w / 160.0, rel=1e-9)
    np.testing.assert_allclose(found.relative[0].real, [0.5, -0.5], rtol=1e-9)


def test_what_is_not_in_balance_is_refused():
    model = cantilever()
    sim = sm.Simulation(model)
    with pytest.raises(sm.SolveError, match=r"'cantilever' is not in balance: call static"):
        sm.sensitivity(sim, "EI")
    with pytest.raises(sm.ModelError, match=r"has no parameter or input 'ei' \(it has: EI, tip_mass, load\)"):
        sm.sensitivity(at_rest(), "ei")
