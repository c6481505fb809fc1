"""A model against a made-up clock, seen and steered through a session."""

import os

import numpy as np
import pytest

import samara as sm
from samara.realtime import Command, Session
from samara.realtime.clock import made_up
from samara.realtime.schedule import Policy
from samara.realtime.simulator import RealTime

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


def test_a_wrong_rate_or_policy_is_refused():
    with pytest.raises(ValueError, match="the rate must be positive"):
        RealTime(slider(), 0.0)
    with pytest.raises(ValueError, match="policy 'hurry' is none of stop, skip, hold, slip, degrade"):
        RealTime(slider(), RATE, policy="hurry")
