"""Static solutions in load steps: along the loads or along time, halved where they fail."""

import numpy as np
import pytest

import samara as sm


def arm(load, elements=4, gravity=(0, 0, 0)):
    model = sm.Model("arm", gravity=gravity)
    count = 2 * elements
    nodes = [model.ground, *(model.node(f"n{k}", (k / count, 0, 0), static=True) for k in range(1, count + 1))]
    for e in range(elements):
        section = sm.Section((1e6, 1e6, 1e6, 1.0, 1.0, 1.0))
        model.add(f"beam{e}", sm.Beam3(*nodes[2 * e : 2 * e + 3], section=section))
    model.add("load", sm.Force(nodes[-1], force=(0, 0, load)))
    return model, f"n{count}.position"


def test_every_step_is_recorded_and_is_the_equilibrium_of_its_load():
    model, tip = arm(2.0)
    run = sm.static(model, steps=4)
    assert run.time == pytest.approx([0.25, 0.5, 0.75, 1.0])
    assert run["load.force"].shape[0] == 4
    for factor, found in zip(run.time, run[tip], strict=True):
        assert found == pytest.approx(sm.static(arm(2.0 * factor)[0])[tip][-1], abs=1e-8)


def test_along_time_follows_the_drives():
    model, tip = arm(sm.Ramp(0.5, end=4.0))
    run = sm.static(model, time=4.0, steps=2, along="time")
    assert run.time == pytest.approx([2.0, 4.0])
    assert run[tip][-1] == pytest.approx(sm.static(arm(2.0)[0])[tip][-1], abs=1e-8)
    assert run[tip][0] == pytest.approx(sm.static(arm(1.0)[0])[tip][-1], abs=1e-8)


def test_a_step_that_fails_is_halved():
    run = sm.static((model := arm(10.0))[0])
    assert run.attrs.counters["halvings"] > 0
    assert len(run) == 1
    assert run[model[1]][-1] == pytest.approx(sm.static(arm(10.0)[0], steps=20)[model[1]][-1], abs=1e-8)


def test_weights_grow_with_the_loads():
    model = sm.Model("hanging", gravity=(0, 0, -9.81))
    bob = model.node("bob", (1, 0, 0))
    model.add("mass", sm.Body(bob, mass=2.0, inertia=(1, 1, 1)))
    model.add("rail", sm.Prismatic(model.ground, bob, axis=(0, 0, 1)))
    model.add("spring", sm.Spring(model.ground, bob, place_a=(1, 0, 1), stiffness=100.0, length=1.0))
    run = sm.static(model, steps=3)
    assert run["bob.position"][:, 2] == pytest.approx(-2 * 9.81 / 100 * np.array([1, 2, 3]) / 3, abs=1e-9)


def test_a_load_without_equilibrium_keeps_what_was_found():
    # a spring that softens: no balance beyond its largest force
    model = sm.Model("soft")
    cart = model.node("cart", (1, 0, 0), static=True)
    model.add("rail", sm.Prismatic(model.ground, cart, axis=(1, 0, 0)))
    law = sm.CubicLaw(10.0, -10.0)
    model.add("spring", sm.Axial(model.ground, cart, law=law, axis=(1, 0, 0)))
    model.add("pull", sm.Force(cart, force=(10.0, 0, 0)))
    with pytest.raises(sm.Diverged, match="no equilibrium") as caught:
        sm.static(model, steps=10, iterations=30)
    largest = 10 * (2 / 3) / np.sqrt(3)  # of 10 q - 10 q^3
    results = caught.value.results
    assert results.attrs.status == "failed"
    assert results.time[-2] <= largest / 10 <= results.time[-2] + 0.1
    assert results["pull.force"][-2, 0] == pytest.approx(10 * results.time[-2])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"steps": 0}, "steps must be at least 1"),
        ({"steps": 10**9}, "static: steps must be at most 1e"),
        ({"along": "arc"}, "along must be one of 'loads', 'time', got 'arc'"),
        ({"along": "time"}, "give a non-zero time"),
    ],
)
def test_bad_options(options, words):
    with pytest.raises(ValueError, match=words):
        sm.static(arm(1.0)[0], **options)
