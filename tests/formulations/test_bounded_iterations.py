"""Steps that must end in time: what has not converged is taken below a ceiling and counted, in every way that iterates.

The loop of real time runs on a clock that is made up, so that nothing here depends on the machine.
"""

import numpy as np
import pytest
from ways_to_step import ways

import samara as sm
from samara.realtime.loop import RealTime, made_up

G, RATE, END = 9.81, 1000.0, 0.2
PERIOD = 1_000_000  # ns
#: The settings of an off-line run, so that both take the same iterations.
AS_OFFLINE = {"tolerance": 1e-12, "iterations": 20, "substeps": 1024}


def pendulum() -> sm.Model:
    """On a ball, 0.8 m long, pushed along a circle at 3 m/s."""
    model = sm.Model("spherical pendulum", gravity=(0, 0, -G))
    bob = model.node("bob", (0.8, 0, 0), velocity=(0, 3.0, 0), angular_velocity=(0, 0, 3.0 / 0.8))
    model.add("body", sm.Body(bob, mass=2.0, inertia=(0.05, 0.05, 0.05)))
    model.add("ball", sm.Spherical(model.ground, bob, at=(0, 0, 0)))
    return model


def in_time(way, **options) -> RealTime:
    given = {"clock": made_up(), "tolerance": 1e-12, **way.method, **options}
    return RealTime(pendulum(), RATE, **given)


def place(real: RealTime) -> np.ndarray:
    """Where the bob is, and how it moves."""
    node = real.sim.model["bob"]
    return np.concatenate([real.sim.state.pose(node).p, real.sim.state.twist(node)])


@ways("redundant", "implicit")
def test_a_step_that_ran_out_of_iterations_is_taken_below_the_ceiling_and_counted(way):
    """One iteration per step leaves corrections of (w h)^2, 1e-5 of the speeds, far below the ceiling of 1e-3."""
    real = in_time(way, iterations=1)
    report = real.run(END)
    assert report.ended == "done"
    assert report.iterations_per_step == 1.0
    assert report.accounts["not_converged"] == report.accounts["cycles"] == END * RATE
    assert report.accounts["repeated"] == report.accounts["divided"] == 0


@ways("redundant", "implicit")
def test_what_is_left_below_the_ceiling_does_not_lead_the_motion_astray(way):
    """0.2 s with one iteration each against all of them: corrections of 1e-5 of 3 m/s, which the next step sees."""
    few, all_of_them = in_time(way, iterations=1), in_time(way, **AS_OFFLINE)
    for real in (few, all_of_them):
        assert real.run(END).ended == "done"
    np.testing.assert_allclose(place(few), place(all_of_them), atol=1e-3)
    assert np.linalg.norm(place(few)[:3] - (0.8, 0, 0)) > 0.4  # it has moved


@ways("redundant", "implicit")
def test_late_steps_keep_to_their_few_iterations(way):
    """Each step takes five periods of the clock: all but the first are to catch up, with two iterations at most."""
    real = in_time(way, policy="degrade", few=2, clock=made_up(work=[5 * PERIOD] * 10), iterations=20)
    report = real.run(10 / RATE)
    assert report.accounts["degraded"] == 9
    assert report.accounts["repeated"] == 0
    assert report.iterations_per_step * 10 <= 20 + 9 * 2


@ways("redundant", "implicit")
def test_off_line_too_it_is_taken_below_the_ceiling_and_counted(way):
    """A hundred times the tolerance: 1e-4 here, against corrections of 1e-5 of the model's speeds.

    A tree has no constraints to correct; of its coordinates and speeds the first corrections are below 1e-8.
    """
    tolerance = {"redundant": 1e-6, "implicit": 1e-9}[way.kind]
    sim = sm.Simulation(pendulum(), iterations=1, tolerance=tolerance, substeps=1, **way.method)
    run = sm.transient(sim, 0.02, 1.0 / RATE, progress=False)
    assert run.attrs.counters["unconverged"] > 0
    assert run.attrs.counters["iterations"] <= 30  # of twenty steps, and of the start


@ways("implicit")
def test_what_stays_at_rounding_is_no_step_that_has_not_converged(way):
    """A tolerance below rounding: corrections stop to get smaller, and the step is as exact as it can be."""
    sim = sm.Simulation(pendulum(), tolerance=1e-15, **way.method)
    run = sm.transient(sim, 0.02, 1.0 / RATE, progress=False)
    assert run.attrs.counters["unconverged"] == run.attrs.counters["divided"] == 0


@ways("explicit", "time stepping")
def test_what_does_not_iterate_counts_nothing(way):
    report = in_time(way, iterations=1).run(END)
    assert report.ended == "done"
    assert report.iterations_per_step == report.jacobians_per_step == 0.0
    assert report.accounts["not_converged"] == report.accounts["repeated"] == report.accounts["divided"] == 0


def test_real_time_is_a_run_off_line_bit_by_bit(way):
    """Where nothing is late and iterations suffice: the same native code on the same numbers, in the same order."""
    real = in_time(way, **AS_OFFLINE)
    assert real.run(END).ended == "done"
    sim = way.simulation(pendulum())
    sm.transient(sim, END, 1.0 / RATE, progress=False)
    node = sim.model["bob"]
    np.testing.assert_array_equal(place(real), np.concatenate([sim.state.pose(node).p, sim.state.twist(node)]))


def test_a_run_off_line_goes_on_where_real_time_has_ended(way):
    real = in_time(way, **AS_OFFLINE)
    real.run(END)
    further = sm.transient(real.sim, END + 10 / RATE, 1.0 / RATE, progress=False)
    whole = way.run(pendulum(), END + 10 / RATE, 1.0 / RATE)
    np.testing.assert_allclose(further["bob.position"][-1], whole["bob.position"][-1], atol=1e-9)


@pytest.mark.parametrize("policy", ["stop", "skip", "slip", "degrade"])
@ways("redundant", "explicit", "implicit")
def test_policies_of_late_steps_know_no_formulation(way, policy):
    """The second of ten steps takes 3.1 periods: three overruns, however the step was found."""
    clock = made_up(work=[0, round(3.1 * PERIOD)])
    real = in_time(way, policy=policy, clock=clock, **AS_OFFLINE)
    report = real.run(10 / RATE)
    assert report.ended == ("overrun" if policy == "stop" else "done")
    assert report.accounts["overruns"] >= 3
    assert report.accounts["skipped"] == (3 if policy == "skip" else 0)
