"""A model against a made-up clock, seen and steered through a session."""

import os
import time

import numpy as np
import pytest

import samara as sm
from samara.cli.simulator.realtime import page
from samara.model import as_drive
from samara.models import find
from samara.realtime import Command, Session
from samara.realtime.loop.clock import NOW, made_up
from samara.realtime.loop.loop import loop
from samara.realtime.loop.simulator import RealTime
from samara.realtime.session.accounts import Account
from samara.realtime.session.schedule import Policy

RATE = 1000.0
MASS, STIFFNESS = 2.0, 50.0


def slider() -> sm.Model:
    """A mass on a rail with a spring, pushed by an input."""
    model = sm.Model("slider")
    mass = model.node("mass", (0.0, 0, 0))
    model.add("body", sm.Body(mass, mass=MASS, inertia=(1, 1, 1)))
    model.add("rail", sm.Prismatic(model.ground, mass, axis=(1, 0, 0)))
    law = sm.LinearLaw(sm.Parameter("stiffness", STIFFNESS, "N/m", lower=0.0))
    model.add("spring", sm.Axial(model.ground, mass, axis=(1, 0, 0), law=law))
    model.add("push", sm.Force(mass, force=(sm.Input("push", unit="N"), 0, 0)))
    return model


@pytest.fixture
def rig():
    name = f"test-{os.getpid()}"
    with RealTime(
        slider(), RATE, session=name, sensors=("mass.position", "mass.velocity"), record=256, clock=made_up()
    ) as runner:
        with Session.connect(name, timeout=5.0) as guest:
            yield runner, guest


def position(guest) -> float:
    return guest.sensors.read().values[guest.sensors.names.index("mass.position.x")]


def test_names_and_units_are_those_of_the_model(rig):
    _, guest = rig
    assert [s.name for s in guest.card.actuators] == ["push"]
    assert guest.card.actuators[0].unit == "N"
    assert guest.card.parameters[0].limits == (0.0, np.inf)
    assert "mass.velocity.x" in guest.sensors.names
    assert guest.card.rate == RATE


def test_numbers_without_a_unit_are_plain_numbers():
    model = slider()
    law = sm.LinearLaw(sm.Parameter("gain", 1.0))
    model.add("other", sm.Axial(model.ground, model.nodes["mass"], axis=(1, 0, 0), law=law))
    model.add("pull", sm.Force(model.nodes["mass"], force=(sm.Input("pull"), 0, 0)))
    with RealTime(model, RATE, session=f"test-plain-{os.getpid()}", clock=made_up()) as runner:
        card = runner.session.card
    assert [s.unit for s in card.parameters] == ["N/m", "1"]
    assert [s.unit for s in card.actuators] == ["N", "1"]


def test_an_actuator_moves_the_mass(rig):
    """x = F / k (1 - cos(w t)), with the force of a controller that claimed it."""
    runner, guest = rig
    motor = guest.claim(["push"])
    motor.write([3.0], 0.0)
    runner.run(0.5)
    t, w = 0.5, np.sqrt(STIFFNESS / MASS)
    assert position(guest) == pytest.approx(3.0 / STIFFNESS * (1 - np.cos(w * t)), rel=1e-2)


def test_a_parameter_is_tuned_while_it_runs(rig):
    runner, guest = rig
    guest.claim(["push"]).write([3.0], 0.0)
    ticket = guest.tune({"stiffness": 4 * STIFFNESS})
    runner.run(0.5)
    assert guest.taken(ticket)
    w = np.sqrt(4 * STIFFNESS / MASS)
    # the force jumps within the first step: half of it is not felt, w sin(w t) h / 2 of 1 - cos(w t), 0.7 percent
    assert position(guest) == pytest.approx(3.0 / (4 * STIFFNESS) * (1 - np.cos(w * 0.5)), rel=1e-2)


def test_a_parameter_of_a_drive_is_tuned_while_it_runs():
    """x = F / k (1 - cos(w t)); the force is a constant drive, and the opposite of another."""
    model, name = slider(), f"test-drive-{os.getpid()}"
    force = as_drive(sm.Parameter("force", 0.0, "N"))
    model.add("half", sm.Force(model.nodes["mass"], force=(force, 0, 0)))
    model.add("rest", sm.Force(model.nodes["mass"], force=(-(-2.0 * force), 0, 0)))
    with (
        RealTime(model, RATE, session=name, sensors=("mass.position",), clock=made_up()) as runner,
        Session.connect(name, timeout=5.0) as guest,
    ):
        guest.tune({"force": 1.0})
        runner.run(0.5)
        # as above, half a step of the force is not felt
        expected = 3.0 / STIFFNESS * (1 - np.cos(np.sqrt(STIFFNESS / MASS) * 0.5))
        assert position(guest) == pytest.approx(expected, rel=1e-2)


def test_every_step_is_recorded_or_counted_as_dropped(rig):
    runner, guest = rig
    report = runner.run(0.3)
    rows = guest.record.drain()
    assert len(rows.values) == 256
    assert report.accounts["dropped"] == 300 - 256 == guest.record.dropped
    np.testing.assert_allclose(np.diff(rows.time), 1 / RATE, rtol=1e-9)


def test_hold_single_step_and_stop(rig):
    runner, guest = rig
    guest.command(Command.HOLD)
    assert runner.run(0.1).accounts["cycles"] == 0
    guest.command(Command.STEP, 3)
    assert runner.run(0.1).accounts["cycles"] == 3
    guest.command(Command.START)
    assert runner.run(0.1).accounts["cycles"] == 103
    guest.command(Command.STOP)
    assert runner.run(1.0).ended == "asked"


@pytest.mark.parametrize("policy", ["skip", Policy.DEGRADE])
def test_the_report_adds_up(policy):
    work = [100_000] * 5 + [3_100_000] + [100_000] * 4
    with RealTime(slider(), RATE, policy=policy, clock=made_up(work=work)) as runner:
        report = runner.run(0.02, bare=0.01)
    assert report.accounts["overruns"] == 3
    assert report.ended == "done"
    periods = report.accounts["cycles"] + report.accounts["skipped"]
    assert periods == 20
    assert report.simulated == pytest.approx(report.accounts["cycles"] / RATE)
    assert report.step_us["max"] == pytest.approx(3100.0)
    assert report.bare_latency_us["max"] == 0.0
    assert report.as_dict()["not_converged"] == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"rate": 0.0}, "RealTime: rate must be a positive number, got 0.0"),
        ({"rate": "400"}, "RealTime: rate must be a positive number, got '400'"),
        ({"rate": 2e9}, "RealTime: rate must be at most 1e+09 Hz"),
        ({"policy": "hurry"}, "RealTime: policy must be one of 'stop', 'skip', 'hold', 'slip', 'degrade', got 'hurry'"),
        ({"policy": 1}, "RealTime: policy must be one of"),
        ({"iterations": 0}, "RealTime: iterations must be at least 1, got 0"),
        ({"iterations": 2.5}, "RealTime: iterations must be a whole number, got 2.5"),
        ({"few": "2"}, "RealTime: few must be a whole number, got '2'"),
        ({"record": -1}, "RealTime: record must be at least 0, got -1"),
        ({"patience": 0.0}, "RealTime: patience must be a positive number, got 0.0"),
        ({"sensors": ()}, "RealTime: sensors is empty"),
        ({"tolerance": -1e-6}, "RealTime: tolerance must be a positive number below 1, got -1e-06"),
        ({"substeps": 0}, "RealTime: substeps must be at least 1, got 0"),
        ({"driven": "no"}, "RealTime: driven must be True or False, got 'no'"),
        ({"clock": 5}, "RealTime: clock must be a Clock, such as machine_clock(), got 5"),
        ({"integrator": "euler"}, "RealTime: there is no integrator 'euler'"),
        ({"model": "pendulum"}, "the model must be a Model or a System, got 'pendulum'; samara.models.find("),
    ],
)
def test_what_cannot_be_meant_is_refused(arguments, words):
    with pytest.raises(sm.ArgumentError) as error:
        RealTime(**{"model": slider(), "rate": RATE, **arguments})
    assert words in str(error.value)


def test_a_duration_is_a_step_or_more():
    with RealTime(slider(), RATE, clock=made_up()) as runner:
        for duration, words in (
            ("1", "must be a positive number"),
            (-1.0, "must be a positive"),
            (1e-4, "shorter than one"),
        ):
            with pytest.raises(sm.ArgumentError, match=words):
                runner.run(duration)
        assert runner.run(1e-3).accounts["cycles"] == 1


def test_no_type_of_number_compiles_the_loop_anew():
    """A variant of the loop costs a minute, while the rig waits."""
    with RealTime(slider(), RATE, clock=made_up()) as runner:
        runner.run(0.01)
    before = len(loop.signatures)
    numbers = {"rate": np.float32(RATE), "iterations": np.int32(8), "few": 2.0, "driven": np.False_}
    with RealTime(slider(), **numbers, clock=made_up()) as runner:
        assert runner.run(np.float32(0.125)).accounts["cycles"] == 125
    assert len(loop.signatures) == before


def test_held_periods_are_published_and_recorded_again():
    """Policy hold: a step of 3.1 periods leaves three without news; each shows the last values once more."""
    name = f"test-hold-{os.getpid()}"
    clock = made_up(work=[0, round(3.1e6)])
    with RealTime(slider(), RATE, policy="hold", session=name, record=64, clock=clock) as runner:
        with Session.connect(name, timeout=5.0) as guest:
            report = runner.run(0.01)
            rows = guest.record.drain()
    assert (report.accounts["held"], report.accounts["skipped"], report.accounts["cycles"]) == (3, 3, 7)
    assert len(rows.time) == 10
    np.testing.assert_allclose(rows.time[1:5], 2 / RATE)
    assert (rows.values[2:5] == rows.values[1]).all()


def test_reset_goes_back_to_the_start_and_keeps_what_was_tuned(rig):
    """The same motion again from the start, now with the stiffness that was tuned: x = F / k (1 - cos(w t))."""
    runner, guest = rig
    guest.claim(["push"]).write([3.0], 0.0)
    runner.run(0.3)
    moved = position(guest)
    guest.tune({"stiffness": 4 * STIFFNESS})
    guest.command(Command.RESET)
    report = runner.run(0.5)
    assert report.accounts["resets"] == 1
    assert guest.sensors.read().time == pytest.approx(0.5)
    assert guest.parameters.read().values[0] == 4 * STIFFNESS
    w = np.sqrt(4 * STIFFNESS / MASS)
    assert position(guest) == pytest.approx(3.0 / (4 * STIFFNESS) * (1 - np.cos(w * 0.5)), rel=1e-2)
    assert moved != pytest.approx(position(guest), rel=0.1)


def test_commands_that_come_together_are_heeded_one_after_the_other(rig):
    runner, guest = rig
    runner.run(0.05)
    for command in (Command.HOLD, Command.RESET, Command.STEP, Command.HOLD):
        guest.command(command)
    report = runner.run(0.02)
    assert report.accounts["resets"] == 1
    assert guest.sensors.read().time == pytest.approx(1 / RATE)  # held, back at the start, one step on, held
    assert report.accounts["paused"] == 19


def test_actuators_and_the_past_are_there_for_who_looks(rig):
    runner, guest = rig
    guest.claim(["push"]).write([3.0], 0.0)
    runner.run(0.1)
    past = guest.sensors.since(0)
    assert past.sequence[-1] == guest.sensors.read().sequence
    times = past.time[-100:]
    np.testing.assert_allclose(np.diff(times), 1 / RATE, rtol=1e-9)
    assert (guest.actuators.since(0).values[-100:] == 3.0).all()
    assert len(guest.sensors.since(int(past.sequence[-1])).time) == 0


def test_poses_are_shown(rig):
    runner, guest = rig
    guest.claim(["push"]).write([3.0], 0.0)
    runner.run(0.1)
    pose = guest.view.read()
    assert guest.card.nodes == ("mass",)
    assert pose.values[3:] == pytest.approx(np.eye(3).ravel())
    at = guest.sensors.since(0)
    column = guest.sensors.names.index("mass.position.x")
    assert pose.values[0] == at.values[np.argmin(abs(at.time - pose.time)), column]
    assert guest.scene["lines"]


def test_what_is_no_longer_finite_ends_with_a_report(rig):
    runner, guest = rig
    motor = guest.claim(["push"])
    motor.write([1.0], 0.0)
    runner.run(0.1)
    motor.write([1e300], 0.0)
    report = runner.run(1.0)
    assert report.failed and "no longer finite" in report.message
    assert "the actuators were told push = 1e+300 N" in report.message
    assert report.accounts["cycles"] >= 100


@pytest.mark.parametrize("torque", [1e6, 1e9])
def test_a_torque_that_is_too_large_is_the_reason(torque):
    """alpha = T / (m l^2): within a step of 1 ms the bob turns by more than half a turn, soon or at once."""
    name = f"test-torque-{os.getpid()}"
    with RealTime(find("pendulum").make(motor=True), RATE, session=name, clock=made_up()) as runner:
        with Session.connect(name, timeout=5.0) as guest:
            guest.claim(["torque"]).write([torque], 0.0)
            report = runner.run(1.0)
    assert report.failed
    assert "node 'bob' turns by" in report.message and f"were told torque = {torque:g} N m" in report.message
    assert "pivots" not in report.message and "singular" not in report.message


def test_who_asks_for_the_end_while_the_machine_is_measured_does_not_wait(rig):
    """Up to 2.5 s before the run: only the deadline that is being waited for, and one of the run, pass."""
    runner, _ = rig
    runner.box.asked[0] = Command.STOP
    report = runner.run(60.0, bare=5.0)
    assert report.ended == "asked" and report.accounts["cycles"] == 0
    assert runner.clock.own[NOW] <= 3 * runner.plan.period


NONE = float("nan")


@pytest.mark.parametrize(
    "row",
    [
        [Command.TUNE, 1.0, 2.0],  # there is one parameter
        [Command.TUNE, -1.0, 2.0],
        [Command.TUNE, 1e300, 2.0],
        [Command.TUNE, -1e15, 2.0],
        [Command.TUNE, NONE, 2.0],
        [Command.TUNE, 0.0, NONE],
        [Command.TUNE, 0.0, float("inf")],
        [NONE, 0.0, 2.0],
        [-1.0, 0.0, 2.0],
        [1e300, 0.0, 2.0],
        [max(Command) + 1, 0.0, 2.0],
        [Command.STEP, 0.0, 1e300],
        [Command.STEP, 0.0, -1.0],
        [Command.STEP, 0.0, NONE],
    ],
)
def test_a_row_that_is_no_request_is_counted_and_does_no_harm(rig, row):
    """Written past `Session.tune`, which checks: any process of the user can. The next request is heeded."""
    runner, guest = rig
    guest.requests.write([row, [Command.TUNE, 0.0, 4 * STIFFNESS]], 0.0)
    report = runner.run(0.1)
    assert (report.accounts["cycles"], report.accounts["refused"]) == (100, 1)
    assert guest.parameters.read().values.tolist() == [4 * STIFFNESS]


class Driven:
    """A simulator that waits for its controllers, on a made-up clock."""

    def __init__(self, name):
        self.runner = RealTime(slider(), RATE, session=name, driven=True, clock=made_up(start=time.monotonic_ns()))
        self.guest = Session.connect(name, timeout=5.0)

    @property
    def cycles(self):
        return self.runner.accounts[Account.CYCLES]


@pytest.fixture
def driven():
    rig = Driven(f"test-driven-{os.getpid()}")
    yield rig
    rig.guest.close()
    rig.runner.close()


def test_a_driven_loop_steps_once_for_each_message(driven):
    motor = driven.guest.claim(["push"])
    for k in range(5):
        motor.write([1.0 * k], 0.0, int(driven.runner.clock.own[1]))
        driven.runner.run(3 / RATE)
        assert driven.cycles == k + 1
        assert driven.guest.actuators.read().values[0] == k
    assert driven.guest.sensors.read().time == pytest.approx(5 / RATE)


def test_a_driven_loop_waits_while_nobody_drives(driven):
    report = driven.runner.run(0.02)
    assert (report.accounts["cycles"], report.accounts["paused"]) == (0, 20)
    assert driven.guest.sensors.read().time == 0.0


def test_a_message_that_comes_while_a_driven_loop_is_held_waits_for_its_step(driven):
    """Else the loop would wait for the next message, and the controller for the next sample."""
    motor, guest = driven.guest.claim(["push"]), driven.guest
    guest.command(Command.HOLD)
    driven.runner.run(2 / RATE)
    motor.write([5.0], 0.0, int(driven.runner.clock.own[1]))
    began = int(driven.runner.clock.own[1])
    driven.runner.run(3 / RATE)
    assert driven.cycles == 0
    assert driven.runner.clock.own[1] == began + 3_000_000  # held by the clock, not by the message that is there
    guest.command(Command.START)
    driven.runner.run(1 / RATE)
    driven.runner.run(1 / RATE)
    assert driven.cycles == 1
    assert guest.actuators.read().values[0] == 5.0


def test_a_driven_loop_waits_for_all_that_live_and_not_for_the_silent():
    model = slider()
    model.add("pull", sm.Force(model.nodes["mass"], force=(sm.Input("pull", unit="N"), 0, 0)))
    name, clock = f"test-two-{os.getpid()}", made_up(start=time.monotonic_ns())
    with RealTime(model, RATE, session=name, driven=True, patience=0.05, clock=clock) as runner:
        with Session.connect(name, timeout=5.0) as one, Session.connect(name, timeout=5.0) as two:
            push, pull = one.claim(["push"]), two.claim(["pull"])
            push.write([1.0], 0.0, int(clock.own[1]))
            pull.write([1.0], 0.0, int(clock.own[1]))
            runner.run(1 / RATE)
            assert runner.accounts[Account.CYCLES] == 1
            push.write([1.0], 0.0, int(clock.own[1]))  # and nothing from the other, which lives
            runner.run(3 / RATE)
            assert runner.accounts[Account.CYCLES] == 1
            runner.run(0.06)  # by now the other has been silent for longer than is borne, and the first one too
            push.write([2.0], 0.0, int(clock.own[1]))
            runner.run(2 / RATE)
            assert runner.accounts[Account.CYCLES] == 2 + 0


def test_a_controller_that_died_is_told_of_in_the_summary():
    """On the made-up clock it is silent from 50 ms after its last beat on: the other 49 of 100 cycles."""
    name, clock = f"test-silent-{os.getpid()}", made_up(start=time.monotonic_ns())
    with RealTime(slider(), RATE, session=name, patience=0.05, clock=clock) as runner:
        assert "silent" not in page(runner.run(0.01))
        with Session.connect(name, timeout=5.0) as guest:
            push = guest.claim(["push"])
            push.write([1.0], 0.0, int(clock.own[1]))
            report = runner.run(0.1)
            assert 45 <= report.accounts["silent"] <= 51
            told = f"{report.accounts['silent']} actuator cycles without a live controller"
            assert f"  silent        {told}; silent at the end: process {os.getpid()} of push\n" in page(report)
            push.write([1.0], 0.0, int(clock.own[1]))
            assert f"{told}; silent at the end: none\n" in page(runner.run(0.01))


def test_a_driven_loop_needs_a_session():
    with pytest.raises(ValueError, match="session"):
        RealTime(slider(), RATE, driven=True)
