"""Contacts of trees by time stepping: impacts, friction, geometry, invariances, against closed forms and other solvers.

Time stepping is of order one: an impact is met up to a step late, and directions of contacts are those at the start of
a step. Where a tolerance says "a step", that is why.
"""

from itertools import product

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm
from scipy.optimize import brentq
from scipy.special import ellipk

import samara as sm
from samara.rotations import rotation_from_axes, rotation_from_rotation_vector
from samara.tracing import Surface

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


# Geometry ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("surface", "place"),
    [(sm.SphereSurface(1.0, hollow=True), (0, 0, 0)), (sm.CylinderSurface(1.0, hollow=True), facing((0, 1, 0)))],
    ids=["sphere", "cylinder"],
)
def test_a_ball_in_a_bowl_is_a_pendulum(surface, place):
    """Without friction a point on a circle of 0.9 m: T = 4 sqrt(l / g) K(sin(a/2)), first order of the step."""
    start, length, errors = 0.5, 0.9, []
    exact = 4 * np.sqrt(length / G) * ellipk(np.sin(start / 2) ** 2)
    for h in (1e-3, 2.5e-4):
        node = {"position": (length * np.sin(start), 0, -length * np.cos(start))}
        results = run(ball(surface, place, node=node), 2.6, h)
        x = results["ball.position"][:, 0]
        i = np.flatnonzero(x[1:] * x[:-1] < 0)
        errors.append(results.time[i[2]] - results.time[i[0]] - exact)
        # it moves along the tangent at the start of a step: v^2 h / 2r a second, and at most twice that
        assert results["c.gap"].min() > -2.6 * G * (1 - np.cos(start)) * h * 2
    assert np.abs(errors[1]) < 2e-3  # of 1.93 s


def test_a_ball_stays_on_its_bowl():
    """A step h moves by (v h)^2 / 2r off the tangent: overlaps may be so large, but must not add up."""
    h, start = 1e-3, 0.5
    node = {"position": (0.9 * np.sin(start), 0, -0.9 * np.cos(start))}
    results = run(ball(sm.SphereSurface(1.0, hollow=True), node=node), 5.0, h)
    assert results["c.gap"].min() > -1e-4


def test_a_ball_leaves_a_sphere_at_two_thirds():
    """cos = 2/3 cos(start), frictionless.

    Near the end the normal force vanishes linearly in time, so that a gap d of (v h)^2 / r leaves for good by the time
    (6 d / c)^(1/3) early, c = 30 m/s^3: 7 ms, or 0.015 of the cosine, at h = 2.5e-4.
    """
    start, h = 0.1, 2.5e-4
    node = {"position": (1.1 * np.sin(start), 0, 1.1 * np.cos(start))}
    results = run(ball(sm.SphereSurface(1.0), node=node), 1.2, h)
    last = np.flatnonzero(results["c.force"][:, 0] > 0)[-1]
    assert results["ball.position"][last, 2] / 1.1 == pytest.approx(2 / 3 * np.cos(start), abs=0.02)


def test_a_capsule_on_a_sphere():
    """It falls across the sphere, touching 0.1 m from its middle: p = (1 + e) |u| / (1/m + d^2/I)."""
    d, mass, inertia, e, h = 0.1, 2.0, 0.1, 0.5, 1e-4
    model = sm.Model("capsule", gravity=(0, 0, -G))
    R = rotation_from_rotation_vector((0, np.pi / 2, 0))
    rod = model.node("rod", position=(d, 0, 1.0), rotation=R, velocity=(0, 0, -1))
    model.add("body", sm.Body(rod, mass=mass, inertia=(inertia, inertia, 0.05)))
    shape = sm.CapsuleShape(0.1, 0.4)
    model.add("c", sm.Contact(model.ground, rod, **FLOOR, surface=sm.SphereSurface(0.5), shape=shape, restitution=e))
    results = run(model, 0.3, h)
    i = np.flatnonzero(results["c.force"][:, 0] > 0)[0]
    assert results.time[i] == pytest.approx((np.sqrt(1 + 2 * G * 0.4) - 1) / G, abs=2 * h)
    u = results["rod.velocity"][i - 1, 2]
    p = -(1 + e) * u / (1 / mass + d**2 / inertia)
    # g h in the speeds, over one step
    assert results["rod.velocity"][i, 2] == pytest.approx(u + p / mass, abs=2 * G * h)
    assert results["rod.angular_velocity"][i, 1] == pytest.approx(p * d / inertia, abs=2 * G * h / d)


def test_a_wheel_rolls():
    radius = 0.5
    model = sm.Model("wheel", gravity=(0, 0, -G))
    R = rotation_from_rotation_vector((-np.pi / 2, 0, 0))
    node = model.node(
        "wheel", position=(0, 0, radius - 1e-9), rotation=R, velocity=(2, 0, 0), angular_velocity=(0, 2 / radius, 0)
    )
    model.add("body", sm.Body(node, mass=2.0, inertia=(0.125, 0.125, 0.25)))
    model.add("c", sm.Contact(model.ground, node, **FLOOR, shape=sm.WheelShape(0.05, radius - 0.05), friction=0.5))
    results = run(model, 1.0, 1e-3)
    assert results["wheel.position"][-1] == pytest.approx((2.0, 0, radius), abs=1e-8)
    assert np.abs(results["c.velocity"]).max() < 1e-8  # the point that touches is at rest
    assert results["c.force"][2:, 0] == pytest.approx(2.0 * G, rel=1e-8)


def test_a_tilted_field_of_heights_is_a_plane():
    x = np.linspace(-20, 20, 5)
    normal = np.array([-0.3, -0.1, 1.0]) / np.sqrt(1.1)
    node = {"position": 0.15 * normal, "velocity": (0.3, 1, 0.2)}
    field = sm.HeightField(Surface(x, x, 0.3 * x[:, None] + 0.1 * x[None, :]))
    more = {"node": node, "friction": 0.2, "restitution": 0.3}
    one, other = run(ball(field, **more), 1.0, 1e-3), run(ball(None, facing(normal), **more), 1.0, 1e-3)
    for name in ("ball.position", "ball.velocity", "ball.angular_velocity"):
        assert one[name] == pytest.approx(other[name], abs=1e-11)


def in_a_lift(acceleration):
    model = sm.Model("lift", gravity=(0, 0, -G))
    lift = model.prescribed("lift", sm.Motion(position=(0, 0, lambda t: 0.5 * acceleration * t**2)))
    body = model.node("ball", position=(0, 0, 0.1 - 1e-9))
    model.add("body", sm.Body(body, mass=2.0, inertia=(0.01,) * 3))
    model.add("c", sm.Contact(lift, body, **FLOOR, shape=sm.BallShape(0.1), friction=0.3))
    return model


@pytest.mark.parametrize("acceleration", [2.0, -4.0])
def test_a_lift_carries_weight_and_inertia(acceleration):
    """The mean over 0.1 s: it may hop from step to step; one force in a hundred steps, 1 %."""
    force = run(in_a_lift(acceleration), 1.0, 1e-3)["c.force"][:, 0]
    mean = np.convolve(force[1:], np.full(100, 0.01), "valid")
    assert mean == pytest.approx(2.0 * (G + acceleration), rel=0.03)


@pytest.mark.parametrize("acceleration", [2.0, -4.0])
def test_a_lift_stays_in_touch(acceleration):
    results = run(in_a_lift(acceleration), 2.0, 1e-3)
    assert np.abs(results["c.gap"]).max() < 1e-4
    assert results["c.force"][2:, 0] == pytest.approx(2.0 * (G + acceleration), rel=1e-6)


def test_an_impact_of_two_free_bodies_keeps_momentum():
    model = sm.Model("free")
    a = model.node("a", angular_velocity=(0.1, 0.2, 0.3))
    b = model.node("b", position=(0.2, 0.1, 0.5), velocity=(0.3, 0.1, -2), angular_velocity=(3, -2, 4))
    J = {"a": np.array((0.3, 0.4, 0.5)), "b": np.array((0.02, 0.03, 0.025))}
    model.add("A", sm.Body(a, mass=5.0, inertia=J["a"]))
    model.add("B", sm.Body(b, mass=2.0, inertia=J["b"]))
    plane = {"place_a": (0, 0, 0.1), "shape": sm.BallShape(0.1)}
    model.add("c", sm.Contact(a, b, **plane, friction=0.4, restitution=0.6))
    h = 1e-4
    results = run(model, 0.4, h)
    assert (results["c.force"][:, 0] > 0).sum() == 1
    p, L = 0.0, 0.0
    for name, mass in (("a", 5.0), ("b", 2.0)):
        R = results[f"{name}.rotation"].reshape(-1, 3, 3)
        v, w = results[f"{name}.velocity"], results[f"{name}.angular_velocity"]
        p = p + mass * v
        spin = np.einsum("nij,j,nkj,nk->ni", R, J[name], R, w)
        L = L + mass * np.cross(results[f"{name}.position"], v) + spin
    assert p == pytest.approx(np.broadcast_to(p[0], p.shape), abs=1e-12)
    # bodies turn by w h in a step whose impulse is found at its start, and impulses are some 3.5 N s at 0.3 m
    assert L == pytest.approx(np.broadcast_to(L[0], L.shape), abs=3.5 * 0.3 * 5.4 * h)


# Invariances ---------------------------------------------------------------------------------------------------------

AXES = {"turn": np.eye(3), "shift": np.zeros(3), "boost": np.zeros(3), "mirror": np.eye(3)}


def two_balls(*, turn, shift, boost, mirror, order=1, swap=1):
    """Two spinning balls meet each other and a deck; all of it moved, turned, mirrored."""
    flip = np.linalg.det(mirror)  # axial vectors
    model = sm.Model("two balls", gravity=turn @ mirror @ (0.5, 0.3, -9.7))
    motion = sm.Motion(position=tuple((lambda t, c=c: c * t) for c in boost))
    deck = model.prescribed("deck", motion, position=shift, rotation=turn)
    nodes = {}
    spec = [("one", (0, 0, 0.4), (1, 0.5, -1), (3, -8, 2)), ("two", (0.45, 0.05, 0.3), (-0.5, 0.2, 0), (0, 5, -3))]
    rough = {"shape": sm.BallShape(0.1), "friction": 0.4, "restitution": 0.5}
    for name, p, v, w in spec[::order]:
        nodes[name] = model.node(
            name,
            position=turn @ mirror @ p + shift,
            rotation=turn,
            velocity=turn @ mirror @ v + boost,
            angular_velocity=flip * turn @ mirror @ w,
        )
        model.add(f"{name}.body", sm.Body(nodes[name], mass=1.5, inertia=(0.01,) * 3))
        model.add(f"{name}.deck", sm.Contact(deck, nodes[name], **FLOOR, **rough))
    a, b = ("one", "two")[::swap]
    model.add("pair", sm.Contact(nodes[a], nodes[b], **FLOOR, surface=sm.SphereSurface(0.1), **rough))
    return model


def seen_from_the_deck(results, *, turn, shift, boost, mirror, order=1, swap=1):
    back = mirror @ turn.T
    for name in ("one", "two"):
        yield (results[f"{name}.position"] - shift - results.time[:, None] * boost) @ back.T
        yield (results[f"{name}.velocity"] - boost) @ back.T
        yield np.linalg.det(mirror) * results[f"{name}.angular_velocity"] @ back.T


@pytest.fixture(scope="module")
def two_balls_at_home():
    results = run(two_balls(**AXES), 0.8, 5e-4)
    assert all((results[f"{c}.force"][:, 0] > 0).any() for c in ("one.deck", "two.deck", "pair"))
    return results


TURN = rotation_from_rotation_vector((0.7, -1.1, 0.4))


@pytest.mark.parametrize(
    ("change", "accuracy"),
    [
        ({"turn": TURN}, 1e-11),
        ({"shift": np.array((1e4, 0, 0))}, 1e-8),  # 2e-12 m of a place are lost, over the step in a speed
        ({"boost": np.array((70.0, -20, 5))}, 1e-9),
        ({"turn": TURN, "shift": np.array((1e4, -3e3, 0)), "boost": np.array((70.0, 0, 0))}, 1e-8),
        ({"mirror": np.diag((1.0, -1, 1))}, 1e-11),
        ({"order": -1}, 1e-11),
    ],
    ids=["turned", "moved by 10 km", "boosted by 70 m/s", "all three", "mirrored", "nodes reversed"],
)
def test_nothing_depends_on_where_and_how_fast(two_balls_at_home, change, accuracy):
    full = {**AXES, **change}
    found = seen_from_the_deck(run(two_balls(**full), 0.8, 5e-4), **full)
    for one, other in zip(found, seen_from_the_deck(two_balls_at_home, **AXES), strict=True):
        assert one == pytest.approx(other, abs=accuracy)


def test_which_ball_has_the_surface_matters_less_than_a_step(two_balls_at_home):
    """The point that touches is on the shape, and the gap may be half a step's way off the surface: order one."""
    for one, other in zip(
        seen_from_the_deck(run(two_balls(**AXES, swap=-1), 0.8, 5e-4), **AXES),
        seen_from_the_deck(two_balls_at_home, **AXES),
        strict=True,
    ):
        assert np.mean(np.abs(one - other)) < 0.02


def test_half_steps_are_of_order_one():
    fine = run(two_balls(**AXES), 0.8, 2.5e-5)["one.position"]
    steps = np.array((8e-4, 4e-4, 2e-4, 1e-4))
    errors = []
    for h in steps:
        found = run(two_balls(**AXES), 0.8, h)["one.position"]
        errors.append(np.mean(np.abs(found - fine[:: round(h / 2.5e-5)])))
    assert slope(steps, errors) > 0.7  # four errors that scatter by two


def test_a_run_in_two_halves_is_the_same(two_balls_at_home, tmp_path):
    file, model = tmp_path / "half.npz", two_balls(**AXES)
    first = run(model, 0.4, 5e-4, checkpoint=file)
    second = run(model, 0.8, 5e-4, resume=file)
    for name in ("one.position", "two.angular_velocity", "one.acceleration", "pair.force", "one.deck.force"):
        assert np.array_equal(np.concatenate([first[name], second[name]]), two_balls_at_home[name]), name


# Penalty contacts ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("formulation", ["recursive", "redundant"])
@pytest.mark.parametrize(
    "law", [sm.FloresLaw(1e7, 0.5, 0.7), sm.FloresLaw(1e7, 0.8, 0.7), sm.HuntCrossleyLaw(1e7, 0.8, 0.7)]
)
def test_restitution_of_penalty_contacts(law, formulation):
    """That of the law, as in tests/reference/test_contact_restitution.py: 400 steps in the contact, 1e-5."""
    speed, mass = 0.7, 3.0
    depth = (1.25 * mass * speed**2 / 1e7) ** 0.4
    end = 12 * depth / speed
    node = {"position": (0, 0, 0.1 + depth), "velocity": (0, 0, -speed)}
    model = ball(gravity=(0, 0, 0), mass=mass, node=node, contact=sm.PenaltyContact, law=law)
    integrator = sm.RungeKutta4() if formulation == "recursive" else sm.TwoStep(1.0)
    results = sm.transient(model, end, end / 1600, formulation=formulation, integrator=integrator, progress=False)
    assert results["ball.velocity"][-1, 2] / speed == pytest.approx(law.restitution_at(speed), rel=5e-5)


def test_both_models_of_contact_agree_as_stiffness_grows():
    """A ball that falls aslant with friction: what is left goes with the depth, stiffness^(-2/5)."""
    node, errors = {"position": (0, 0, 0.3), "velocity": (1, 0, 0)}, []
    hard = run(ball(node=node, friction=0.2, restitution=0.6), 0.35, 1e-5)
    for stiffness, h in ((1e5, 1e-5), (1e7, 1e-5), (1e9, 2e-6)):
        law = sm.ContactLaw.restoring(stiffness, 0.6, np.sqrt(2 * G * 0.2))
        more = {"contact": sm.PenaltyContact, "law": law, "friction": 0.2, "transition": 1e-3}
        soft = run(ball(node=node, **more), 0.35, h)
        errors.append(np.abs(soft["ball.position"][-1] - hard["ball.position"][-1]).max())
        assert soft["ball.angular_velocity"][-1, 1] == pytest.approx(hard["ball.angular_velocity"][-1, 1], rel=1e-3)
    assert errors[0] > 5 * errors[1] > 10 * errors[2]


# Faults --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("friction", [0.0, 0.3])
def test_a_press_that_closes_is_an_error_with_names(friction):
    model = ball(friction=friction, node={"position": (0, 0, 0.1 - 1e-9)})
    press = model.prescribed("press", sm.Motion(position=(0, 0, lambda t: -1.0 * t)))
    roof = facing((0, 0, -1), (0, 0, 0.5))
    shape = sm.BallShape(0.1)
    model.add("roof", sm.Contact(press, model.nodes["ball"], place_a=roof, shape=shape, friction=friction))
    with pytest.raises(sm.Diverged, match=r"(?s)'c'.*'roof'") as failure:
        run(model, 1.0, 1e-3)
    results = failure.value.results
    assert results.time[-1] == pytest.approx(0.3, abs=2e-3)  # the roof arrives
    assert results["c.force"][-2, 0] == pytest.approx(2.0 * G, rel=1e-6)


def test_integrators_without_impacts_are_refused():
    for integrator in (sm.RungeKutta4(), sm.SemiImplicitEuler(), sm.TwoStep(0.6)):
        with pytest.raises(sm.ArgumentError, match=r"'c'.*MoreauJean"):
            run(ball(), 0.1, 1e-3, integrator)


def test_restitution_beyond_one_is_refused():
    with pytest.raises(sm.ModelError, match="restitution must be from 0 to 1"):
        run(ball(restitution=1.2), 0.1, 1e-3)


# Many contacts -------------------------------------------------------------------------------------------------------


def test_a_stack_of_boxes_stands():
    """Three boxes, twelve contacts with redundant forces; each gap is that at rest, and the floor carries all."""
    model = sm.Model("stack", gravity=(0, 0, -G))
    below = model.ground
    for i in range(3):
        box = model.node(f"box{i}", position=(0.03 * i, 0, 0.1 + 0.2 * i - 1e-9 * (i + 1)))
        model.add(f"body{i}", sm.Body(box, mass=1.0, inertia=(0.0067,) * 3))
        for k, (x, y) in enumerate(product((-0.1, 0.1), repeat=2)):
            place = {"place_a": (0, 0, 0.1 if i else 0.0), "place_b": (x, y, -0.1)}
            model.add(f"c{i}{k}", sm.Contact(below, box, **place, friction=0.5))
        below = box
    results = run(model, 0.5, 1e-3)
    assert np.abs(results["box2.velocity"]).max() < 1e-9
    for i in range(3):
        load = sum(results[f"c{i}{k}.force"][-1, 0] for k in range(4))
        assert load == pytest.approx((3 - i) * G, rel=1e-9)
