"""Velocities that nodes behind a joint with a start were given hold along what the start does not name."""

import warnings

import numpy as np
import pytest

import samara as sm
from samara.rotations import rotation_z

ACROSS = {"axis": (0, 0, 1)}


def bodied(model: sm.Model, name: str, position=(0.0, 0.0, 0.0), **motion) -> sm.Node:
    node = model.node(name, position, **motion)
    model.add(f"{name}.body", sm.Body(node, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    return node


def started(model: sm.Model) -> tuple[sm.Results, str]:
    """The first instant, and what was warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run = sm.transient(model, 1e-6, 1e-6, progress=False)
    return run, " ".join(str(w.message) for w in caught)


def cart(start: dict) -> sm.Model:
    model = sm.Model("cart")
    node = bodied(model, "cart", velocity=(40.0, 0, 0))
    model.add("rail", sm.Prismatic(model.ground, node, at=(0, 0, 0), axis=(1, 0, 0), start=start))
    return model


def test_a_cart_keeps_its_velocity_where_the_start_names_none():
    for start in ({}, {"displacement": 0.5}, {"displacement_rate": 40.0}):
        run, warned = started(cart(start))
        assert run["cart.velocity"][0] == pytest.approx([40.0, 0, 0], abs=1e-12)
        assert run["rail.displacement"][0] == start.get("displacement", 0.0)
        assert not warned


def test_a_named_rate_wins_and_a_warning_says_so():
    run, warned = started(cart({"displacement_rate": 5.0}))
    assert run["cart.velocity"][0] == pytest.approx([5.0, 0, 0], abs=1e-12)
    assert "node 'cart': velocity by 35 m/s, by the start of 'rail'" in warned
    assert "node 'cart': velocity by 35 m/s" in run.attrs.notes[0]


@pytest.mark.parametrize(
    "given",
    [
        {"velocity": (0, 3.0, 0), "angular_velocity": (0, 0, 3.0)},
        {"velocity": (0, 3.0, 0)},
        {"angular_velocity": (0, 0, 3.0)},
    ],
    ids=["both", "velocity", "angular velocity"],
)
@pytest.mark.parametrize("turned", [False, True])
def test_a_pendulum_turns_its_velocity_with_it(given, turned):
    model = sm.Model("pendulum")
    bob, hinge = bodied(model, "bob", (1.0, 0, 0), **given), {"at": (0, 0, 0), **ACROSS, "start": {"angle": 0.5}}
    model.add("hinge", sm.Revolute(*((bob, model.ground) if turned else (model.ground, bob)), **hinge))
    run, warned = started(model)
    angle = -0.5 if turned else 0.5
    assert run["bob.velocity"][0] == pytest.approx(rotation_z(angle) @ [0, 3.0, 0], abs=1e-8)  # of the weights of both
    assert run["bob.angular_velocity"][0] == pytest.approx([0, 0, 3.0], abs=1e-8)
    assert not warned


def test_rates_come_on_top_of_a_common_flight():
    model, flight = sm.Model("machine"), np.array([70.0, 0, 0])
    body, shaft, blade = (
        bodied(model, n, (x, 0, 0), velocity=flight) for n, x in (("body", 0), ("shaft", 0), ("b", 1))
    )
    model.add("bearing", sm.Revolute(body, shaft, at=(0, 0, 0), **ACROSS, start={"angle": 0.4, "angle_rate": 20.0}))
    model.add("flap", sm.Revolute(shaft, blade, at=(0, 0, 0), axis=(0, 1, 0), start={}))
    run, warned = started(model)
    assert run["body.velocity"][0] == pytest.approx(flight, abs=1e-12)
    assert run["b.velocity"][0] == pytest.approx(flight + rotation_z(0.4) @ [0, 20.0, 0], abs=1e-12)
    assert run["flap.angle_rate"][0] == pytest.approx(0.0, abs=1e-12)
    assert not warned


def test_velocities_that_fit_a_prescribed_hub_are_no_rates_of_the_joint():
    model, spin = sm.Model("rotor"), np.array([0, 0, 30.0])
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, lambda t: 30.0 * t)))
    blade = bodied(model, "blade", (1.0, 0, 0), velocity=(0, 30.0, 0), angular_velocity=spin)
    model.add("flap", sm.Revolute(hub, blade, at=(0, 0, 0), axis=(0, -1, 0), start={"angle": 0.2}))
    run, warned = started(model)
    assert run["flap.angle_rate"][0] == pytest.approx(0.0, abs=1e-12)
    assert run["blade.velocity"][0] == pytest.approx(np.cross(spin, run["blade.position"][0]), abs=1e-12)
    assert not warned


def test_a_velocity_that_a_free_pair_cannot_have_is_no_secret():
    model = sm.Model("pair")
    first, second = bodied(model, "first"), bodied(model, "second", (1.0, 0, 0), velocity=(70.0, 0, 0))
    model.add("hinge", sm.Revolute(first, second, at=(0.5, 0, 0), **ACROSS, start={}))
    assert "node 'second': velocity by 70 m/s, by the start of 'hinge'" in started(model)[1]
