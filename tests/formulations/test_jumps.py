"""Drives, prescribed places and inputs that jump, within a step and between two, in every way to take a step."""

from typing import Any

import numpy as np
import pytest
from ways_to_step import ways

import samara as sm
from samara.model import driven

G = 9.81
AXIS = {"at": (0, 0, 0), "axis": (0, 1, 0)}


# ---- a force
def pendulum(load) -> sm.Model:
    """1 kg at 1 m from its hinge, pushed down at its end, let go in the horizontal."""
    model = sm.Model("pendulum", gravity=(0, 0, -G))
    bob = model.node("bob", (1, 0, 0))
    model.add("body", sm.Body(bob, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    model.add("hinge", sm.Revolute(model.ground, bob, **AXIS))
    model.add("push", sm.Force(bob, force=(0, 0, load)))
    return model


def fallen(fine, *stretches):
    """Angle and rate after stretches of time with so much weight each, (seconds, m/s^2)."""
    y = np.zeros(2)
    for time, weight in stretches:
        y = fine(lambda t, y, g=weight: np.array([y[1], g * np.cos(y[0]) / 1.1]), time, y)(time)
    return y


def ends(run):
    return np.array([run["hinge.angle"][-1], run["hinge.angle_rate"][-1]])


#: Steps [s] by the order, the jump at the same tenth of a step in both.
STEPS = {1: (4e-3, 2e-3), 2: (4e-3, 2e-3), 4: (2e-2, 1e-2), 5: (4e-2, 2e-2)}
END = 0.4


def test_a_force_that_jumps_within_a_step_keeps_the_order(way, fine, orders):
    """The weight doubles at 0.101 s: whoever steps over it errs by the square of a step at most, whatever the order."""
    exact = fallen(fine, (0.101, G), (END - 0.101, 2.0 * G))
    errors = []
    for h in STEPS[way.order]:
        run = way.run(pendulum(sm.Step(-G, time=0.101)), END, h)
        assert run.attrs.counters["events"] == 1
        errors.append(np.abs(ends(run) - exact).max())
    # the start after the jump errs once, by another constant
    assert orders(errors)[0] == pytest.approx(way.order, abs=0.5)


def test_two_jumps_within_one_step_are_both_met(way, fine):
    """A blow of 50 N for 2 ms, within one step of 10 ms: its impulse is there."""
    step, begins, ends_at = 1e-2, 0.1035, 0.1055
    blow = sm.Step(-50.0, time=begins) + sm.Step(50.0, time=ends_at)
    run = way.run(pendulum(blow), END, step)
    exact = fallen(fine, (begins, G), (ends_at - begins, G + 50.0), (END - ends_at, G))
    without = fallen(fine, (END, G))
    assert run.attrs.counters["events"] == 2
    assert abs(exact[1] - without[1]) > 0.05  # it is felt
    np.testing.assert_allclose(ends(run), exact, atol=3.0 * way.error(4.0, step, END))


def test_a_jump_at_the_end_of_a_step_is_one_event(way, fine):
    """At 0.1 s, the end of the tenth step: no step is left to it, and none is lost."""
    run = way.run(pendulum(sm.Step(-G, time=0.1)), END, 1e-2)
    assert run.attrs.counters["events"] == 1
    assert run.attrs.counters["steps"] == 40
    np.testing.assert_allclose(ends(run), fallen(fine, (0.1, G), (0.3, 2.0 * G)), atol=3.0 * way.error(4.0, 1e-2, END))


# ---- what is prescribed
#: Of the second bar about its hinge: its mass is 0.6 m from there [kg m, kg m^2].
MOMENT, ABOUT = 2.0 * 0.6, 0.2 + 2.0 * 0.6**2


def two_bars(prescribed) -> sm.Model:
    """A bar that is driven, and one that hangs on it."""
    model = sm.Model("two bars", gravity=(0, 0, -G))
    a, b = model.node("a", (0.5, 0, 0)), model.node("b", (1.0, 0, 0))
    for node in (a, b):
        model.add(f"{node.name}.mass", sm.Body(node, mass=2.0, inertia=(0.1, 0.2, 0.3), com=(0.1, 0, 0)))
    model.add("driven", sm.Revolute(model.ground, a, **AXIS))
    model.add("free", sm.Revolute(a, b, at=(0.5, 0, 0), axis=(0, 1, 0)))
    model.add("drive", prescribed(model.ground, a))
    return model


def test_a_rate_that_jumps_keeps_the_momentum_of_what_hangs_there(way):
    """H_ff ds_f + H_fd ds_d = 0: the second bar keeps its angular momentum about its hinge, which moves 0.5 m off.

    (J + m L c cos q) dw + J du = 0, of a mass m c [kg m] off the hinge; w: rate that is driven, u: of the free hinge.
    """
    step, jump = 1e-4, 0.05003
    drive = sm.Step(3.0, time=jump, before=1.0)
    run = way.run(two_bars(lambda a, b: sm.PrescribedRate(a, b, rate=drive, **AXIS)), 0.051, step)
    k = int(jump / step)
    q, rate = run["free.angle"], run["free.angle_rate"]
    coupled = ABOUT + 0.5 * MOMENT * np.cos(q[k])
    # accelerations of some 20 rad/s^2 over the step in which it jumps
    assert rate[k + 1] - rate[k] == pytest.approx(-coupled / ABOUT * 2.0, abs=20.0 * step)
    np.testing.assert_allclose(run["driven.angle_rate"][[k, k + 1]], [1.0, 3.0], atol=1e-9)


def wheel_on_a_base(place) -> sm.Model:
    """A wheel that spins about its centre of mass, on a base that is moved sideways."""
    model = sm.Model("wheel on a base", gravity=(0, 0, -G))
    base = model.prescribed("base", sm.Motion(position=(place, 0.0, 0.0)))
    wheel = model.node("wheel", (0, 0, 0), angular_velocity=(0, 7.0, 0))
    model.add("disc", sm.Body(wheel, mass=2.0, inertia=(0.1, 0.2, 0.1)))
    model.add("bearing", sm.Revolute(base, wheel, **AXIS))
    return model


def test_a_place_that_jumps_takes_along_what_hangs_there(way):
    """The base is 0.3 m further from 0.0503 s on: the wheel is there, at rest, turned no more than it turns anyway."""
    run = way.run(wheel_on_a_base(sm.Step(0.3, time=0.0503)), 0.1, 1e-3)
    after = run.time > 0.0503
    np.testing.assert_allclose(run["wheel.position"][:, 0], np.where(after, 0.3, 0.0), atol=1e-9)
    np.testing.assert_allclose(run["wheel.velocity"], 0.0, atol=1e-7)
    np.testing.assert_allclose(run["bearing.angle"], 7.0 * run.time, atol=1e-7)
    assert any("jumped" in note for note in run.attrs.notes)


def led(fine, way, start):
    """By how much the second bar turns when the first goes a way in no time: H_ff dq_f + H_fd dq_d = 0."""

    def rates(t, y):
        return -np.sign(way) * (ABOUT + 0.5 * MOMENT * np.cos(y)) / ABOUT

    return fine(rates, abs(way), np.array([start]))(abs(way))[0] - start


def test_a_place_that_jumps_leaves_momenta_as_they_were(way, fine):
    """A model has one motion: a blow of the hinge turns what hangs there, by its inertia, whoever takes the step.

    Formulations differ by the square of the jump, for a large one has no limit; so the jump is small.
    """
    step, jump, by = 1e-4, 0.05003, 0.03
    drive = sm.Step(by, time=jump)
    run = way.run(two_bars(lambda a, b: sm.PrescribedAngle(a, b, angle=drive, **AXIS)), 0.0502, step)
    k = np.searchsorted(run.time, jump)
    change = run["free.angle"][k] - run["free.angle"][k - 1]
    # rates of some 0.5 rad/s over a step
    assert change == pytest.approx(led(fine, by, run["free.angle"][k - 1]), abs=by**2 + step)
    assert change < -1.5 * by
    assert any("jumped" in note for note in run.attrs.notes)


@ways("explicit", "implicit", "time stepping")
@pytest.mark.parametrize("by", [0.3, -0.8])
def test_a_tree_goes_along_a_large_jump(way, by, fine):
    """By the same equation, in parts."""
    step, jump = 1e-4, 0.05003
    drive = sm.Step(by, time=jump)
    run = way.run(two_bars(lambda a, b: sm.PrescribedAngle(a, b, angle=drive, **AXIS)), 0.0502, step)
    k = np.searchsorted(run.time, jump)
    change = run["free.angle"][k] - run["free.angle"][k - 1]
    assert change == pytest.approx(led(fine, by, run["free.angle"][k - 1]), abs=3e-4)


@ways("explicit", "implicit", "time stepping")
@pytest.mark.parametrize("joint", ["hinge", "ball"])
def test_a_base_that_turns_at_once_leaves_what_hangs_there_by_its_inertia(way, joint):
    """A base turns by 0.02 rad about y under a link whose joint is 0.5 m off: its mass is 0.6 m from there.

    The joint moves by x, z; of the link only the turn is free: (J + m c^2) dq = m c times the way across it.
    """
    turned, step, jump = 0.02, 1e-4, 0.01003
    model = sm.Model("turned base")
    base = model.prescribed("base", sm.Motion(rotation=(0.0, sm.Step(turned, time=jump), 0.0)))
    link = model.node("link", (1.0, 0, 0))
    model.add("body", sm.Body(link, mass=2.0, inertia=(0.1, 0.2, 0.3), com=(0.1, 0, 0)))
    place = {"at": (0.5, 0, 0)}
    model.add(
        "joint",
        sm.Revolute(base, link, axis=(0, 1, 0), **place) if joint == "hinge" else sm.Spherical(base, link, **place),
    )
    run = way.run(model, 0.011, step)
    # in the world: the joint goes down by 0.5 m times the turn, and the link turns the other way
    expected = -0.5 * turned * MOMENT / ABOUT
    R = run["link.rotation"][-1].reshape(3, 3)
    assert np.arctan2(-R[2, 0], R[0, 0]) == pytest.approx(expected, abs=turned**2)
    assert run["link.velocity"][-1] == pytest.approx(np.zeros(3), abs=1e-6)


@ways("redundant", "explicit", "implicit")
def test_a_place_that_is_fed_step_by_step_is_one_that_moves(way):
    """What hangs there is moved by its inertia, in every small change; the rate of what is fed counts as zero."""
    step, by, time = 1e-3, 0.3, 0.4

    def place(t):
        return 0.5 * by * (1.0 - np.cos(np.pi * min(t / time, 1.0)))

    told = way.run(two_bars(lambda a, b: sm.PrescribedAngle(a, b, angle=sm.Cosine(by, time), **AXIS)), 0.5, step)
    fed = way.stepper(two_bars(lambda a, b: sm.PrescribedAngle(a, b, angle=sm.Input("place"), **AXIS)), step)
    for k in range(500):
        fed.feed("place", place((k + 1) * step))
        fed.advance()
    # centrifugal forces of rates up to 1.2 rad/s, of 4 rad/s that it swings with, are what trees leave out
    assert fed.measure("free.angle") == pytest.approx(told["free.angle"][-1], abs=0.02)


# ---- inputs
def wheel(name="torque") -> sm.Model:
    """A wheel of 0.2 kg m^2 with a motor."""
    model = sm.Model("wheel")
    node = model.node("wheel")
    model.add("disc", sm.Body(node, mass=2.0, inertia=(0.1, 0.2, 0.1)))
    model.add("bearing", sm.Revolute(model.ground, node, **AXIS))
    model.add("motor", sm.RotaryActuator(model.ground, node, torque=sm.Input(name, unit="N m"), **AXIS))
    return model


def test_a_fed_input_acts_from_the_next_step_on(way):
    """J w = integral of the torque, step by step: a value that is held acts for whole steps, neither sooner nor later.

    With a torque that is constant in each step, angles are parabolas, which every formula of order two has exactly.
    """
    step, J = 1e-2, 0.2
    stepper = way.stepper(wheel(), step)
    torques = [1.0, 1.0, -2.0, 0.0, 0.05, 0.06, 3.0, 3.0, 0.0, 0.0]
    speed = angle = started = 0.0
    for torque in torques:
        stepper.feed("torque", torque)
        stepper.advance()
        angle += speed * step + 0.5 * torque / J * step**2
        speed += torque / J * step
        # after an event, two steps of Euler's formula, each 1/64 of a step, look at the speed of their ends
        started += (abs(torque) / J) * (step / 64.0) ** 2
        # of order one: the speed of the end for that of the middle
        allowed = 1e-9 + (started if way.order > 1 else 0.5 * step * abs(speed))
        assert stepper.measure("bearing.angle_rate") == pytest.approx(speed, abs=1e-9)
        assert stepper.measure("bearing.angle") == pytest.approx(angle, abs=allowed)


class Tank(sm.Element):
    """A level that an inflow fills."""

    x: sm.State = sm.state(kw_only=False)
    inflow: Any = driven(unit="m/s")

    def formulate(self, site):
        return sm.Contribution(wrenches=[], balances=[site.states[0].rate - self.inflow])


#: Each by less than half of the largest value so far: no events, but for the first.
SMALL_CHANGES = [1.0, 0.8, 0.6, 0.9, 0.5, 0.5, 0.7]


def test_a_fed_input_fills_a_level_from_the_next_step_on(way):
    """Of first order: x is the sum of inflows, in every formula, exactly."""
    step, level = 1e-2, 0.0
    model = sm.Model("tank")
    model.add("tank", Tank(model.state("level", value=0.0, unit="m"), inflow=sm.Input("inflow", unit="m/s")))
    stepper = way.stepper(model, step)
    for inflow in SMALL_CHANGES:
        stepper.feed("inflow", inflow)
        stepper.advance()
        level += step * inflow
        assert stepper.measure("level.value") == pytest.approx(level, abs=1e-9)


@ways("explicit", "implicit", "time stepping")
def test_a_fed_torque_turns_a_ball_from_the_next_step_on(way):
    """About one axis a ball is a wheel: speeds are sums of torques, angles parabolas."""
    step, J, speed, angle = 1e-2, 0.2, 0.0, 0.0
    model = sm.Model("ball")
    node = model.node("ball")
    model.add("disc", sm.Body(node, mass=2.0, inertia=(0.1, J, 0.1)))
    model.add("joint", sm.Spherical(model.ground, node))
    model.add("motor", sm.RotaryActuator(model.ground, node, torque=sm.Input("torque", unit="N m"), **AXIS))
    stepper = way.stepper(model, step)
    for torque in SMALL_CHANGES:
        stepper.feed("torque", torque)
        stepper.advance()
        angle += speed * step + 0.5 * torque / J * step**2
        speed += torque / J * step
        assert stepper.measure("ball.angular_velocity.y") == pytest.approx(speed, abs=1e-9)
        assert stepper.measure("motor.angle") == pytest.approx(angle, abs=1e-9 if way.order > 1 else 0.6 * step * speed)


@ways("explicit", "implicit", "time stepping")
def test_a_fed_rate_turns_what_it_drives_from_the_next_step_on(way):
    """A prescribed rate that is held: the angle is the sum of rates; what hangs there is as fast as it is told."""
    step, angle, fed = 1e-2, 0.0, sm.Input("rate", unit="rad/s")
    stepper = way.stepper(two_bars(lambda a, b: sm.PrescribedRate(a, b, rate=fed, **AXIS)), step)
    for rate in SMALL_CHANGES:
        stepper.feed("rate", rate)
        stepper.advance()
        angle += step * rate
        assert stepper.measure("driven.angle_rate") == pytest.approx(rate, abs=1e-9)
        assert stepper.measure("driven.angle") == pytest.approx(angle, abs=1e-9)


def test_a_run_at_once_is_a_run_step_by_step(way):
    """Bit by bit, through an event."""
    whole = way.run(pendulum(sm.Step(-G, time=0.101)), 0.2, 1e-2)
    stepper = way.stepper(pendulum(sm.Step(-G, time=0.101)), 1e-2)
    stepper.advance(3)
    for _ in range(17):
        stepper.advance()
    np.testing.assert_array_equal(stepper.results().table, whole.table)
