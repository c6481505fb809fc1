"""Pairs that a run finds by itself: none too few, none that is far; and what they do is what explicit pairs do."""

import numpy as np
import pytest

import samara as sm
from samara.benchmarks.advance import advance
from samara.solve import Simulation
from samara.solve.contact.broad_phase import find_pairs, find_pairs_at_rest
from samara.solve.native.codes import Counter
from samara.solve.start.start import start
from samara.system.memory.blocks import POSITION
from samara.tracing.driver.driver_cache import driver

RADIUS = 0.1


def body(model, name, radius=RADIUS, mass=1.0, **begin):
    node = model.node(name, **begin)
    model.add(f"{name}.body", sm.Body(node, mass=mass, inertia=(0.4 * mass * radius**2,) * 3))
    return node


def box(model, size):
    """Six walls around a cube from the origin."""
    ends = ((0, 0, 0), 1.0), ((size,) * 3, -1.0)
    return [sm.Wall(model.ground, at=at, axis=sign * axis) for at, sign in ends for axis in np.eye(3)]


def bound(sim):
    """Pairs of members that have slots now."""
    c = sim.machine.contacts
    slots = c.active[c.pool.first : c.many[0]] - c.pool.first
    return {tuple(sorted(pair)) for pair in c.pool.pair[slots].tolist()}


def cloud(rng, count, extent, speed=0.0):
    """Balls of sizes over two decades anywhere in a cube; they may overlap."""
    model, radii = sm.Model("cloud"), 10.0 ** rng.uniform(-2.5, -0.5, count)
    places, velocities = rng.uniform(-extent, extent, (count, 3)), speed * rng.normal(size=(count, 3))
    nodes = [
        body(model, f"b{k}", r, position=p, velocity=v)
        for k, (r, p, v) in enumerate(zip(radii, places, velocities, strict=True))
    ]
    shapes = [sm.BallShape(r) for r in radii]
    model.add("contacts", sm.Contacts(nodes, shape=shapes, restitution=1.0, capacity=count**2))
    return model, radii, places, velocities


@pytest.mark.parametrize("seed", range(12))
def test_pairs_at_rest_are_those_of_all_with_all(seed):
    rng = np.random.default_rng(seed)
    model, radii, places, _ = cloud(rng, int(rng.integers(2, 80)), 10.0 ** rng.uniform(-1.0, 1.0))
    sim = Simulation(model)
    assert find_pairs_at_rest(sim.machine, 1.0)
    apart = np.linalg.norm(places[:, None] - places[None], axis=-1) - radii[:, None] - radii[None]
    expected = {(i, j) for i, j in np.argwhere(apart <= 0.0).tolist() if i < j}
    slack = {(i, j) for i, j in np.argwhere(apart <= 1e-7).tolist() if i < j}
    assert expected <= bound(sim) <= slack


@pytest.mark.parametrize("step", [1e-3, 0.1, 3.0])
@pytest.mark.parametrize("seed", range(4))
def test_pairs_along_a_step_are_at_least_those_that_meet(seed, step):
    """Straight flights: those that come together within the step, sampled finely, are bound as it ends."""
    rng = np.random.default_rng(100 + seed)
    model, radii, places, velocities = cloud(rng, 40, 3.0, speed=5.0)
    sim = Simulation(model)
    # pairs that overlap to begin with would push each other: the grid alone, along flights that nothing changes
    find_pairs_at_rest(sim.machine, 1.0)
    met = set()
    for s in np.linspace(0.0, step, 400):
        at = places + s * velocities
        apart = np.linalg.norm(at[:, None] - at[None], axis=-1) - radii[:, None] - radii[None]
        met |= {(i, j) for i, j in np.argwhere(apart <= 0.0).tolist() if i < j}
    fly(sim, step, velocities)
    assert met <= bound(sim)
    low, high = np.minimum(places, places + step * velocities), np.maximum(places, places + step * velocities)
    low, high = low - 1.01 * radii[:, None] - 1e-3 * step * 20, high + 1.01 * radii[:, None] + 1e-3 * step * 20
    boxes = ((low[:, None] <= high[None]) & (low[None] <= high[:, None])).all(axis=-1)
    assert all(boxes[i, j] for i, j in bound(sim))


@driver
def pairs_along(m, h, length):
    return find_pairs(m, h, length, False)


def fly(sim, step, velocities):
    """Nodes on a straight flight, and the pairs along it."""
    layout, w = sim.system.layout, sim.system.layout.width
    for k, node in enumerate(layout.free):
        at = layout.block(node) + (POSITION + np.arange(3)) * w
        sim.system.arrays.state[at] += step * velocities[k]
    assert pairs_along(sim.machine, step, 1.0)


def heap(pooled: bool, seed=1, count=6, **law) -> sm.Model:
    """Balls that fall on a floor, close to each other."""
    rng, model = np.random.default_rng(seed), sm.Model("heap", gravity=(0, 0, -9.81))
    nodes = []
    for k in range(count):
        place = np.array([0.25 * (k % 2), 0.25 * (k // 2 % 2), 0.15 + 0.22 * (k // 4)]) + 0.02 * rng.random(3)
        nodes.append(body(model, f"b{k}", position=place, velocity=rng.normal(0.0, 0.3, 3)))
    if pooled:
        model.add("contacts", sm.Contacts(nodes, shape=sm.BallShape(RADIUS), walls=[sm.Wall(model.ground)], **law))
        return model
    for j, b in enumerate(nodes):
        ball = {"place_a": (0, 0, 0), "shape": sm.BallShape(RADIUS), **law}
        model.add(f"floor.b{j}", sm.Contact(model.ground, b, **ball))
        for i, a in enumerate(nodes[:j]):
            model.add(f"b{i}.b{j}", sm.Contact(a, b, surface=sm.SphereSurface(RADIUS), **ball))
    return model


@pytest.mark.parametrize("law", [{"restitution": 0.5, "friction": 0.3}, {"restitution": 0.8}, {"friction": 0.5}])
def test_a_heap_moves_as_with_explicit_pairs(law):
    """To rounding until a step is divided, which explicit pairs do more often: far ones make them cautious."""
    own, explicit = (sm.transient(heap(pooled, **law), end=0.18, step=1e-3) for pooled in (True, False))
    assert own.attrs.counters["impacts"] == explicit.attrs.counters["impacts"] > 5
    for k in range(6):
        assert np.abs(own[f"b{k}.position"] - explicit[f"b{k}.position"]).max() < 1e-9
        assert np.abs(own[f"b{k}.angular_velocity"] - explicit[f"b{k}.angular_velocity"]).max() < 1e-6
    assert own["contacts.hits"][-1] == own.attrs.counters["impacts"]


def test_a_heap_comes_to_rest_on_what_carries_it():
    run = sm.transient(heap(True, restitution=0.3, friction=0.5), end=2.0, step=1e-3)
    assert np.isclose(run["contacts.force"][-1], 6 * 9.81, rtol=1e-3)  # all of them have come down
    assert run["contacts.closed"][-1] >= 6.0
    assert min(run[f"b{k}.position"][-1, 2] for k in range(6)) > RADIUS - 1e-6


@pytest.mark.parametrize("step", [2e-4, 1e-2, 0.5])
def test_fast_small_balls_miss_nothing(step):
    """Shots of a millimetre at 200 m/s against others that rest: each hits, at its instant, whatever the step is."""
    model, radius, pairs = sm.Model("shots"), 1e-3, 20
    nodes = []
    for k in range(pairs):
        shot = {"position": (0, 0.01 * k, 0), "velocity": (200.0 + k, 0, 0)}
        nodes.append(body(model, f"shot{k}", radius, **shot))
        nodes.append(body(model, f"rest{k}", radius, position=(40.0 + 0.5 * k, 0.01 * k + 0.5 * radius, 0)))
    model.add("contacts", sm.Contacts(nodes, shape=sm.BallShape(radius), restitution=1.0, capacity=800))
    run = sm.transient(model, end=0.5, step=step)
    assert run["contacts.hits"][-1] == pairs
    for k in range(pairs):  # equal masses, half a radius beside each other
        across = 0.25
        v = (200.0 + k) * np.array([across**2, -across * np.sqrt(1.0 - across**2), 0.0])
        assert np.allclose(run[f"shot{k}.velocity"][-1], v, atol=1e-6 * 200.0)


@pytest.mark.parametrize("step", [1e-3, 1e-2])
@pytest.mark.parametrize("seed", range(4))
def test_impacts_by_chance_keep_momentum_and_add_no_energy(seed, step):
    rng = np.random.default_rng(seed)
    model, places, nodes, shapes = sm.Model("chance"), [], [], []
    while len(places) < 30:
        place = rng.uniform(-0.5, 0.5, 3)
        if all(np.linalg.norm(place - other) > 0.13 for other in places):
            places.append(place)
    for k, place in enumerate(places):
        radius, mass = rng.uniform(0.03, 0.06), rng.uniform(0.2, 2.0)
        motion = {"velocity": rng.uniform(-0.2, 0.2, 3) - 4.0 * place, "angular_velocity": rng.uniform(-20, 20, 3)}
        nodes.append(body(model, f"b{k}", radius, mass, position=place, **motion))
        shapes.append(sm.BallShape(radius))
    law = {"restitution": rng.uniform(0.0, 1.0), "friction": rng.choice([0.0, 0.3])}
    model.add("contacts", sm.Contacts(nodes, shape=shapes, **law))
    run = sm.transient(model, end=0.14, step=step)
    assert run["contacts.hits"][-1] >= 5
    total = sum(model.elements[f"b{k}.body"].mass * run[f"b{k}.velocity"] for k in range(30))
    size = sum(model.elements[f"b{k}.body"].mass * np.linalg.norm(run[f"b{k}.velocity"][0]) for k in range(30))
    assert np.abs(total - total[0]).max() < 1e-12 * size
    energy = run["model.kinetic"]
    assert np.diff(energy).max() < 1e-12 * energy[0]
    lost = run["contacts.lost"]
    assert np.abs(energy + lost - energy[0]).max() < 1e-3 * energy[0]  # pairs that stay closed and slide are no impacts
    assert np.diff(lost).min() > -1e-12 * energy[0]


def boxed(restitution=0.9, seed=3, **more) -> sm.Model:
    rng, model = np.random.default_rng(seed), sm.Model("boxed", gravity=(0, 0, -9.81))
    nodes = [
        body(
            model, f"b{k}", position=0.15 + 0.25 * np.array(np.unravel_index(k, (3, 3, 3))), velocity=rng.normal(size=3)
        )
        for k in range(27)
    ]
    law = {"restitution": restitution, "friction": 0.2}
    model.add("contacts", sm.Contacts(nodes, shape=sm.BallShape(RADIUS), walls=box(model, 0.9), **law, **more))
    return model


@pytest.mark.parametrize("middle", [0.05, 0.3])
def test_a_run_that_is_taken_up_again_goes_on_bit_by_bit(middle, tmp_path):
    path = tmp_path / "half"
    whole = sm.transient(boxed(0.2), end=0.4, step=1e-3)
    sm.transient(boxed(0.2), end=middle, step=1e-3, checkpoint=path)
    rest = sm.transient(boxed(0.2), end=0.4, step=1e-3, resume=path)
    for name in ("b0.position", "b13.angular_velocity", "contacts.lost", "contacts.closed"):
        assert np.array_equal(whole[name][-1], rest[name][-1])
    with pytest.raises(sm.SolveError, match="other equations"):
        sm.transient(boxed(0.2, capacity=100), end=0.4, step=1e-3, resume=path)


def test_a_step_at_a_time_is_the_same_run():
    whole, stepper = sm.transient(boxed(), end=0.2, step=1e-3), sm.Stepper(boxed(), step=1e-3)
    for _ in range(200):
        stepper.advance()
    assert np.array_equal(whole["b5.position"][-1], stepper.results()["b5.position"][-1])


def test_a_run_that_follows_an_accuracy_finds_the_same_impacts():
    fixed, free = sm.transient(boxed(), end=0.1, step=1e-3), sm.transient(boxed(), end=0.1, accuracy=1e-7)
    assert fixed["contacts.hits"][-1] == free["contacts.hits"][-1] > 10
    assert np.abs(fixed["b5.position"][-1] - free["b5.position"][-1]).max() < 1e-4


def test_a_pair_has_one_slot_and_free_slots_have_no_force():
    sim = Simulation(boxed(0.2))
    start(sim, 1e-3)
    c = sim.machine.contacts
    for _ in range(200):
        advance(sim, 1e-3, 1)
        assert len(bound(sim)) == c.many[0]
        free = np.setdiff1d(np.arange(c.status.size), c.active[: c.many[0]])
        assert not c.status[free].any() and (c.pool.pair[free] == -1).all()
        assert not sim.machine.state[sim.machine.layout.multiplier_base + c.multiplier[free]].any()


def test_nothing_leaves_a_box():
    run = sm.transient(boxed(), end=1.0, step=5e-3)
    places, slack = np.array([run[f"b{k}.position"] for k in range(27)]), 2e-3 * 3.0 * 5e-3
    assert places.min() > RADIUS - slack and places.max() < 0.9 - RADIUS + slack
    apart = np.linalg.norm(places[:, None, -1] - places[None, :, -1], axis=-1) + np.eye(27)
    assert apart.min() > 2.0 * RADIUS - slack


def test_walls_may_be_round_and_may_move():
    model = sm.Model("drum", gravity=(0, 0, -9.81))
    lift = model.prescribed("lift", sm.Motion(position=(0, 0, sm.Ramp(0.2))))
    nodes = [body(model, f"b{k}", position=(0.3 * k - 0.3, 0, 0.5)) for k in range(3)]
    walls = [
        sm.Wall(lift),
        sm.Wall(model.ground, sm.CylinderSurface(0.6, hollow=True)),
        sm.Wall(model.ground, sm.SphereSurface(0.2), place=(0.0, 0.5, 0.2)),
    ]
    model.add("contacts", sm.Contacts(nodes, shape=sm.BallShape(RADIUS), walls=walls, friction=0.2, restitution=0.1))
    run = sm.transient(model, end=1.0, step=1e-3)
    for k in range(3):
        assert np.isclose(run[f"b{k}.position"][-1, 2], 0.2 + RADIUS, atol=1e-6)  # they ride on the lift
        assert np.hypot(*run[f"b{k}.position"][-1, :2]) < 0.6 - RADIUS + 1e-6


def test_one_body_may_have_several_shapes():
    """A dumbbell of two balls on one node against a ball: both of its ends are met, and not each other."""
    model = sm.Model("dumbbell", gravity=(0, 0, -9.81))
    bar = model.node("bar", position=(0, 0, 0.3))
    model.add("bar.body", sm.Body(bar, mass=1.0, inertia=(0.01, 0.1, 0.1)))
    free = body(model, "free", position=(1.0, 0, 0.3))
    ends = {"place": [(-0.1, 0, 0), (0.1, 0, 0), (0, 0, 0)], "shape": sm.BallShape(RADIUS)}
    model.add("contacts", sm.Contacts([bar, bar, free], **ends, walls=[sm.Wall(model.ground)], restitution=0.2))
    run = sm.transient(model, end=1.0, step=1e-3)
    assert run["contacts.closed"][-1] == 3.0
    assert np.isclose(run["contacts.force"][-1], 2 * 9.81, rtol=1e-6)


def test_two_elements_know_their_own_bodies_only():
    model = sm.Model("two")
    for k, side in enumerate((-1.0, 1.0)):
        pair = [
            body(model, f"b{k}{j}", position=(side + 0.3 * s, 0, 0), velocity=(-s, 0, 0)) for j, s in enumerate((-1, 1))
        ]
        model.add(f"contacts{k}", sm.Contacts(pair, shape=sm.BallShape(RADIUS), restitution=1.0))
    run = sm.transient(model, end=0.5, step=1e-2)
    assert run["contacts0.hits"][-1] == run["contacts1.hits"][-1] == 1.0
    assert np.isclose(run["contacts0.impulse"][-1], 2.0)


def test_more_pairs_than_there_is_room_for_stop_the_run_and_keep_it():
    with pytest.raises(sm.Diverged, match=r"'contacts' has room for 2 pairs .* capacity=4") as caught:
        sm.transient(boxed(capacity=2), end=1.0, step=1e-3)
    assert 0.0 < caught.value.results.time[-1] < 1.0


def test_trees_refuse_it_by_name():
    with pytest.raises(sm.ArgumentError, match=r"'contacts' detects its pairs .* formulation=.redundant"):
        sm.transient(boxed(), end=0.1, step=1e-3, formulation="recursive")


def test_bad_arguments_are_named():
    model = sm.Model("bad")
    a, b = (body(model, name, position=(k, 0, 0)) for k, name in enumerate("ab"))
    ball = sm.BallShape(0.1)
    for given, said in (
        (lambda: sm.Contacts(a, shape=ball), "bodies must be a list of Nodes"),
        (lambda: sm.Contacts([], shape=ball), "got none"),
        (lambda: sm.Contacts([a, 3], shape=ball), "3 is none"),
        (lambda: sm.Contacts([a, b]), "shape must be a shape"),
        (lambda: sm.Contacts([a, b], shape=[ball]), "one for each of 2, got 1"),
        (lambda: sm.Contacts([a, b], shape=sm.BallShape()), "must have a radius"),
        (lambda: sm.Contacts([a, b], shape=sm.CapsuleShape(0.1, 0.2)), "one of two bodies that touch must be a ball"),
        (lambda: sm.Contacts([a, b], shape=ball, walls=[model.ground]), "walls must be a list of Walls"),
        (lambda: sm.Contacts([a, b], shape=ball, restitution=1.5), "restitution must be from 0 to 1"),
        (lambda: sm.Contacts([a, b], shape=ball, capacity=-1), "capacity"),
        (lambda: sm.Wall(model.ground, sm.BallShape(0.1)), "surface must be"),
        (lambda: sm.Wall(3), "node must be"),
        (lambda: sm.Wall(model.ground, place=(0, 0, 0), at=(0, 0, 0)), "not both"),
    ):
        with pytest.raises(sm.ModelError, match=said):
            model.add("contacts", given())
    model.add("still", sm.Contacts([a, model.prescribed("told", sm.Motion())], shape=ball))
    with pytest.raises(sm.ModelError, match="'told' is not free to move"):
        Simulation(model)


def test_the_work_of_a_step_follows_what_is_near():
    """Ten times as many balls that never meet cost no contact problems; slots that are free are not run."""
    model = sm.Model("far")
    nodes = [body(model, f"b{k}", position=(k, 0, 0), velocity=(0, 0.1, 0)) for k in range(50)]
    model.add("contacts", sm.Contacts(nodes, shape=sm.BallShape(RADIUS)))
    sim = Simulation(model)
    start(sim, 1e-2)
    advance(sim, 1e-2, 20)
    assert sim.machine.contacts.many[0] == 0 and sim.counters[Counter.CONTACT_PROBLEMS] == 0
    assert sim.system.unknowns.size == 300  # forces of pairs are no unknowns of the matrix of a step
