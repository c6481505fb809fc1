"""A step is rehearsed just before its deadline, which changes no bit of the motion."""

import numpy as np
import pytest

import samara as sm
from samara.models.articulated_rotors import puma
from samara.models.helicopters import landing
from samara.models.mechanisms import four_bar
from samara.realtime.controllers import LowPass
from samara.realtime.loop.clock import SECOND, made_up
from samara.realtime.loop.rehearsal import LARGEST_PART, lead, rehearsal_of, time_of_rehearsal
from samara.realtime.loop.simulator import RealTime
from samara.solve.native.verbs import REHEARSE
from samara.solve.store.checkpoint import snapshot

RATE, STEPS = 400.0, 80


def driven():
    """Two links that are pushed by a force over time which jumps, and by a discrete law with its filter."""
    model = sm.Model("driven")
    upper, lower = model.node("upper", position=(0, 0, -0.5)), model.node("lower", position=(0, 0, -1.5))
    for node in (upper, lower):
        model.add(f"mass_{node.name}", sm.Body(node, mass=2.0, inertia=(0.2, 0.2, 0.1)))
    model.add("hinge", sm.Revolute(model.ground, upper, at=(0, 0, 0), axis=(0, 1, 0)))
    model.add("knee", sm.Revolute(upper, lower, at=(0, 0, -1), axis=(0, 1, 0)))
    model.add("push", sm.Force(lower, force=(sm.Step(5.0, time=0.1), 0.0, 0.0)))
    sensor = model.add("sensor", sm.MotionSensor(model.ground, upper, axis=(0, 1, 0)))
    law = model.add("law", sm.SampledBlock([sensor.output], law=LowPass(5.0, step=4 / RATE), unit="N m"))
    model.add("motor", sm.ServoMotor(model.ground, upper, law.output, axis=(0, 1, 0)))
    return model


def ship():
    return landing.build(deck="ship", clearance=0.02, release=0.01)


CASES = {
    "two-step": (driven, {}),
    "bdf2": (driven, {"integrator": sm.BDF2()}),
    "crank-nicolson": (driven, {"integrator": sm.CrankNicolson()}),
    "two solutions": (driven, {"integrator": sm.LookAhead()}),
    "runge-kutta": (driven, {"formulation": "recursive"}),
    "semi-implicit": (driven, {"formulation": "recursive", "integrator": sm.SemiImplicitEuler()}),
    "implicit tree": (driven, {"formulation": "recursive", "integrator": sm.TwoStep(0.6)}),
    "loop that is cut": (four_bar.build, {"formulation": "recursive", "cut": ("closure_B",)}),
    "rotor": (puma.build, {}),
    "contacts": (ship, {}),
}


def served(build, options, spin):
    """All that a run goes on with, after some steps in which the present state was looked at."""
    with RealTime(build(), RATE, clock=made_up(spin=spin), **options) as runner:
        report = runner.run(STEPS / RATE)
        assert report.ended == "done", report.message
        assert report.accounts["cycles"] == STEPS
        return snapshot(runner.sim)


@pytest.mark.parametrize("case", CASES)
def test_it_changes_no_bit_of_what_a_run_goes_on_with(case):
    """State, past, factors and counts: the rehearsed run is the other one."""
    build, options = CASES[case]
    plain, rehearsed = (served(build, options, spin) for spin in (0.0, 1e-4))
    assert plain.keys() == rehearsed.keys()
    for name, array in plain.items():
        assert array.tobytes() == rehearsed[name].tobytes(), name


def test_it_evaluates_the_equations_and_the_measures_and_puts_back_what_a_step_owns():
    """Else no bit would change either."""
    with RealTime(driven(), RATE, clock=made_up()) as runner:
        sim, room = runner.sim, rehearsal_of(runner.sim)
        scratch, kept = sim.machine.scratch, sim.step_state()
        scratch.res[:] = scratch.out[:] = np.nan
        assert 0 < time_of_rehearsal(sim.work, runner.box, room, 1.0 / RATE, 1) < SECOND
        assert np.isfinite(scratch.res).all() and np.isfinite(scratch.out).any()
        assert sim.step_state().tobytes() == kept.tobytes() == room.kept.tobytes()


@pytest.mark.parametrize("case", CASES)
def test_every_formulation_has_a_rehearsal(case):
    build, options = CASES[case]
    with RealTime(build(), RATE, clock=made_up(), **options) as runner:
        assert runner.sim.machine.verbs[REHEARSE] != 0


def test_the_loop_wakes_up_as_early_as_it_needs_and_not_for_what_takes_too_long():
    period = SECOND // 400
    assert 4_000 < lead(4_000, period) < LARGEST_PART * period
    assert lead(8_000, period) > lead(4_000, period)
    assert lead(period // 10, period) == 0
    with RealTime(driven(), RATE) as runner:
        assert 0 < runner.clock.spin < LARGEST_PART * period
    with RealTime(driven(), RATE, spin=0.0) as runner:
        assert runner.clock.spin == 0
