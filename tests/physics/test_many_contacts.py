"""Many contacts at once: islands do not know each other, and rows, stacks and piles stand, in both formulations."""

import numpy as np
import pytest

import samara as sm
from samara.elements.contact.shapes import contact_axes

G = 9.81
HALF = np.array([0.2, 0.15, 0.1])


def boxes(places, height=1, *, friction=0.5, gravity=(0.5, 0.3, -G), velocity=(0, 0, 0)) -> sm.Model:
    """Stacks of boxes, each on the four corners of its lower face; names are those of the places."""
    model = sm.Model("boxes", gravity=gravity)
    for name, x in places.items():
        below, at = model.ground, (0, 0, 0)
        for level in range(height):
            node = model.node(f"{name}{level}", position=(x, 0, HALF[2] * (1 + 2 * level)), velocity=velocity)
            model.add(f"{name}{level}.body", sm.Body(node, mass=3.0, inertia=(HALF**2).sum() - HALF**2))
            for k, (s, t) in enumerate([(1, 1), (1, -1), (-1, 1), (-1, -1)]):
                corner = {"place_a": at, "place_b": HALF * (s, t, -1), "friction": friction}
                model.add(f"{name}{level}.corner{k}", sm.Contact(below, node, **corner))
            below, at = node, (0, 0, HALF[2])
    return model


@pytest.mark.parametrize(("formulation", "accuracy"), [("redundant", 1e-9), ("recursive", 1e-13)])
def test_boxes_far_apart_do_not_know_each_other(formulation, accuracy):
    """Twelve boxes that slide, 48 contacts, more than are answered one by one: each as if it were alone.

    In the redundant formulation all are iterated until the worst has converged, to 1e-10 of the speeds.
    """
    slides = {"friction": 0.1, "velocity": (1.0, 0.5, 0.0), "gravity": (0.5, 0.3, -G)}
    many = sm.transient(
        boxes({f"b{k}_": 2.0 * k for k in range(12)}, **slides), 0.3, 1e-3, formulation=formulation, progress=False
    )
    alone = sm.transient(boxes({"b": 0.0}, **slides), 0.3, 1e-3, formulation=formulation, progress=False)
    for k in range(12):
        np.testing.assert_allclose(many[f"b{k}_0.velocity"], alone["b0.velocity"], atol=accuracy)


@pytest.mark.parametrize(("formulation", "height"), [("redundant", 12), ("recursive", 4)])
def test_a_stack_stands(formulation, height):
    """Each level carries the weight above it; nothing moves. The law holds to 1e-9 of g h per step, for 100 steps."""
    model = boxes({"b": 0.0}, height, gravity=(0.2, 0.1, -G))
    run = sm.transient(model, 0.1, 1e-3, formulation=formulation, progress=False)
    for level in range(height):
        assert np.abs(run[f"b{level}.velocity"][-1]).max() < 1e-6
        carried = sum(run[f"b{level}.corner{k}.force"][-1, 0] for k in range(4))
        assert carried == pytest.approx(3.0 * G * (height - level), rel=1e-6)
    assert run.attrs.counters["contacts_unconverged"] == 0


def test_a_row_of_balls_that_touch_keeps_its_momentum():
    """Thirty balls on a smooth floor, the first pushes: no energy is made of overlaps, however short a step is cut."""
    model = sm.Model("row", gravity=(0, 0, -G))
    last = None
    for k in range(30):
        velocity = (2.0 if k == 0 else 0.0, 0.01 * (k % 3), 0)
        ball = model.node(f"b{k}", position=(0.0999999 * k, 0, 0.05), velocity=velocity)
        model.add(f"b{k}.body", sm.Body(ball, mass=1.0, inertia=(1e-3,) * 3))
        model.add(f"b{k}.floor", sm.Contact(model.ground, ball, place_a=(0, 0, 0), shape=sm.BallShape(0.05)))
        if last is not None:
            pair = {"surface": sm.SphereSurface(0.05), "shape": sm.BallShape(0.05), "friction": 0.1, "restitution": 0.9}
            model.add(f"b{k}.pair", sm.Contact(last, ball, place_a=(0, 0, 0), **pair))
        last = ball
    run = sm.transient(model, 0.05, 1e-3, progress=False)
    momentum = sum(run[f"b{k}.velocity"] for k in range(30))
    # what is turned in the short step of an impact: up to 2 N s by 0.2 rad/s (2 m/s 0.1 0.01 m/s of slip) h / 64
    np.testing.assert_allclose(momentum[-1, :2], momentum[0, :2], atol=1e-5)
    # overlaps of 1e-7 m are taken back by a tenth per step: 1e-5 m/s
    assert run["model.kinetic"].max() < run["model.kinetic"][0] + 1e-4
    assert run.attrs.counters["impacts"] > 0


def test_tangents_do_not_jump_where_things_touch_side_by_side():
    """Normals that cross the horizon, a wall's or those of balls at one height, keep their tangents."""
    for angle in np.linspace(0.0, 2.0 * np.pi, 40):
        above, below = (
            np.array(contact_axes(np.array([np.cos(angle), np.sin(angle), z]) / np.hypot(1.0, z)))
            for z in (1e-9, -1e-9)
        )
        np.testing.assert_allclose(above, below, atol=1e-8)
        np.testing.assert_allclose(above @ above.T, np.eye(3), atol=1e-15)
        assert np.linalg.det(above) == pytest.approx(1.0)


def test_a_long_tree_with_contacts_says_that_it_takes_minutes(monkeypatch):
    monkeypatch.setattr("samara.recursive.native.compiled.SLOW_WITH_CONTACTS", 3)
    with pytest.warns(UserWarning, match=r"'boxes' has contacts and 4 .*formulation='redundant'"):
        sm.Simulation(boxes({"b": 0.0}), formulation="recursive")
