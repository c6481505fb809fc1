"""Motions that nothing brings back are modes once each, as many as the model is free to make."""

import numpy as np
import pytest

import samara as sm
from samara.rotations import exp_so3


def barbell(size=1.0, mass=1.0, R=None) -> sm.Model:
    """Two bodies on a beam in space."""
    R, model = np.eye(3) if R is None else R, sm.Model("barbell")
    a, b = model.node("a", (0, 0, 0), R), model.node("b", R @ (size, 0, 0), R)
    inertia = mass * size**2 * np.array([0.1, 0.2, 0.2])
    model.add("left", sm.Body(a, mass=mass, inertia=inertia))
    model.add("right", sm.Body(b, mass=2.0 * mass, inertia=inertia))
    axial, bending = 1e7 * mass, 1e3 * mass * size**2
    model.add("beam", sm.Beam2(a, b, section=sm.Section([axial] * 3 + [bending, 2 * bending, 3 * bending])))
    return model


def chain(links: int, gravity=0.0, held=False) -> sm.Model:
    """Links on ball joints, in space or hung up."""
    model, inner = sm.Model("chain", gravity=(0, 0, -gravity)), None
    for k in range(links):
        link = model.node(f"link{k}", (0, 0, -k - 0.5))
        model.add(f"body{k}", sm.Body(link, mass=1.0, inertia=(0.1, 0.1, 0.02)))
        if inner is not None or held:
            model.add(f"ball{k}", sm.Spherical(inner or model.ground, link, at=(0, 0, -k)))
        inner = link
    return model


def carts(count: int, stiffness=100.0, drag=0.0) -> sm.Model:
    """On one rail, springs between them, dampers to the ground."""
    model, last = sm.Model("carts"), None
    for k in range(count):
        cart = model.node(f"cart{k}", (k + 1.0, 0, 0))
        model.add(f"body{k}", sm.Body(cart, mass=2.0, inertia=(1, 1, 1)))
        model.add(f"rail{k}", sm.Prismatic(model.ground, cart, at=(k + 1.0, 0, 0), axis=(1, 0, 0)))
        if last is not None and stiffness:
            model.add(f"spring{k}", sm.Spring(last, cart, stiffness=stiffness))
        if drag:
            model.add(f"drag{k}", sm.Spring(model.ground, cart, stiffness=0.0, damping=drag))
        last = cart
    return model


@pytest.mark.parametrize(
    ("model", "rigid", "others"),
    [
        (barbell(), 6, 6),
        (chain(1), 6, 0),
        (chain(4), 6 + 3 * 3, 0),
        (chain(3, 9.81, held=True), 3, 6),  # each link spins about itself
        (carts(1), 1, 0),
        (carts(5), 1, 4),
        (carts(3, stiffness=0.0), 3, 0),
    ],
    ids=["barbell", "body", "free chain", "hanging chain", "cart", "coupled carts", "apart"],
)
def test_as_many_as_the_model_is_free_to_make(model, rigid, others):
    found = sm.modes(model)
    assert (found.rigid.sum(), (~found.rigid).sum()) == (rigid, others)
    assert (found.eigenvalues[found.rigid] == 0.0).all() and (found.frequencies[~found.rigid] > 0.1).all()
    assert all(name.startswith("rigid: ") for name in found.names[:rigid])
    assert np.linalg.matrix_rank(found.vectors()[:rigid], tol=1e-3) == rigid  # and all of them are apart
    assert found.shapes[:rigid].imag == pytest.approx(0.0, abs=1e-12)


def test_a_place_that_stays_and_a_speed_that_does_not_are_two_modes():
    """m x'' + c x' = 0: zero once, and -c / m."""
    found = sm.modes(carts(1, drag=6.0))
    assert found.eigenvalues == pytest.approx([0.0, -3.0], rel=1e-9)
    assert found.rigid.tolist() == [True, False]


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("mass", [1e-4, 1e4])
def test_the_same_in_every_size_mass_and_direction(size, mass, rng):
    expected = sm.modes(barbell()).eigenvalues
    found = sm.modes(barbell(size, mass, exp_so3(rng.normal(size=3))))
    assert found.rigid.sum() == 6
    # axial frequency sqrt(EA / (m L)), bending sqrt(EI / (m L^3)): all go with 1 / sqrt(L)
    assert found.eigenvalues == pytest.approx(expected / np.sqrt(size), rel=1e-6, abs=1e-12)
