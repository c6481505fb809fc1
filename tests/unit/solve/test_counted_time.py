"""Time is counted: what a sampled law sees does not depend on how the run is stepped, stopped or taken up again.

A law notes the number of the sample at which it first sees a drive that jumps. With sample times and times of jumps
that are fractions, that number is known exactly: the first k with k period >= time.
"""

from fractions import Fraction
from math import ceil

import numpy as np
import pytest

import samara as sm
from samara.realtime.loop import RealTime, made_up
from samara.solve.native.clock import fraction

#: Sample times that people write; of a third of them no decimal is exact in binary, of others no decimal exists.
PERIODS = [Fraction(1, 1000), Fraction(3, 1000), Fraction(1, 100), Fraction(1, 240), Fraction(1, 7), Fraction(5, 256)]
#: How a run may be stepped: steps in a sample, or an accuracy.
PACES = [1, 2, 3, 7, 1e-3, 1e-6, 1e-9]
FORMULATIONS = ["redundant", "recursive"]


def note_first(t, memory, u, y):
    """Answers with the number of the first sample at which what goes in was above one half, -1 before."""
    if u[0] > 0.5 and memory[1] < 0.0:
        memory[1] = memory[0]
    memory[0] += 1.0
    y[0] = memory[1]


def model_of(jump, period):
    """A pendulum, so that there are steps to be taken, and a law that looks at a drive."""
    model = sm.Model("watch", gravity=(0, 0, -9.81))
    bob = model.node("bob", position=(0.3, 0, 0))
    model.add("mass", sm.Body(bob, mass=1.0, inertia=(1e-2, 1e-2, 1e-2)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    model.add("law", sm.SampledBlock([jump], law=note_first, step=float(period), memory=(0.0, -1.0)))
    return model


def cases(rng, count):
    """Periods, jumps at or between samples, and the sample that sees them, within a run of 20 samples."""
    for _ in range(count):
        period = PERIODS[rng.integers(len(PERIODS))]
        time = period * int(rng.integers(1, 15))
        if rng.random() < 0.4:
            time += period * Fraction(int(rng.integers(1, 10)), 10)
        yield period, time, ceil(time / period)


def seen(sim):
    return sim.machine.samples.y[0]


def how(pace, period):
    return {"accuracy": pace} if pace < 1.0 else {"step": float(period / int(pace))}


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("pace", PACES)
def test_a_law_sees_a_jump_at_the_same_sample_however_the_run_is_stepped(pace, formulation, rng):
    for period, time, expected in cases(rng, 12):
        integrator = sm.DormandPrince() if formulation == "recursive" and pace < 1.0 else None
        sim = sm.Simulation(model_of(sm.Step(1.0, time=float(time)), period), integrator, formulation=formulation)
        sm.transient(sim, float(20 * period), **how(pace, period), outputs="bob.position", progress=False)
        assert seen(sim) == expected, (period, time)


@pytest.mark.parametrize("pace", PACES)
def test_a_jump_that_nobody_knows_of_is_seen_at_the_same_sample(pace, rng):
    """The time of the jump is a parameter: it may change, and is compared as a number with the time of the sample."""
    for period, time, expected in cases(rng, 8):
        when = sm.Parameter("when", float(time), unit="s")
        sim = sm.Simulation(model_of(sm.Step(1.0, time=when), period))
        sm.transient(sim, float(20 * period), **how(pace, period), outputs="bob.position", progress=False)
        assert seen(sim) == expected, (period, time)


@pytest.mark.parametrize("pace", PACES)
def test_a_run_that_is_taken_up_again_sees_the_same(pace, rng, tmp_path):
    """Before, at and after the jump; with another pace after a sample."""
    for period, time, expected in cases(rng, 6):
        stop = float(period * int(rng.integers(1, 19)))
        options = {"outputs": "bob.position", "progress": False}
        saved = tmp_path / "run.npz"
        drive = sm.Step(1.0, time=float(time))
        sm.transient(model_of(drive, period), stop, **how(pace, period), checkpoint=saved, **options)
        sim = sm.Simulation(model_of(drive, period))
        again = PACES[rng.integers(len(PACES))]
        sm.transient(sim, float(20 * period), **how(again, period), resume=saved, **options)
        assert seen(sim) == expected, (period, time, stop, again)


def test_a_stepper_and_real_time_see_the_same(rng):
    for period, time, expected in cases(rng, 6):
        parts = int(rng.integers(1, 6))
        drive = sm.Step(1.0, time=float(time))
        stepper = sm.Stepper(model_of(drive, period), float(period / parts))
        for _ in range(20):
            stepper.advance(parts)
        assert seen(stepper.sim) == expected, (period, time)
        with RealTime(model_of(drive, period), float(parts / period), clock=made_up()) as runner:
            runner.run(float(20 * period))
            assert seen(runner.sim) == expected, (period, time)


@pytest.mark.parametrize("step", [1e-3, 3e-3, 1 / 240, 2.5e-4, 1 / 7])
def test_times_are_the_numbers_that_people_write(step):
    """t = k h to the last bit, after a thousand steps and from another start; they were sums, off by 1e-13 and more."""
    h = Fraction(step).limit_denominator(10**6)
    sim = sm.Simulation(model_of(0.0, h * 10))
    first = sm.transient(sim, 1000 * step, step, outputs="bob.position", progress=False)
    np.testing.assert_array_equal(first.time, [float(k * h) for k in range(1001)])
    second = sm.transient(sim, 1200 * step, step, outputs="bob.position", progress=False)
    np.testing.assert_array_equal(second.time, [float(k * h) for k in range(1001, 1201)])


def test_steps_are_fractions(rng):
    """The smallest there are; a step that is none is taken as it is."""
    for _ in range(200):
        p, q = (int(n) for n in rng.integers(1, 10**6, 2))
        exact = Fraction(p, q)
        found = fraction(p / q)
        assert found[0] / found[1] == p / q
        assert found[0] <= exact.numerator and found[1] <= exact.denominator
    assert fraction(np.pi * 1e-3) == (np.pi * 1e-3, 1.0)
