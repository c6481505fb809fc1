"""Jumps: drives, inputs, parameters and locks that change at once, and steps that fail."""

import numpy as np
import pytest

import samara as sm
from samara.solve.native.codes import Counter

FREQUENCY = 20.0  # rad/s


def oscillator(force, **node) -> sm.Model:
    """1 kg on a spring of 400 N/m along x, guided by a prismatic joint."""
    model = sm.Model("oscillator")
    mass = model.node("mass", **node)
    model.add("body", sm.Body(mass, mass=1.0, inertia=(1.0, 1.0, 1.0)))
    model.add("guide", sm.Prismatic(model.ground, mass, axis=(1.0, 0.0, 0.0)))
    spring = sm.DeformableDisplacement(model.ground, mass, law=sm.LinearLaw3(stiffness=(FREQUENCY**2,) * 3))
    model.add("spring", spring)
    model.add("push", sm.Force(mass, force=(force, 0.0, 0.0)))
    return model


def answer(t, jump):
    """x of the oscillator at rest that is pushed by 1 N from `jump` on."""
    return np.where(t < jump, 0.0, (1.0 - np.cos(FREQUENCY * (t - jump))) / FREQUENCY**2)


@pytest.mark.parametrize("jump", [0.1, 0.1004, 0.1009999, 0.10000001])
def test_a_load_that_jumps_anywhere_in_a_step_is_met_at_second_order(jump):
    errors = []
    for h in (4e-3, 2e-3, 1e-3):
        run = sm.transient(oscillator(sm.Step(1.0, time=jump)), 0.5, h, progress=False)
        errors.append(np.abs(run["mass.position"][:, 0] - answer(run.time, jump)).max())
        assert run.attrs.counters["events"] == 1
    assert errors[0] / errors[-1] > 12.0  # second order: 16
    assert errors[-1] < 2e-4 / FREQUENCY**2 * 2  # of the amplitude, twice the static deflection


def test_a_prescribed_place_that_jumps_is_met_at_second_order():
    """The end of a spring, moved at once by 0.1 m: x = 0.1 m (1 - cos(20 t))."""
    jump, errors = 0.1004, []
    for h in (4e-3, 2e-3, 1e-3):
        model = sm.Model("oscillator")
        end = model.prescribed("end", sm.Motion(position=(sm.Step(0.1, time=jump), 0.0, 0.0)))
        mass = model.node("mass")
        model.add("body", sm.Body(mass, mass=1.0, inertia=(1.0, 1.0, 1.0)))
        model.add("guide", sm.Prismatic(model.ground, mass, axis=(1.0, 0.0, 0.0)))
        spring = sm.DeformableDisplacement(end, mass, law=sm.LinearLaw3(stiffness=(FREQUENCY**2,) * 3))
        model.add("spring", spring)
        run = sm.transient(model, 0.5, h, progress=False)
        exact = 0.1 * FREQUENCY**2 * answer(run.time, jump)
        errors.append(np.abs(run["mass.position"][:, 0] - exact).max())
        assert run.attrs.counters["events"] == 1
    assert errors[0] / errors[-1] > 12.0  # second order: 16
    assert errors[-1] < 2e-4 * 0.2


def test_accelerations_and_reactions_jump_with_the_load():
    run = sm.transient(oscillator(sm.Step(1.0, time=0.1)), 0.11, 1e-3, progress=False)
    a = run["mass.acceleration"][:, 0]
    after = run.time > 0.1 + 5e-4
    assert np.abs(a[run.time < 0.1 - 5e-4]).max() < 1e-12
    # order h, of a motion that turns at 20 rad/s, where kept accelerations would ring by half of the jump
    assert a[after] == pytest.approx(np.cos(FREQUENCY * (run.time[after] - 0.1)), abs=2e-3)


def test_a_smooth_drive_is_no_event():
    run = sm.transient(oscillator(sm.Sine(1.0, 90.0)), 0.5, 4e-3, progress=False)
    assert run.attrs.counters["events"] == 0
    run = sm.transient(oscillator(sm.Ramp(50.0, start=0.1003)), 0.5, 4e-3, progress=False)
    assert run.attrs.counters["events"] == 0


def test_a_parameter_that_is_changed_acts_from_then_on():
    model = oscillator(sm.Parameter("push", 0.0, "N"))
    stepper = sm.Stepper(model, step=1e-3)
    stepper.advance(100)
    stepper.sim.system.set_parameter("push", 1.0)
    stepper.advance(400)
    run = stepper.results()
    assert run["mass.position"][:, 0] == pytest.approx(answer(run.time, 0.1), abs=1e-6)  # (w h)^2 / 12 of 5e-3 m
    assert run.attrs.counters["events"] == 1


def test_a_held_command_acts_from_its_sample_on():
    """Samples of a sine, held: velocity and position by sums, exact for a free mass."""
    model = sm.Model("free")
    node = model.node("mass")
    model.add("body", sm.Body(node, mass=1.0, inertia=(1.0, 1.0, 1.0)))
    model.add("push", sm.Force(node, force=(sm.Input("u", unit="N"), 0.0, 0.0)))
    h, x, v = 0.01, 0.0, 0.0
    stepper = sm.Stepper(model, step=h)
    for k in range(200):
        u = np.sin(6.0 * k * h)
        stepper.feed("u", u)
        stepper.advance()
        x, v = x + v * h + 0.5 * u * h * h, v + u * h
    # one event, at the first sample that is not zero: two short steps, 1/64 of h each
    assert stepper.measure("mass.velocity.x") == pytest.approx(v, abs=1e-5)
    assert stepper.measure("mass.position.x") == pytest.approx(x, abs=2e-5)
    assert stepper.sim.counters[10] == 1


def locked_arm(engaged) -> sm.Model:
    """A horizontal arm of 1 m held by a lock in all six directions at its root, under its weight."""
    model = sm.Model("arm", gravity=(0.0, 0.0, -9.81))
    arm = model.node("arm", (0.5, 0.0, 0.0))
    model.add("body", sm.Body(arm, mass=3.0, inertia=(0.1, 0.25, 0.25)))
    hold = {"hold_position": (True,) * 3, "hold_rotation": (True,) * 3}
    model.add("lock", sm.Lock(model.ground, arm, at=(0.0, 0.0, 0.0), engaged=engaged, **hold))
    return model


def test_a_lock_released_under_load_lets_go():
    """Held until 0.1 s, then in free fall, from the first step on."""
    run = sm.transient(locked_arm(sm.Step(0.0, time=0.1, before=1.0)), 0.3, 2.5e-3, progress=False)
    fallen = -0.5 * 9.81 * np.maximum(run.time - 0.1, 0.0) ** 2
    assert run["arm.position"][:, 2] == pytest.approx(fallen, abs=2e-5)
    assert run["arm.acceleration"][run.time > 0.101, 2] == pytest.approx(-9.81, rel=1e-6)
    assert np.abs(run["lock.force"][run.time > 0.101]).max() < 1e-6


def test_a_lock_released_in_real_time():
    from samara.realtime.loop.clock import made_up
    from samara.realtime.loop.simulator import RealTime

    with RealTime(locked_arm(sm.Step(0.0, time=0.1, before=1.0)), rate=400, clock=made_up()) as loop:
        report = loop.run(0.3)
    assert report.ended == "done"
    z = loop.sim.system.state.read(loop.sim.model.nodes["arm"], 9, 3)[2]
    assert z == pytest.approx(-0.5 * 9.81 * 0.2**2, abs=2e-5)


class Wall(sm.Load):
    """A force that grows without limit at x = 1, F = -1 / (1 - x)^3, and makes no sense beyond."""

    def load(self, n, world):
        gap = 1.0 - world.see(np.zeros(3))[0]
        return np.array([-1.0 / np.sqrt(gap) ** 6, 0.0, 0.0]), np.zeros(3)


def towards_the_wall() -> sm.Model:
    model = sm.Model("wall")
    node = model.node("mass", velocity=(30.0, 0.0, 0.0))
    model.add("body", sm.Body(node, mass=1.0, inertia=(1.0, 1.0, 1.0)))
    model.add("wall", Wall(node))
    return model


def test_a_step_that_fails_is_taken_in_parts():
    """A mass that turns round within a step: v^2/2 = 450 is all potential, 1 / (2 gap^2), at a gap of 0.033 m."""
    run = sm.transient(towards_the_wall(), 0.2, 0.02, progress=False)
    assert run.attrs.counters["divided"] >= 1
    x, v = run["mass.position"][-1, 0], run["mass.velocity"][-1, 0]
    assert v < 0.0  # it has come back
    energy = 0.5 * v * v + 0.5 / (1.0 - x) ** 2
    assert energy == pytest.approx(450.5, rel=0.2)  # with few steps in the turn; parts are not chosen by accuracy
    with pytest.raises(sm.Diverged, match=r"not converge|not finite"):
        sm.transient(sm.Simulation(towards_the_wall(), substeps=1), 0.2, 0.02, progress=False)


@pytest.mark.parametrize("accuracy", [1e-5, 1e-7])
def test_a_jump_in_a_run_with_variable_steps(accuracy):
    """A mass at rest, whose steps have grown to half a second, is pushed: as accurate as one that starts pushed.

    It swung by 1.3 instead of 2, at any accuracy: the first steps after the jump were as long as those before.
    """
    w, jump = 200.0, 5.003

    def run(force, end):
        model = sm.Model("oscillator")
        mass = model.node("mass")
        model.add("body", sm.Body(mass, mass=1.0, inertia=(1.0, 1.0, 1.0)))
        model.add("guide", sm.Prismatic(model.ground, mass, axis=(1.0, 0.0, 0.0)))
        model.add("spring", sm.Axial(model.ground, mass, axis=(1.0, 0.0, 0.0), law=sm.LinearLaw(w * w)))
        model.add("push", sm.Force(mass, force=(force, 0.0, 0.0)))
        return sm.transient(model, end, accuracy=accuracy, progress=False)

    alone, after = run(sm.Constant(w * w), 0.5), run(sm.Step(w * w, time=jump), jump + 0.5)
    assert after.time[-1] == pytest.approx(jump + 0.5, rel=1e-12)
    found, wanted = (
        np.abs(r["mass.position"][:, 0] - np.where(t < 0.0, 0.0, 1.0 - np.cos(w * t))).max()
        for r, t in ((after, after.time - jump), (alone, alone.time))
    )
    assert found < 2.0 * wanted


def test_a_pulse_shorter_than_a_step():
    """Two steps of a force 2.2 ms apart, in one step of 5 ms: the impulse F t is felt. Both were lost."""
    model = sm.Model("pulse")
    mass = model.node("mass")
    model.add("body", sm.Body(mass, mass=1.0, inertia=(1.0, 1.0, 1.0)))
    pulse = sm.Step(100.0, time=0.0512) + sm.Step(-100.0, time=0.0534)
    model.add("push", sm.Force(mass, force=(pulse, 0.0, 0.0)))
    for options in ({"step": 5e-3}, {"accuracy": 1e-6}):
        run = sm.transient(model, 0.1, **options, progress=False)
        assert run["mass.velocity"][-1, 0] == pytest.approx(0.22, rel=1e-6)


# ---- nodes without mass
@pytest.mark.parametrize("jump", [0.1, 0.10037])
@pytest.mark.parametrize("force", [0.2, 5.0])
def test_a_massless_node_between_springs_stays_between_them(jump, force):
    """Two springs in a row and a load on the node between: half of it stretches the first, the mass swings about it."""
    model = sm.Model("two springs in a row")
    middle, cart = model.node("middle", (1.0, 0.0, 0.0), static=True), model.node("cart", (2.0, 0.0, 0.0))
    model.add("mass", sm.Body(cart, mass=1.0, inertia=(1.0, 1.0, 1.0)))
    for name, node in (("rail_1", middle), ("rail_2", cart)):
        model.add(name, sm.Prismatic(model.ground, node, axis=(1.0, 0.0, 0.0)))
    model.add("spring_1", sm.Spring(model.ground, middle, stiffness=100.0, length=1.0))
    model.add("spring_2", sm.Spring(middle, cart, stiffness=100.0, length=1.0))
    model.add("push", sm.Force(middle, force=(sm.Step(force, time=jump), 0.0, 0.0)))
    run = sm.transient(model, 0.5, 1e-3, progress=False)
    later = np.clip(run.time - jump, 0.0, None)
    exact = force / 100.0 * (1.0 - np.cos(np.sqrt(50.0) * later))
    # (omega h)^2 / 12 a radian, and as much of its square root: some 1e-5 of the amplitude
    assert run["cart.position"][:, 0] - 2.0 == pytest.approx(exact, abs=1e-5 * force)


# ---- places that jump under joints
@pytest.mark.parametrize("step", [1e-3, 1e-4])
@pytest.mark.parametrize("by", [0.05, 0.3, 0.6])
def test_a_pivot_that_jumps_takes_its_pendulum_along(by, step):
    """In no time, so without velocity: it hangs beside the pivot then, and swings with the energy of that height."""
    model = sm.Model("pendulum", gravity=(0.0, 0.0, -9.81))
    pivot = model.prescribed("pivot", sm.Motion(position=(sm.Step(by, time=0.10037), 0.0, 0.0)))
    bob = model.node("bob", (0.0, 0.0, -1.0))
    model.add("body", sm.Body(bob, mass=1.0, inertia=(1e-2, 1e-2, 1e-2)))
    model.add("hinge", sm.Revolute(pivot, bob, at=(0.0, 0.0, 0.0), axis=(0.0, 1.0, 0.0)))
    run = sm.transient(model, 0.2, step, outputs="*", progress=False)
    after = np.searchsorted(run.time, 0.10037)
    speed = np.linalg.norm(run["bob.velocity"][after])
    assert speed < 9.81 * step  # what gravity makes of it until then
    energy = (run["model.kinetic"] + run["model.potential"])[after:]
    assert np.ptp(energy) < 1e-4 * 9.81
    assert energy[0] == pytest.approx(9.81 * run["bob.position"][after, 2], abs=1e-3)
    assert run.attrs.counters["leaps"] == 1
    assert any("jumped" in note for note in run.attrs.notes)


def test_where_nodes_have_no_mass_a_jump_of_a_place_is_said_to_be_unfollowed():
    model = sm.Model("cart", gravity=(0.0, 0.0, -9.81))
    pivot = model.prescribed("pivot", sm.Motion(position=(sm.Step(0.1, time=0.05), 0.0, 0.0)))
    hook, bob = model.node("hook", static=True), model.node("bob", (0.0, 0.0, -1.0))
    model.add("clamp", sm.Clamp(pivot, hook))
    model.add("body", sm.Body(bob, mass=1.0, inertia=(1e-2, 1e-2, 1e-2)))
    model.add("hinge", sm.Revolute(hook, bob, at=(0.0, 0.0, 0.0), axis=(0.0, 1.0, 0.0)))
    run = sm.transient(model, 0.1, 1e-3, progress=False)
    assert run.attrs.counters["leaps"] == 1
    assert any("means nothing: the model has nodes without mass" in note for note in run.attrs.notes)


def test_a_place_that_jumps_too_far_is_named():
    model = sm.Model("pendulum", gravity=(0.0, 0.0, -9.81))
    pivot = model.prescribed("pivot", sm.Motion(position=(sm.Step(1.0, time=0.05), 0.0, 0.0)))
    bob = model.node("bob", (0.0, 0.0, -1.0))
    model.add("body", sm.Body(bob, mass=1.0, inertia=(1e-2, 1e-2, 1e-2)))
    model.add("hinge", sm.Revolute(pivot, bob, at=(0.0, 0.0, 0.0), axis=(0.0, 1.0, 0.0)))
    with pytest.raises(
        sm.Diverged, match="the drive of node 'pivot' jumps there by 1; make it change over a finite time"
    ):
        sm.transient(model, 0.1, 1e-3, progress=False)


# ---- what has no mass, and dampers
@pytest.mark.parametrize("damping", [0.005, 0.05, 0.1, 1.0])
@pytest.mark.parametrize("step", [4e-3, 2e-3, 1e-3, 5e-4])
def test_a_massless_node_on_a_damper_is_not_thrown(damping, step):
    """A spring of 1 kN/m takes 10 N at once: the node goes by 10 mm within c / k, 5 us to 1 ms.

    With the mass of 1 kg behind the damper, v = c x / m. Within a step of the jump the node is on its way.
    """
    model = sm.Model("damped")
    node, mass = model.node("node", (1.0, 0.0, 0.0), static=True), model.node("mass", (2.0, 0.0, 0.0))
    model.add("body", sm.Body(mass, mass=1.0, inertia=(1.0, 1.0, 1.0)))
    for n in (node, mass):
        model.add(f"rail_{n.name}", sm.Prismatic(model.ground, n, at=(0.0, 0.0, 0.0), axis=(1.0, 0.0, 0.0)))
    model.add("spring", sm.Spring(model.ground, node, stiffness=1e3, length=1.0))
    model.add("damper", sm.Damper(node, mass, damping=damping))
    model.add("load", sm.Force(node, force=(sm.Step(10.0, time=0.1007), 0.0, 0.0)))
    run = sm.transient(model, 0.12, step, progress=False)
    x = run["node.position"][:, 0] - 1.0
    after = run.time > 0.1007 + 2.0 * step
    left = np.exp(-(run.time[after] - 0.1007) / (damping / 1e3))
    assert np.abs(x[after] - 0.01 * (1.0 - left)).max() < 8e-4  # 8 % of the way, where c / k is a step
    assert x.min() > -1e-6
    assert x.max() < 0.0105  # 5 % of the way too far, where c / k is a step
    assert run["mass.velocity"][-1, 0] == pytest.approx(damping * x[-1], rel=0.02)  # but for its decay with m / c


# ---- prescribed motions that bend
@pytest.mark.parametrize("steps", [{"step": 1e-2}, {"step": 1e-3}, {"accuracy": 1e-4}, {"accuracy": 1e-6}])
def test_reactions_where_a_prescribed_motion_begins_and_ends(steps):
    """A Cosine: the force jumps from 0 to m A (pi / T)^2 / 2, and does not ring."""
    model = sm.Model("shaker")
    node = model.node("node")
    model.add("body", sm.Body(node, mass=1.0, inertia=(1.0, 1.0, 1.0)))
    path = (0.0, 0.0, sm.Cosine(0.1, duration=0.5, start=0.3003))
    hold = {"hold_position": (True,) * 3, "hold_rotation": (True,) * 3}
    model.add("guide", sm.TotalJoint(model.ground, node, **hold, position=path))
    run = sm.transient(model, 1.2, progress=False, **steps)
    peak = 0.05 * (np.pi / 0.5) ** 2
    assert np.abs(run["guide.force"][:, 2]).max() == pytest.approx(peak, rel=0.02)  # 16 steps for the whole, at 1e-4


def test_a_prescribed_ramp_does_not_ring():
    """Between its ends nothing acts: the impulses are at the ends."""
    model = sm.Model("ramp")
    node = model.node("node")
    model.add("body", sm.Body(node, mass=1.0, inertia=(1.0, 1.0, 1.0)))
    hold = {"hold_position": (True,) * 3, "hold_rotation": (True,) * 3}
    path = (0.0, 0.0, sm.Ramp(0.1, start=0.3003, end=0.7011))
    model.add("guide", sm.TotalJoint(model.ground, node, **hold, position=path))
    run = sm.transient(model, 1.0, 1e-3, progress=False)
    assert np.abs(run["guide.force"]).max() < 1e-6  # constraints hold to 1e-16 m, and the step is 1e-3 s
    assert run["node.velocity"][500, 2] == pytest.approx(0.1, abs=1e-9)


# ---- pulses
@pytest.mark.parametrize("width", [5e-5, 1e-5, 1e-6])
@pytest.mark.parametrize("start", [0.0503, 0.0509995, 0.05])
def test_the_impulse_of_a_short_pulse(width, start):
    model = sm.Model("kick")
    node = model.node("node")
    model.add("body", sm.Body(node, mass=1.0, inertia=(1.0, 1.0, 1.0)))
    pulse = sm.Step(1.0 / width, time=start) - sm.Step(1.0 / width, time=start + width)
    model.add("kick", sm.Force(node, force=(pulse, 0.0, 0.0)))
    run = sm.transient(model, 0.1, 1e-3, progress=False)
    # steps end a billionth of a step, 1e-12 s, from each of the two jumps
    assert run["node.velocity"][-1, 0] == pytest.approx(1.0, abs=2.0 * 1e-12 / width + 1e-9)


# ---- locks and variable steps
@pytest.mark.parametrize("accuracy", [1e-3, 1e-5, 1e-7])
def test_a_lock_that_engages_in_flight_with_variable_steps(accuracy):
    """A cart that slides on a craft with a spinning rotor: its speed dies as exp(-t / time): it slides by v time."""
    model = sm.Model("craft")
    craft, rotor, cart = (model.node(name, at) for name, at in zip("abc", np.diag((0.0, 0.0, 1.0)) + 0.1, strict=True))
    for node, mass in ((craft, 200.0), (rotor, 8.0), (cart, 10.0)):
        model.add(f"body_{node.name}", sm.Body(node, mass=mass, inertia=(mass / 2.0,) * 3))
    model.add("shaft", sm.Revolute(craft, rotor, axis=(0.0, 0.0, 1.0), start={"angle_rate": 40.0}))
    model.add("rail", sm.Prismatic(craft, cart, axis=(0.0, 1.0, 0.0), start={"displacement_rate": 1.0}))
    lock = sm.Lock(
        craft, cart, axis=(0.0, 1.0, 0.0), engaged=sm.Step(1.0, time=0.15), time=0.01,
        hold_position=(False, False, True), hold_rotation=(False,) * 3,
    )  # fmt: skip
    model.add("lock", lock)
    run = sm.transient(model, 0.3, accuracy=accuracy, progress=False)
    assert run["rail.displacement"][-1] == pytest.approx(0.16, abs=20.0 * accuracy + 1e-6)


def test_a_drive_that_is_no_number_ends_the_run():
    """A lock would take it for released."""
    model = oscillator(0.0)
    engaged = sm.Expression(lambda t: sm.select(t > 0.05, np.nan, 1.0))
    lock = sm.Lock(
        model.ground, model["mass"], engaged=engaged, hold_position=(True, False, False), hold_rotation=(False,) * 3
    )
    model.add("lock", lock)
    with pytest.raises(sm.Diverged, match="not finite"):
        sm.transient(model, 0.1, 1e-3, progress=False)


def damped() -> sm.Model:
    """A node without mass, pushed from 10.7 ms on: its motion dies out until the end of that step."""
    model = sm.Model("damped")
    node = model.node("node", (1.0, 0.0, 0.0), static=True)
    model.add("rail", sm.Prismatic(model.ground, node, at=(0.0, 0.0, 0.0), axis=(1.0, 0.0, 0.0)))
    model.add("spring", sm.Spring(model.ground, node, stiffness=1e3, length=1.0))
    model.add("damper", sm.Damper(model.ground, node, damping=0.3))
    model.add("load", sm.Force(node, force=(sm.Step(10.0, time=0.0107), 0.0, 0.0)))
    return model


def test_a_run_goes_on_after_a_step_that_an_event_took_whole():
    """A run taken up at the end of that step is no new one."""
    sims = [sm.Simulation(damped()), sm.Simulation(damped())]
    for end in (0.011, 0.015):
        part = sm.transient(sims[0], end, 1e-3, progress=False)
    whole = sm.transient(sims[1], 0.015, 1e-3, progress=False)
    assert sims[0].counters[Counter.EVENTS] == 1
    np.testing.assert_array_equal(part["node.position"], whole["node.position"][12:])


def test_a_step_that_an_event_takes_whole_leaves_a_run_that_has_started_without_a_past():
    """Whether a run has started is one thing, what its scheme can look back on another."""
    sim = sm.Simulation(damped())
    assert not sim.started
    sm.transient(sim, 0.011, 1e-3, progress=False)
    assert sim.started and sim.last_step == 0.0
    sm.transient(sim, 0.012, 1e-3, progress=False)
    assert sim.started and sim.last_step == pytest.approx(1e-3)
    sm.static(sim)
    assert not sim.started
