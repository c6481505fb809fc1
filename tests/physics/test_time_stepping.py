"""Contacts of trees by time stepping: falls, swings and friction, against closed forms and other solvers.

Time stepping is of order one: an impact is met up to a step late, and directions of contacts are those at the start of
a step. Where a tolerance says "a step", that is why.
"""

from itertools import product

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.optimize import brentq

import samara as sm
from samara.rotations import rotation_from_axes

G = 9.81
FLOOR = {"place_a": (0, 0, 0)}


def run(model, end, step, integrator=None, **more):
    return sm.transient(model, end, step, formulation="recursive", integrator=integrator, progress=False, **more)


def facing(normal, at=(0, 0, 0)):
    """A placement whose z axis is the normal."""
    x = (0, 1, 0) if abs(normal[1]) < 0.9 else (1, 0, 0)
    return sm.Placement(at, rotation_from_axes(z=normal, x=x))


def energy(results):
    return results["model.kinetic"] + results["model.potential"]


def slope(steps, errors):
    """Order of errors, fitted over all steps: where in a step an impact falls is chance."""
    return np.polyfit(np.log(steps), np.log(errors), 1)[0]


def ball(
    surface=None, place=(0, 0, 0), *, gravity=(0, 0, -G), radius=0.1, mass=2.0, contact=sm.Contact, node=None, **more
):
    """A ball `ball` and its contact `c` with a surface; friction, restitution, ... go to the contact."""
    model = sm.Model("ball", gravity=gravity)
    body = model.node("ball", **(node or {"position": (0, 0, radius)}))
    model.add("body", sm.Body(body, mass=mass, inertia=(0.4 * mass * radius**2,) * 3))
    more = {"shape": sm.BallShape(radius), "surface": surface or sm.PlaneSurface(), **more}
    model.add("c", contact(model.ground, body, place_a=place, **more))
    return model


def corners(model, body, half, friction, restitution, below=None):
    """Contacts c0, c1, ... of a box's corners with the floor; of the lower ones only where `below`."""
    for k, signs in enumerate(s for s in product((-1, 1), repeat=3) if not below or s[2] < 0):
        mu, e = np.broadcast_to(friction, 8)[k], np.broadcast_to(restitution, 8)[k]
        place = tuple(np.multiply(signs, half))
        model.add(f"c{k}", sm.Contact(model.ground, body, **FLOOR, place_b=place, friction=mu, restitution=e))


def box_inertia(mass, half):
    squares = np.square(half)
    return mass / 3.0 * (squares.sum() - squares)


# Falling and swinging ------------------------------------------------------------------------------------------------


def test_a_ball_that_falls_is_of_order_one():
    """Mean distance from the exact parabolas over three impacts."""
    e, start = 0.8, 1.0
    first = np.sqrt(2 * start / G)

    def exact(t):
        begin, v = -first, np.sqrt(2 * G * start)
        while t >= begin + 2 * v / G:
            begin, v = begin + 2 * v / G, e * v
        return v * (t - begin) - 0.5 * G * (t - begin) ** 2

    steps = 2e-3 / 2.0 ** np.arange(5)
    errors = []
    for h in steps:
        results = run(ball(node={"position": (0, 0, start + 0.1)}, restitution=e), 2.0, h)
        errors.append(np.mean(np.abs(results["c.gap"] - [exact(t) for t in results.time])))
    assert 0.8 < slope(steps, errors) < 1.2
    assert errors[-1] < 2e-3  # speeds of 4 m/s, half a step late in each of three impacts


def masses_on_a_stop(count, e, stiffness=200.0, gap=0.02):
    """Masses on a rail with springs between them; the last one meets a stop."""
    model = sm.Model("masses on a stop")
    last = model.ground
    for i in range(count):
        node = model.node(f"m{i}", position=(0.5 * (i + 1), 0, 0), velocity=(1.0 + 0.3 * i, 0, 0))
        model.add(f"body{i}", sm.Body(node, mass=1.0 + 0.5 * i, inertia=(1, 1, 1)))
        model.add(f"rail{i}", sm.Prismatic(model.ground, node, at=node.position, axis=(1, 0, 0)))
        model.add(f"spring{i}", sm.Spring(last, node, stiffness=stiffness))
        last = node
    stop = facing((-1, 0, 0), (0.5 * count + gap, 0, 0))
    model.add("stop", sm.Contact(model.ground, last, place_a=stop, restitution=e))
    return model


def exact_masses_on_a_stop(count, e, times, stiffness=200.0, gap=0.02):
    """Displacements: flights by the matrix exponential, impacts by Brent's method and Newton's law."""
    K = stiffness * (2 * np.eye(count) - np.eye(count, k=1) - np.eye(count, k=-1))
    K[-1, -1] = stiffness
    masses = 1.0 + 0.5 * np.arange(count)
    A = np.block([[np.zeros((count, count)), np.eye(count)], [-K / masses[:, None], np.zeros((count, count))]])
    y, t, found = np.r_[np.zeros(count), 1.0 + 0.3 * np.arange(count)], 0.0, []
    look = 5e-4
    leap = expm(A * look)
    while t < times[-1]:
        z, flight = leap @ y, look  # a flight is longer than `look`
        while z[count - 1] <= gap and t + flight < times[-1] + look:
            z, flight = leap @ z, flight + look
        if z[count - 1] > gap:
            flight = brentq(lambda s, y=y: (expm(A * s) @ y)[count - 1] - gap, flight - look, flight, xtol=1e-14)
        found += [(expm(A * (s - t)) @ y)[:count] for s in times[(times >= t) & (times < t + flight)]]
        y, t = expm(A * flight) @ y, t + flight
        y[-1] *= -e
    return np.array(found[: len(times)])


@pytest.mark.parametrize("count", [1, 3])
def test_masses_on_a_stop_are_of_order_one(count):
    steps = 4e-3 / 2.0 ** np.arange(6)
    errors = []
    for h in steps:
        results = run(masses_on_a_stop(count, 0.7), 1.5, h)
        every = round(4e-3 / h)
        x = np.stack([results[f"m{i}.position"][::every, 0] - 0.5 * (i + 1) for i in range(count)], axis=-1)
        errors.append(np.mean(np.abs(x - exact_masses_on_a_stop(count, 0.7, results.time[::every]))))
    assert 0.6 < slope(steps, errors) < 1.4  # a line through six errors that scatter by two
    assert errors[-1] < 5e-4  # speeds of 1 m/s, a step of 1.25e-4 s late in six impacts


@pytest.mark.parametrize("count", [1, 3])
def test_masses_on_a_stop_with_events(count):
    """The redundant formulation ends its steps at impacts: better than order one, 16 being that of order two."""
    errors = []
    for h in (4e-3, 1e-3):
        results = sm.transient(masses_on_a_stop(count, 0.7), 1.5, h, progress=False)
        every = round(4e-3 / h)
        x = np.stack([results[f"m{i}.position"][::every, 0] - 0.5 * (i + 1) for i in range(count)], axis=-1)
        errors.append(np.mean(np.abs(x - exact_masses_on_a_stop(count, 0.7, results.time[::every]))))
    assert errors[0] < 5e-4 and errors[1] < errors[0] / 4


def row_of_balls(count, gap, e):
    model = sm.Model("row")
    nodes = []
    for i in range(count):
        nodes.append(model.node(f"m{i}", position=((0.2 + gap) * i, 0, 0), velocity=(1.0 * (i == 0), 0, 0)))
        model.add(f"body{i}", sm.Body(nodes[i], mass=1.0, inertia=(0.004,) * 3))
    for i in range(count - 1):
        pair = {"place_a": (0, 0, 0), "surface": sm.SphereSurface(0.1), "shape": sm.BallShape(0.1)}
        model.add(f"c{i}", sm.Contact(nodes[i], nodes[i + 1], **pair, restitution=e))
    return model


def test_three_balls_that_touch():
    """Newton's law for all at once, v_2 - v_1 = 1 and v_3 = v_2: (-1/3, 2/3, 2/3), with all the energy."""
    results = run(row_of_balls(3, 0.0, 1.0), 0.1, 1e-3)
    assert [results[f"m{i}.velocity"][-1, 0] for i in range(3)] == pytest.approx([-1 / 3, 2 / 3, 2 / 3], abs=1e-12)


def test_five_balls_a_little_apart_hand_the_speed_on():
    results = run(row_of_balls(5, 1e-3, 1.0), 0.1, 1e-4)
    assert [results[f"m{i}.velocity"][-1, 0] for i in range(5)] == pytest.approx([0, 0, 0, 0, 1.0], abs=1e-12)


@pytest.mark.parametrize("gap", [0.0, 1e-3])
@pytest.mark.parametrize("e", [0.0, 0.6, 1.0])
def test_a_row_of_balls_keeps_its_momentum(gap, e):
    results = run(row_of_balls(5, gap, e), 0.2, 1e-3)
    momentum = sum(results[f"m{i}.velocity"] for i in range(5))
    assert momentum == pytest.approx(np.broadcast_to((1.0, 0, 0), momentum.shape), abs=1e-12)
    assert np.diff(energy(results)).max() < 1e-12


# Friction ------------------------------------------------------------------------------------------------------------


def tilted(angle, direction=0.0):
    """Gravity as a slope sees it, downhill at an angle to x."""
    return (G * np.sin(angle) * np.cos(direction), G * np.sin(angle) * np.sin(direction), -G * np.cos(angle))


def block(angle, friction, direction=0.0, start=-1e-9):
    """On four corners, pressed in by a nanometre: a gap of zero is open or closed by chance."""
    half = (0.2, 0.15, 0.1)
    model = sm.Model("block", gravity=tilted(angle, direction))
    body = model.node("block", position=(0, 0, half[2] + start))
    model.add("body", sm.Body(body, mass=3.0, inertia=box_inertia(3.0, half)))
    corners(model, body, half, friction, 0.0, below=True)
    return model


ANGLE = np.deg2rad(20.0)


@pytest.mark.parametrize("factor", [1.01, 1.5])
def test_a_block_sticks(factor):
    """No creep: what moves is below the accuracy of impulses, 1e-11 of g h in a step."""
    results = run(block(ANGLE, factor * np.tan(ANGLE), 0.4), 1.0, 1e-3)
    assert np.abs(results["block.position"] - results["block.position"][0]).max() < 1e-10
    normal = sum(results[f"c{k}.force"][1:, 0] for k in range(4))
    assert normal == pytest.approx(3.0 * G * np.cos(ANGLE), rel=1e-9)


def test_a_block_that_just_touches_sticks():
    results = run(block(ANGLE, 1.01 * np.tan(ANGLE), start=0.0), 0.1, 1e-3)
    assert np.abs(results["block.position"] - results["block.position"][0]).max() < 1e-10


def test_a_block_slides():
    """a = g (sin - mu cos), constant, so that the scheme is exact."""
    mu, direction = 0.3, 0.4
    results = run(block(ANGLE, mu, direction), 1.0, 1e-3)
    a = G * (np.sin(ANGLE) - mu * np.cos(ANGLE))
    along = np.array([np.cos(direction), np.sin(direction)])
    assert results["block.velocity"][-1, :2] == pytest.approx(a * along, rel=1e-8)
    assert results["block.position"][-1, :2] == pytest.approx(0.5 * a * along, rel=1e-8)
    normal = sum(results[f"c{k}.force"][1:, 0] for k in range(4))
    assert normal == pytest.approx(3.0 * G * np.cos(ANGLE), rel=1e-9)


def sliding_point(facets, direction):
    """(angle that it slides off downhill [rad], speed over that in the exact cone)."""
    model = sm.Model("point", gravity=tilted(ANGLE, direction))
    point = model.node("point", position=(0, 0, -1e-9))
    model.add("body", sm.Body(point, mass=3.0, inertia=(1, 1, 1)))
    model.add("c", sm.Contact(model.ground, point, **FLOOR, friction=0.2))
    v = run(model, 0.1, 1e-3, sm.MoreauJean(facets=facets))["point.velocity"][-1]
    turned = (np.arctan2(v[1], v[0]) - direction + np.pi) % (2 * np.pi) - np.pi
    return turned, np.hypot(v[0], v[1]) / (0.1 * G * (np.sin(ANGLE) - 0.2 * np.cos(ANGLE)))


def test_exact_cones_have_no_directions_and_polygons_have():
    """A point slides straight down in exact cones.

    Of a polygon with f corners friction takes the one most against the slip, so that the slip turns towards one
    of them: by at most half the angle between two, pi / f. It is no weaker than cos(pi / f) of the cone.
    """
    directions = np.linspace(0.05, 6.2, 7)
    exact = np.array([sliding_point(0, d) for d in directions])
    assert exact == pytest.approx(np.broadcast_to((0.0, 1.0), exact.shape), abs=1e-10)
    worst = []
    for facets in (4, 8, 16):
        turned, fast = np.array([sliding_point(facets, d) for d in directions]).T
        assert np.abs(turned).max() <= np.pi / facets + 1e-9
        assert np.all(fast > 1 - 1e-9)
        worst.append((np.abs(turned).max(), fast.max() - 1))
    assert worst[0][0] > worst[1][0] > worst[2][0] and worst[0][1] > worst[1][1] > worst[2][1]


@pytest.mark.parametrize("facets", [3, 4])
def test_a_block_slides_with_polygons(facets):
    half = (0.2, 0.15, 0.1)
    model = sm.Model("block", gravity=tilted(ANGLE, 0.3))
    body = model.node("block", position=(0, 0, half[2]))
    model.add("body", sm.Body(body, mass=3.0, inertia=box_inertia(3.0, half)))
    corners(model, body, half, 0.2, 0.0, below=True)
    run(model, 0.1, 1e-3, sm.MoreauJean(facets=facets))


@pytest.mark.parametrize(
    ("v0", "w0"),
    [((2, 0, 0), (0, 0, 0)), ((1.2, 1.6, 0), (0, 0, 0)), ((1, 0, 0), (0, -30, 0)), ((1.2, 1.6, 0), (3, -10, 5))],
    ids=["slides", "slides aslant", "backspin", "sidespin"],
)
def test_a_ball_comes_to_roll(v0, w0):
    """Friction acts along the first slip s: v = v0 - 2/7 s after 2 |s| / (7 mu g); 5/7 v0 without spin.

    With spin the directions at the start of a step are off by half of what the ball turns in it, w h / 2 = 1e-3; that
    much of the change of v.
    """
    radius, mu, h = 0.2, 0.3, 1e-4
    node = {"position": (0, 0, radius - 1e-9), "velocity": v0, "angular_velocity": w0}
    results = run(ball(radius=radius, node=node, friction=mu), 0.8, h)
    slip = np.array([v0[0] - radius * w0[1], v0[1] + radius * w0[0], 0.0])
    size = np.linalg.norm(slip)
    accuracy = 1e-9 + 2.0 * h * np.linalg.norm(w0) * size
    assert results["ball.velocity"][-1] == pytest.approx(v0 - 2 / 7 * slip, abs=accuracy)
    rolls = np.flatnonzero(np.linalg.norm(results["c.velocity"][:, 1:], axis=1) < 1e-9)[0]
    assert results.time[rolls] == pytest.approx(2 * size / (7 * mu * G), abs=2 * h + accuracy)
    sliding = slice(2, rolls - 2)
    friction = np.linalg.norm(results["c.force"][sliding, 1:], axis=1)
    assert friction == pytest.approx(mu * results["c.force"][sliding, 0], rel=1e-9)
