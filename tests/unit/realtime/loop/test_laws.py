"""Discrete laws inside a model, in the loop of real time: the same model, unchanged, does the same as off-line."""

import os

import numpy as np
import pytest

import samara as sm
from samara import PID, Delay, LowPass
from samara.realtime.loop import RealTime
from samara.realtime.loop.clock import made_up
from samara.solve.tree.stepping import show

RATE, PERIOD = 500.0, 0.02
#: The settings of an off-line run, so that both take the same iterations.
AS_OFFLINE = {"tolerance": 1e-10, "iterations": 20, "substeps": 1024}
HINGE = {"axis": (0, 0, 1)}


def model_with(law, **how):
    """A flywheel that is turned to an angle by a discrete law, behind a filter and a motor."""
    model = sm.Model("wheel")
    wheel = model.node("wheel")
    model.add("disc", sm.Body(wheel, mass=5.0, inertia=(0.1, 0.1, 0.2)))
    model.add("bearing", sm.Revolute(model.ground, wheel, **HINGE))
    sensor = model.add("sensor", sm.MotionSensor(model.ground, wheel, **HINGE))
    wanted = model.add("wanted", sm.SampledBlock([sm.Step(1.0, time=0.1)], law=LowPass(5.0, step=2 * PERIOD)))
    told = model.add("law", sm.SampledBlock([wanted.output, sensor.output], law=law, unit="N m", **how))
    model.add("motor", sm.ServoMotor(model.ground, wheel, told.output, **HINGE))
    return model


def pid():
    return PID(proportional=4.0, integral=1.0, derivative=1.2, step=PERIOD, lag=0.04, lower=-3.0, upper=3.0, c=0.0)


def in_time(model, steps, **options):
    """Held answers and the angle after each step of a loop on a made-up clock."""
    real = RealTime(model, RATE, clock=made_up(), **AS_OFFLINE | options)
    places = [real.sim.system.layout.state_index[name] for name in ("law.output", "sensor.output")]
    rows = []
    for _ in range(steps):
        report = real.run(1.0 / RATE)
        assert report.ended == "done", report.message
        if real.sim.tree is not None:
            show(real.sim.machine)
        rows.append(real.sim.state.values[places])
    return real, np.array(rows)


@pytest.mark.parametrize("formulation", ["redundant", "recursive"])
def test_a_law_in_the_loop_is_that_of_a_run_off_line_sample_by_sample(formulation):
    """Bit by bit: the same native code on the same numbers, in the same order."""
    steps = 250
    off_line = sm.transient(
        model_with(pid()), end=steps / RATE, step=1.0 / RATE, formulation=formulation, progress=False
    )
    _, rows = in_time(model_with(pid()), steps, formulation=formulation)
    np.testing.assert_array_equal(rows[:, 0], off_line["law.output.value"][1:])
    np.testing.assert_array_equal(rows[:, 1], off_line["sensor.output.value"][1:])
    assert np.ptp(rows[:, 0]) > 1.0  # it moves


def gained(t, memory, u, y):
    """A law of one's own: proportional and integral."""
    memory[0] += 0.02 * (u[0] - u[1])
    y[0] = min(max(4.0 * (u[0] - u[1]) + memory[0], -3.0), 3.0)


def test_a_law_of_ones_own_runs_in_the_loop():
    steps = 100
    how = {"memory": 1, "step": PERIOD}
    off_line = sm.transient(model_with(gained, **how), end=steps / RATE, step=1.0 / RATE, progress=False)
    _, rows = in_time(model_with(gained, **how), steps)
    np.testing.assert_array_equal(rows[:, 0], off_line["law.output.value"][1:])


def test_a_reset_begins_with_the_memory_of_the_start():
    real, rows = in_time(model_with(pid()), 150)
    real._reset()
    again = []
    for _ in range(150):
        real.run(1.0 / RATE)
        again.append(real.sim.state.values[real.sim.system.layout.state_index["law.output"]])
    np.testing.assert_allclose(again, rows[:, 0], atol=1e-9)  # it starts as after an event


def own(r, y):
    return 3.0 * (r - y)


def with_text(t, memory, u, y):
    y[0] = float(f"{u[0]:.3f}")


@pytest.mark.parametrize(
    ("law", "how", "why"),
    [
        (own, {"step": PERIOD}, "it is Python"),
        (lambda r, y: 0.0, {"step": PERIOD}, "it is Python"),
        (with_text, {"step": PERIOD, "memory": 0}, "Numba refuses it"),
    ],
)
def test_python_is_refused_by_name_with_a_remedy(law, how, why):
    with pytest.raises(
        sm.ArgumentError,
        match=rf"RealTime: the law of element 'law' of model 'wheel' cannot run here, because {why}.*controller",
    ):
        RealTime(model_with(law, **how), RATE, clock=made_up())


def test_a_rate_that_misses_samples_is_refused_by_name():
    with pytest.raises(
        sm.ArgumentError,
        match=r"RealTime: element 'wanted' samples every 0\.04 s, .*: take a rate of 300 Hz or 350 Hz$",
    ):
        RealTime(model_with(pid()), 333.0, clock=made_up())


def beyond(t, memory, u, y):
    y[0] = memory[5] if t > 0.03 else 0.0


def test_an_index_out_of_range_ends_the_loop_and_is_named():
    report = RealTime(model_with(beyond, memory=1, step=PERIOD), RATE, clock=made_up(), **AS_OFFLINE).run(1.0)
    assert report.ended == "law_failed"
    assert "element 'law' at t = 0.04 s: its law failed, IndexError: index 5 is out of bounds" in report.message


def breaking(t, memory, u, y):
    memory[0] += 1.0
    y[0] = 1.0 / (3.0 - memory[0])


def test_a_law_without_an_answer_ends_the_loop_and_is_named():
    real = RealTime(model_with(breaking, memory=1, step=PERIOD), RATE, clock=made_up(), **AS_OFFLINE)
    report = real.run(1.0)
    assert report.ended == "law_failed"
    assert report.failed
    assert "element 'law' at t = 0.04 s: its law must return" in report.message
    assert report.simulated == pytest.approx(2 * PERIOD)


def test_held_answers_are_no_actuators():
    """Nobody may command them; what an operator feeds reaches a law at the sample of that period."""
    model = sm.Model("fed")
    told = model.add("gain", sm.Gain(sm.Input("u"), gain=2.0)).output
    model.add("law", sm.SampledBlock([told], law=Delay(0, step=PERIOD)))
    with RealTime(model, RATE, clock=made_up(), session=f"laws-{os.getpid()}") as real:
        assert [signal.name for signal in real.session.card.actuators] == ["u"]
        real.run(0.1)
        assert real.sim.machine.samples.y[0] == 0.0


def test_many_samples_are_counted_in_steps():
    """A rate whose period is no finite binary fraction; every fourth step is a sample."""
    model = sm.Model("count")
    model.add("law", sm.SampledBlock([1.0], law=count, memory=1, step=4.0 / 300.0))
    real = RealTime(model, 300.0, clock=made_up())
    real.run(100.0)
    assert real.sim.machine.samples.y[0] == 30_000 // 4


def count(t, memory, u, y):
    memory[0] += 1.0
    y[0] = memory[0]
