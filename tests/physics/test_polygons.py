"""Polygons of any number of facets in the place of friction's circle: boxes that are thrown, slide and stand."""

import numpy as np
import pytest

import samara as sm

G = 9.81
HALF = np.array([0.2, 0.15, 0.1])
FACETS = [3, 4, 5, 6, 8]


def box(
    model: sm.Model, name: str, below=None, place=(0, 0, 0), corners: int = 8, *, friction, restitution=0.0, **node
):
    """A box with contacts at its corners: all eight, or those of its lower face."""
    made = model.node(name, **node)
    model.add(f"{name}.body", sm.Body(made, mass=3.0, inertia=(HALF**2).sum() - HALF**2))
    for k, (z, x, y) in enumerate(list(np.ndindex(2, 2, 2))[:corners]):
        at = {"place_a": place, "place_b": HALF * (2.0 * np.array([x, y, z]) - 1.0)}
        rough = {"friction": friction, "restitution": restitution}
        model.add(f"{name}.corner{k}", sm.Contact(below or model.ground, made, **at, **rough))
    return made


def run(model: sm.Model, end: float, facets: int) -> sm.Results:
    return sm.transient(
        model, end, 1e-3, formulation="recursive", integrator=sm.MoreauJean(facets=facets), progress=False
    )


@pytest.mark.parametrize("facets", FACETS)
@pytest.mark.parametrize("trial", [0, 2, 5])
def test_thrown_boxes_come_to_an_end_without_gaining_energy(facets, trial):
    """On their corners, edges and faces, in oblique gravity: in these trials rounding was once taken for pivots."""
    rng = np.random.default_rng(trial)
    gravity = np.array([rng.uniform(-3, 3), rng.uniform(-3, 3), -G])
    model = sm.Model("thrown", gravity=tuple(gravity))
    law = {"friction": rng.uniform(0.1, 1.0), "restitution": rng.uniform(0, 0.8) * (trial % 2)}
    start = {"velocity": tuple(rng.normal(size=3)), "angular_velocity": tuple(5.0 * rng.normal(size=3))}
    box(model, "box", position=(0, 0, 0.4), **law, **start)
    found = run(model, 0.6, facets)
    total = found["model.kinetic"] - 3.0 * found["box.position"] @ gravity
    # where a corner turns the scheme errs by the square of a step: m (w h)^2 r^2 w, some 1e-5 J of 20 J
    assert np.diff(total).max() < 5e-5
    assert found["box.position"][-1, 2] > 0.09


@pytest.mark.parametrize("facets", FACETS)
def test_a_stack_stands_on_polygons(facets):
    """Four boxes, each a little aside: every level carries what is above it."""
    model = sm.Model("stack", gravity=(0, 0, -G))
    last, place = None, (0, 0, 0)
    for k in range(4):
        where = {"position": (0.01 * k, 0, HALF[2] * (1 + 2 * k) - 1e-4)}
        last, place = box(model, f"box{k}", last, place, 4, friction=0.5, **where), (0, 0, HALF[2])
    found = run(model, 0.3, facets)
    for k in range(4):
        assert np.abs(found[f"box{k}.velocity"][-1]).max() < 1e-9
        carried = sum(found[f"box{k}.corner{j}.force"][-1, 0] for j in range(4))
        assert carried == pytest.approx(3.0 * G * (4 - k), rel=1e-9)
