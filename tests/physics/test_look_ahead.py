"""Fourth order in redundant coordinates: poses and twists of `LookAhead`, through joints and events; reactions: third.

Independent solutions: closed forms, and explicit methods of order eight in minimal coordinates. Orders are looked at
where errors are far above Newton's tolerance and rounding, and the step short enough for the first term to lead.
"""

import numpy as np
import pytest
import test_order_free_body as free_body
import test_order_index3 as index3

import samara as sm
from samara.rotations import cross, rotation_from_rotation_vector, rotation_y, skew
from samara.solve.native.codes import Counter, Status
from samara.solve.step.step import step
from samara.system.memory.blocks import ETA_1, ROTATION

TURN = rotation_from_rotation_vector([0.3, -0.8, 0.5])  # of the world
BOOST = np.array([30.0, -20.0, 10.0])  # m/s


# ---- bodies in flight
@pytest.fixture(scope="module")
def exact(fine):
    return free_body.exact.__wrapped__(fine)


@pytest.mark.parametrize("radius", [0.81, 0.82, 0.83])
def test_a_free_body_off_its_centre_of_mass(radius, exact, orders):
    runs = [free_body.run(sm.LookAhead(radius), np.full(n, free_body.END / n)) for n in (100, 200)]
    found = [free_body.errors(sim, exact) for sim in runs]
    assert orders(found)[0] == pytest.approx(np.full(4, 4.0), abs=0.4)  # momentum of a still higher one at first
    assert max(found[-1]) < 1e-5  # of some metres, rad, and 6 kg m/s; two-step: 1e-3


def test_steps_of_any_size(exact, rng):
    """Those that are half as long again as the one before start anew, in parts."""
    counts, found = (100, 200, 400), []
    for count in counts:
        steps = rng.uniform(0.75, 1.27, count)
        found.append(free_body.errors(free_body.run(sm.LookAhead(), steps * free_body.END / steps.sum()), exact))
    assert -np.polyfit(np.log(counts), np.log(found), 1)[0] == pytest.approx(np.full(4, 4.0), abs=0.6)


def dzhanibekov() -> sm.Model:
    """Spins about its middle axis, and flips over."""
    model = sm.Model("Dzhanibekov's body")
    node = model.node("wing_nut", angular_velocity=(0.1, 3.0, 0.1))
    model.add("body", sm.Body(node, mass=1.0, inertia=(1.0, 2.0, 3.0)))
    return model


def test_dzhanibekov(fine, orders):
    """R' = R [w], J w' = -w x J w, ten seconds and several flips."""
    J = np.array([1.0, 2.0, 3.0])

    def rate(t, y):
        R, w = y[:9].reshape(3, 3), y[9:]
        return np.concatenate([(R @ skew(w)).ravel(), -np.cross(w, J * w) / J])

    y = fine(rate, 10.0, np.concatenate([np.eye(3).ravel(), [0.1, 3.0, 0.1]]))(10.0)
    found = []
    for h in (0.02, 0.01):
        sim = sm.Simulation(dzhanibekov(), sm.LookAhead(), tolerance=1e-13)
        sm.transient(sim, 10.0, h, progress=False)
        node = sim.system.layout.free[0]
        R, w = sim.state.pose(node).R, sim.state.twist(node)[3:]
        found.append([np.linalg.norm(R.ravel() - y[:9]), np.linalg.norm(w - y[9:])])
    assert orders(found)[0] == pytest.approx(np.full(2, 4.0), abs=0.5)  # not far from another term
    assert found[-1][0] < 3e-6


# ---- joints
MASS, HEIGHT, INERTIA, SPIN, TILT = 15.0, 1.0, np.array([0.234375, 0.234375, 0.46875]), 150.0, np.pi / 3


def top() -> sm.Model:
    """The heavy top of the literature, let go: it nutates."""
    return sm.models.spinning_top.build(steady=False, tilt=TILT, spin=SPIN)


def top_reference(fine, end):
    """About the fixed point, r the centre of mass: J w' = r x m g - w x J w; also the force on the top, in its axes."""
    r = np.array([0.0, 0.0, HEIGHT])
    J = np.diag(INERTIA) + MASS * (r @ r * np.eye(3) - np.outer(r, r))

    def acceleration(R, w):
        return np.linalg.solve(J, np.cross(r, -MASS * 9.81 * R[2]) - np.cross(w, J @ w))

    def rate(t, y):
        R, w = y[:9].reshape(3, 3), y[9:]
        return np.concatenate([(R @ skew(w)).ravel(), acceleration(R, w)])

    y = fine(rate, end, np.concatenate([rotation_y(TILT).ravel(), [0.0, 0.0, SPIN]]))(end)
    R, w = y[:9].reshape(3, 3), y[9:]
    force = MASS * (np.cross(acceleration(R, w), r) + np.cross(w, np.cross(w, r)) + 9.81 * R[2])
    return R, w, np.linalg.norm(force)


def test_the_heavy_top(fine, orders):
    end, found = 0.5, []
    R, w, force = top_reference(fine, end)
    for h in (2.5e-4, 1.25e-4):
        sim = sm.Simulation(top(), sm.LookAhead(), tolerance=1e-13)
        run = sm.transient(sim, end, h, progress=False)
        node = sim.system.layout.free[0]
        errors = sim.state.pose(node).R - R, sim.state.twist(node)[3:] - w
        found.append([*map(np.linalg.norm, errors), abs(np.linalg.norm(run["tip.force"][-1]) - force)])
    assert orders(found)[0] == pytest.approx(np.full(3, 4.0), abs=0.3)
    assert found[-1][0] < 1e-5  # after twelve turns; two-step: 3e-3


def test_a_pendulum(orders):
    model, reference = index3.pendulum()
    found = orders([index3.errors(model, sm.LookAhead(), h, 2.0, reference) for h in (0.01, 0.005)])[-1]
    assert found[:3] == pytest.approx(np.full(3, 4.0), abs=0.2)


def test_a_double_pendulum_on_hinges(fine, orders):
    reference = index3.double_pendulum_reference(fine, 1.5)
    found = [index3.errors(index3.double_pendulum(), sm.LookAhead(), h, 1.5, reference) for h in (0.0025, 0.00125)]
    # velocities that miss the constraints by other errors of fourth order ahead than at the end: reactions of third
    assert orders(found)[-1][:3] == pytest.approx([4.0, 4.0, 3.0], abs=0.2)
    assert found[-1][3] < 1e-6  # N of some 20 N, in the first ten steps: the start does not ring


def chain() -> sm.Model:
    """Two rods on ball joints, thrown in space."""
    model, before, velocity, corner = sm.Model("ball joints", gravity=(0, 0, -9.81)), None, np.zeros(3), np.zeros(3)
    for k, w in enumerate(([0.5, 2.0, -1.0], [-1.5, 0.5, 2.0])):
        half = 0.4 * np.array([1.0, 0.0, 0.0])
        place, speed = corner + half, velocity + cross(w, half)
        rod = model.node(f"rod{k}", place, velocity=speed, angular_velocity=w)
        model.add(f"body{k}", sm.Body(rod, mass=1.0, inertia=(0.02, 0.1, 0.11)))
        model.add(f"ball{k}", sm.Spherical(before or model.ground, rod, at=corner))
        corner, velocity, before = corner + 2 * half, velocity + cross(w, 2 * half), rod
    return model


def end_of(model, h, end=0.6, **options):
    run = sm.transient(sm.Simulation(model, sm.LookAhead(), tolerance=1e-13), end, h, progress=False, **options)
    rods = [name for name in ("rod0", "rod1") if f"{name}.position" in run]
    return np.concatenate([run[f"{rod}.{what}"][-1] for rod in rods for what in ("position", "rotation", "velocity")])


def test_a_double_pendulum_on_ball_joints():
    """Against itself: differences of three runs, of which the last two tell the order."""
    coarse, middle, fine = (end_of(chain(), h) for h in (4e-3, 2e-3, 1e-3))
    assert np.log2(np.linalg.norm(coarse - middle) / np.linalg.norm(middle - fine)) == pytest.approx(4.0, abs=0.3)


# ---- events
def pushed_pendulum(time) -> sm.Model:
    model = sm.Model("pendulum", gravity=(0.0, 0.0, -9.81))
    bob = model.node("bob", (1.0, 0.0, 0.0))
    model.add("body", sm.Body(bob, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0.0, 0.0, 0.0), axis=(0.0, 1.0, 0.0)))
    model.add("push", sm.Force(bob, force=(0.0, 0.0, sm.Step(-9.81, time=time))))
    return model


@pytest.mark.parametrize("time", [0.1004, 0.12])  # within a step, and at its end
def test_a_load_that_jumps_is_not_looked_beyond(time, fine, orders):
    """J theta'' = m g L cos(theta), twice as much from the jump on. The restart errs by 1e-6 h^2 theta''."""

    def fall(g, end, y):
        return fine(lambda t, y: np.array([y[1], g * np.cos(y[0]) / 1.1]), end, y)(end)

    theta, _ = fall(2.0 * 9.81, 0.4 - time, fall(9.81, time, np.zeros(2)))
    found = []
    for h in (4e-3, 2e-3):
        run = sm.transient(pushed_pendulum(time), 0.4, h, integrator=sm.LookAhead(), tolerance=1e-13, progress=False)
        counters = run.attrs.counters
        assert (counters["events"], counters["retried"], counters["divided"]) == (1, 0, 0)
        x, _, z = run["bob.position"][-1]
        found.append(abs(np.arctan2(-z, x) - theta))
    assert orders(found) == pytest.approx(4.0, abs=0.2)
    assert found[-1] < 1e-8  # rad; two-step: 7e-6


# ---- stiffness
SPEED, OFF = 1.0, 5.0  # m/s, and m/s^2 along the spring more than balance: 5e-4 m at 1 rad per step


def whirled(frequency) -> sm.Model:
    """1 kg on a spring of 1 m, whirled around at 1 m/s; it vibrates along the spring, at first by 5 N."""
    model = sm.Model("whirled")
    mass = model.node("mass", (1.0 + (SPEED**2 + OFF) / frequency**2, 0.0, 0.0), velocity=(0, SPEED, 0))
    model.add("body", sm.Body(mass, mass=1.0, inertia=(1.0, 1.0, 1.0)))
    model.add("spring", sm.Spring(model.ground, mass, stiffness=frequency**2, length=1.0))
    return model


@pytest.mark.parametrize("frequency", [30.0, 100.0, 1e3, 1e5])  # of a step of 10 ms: 0.3 to 1000 rad
def test_what_the_step_cannot_resolve_is_damped(frequency):
    """By 2.7e-4 a step at 0.3 rad, by 2 % at 1 rad, by 18 % at infinity."""
    run = sm.transient(whirled(frequency), 4.0, 1e-2, integrator=sm.LookAhead(), progress=False)
    assert run.attrs.counters["retried"] == run.attrs.counters["divided"] == 0
    vibration = np.linalg.norm(run["mass.position"], axis=1) - 1.0 - SPEED**2 / frequency**2
    size = np.abs(vibration) * frequency**2 / OFF
    assert size.max() < 1.05  # the point of balance moves a little with the length
    assert size[-50:].max() < (0.95 if frequency < 50.0 else 0.1)
    assert run["model.kinetic"][-1] == pytest.approx(0.5 * SPEED**2, rel=0.05)  # it is whirled still


# ---- what nothing depends on
def test_a_world_turned():
    """The same motion in other axes, to Newton's tolerance."""
    model = chain()
    turned = sm.Model("ball joints", gravity=TURN @ [0, 0, -9.81])
    nodes = {"ground": turned.ground}
    for name, node in model.nodes.items():
        if name != "ground":
            nodes[name] = turned.node(
                name,
                TURN @ node.position,
                TURN @ node.rotation,
                velocity=TURN @ node.velocity,
                angular_velocity=TURN @ node.angular_velocity,
            )
    for k, a in enumerate(("ground", "rod0")):
        turned.add(f"body{k}", sm.Body(nodes[f"rod{k}"], mass=1.0, inertia=(0.02, 0.1, 0.11)))
        at = TURN @ np.array([0.8 * k, 0.0, 0.0])
        turned.add(f"ball{k}", sm.Spherical(nodes[a], nodes[f"rod{k}"], at=at))
    results = [sm.transient(m, 0.4, 2e-3, integrator=sm.LookAhead(), progress=False) for m in (model, turned)]
    for rod in ("rod0", "rod1"):
        here, there = (r[f"{rod}.position"][-1] for r in results)
        np.testing.assert_allclose(there, TURN @ here, atol=1e-9)


def test_a_boost():
    """Carriers: what flies at 37 m/s spins as what does not, and its path is straight."""
    found = []
    for velocity in (np.zeros(3), BOOST):
        model = sm.Model("spinning")
        node = model.node("node", velocity=velocity, angular_velocity=(1.0, 20.0, -3.0))
        model.add("body", sm.Body(node, mass=1.0, inertia=(1.0, 2.0, 3.0)))
        sim = sm.Simulation(model, sm.LookAhead())
        sm.transient(sim, 1.0, 5e-3, progress=False)
        found.append(sim.state.pose(node))
    np.testing.assert_allclose(found[1].R, found[0].R, atol=1e-9)
    np.testing.assert_allclose(found[1].p, found[0].p + BOOST, atol=1e-9)


# ---- taking steps back and up again
def test_a_step_is_taken_back():
    sim = sm.Simulation(chain(), sm.LookAhead())
    sm.transient(sim, 0.02, 1e-3, progress=False)
    place = sim.state.components(ROTATION, 12 + 6).copy()
    status = step(sim.work, 1e-3)
    assert status == Status.OK
    np.testing.assert_allclose(sim.state.components(ETA_1, 6), place[:, 12:], atol=0)
    sim.undo()
    np.testing.assert_allclose(sim.state.components(ROTATION, 12 + 6), place, atol=1e-14)


def test_a_run_taken_up_again_is_the_same_bit_by_bit(tmp_path):
    def run(end, **options):
        return sm.transient(chain(), end, 1e-3, integrator=sm.LookAhead(), progress=False, **options)

    whole = run(0.2)
    first = run(0.07, checkpoint=tmp_path / "state.npz")
    second = run(0.2, resume=tmp_path / "state.npz")
    np.testing.assert_array_equal(np.concatenate([first.table, second.table]), whole.table)


def test_parts_of_a_model_give_the_same():
    """Solved in substructures."""
    made = (sm.Simulation(sm.models.find("chain").make(), sm.LookAhead(), partition=n) for n in (None, 2))
    whole, parts = (sm.transient(sim, 0.1, 1e-3, progress=False) for sim in made)
    for name in whole.channels.names:
        size = np.abs(whole[name]).max()
        np.testing.assert_allclose(parts[name][-1], whole[name][-1], atol=1e-6 * size + 1e-9)


def test_work_at_equal_accuracy(fine):
    """What it is for: a third of the iterations, at most, for a smaller error; see `samara bench engine`."""
    end, found = 0.2, {}
    R, _, _ = top_reference(fine, end)
    for integrator, h in ((sm.TwoStep(0.6), 1e-5), (sm.LookAhead(), 1.6e-4)):
        sim = sm.Simulation(top(), integrator)
        sm.transient(sim, end, h, progress=False)
        error = np.linalg.norm(sim.state.pose(sim.system.layout.free[0]).R - R)
        found[integrator.order] = error, int(sim.counters[Counter.ITERATIONS])
    assert found[4][0] < found[2][0] < 1e-5
    assert 3 * found[4][1] < found[2][1]
