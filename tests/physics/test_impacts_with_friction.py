"""Impacts with friction of trees, by time stepping: rocking blocks, rods, toys, and energy that never grows.

Time stepping is of order one: an impact is met up to a step late.
"""

from itertools import product

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import samara as sm
from samara.rotations import rotation_from_rotation_vector

G = 9.81
FLOOR = {"place_a": (0, 0, 0)}


def run(model, end, step, integrator=None, **more):
    return sm.transient(model, end, step, formulation="recursive", integrator=integrator, progress=False, **more)


def energy(results):
    return results["model.kinetic"] + results["model.potential"]


def corners(model, body, half, friction, restitution, below=None):
    """Contacts c0, c1, ... of a box's corners with the floor; of the lower ones only where `below`."""
    for k, signs in enumerate(s for s in product((-1, 1), repeat=3) if not below or s[2] < 0):
        mu, e = np.broadcast_to(friction, 8)[k], np.broadcast_to(restitution, 8)[k]
        place = tuple(np.multiply(signs, half))
        model.add(f"c{k}", sm.Contact(model.ground, body, **FLOOR, place_b=place, friction=mu, restitution=e))


def box_inertia(mass, half):
    squares = np.square(half)
    return mass / 3.0 * (squares.sum() - squares)


# Impacts with friction -----------------------------------------------------------------------------------------------


def rocking_block(alpha, start, h):
    """A slender block of half diagonal 1 m, tilted about one edge. Returns results and its tilt."""
    half = (np.sin(alpha), 0.5, np.cos(alpha))
    R = rotation_from_rotation_vector((0, start, 0))
    model = sm.Model("rocking", gravity=(0, 0, -G))
    centre = np.array([half[0], 0, 0]) - R @ np.array([half[0], 0, -half[2]])
    body = model.node("block", position=centre, rotation=R)
    model.add("body", sm.Body(body, mass=2.0, inertia=(2.0 / 3.0,) * 3))  # m (2 r)^2 / 12 about y
    corners(model, body, half, 2.0, 0.0, below=True)
    results = run(model, 2.2, h)
    return results, np.arcsin((results["c0.gap"] - results["c2.gap"]) / (2 * half[0]))


@pytest.mark.parametrize("alpha", [0.2, 0.3])
def test_a_block_rocks_as_housner_says(alpha):
    """Each impact leaves 1 - 3/2 sin^2(alpha) of the rate; quarter periods by the exact equation, and by Housner's.

    Slender blocks: cosh(p T/4) = 1 / (1 - theta/alpha), p^2 = 3 g / 4 r. Both follow from the angular momentum about an
    edge. G. W. Housner, The behavior of inverted pendulum structures during earthquakes, Bull. Seism. Soc. Am. 53(2).
    """
    start, h = 0.5 * alpha, 2e-4
    results, tilt = rocking_block(alpha, start, h)
    passes = np.flatnonzero(tilt[1:] * tilt[:-1] < 0)[:3]
    rate, p = results["block.angular_velocity"][:, 1], np.sqrt(3 * G / 4)

    def hits(t, y):
        return y[0]

    hits.terminal = True
    fall = solve_ivp(lambda t, y: (y[1], -(p**2) * np.sin(alpha - y[0])), (0, 2), (start, 0), events=hits, rtol=1e-10)
    # steps at the start of which edges turn, and half a step of delay: some h
    assert results.time[passes[0]] == pytest.approx(fall.t_events[0][0], abs=5 * h)
    assert results.time[passes[0]] == pytest.approx(np.arccosh(2.0) / p, rel=5e-3)  # slender: sin(alpha) = alpha
    # eight steps about the impact lose p^2 alpha 8 h of a rate of 0.5, 1 %
    ratios = np.array([rate[i + 4] / rate[i - 4] for i in passes])
    assert ratios == pytest.approx(1 - 1.5 * np.sin(alpha) ** 2, abs=1e-2)


def thrown_rod(friction, e, angle, *, v=(0, 0, 0), w=(0, 0, 0), above=0.0, half=0.5):
    """A rod whose ends may touch the floor."""
    model = sm.Model("rod", gravity=(0, 0, -G))
    centre = (0, 0, half * np.sin(angle) + above)
    R = rotation_from_rotation_vector((0, -angle, 0))
    body = model.node("rod", position=centre, rotation=R, velocity=v, angular_velocity=w)
    model.add("body", sm.Body(body, mass=1.0, inertia=(1e-3, half**2 / 3, half**2 / 3)))
    for k, x in enumerate((-half, half)):
        more = {"friction": friction, "restitution": e}
        model.add(f"c{k}", sm.Contact(model.ground, body, **FLOOR, place_b=(x, 0, 0), **more))
    return model


@pytest.mark.parametrize("angle", [40, 60, 75])
@pytest.mark.parametrize("way", [-1, 1])
def test_painleve_rod(angle, way):
    """A rod that slides with a friction for which accelerations have none or two solutions: impulses are finite.

    No impulse is larger than the momentum that there is, some m v and what a fall by the length gives, and energy
    falls, but for g^2 h^2 m in a step where an end turns.
    """
    h = 5e-4
    results = run(thrown_rod(2.0, 0.0, np.deg2rad(angle), v=(3.0 * way, 0, 0)), 1.0, h)
    assert results["c0.force"][:, 0].max() * h < 3.0 + np.sqrt(2 * G)
    assert np.diff(energy(results)).max() < G**2 * h**2
    assert np.abs(results["rod.velocity"][-1]).max() < 1e-9  # lies on the floor


@pytest.mark.parametrize(("e", "friction"), [(1.0, 0.0), (0.9, 0.1), (0.8, 0.3)])
def test_bouncing_dimer(e, friction):
    results = run(thrown_rod(friction, e, 0.3, v=(0.5, 0, 0), w=(0, 2, 0), above=0.2), 2.0, 2e-4)
    E = energy(results)
    hits = [np.sum(np.diff(results[f"c{k}.force"][:, 0] > 0)) for k in (0, 1)]
    assert min(hits) >= 2
    if e == 1.0:
        assert pytest.approx(E[0], rel=1e-12) == E  # gravity and impacts are exact, and it turns about one axis
    else:
        assert np.diff(E).max() < G**2 * 2e-4**2
        assert E[-1] < 0.5 * E[0]


@pytest.mark.parametrize("weight", [1e-2, 1e-4])
def test_what_slides_fast_under_a_light_load(weight):
    """A slider that is hardly pressed keeps touching: its contact contradicts nothing."""
    model = sm.Model("slide", gravity=(0, 0, -weight))
    rod = model.node("rod", position=(0, 0, -1e-9), velocity=(3, 1, 0))
    model.add("body", sm.Body(rod, mass=1.0, inertia=(1, 2, 2.5), com=(0.3, 0.2, 0.8)))
    model.add("c", sm.Contact(model.ground, rod, **FLOOR, friction=0.3))
    results = run(model, 0.01, 1e-4)
    assert np.all(results["c.force"][1:, 0] > 0)


def test_tippe_top_turns_over():
    """A stress case: a ball with its centre of mass below its middle, spun fast, ends upside down.

    Friction at the floor takes from the spin: the vertical angular momentum keeps its sign while the axis turns over,
    so that the spin about the body's axis changes it. (T. R. Kane and D. A. Levinson, J. Appl. Mech. 45, 1978.)
    """
    radius, mass, h = 0.02, 0.006, 1e-4
    inertia, below = 0.4 * mass * radius**2, 0.3 * radius
    model = sm.Model("tippe top", gravity=(0, 0, -G))
    R = rotation_from_rotation_vector((0.1, 0, 0))
    top = model.node("top", position=(0, 0, radius - 1e-9), rotation=R, angular_velocity=(0, 0, 150.0))
    model.add("body", sm.Body(top, mass=mass, inertia=(0.9 * inertia, 0.9 * inertia, inertia), com=(0, 0, -below)))
    model.add("c", sm.Contact(model.ground, top, **FLOOR, shape=sm.BallShape(radius), friction=0.3))
    results = run(model, 4.0, h)
    height = results["model.potential"] / (mass * G)
    assert height[0] < 0.75 * radius and height.max() > 1.2 * radius
    turned = np.argmax(height)
    assert results["top.angular_velocity"][turned, 2] > 0
    axis = results["top.rotation"].reshape(-1, 3, 3)[turned, :, 2]
    assert axis[2] < 0 and axis @ results["top.angular_velocity"][turned] < 0


# Energy --------------------------------------------------------------------------------------------------------------


def thrown_box(trial, floor=True):
    """A box with spin above the floor, each corner with its own friction and restitution, seeded."""
    rng = np.random.default_rng(trial)
    half, mass = rng.uniform(0.05, 0.3, 3), rng.uniform(0.5, 3.0)
    R = rotation_from_rotation_vector(rng.normal(size=3))
    state = {"position": (0, 0, 0.6), "rotation": R, "velocity": 2 * rng.normal(size=3)}
    friction, e, spin = rng.uniform(0, 1, 8), rng.uniform(0, 1, 8), 8 * rng.normal(size=3)
    model = sm.Model("thrown", gravity=(0, 0, -G))
    body = model.node("box", **state, angular_velocity=spin)
    model.add("body", sm.Body(body, mass=mass, inertia=box_inertia(mass, half)))
    if floor:
        corners(model, body, half, friction, e)
    return model


@pytest.mark.parametrize("trial", range(6))
def test_energy_of_thrown_boxes_never_grows(trial):
    """Where a corner rolls over the floor its direction is that at one end of the step: w^2 h^2 of the energy at most.

    In free flight the scheme keeps energy to its own order, seen from the same flight without a floor.
    """
    h = 5e-4
    results, free = run(thrown_box(trial), 1.5, h), run(thrown_box(trial, floor=False), 1.5, h, sm.MoreauJean())
    E, rise = energy(results), np.diff(energy(results))
    touching = sum(results[f"c{k}.force"][1:, 0] for k in range(8)) > 0
    assert touching.any() and E[-1] < E[0]
    allowed = 10 * np.abs(np.diff(energy(free))).max() + 1e-9 * E[0]
    assert rise[~touching].max() < allowed
    turn = np.linalg.norm(results["box.angular_velocity"], axis=1).max() * h
    assert rise[touching].max() < allowed + turn**2 * results["model.kinetic"].max()


def test_all_thrown_boxes_come_to_an_end():
    """Nothing contradicts on a plane floor, whatever the friction and restitution of the corners."""
    failed = []
    for trial in range(100, 130):
        try:
            run(thrown_box(trial), 2.0, 1e-3)
        except sm.Diverged:
            failed.append(trial)
    assert not failed


@pytest.mark.parametrize("trial", range(6))
def test_kanes_double_pendulum_gains_no_energy(trial):
    """Kane's puzzle: Newton's restitution with Coulomb's friction may add energy at the tip of two links. Not here."""
    rng = np.random.default_rng(300 + trial)
    angles, rates = rng.uniform(0.2, 1.0, 2), rng.uniform(-6.0, 6.0, 2)
    model, at = sm.Model("two links"), np.zeros(3)
    last = model.ground
    for k, angle in enumerate(angles):
        along, R = np.array([np.sin(angle), 0, -np.cos(angle)]), rotation_from_rotation_vector((0, -angle, 0))
        link = model.node(f"link{k}", position=at + along / 2, rotation=R)
        model.add(f"body{k}", sm.Body(link, mass=1.0, inertia=(1 / 12, 1 / 12, 1e-3)))
        model.add(f"hinge{k}", sm.Revolute(last, link, at=at, axis=(0, 1, 0), start={"angle_rate": rates[k]}))
        at, last = at + along, link
    more = {"friction": rng.uniform(0, 1.2), "restitution": rng.uniform(0, 1)}
    model.add("tip", sm.Contact(model.ground, last, place_a=(0, 0, at[2]), place_b=(0, 0, -0.5), **more))
    results = run(model, 0.2, 1e-4)
    # without loads energy is kept to order two of the step: 1e-8 of it
    assert np.diff(energy(results)).max() < 1e-7 * energy(results)[0]
