"""Random impacts of balls, by chance that is seeded: what holds of all of them, at any step and in any formulation.

energy never grows, momentum and angular momentum are kept to rounding, nothing passes through anything
"""

import numpy as np
import pytest

import samara as sm

#: Balls that fly at about a metre per second in a cage of half a metre.
RADIUS, CAGE = 0.06, 0.5


def cloud(rng, count: int, *, cage: bool, restitution=None) -> sm.Model:
    """Balls of random sizes and masses with random spins, far enough apart to begin with, all against all."""
    model, places, nodes = sm.Model("cloud"), [], []
    while len(places) < count:
        place = rng.uniform(-0.5, 0.5, 3) * 1.1 * CAGE
        if all(np.linalg.norm(place - other) > 2.2 * RADIUS for other in places):
            places.append(place)
    for k, place in enumerate(places):
        radius, mass = RADIUS * rng.uniform(0.5, 1.0), rng.uniform(0.2, 2.0)
        motion = {"velocity": rng.uniform(-0.2, 0.2, 3) - 4.0 * place, "angular_velocity": rng.uniform(-20.0, 20.0, 3)}
        node = model.node(f"b{k}", position=place, **motion)
        model.add(f"b{k}.body", sm.Body(node, mass=mass, inertia=(0.4 * mass * radius**2,) * 3))
        nodes.append((node, radius))
    for k, (b, radius) in enumerate(nodes):
        law = {"friction": rng.choice([0.0, 0.3]), "restitution": restitution or rng.uniform(0.0, 1.0)}
        if cage:
            wall = {"place_a": (0, 0, 0), "surface": sm.SphereSurface(CAGE, hollow=True)}
            model.add(f"b{k}.cage", sm.Contact(model.ground, b, shape=sm.BallShape(radius), **wall, **law))
        for j, (a, other) in enumerate(nodes[:k]):
            pair = {"place_a": (0, 0, 0), "surface": sm.SphereSurface(other), "shape": sm.BallShape(radius)}
            model.add(f"b{j}.b{k}", sm.Contact(a, b, **pair, **law))
    return model


def momenta(model: sm.Model, run: sm.Results) -> np.ndarray:
    """Momentum and angular momentum about the origin, at all times."""
    total = np.zeros((len(run.time), 6))
    for name, node in model.nodes.items():
        if node.free:
            body = model.elements[f"{name}.body"]
            p = body.mass * run[f"{name}.velocity"]
            spin = body.inertia[0, 0] * run[f"{name}.angular_velocity"]
            total += np.hstack([p, np.cross(run[f"{name}.position"], p) + spin])
    return total


def gaps(model: sm.Model, run: sm.Results) -> float:
    return min(float(run[f"{name}.gap"].min()) for name, e in model.elements.items() if isinstance(e, sm.Contact))


@pytest.mark.parametrize("step", [5e-2, 1e-2, 1e-3, None])
@pytest.mark.parametrize("seed", range(4))
def test_balls_in_free_flight(seed, step):
    """Impacts with restitution and friction drawn at random, also several in one step."""
    model = cloud(np.random.default_rng(seed), 6, cage=False)
    pace = {"accuracy": 1e-6} if step is None else {"step": step}
    run = sm.transient(model, 0.6, progress=False, **pace)
    kinetic, total = run["model.kinetic"], momenta(model, run)
    assert run.attrs.counters["impacts"] >= 2
    assert np.diff(kinetic).max() < 1e-12 * kinetic[0]
    np.testing.assert_allclose(total, np.broadcast_to(total[0], total.shape), atol=1e-11)
    # what hits is stopped within 1e-3 of a step's way; rest and slow impacts are taken back over some steps
    assert gaps(model, run) > -2e-3 * 3.0 * (step or 0.03)


@pytest.mark.parametrize("step", [2e-2, 1e-3])
@pytest.mark.parametrize("seed", range(2))
def test_time_stepping_of_the_same(seed, step):
    model = cloud(np.random.default_rng(seed), 4, cage=False)
    run = sm.transient(model, 0.6, step, formulation="recursive", progress=False)
    kinetic, total = run["model.kinetic"], momenta(model, run)
    assert run.attrs.counters["impacts"] >= 1
    assert np.diff(kinetic).max() < 1e-12 * kinetic[0]
    np.testing.assert_allclose(total[:, :3], np.broadcast_to(total[0, :3], (len(total), 3)), atol=1e-12)
    assert gaps(model, run) > -3.0 * step  # an impact is met half a step late, and overlaps of several add up


@pytest.mark.parametrize("step", [1e-2, 1e-3])
def test_elastic_balls_in_a_hollow_sphere_keep_their_energy(step):
    """Hundreds of impacts, smooth and elastic, against each other and against the wall."""
    model = cloud(np.random.default_rng(7), 8, cage=True, restitution=1.0)
    for element in model.elements.values():
        if isinstance(element, sm.Contact):
            assert float(element.restitution) == 1.0
    run = sm.transient(model, 5.0, step, progress=False)
    kinetic = run["model.kinetic"]
    assert run.attrs.counters["impacts"] > 60
    assert np.diff(kinetic).max() < 1e-12 * kinetic[0]
    assert gaps(model, run) > -2e-3 * 3.0 * step
