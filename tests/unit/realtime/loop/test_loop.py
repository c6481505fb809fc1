"""The loop's logic on a made-up clock: every delay is known, so every count is exact."""

import numpy as np
import pytest

from samara.models.mechanisms import pendulum
from samara.realtime.loop.clock import made_up
from samara.realtime.loop.exchange import alone
from samara.realtime.loop.loop import deadlines_between, loop
from samara.realtime.loop.rehearsal import rehearsal_of
from samara.realtime.session.accounts import Account, new_histogram, percentile
from samara.realtime.session.schedule import Ended, LoopPlan, Policy, Schedule
from samara.solve import Simulation, TwoStep
from samara.solve.native.codes import Counter
from samara.solve.start.start import start
from samara.solve.start.velocity_offset import smooth_start

MS = 1_000_000  # ns
PERIOD = MS


class Run:
    """A pendulum at 1 kHz on a clock with given delays [ns]."""

    def __init__(self, policy, work=(), late=(), cycles=20, iterations=10, tolerance=1e-9) -> None:
        self.sim = Simulation(pendulum.build(), TwoStep(0.6), tolerance=tolerance)
        start(self.sim, PERIOD * 1e-9)
        smooth_start(self.sim, PERIOD * 1e-9)
        self.plan = LoopPlan(PERIOD, PERIOD * 1e-9, int(policy), iterations, 2)
        self.clock = made_up(late, work)
        self.schedule = np.zeros(len(Schedule), np.int64)
        self.schedule[Schedule.LEFT], self.schedule[Schedule.STEPS] = cycles, -1
        self.accounts = np.zeros(len(Account), np.int64)
        self.steps, self.latencies = new_histogram(), new_histogram()

    def __call__(self) -> Ended:
        done = (self.schedule, self.accounts, self.steps, self.latencies)
        return Ended(loop(self.sim.work, self.plan, rehearsal_of(self.sim), self.clock, alone(), *done))

    def count(self, what: Account) -> int:
        return int(self.accounts[what])

    @property
    def end(self) -> float:
        """When the last cycle ended [periods since the start]."""
        return self.clock.own[1] / PERIOD


@pytest.mark.parametrize(
    ("work", "count"), [(0.5, 0), (1.0, 0), (1.0 + 1e-6, 1), (1.9, 1), (2.0, 1), (3.1, 3), (10.5, 10)]
)
@pytest.mark.parametrize("policy", list(Policy))
def test_overruns_of_one_long_step(policy, work, count):
    """A 3.1 ms step at 1 kHz counts 3, whatever the policy makes of it; ending on the deadline is no overrun."""
    run = Run(policy, work=[0, round(work * PERIOD)])
    ended = run()
    assert run.count(Account.OVERRUNS) == count
    assert run.count(Account.LATE_STEPS) == (count > 0)
    assert ended == (Ended.OVERRUN if policy == Policy.STOP and count else Ended.DONE)


def test_waking_up_late_counts_too():
    run = Run(Policy.SKIP, late=[0, round(1.2 * PERIOD)], work=[0, round(0.1 * PERIOD)])
    run()
    assert (run.count(Account.OVERRUNS), run.count(Account.SKIPPED)) == (1, 1)
    assert run.latencies[-1] == round(1.2 * PERIOD)


def test_stop_ends_with_the_late_step():
    run = Run(Policy.STOP, work=[0, 0, round(1.5 * PERIOD)])
    assert run() == Ended.OVERRUN
    assert run.count(Account.CYCLES) == 3
    assert run.sim.time == pytest.approx(3e-3)


def test_skip_stays_on_the_grid_and_loses_simulated_time():
    run = Run(Policy.SKIP, work=[0, round(3.1 * PERIOD)])
    assert run() == Ended.DONE
    assert (run.count(Account.CYCLES), run.count(Account.SKIPPED)) == (17, 3)
    assert run.sim.time == pytest.approx(17e-3)
    assert run.end == 20.0  # the clock served all 20 periods


def test_slip_moves_the_schedule():
    run = Run(Policy.SLIP, work=[0, round(3.1 * PERIOD)])
    assert run() == Ended.DONE
    assert (run.count(Account.CYCLES), run.count(Account.SKIPPED)) == (20, 0)
    assert run.count(Account.SLIPPED) == round(2.1 * PERIOD)
    assert run.sim.time == pytest.approx(20e-3)
    assert run.end == pytest.approx(22.1)


def test_degrade_catches_up_and_leaves_nothing_out():
    """The three steps that are behind follow at once; each takes a tenth of a period, so the third is on time again."""
    run = Run(Policy.DEGRADE, work=[0, round(3.1 * PERIOD), *[PERIOD // 10] * 3])
    assert run() == Ended.DONE
    assert (run.count(Account.CYCLES), run.count(Account.SKIPPED), run.count(Account.OVERRUNS)) == (20, 0, 3)
    assert run.count(Account.DEGRADED) == 3
    assert run.end == 20.0
    assert run.sim.time == pytest.approx(20e-3)


def test_degraded_steps_have_few_iterations_and_no_new_jacobian():
    """One iteration where two and a measure of rounding are needed; the matrix is the one of any other run."""
    always_late = Run(Policy.DEGRADE, work=[5 * PERIOD] * 10, cycles=10, tolerance=1e-14)
    plain = Run(Policy.DEGRADE, cycles=10, tolerance=1e-14)
    for run in (always_late, plain):
        run.plan = run.plan._replace(degraded=1)
        run.sim.settings.ceiling = 1e-3
        run()
    assert always_late.count(Account.DEGRADED) == 9
    few, many = (run.sim.counters[Counter.ITERATIONS] for run in (always_late, plain))
    assert few <= 9 * 1 + 10
    assert few < many
    few, many = (run.sim.counters[Counter.JACOBIANS] for run in (always_late, plain))
    assert few <= many


def test_a_bound_on_iterations_is_kept_and_counted():
    run = Run(Policy.SKIP, iterations=1, tolerance=1e-14)
    run.sim.settings.ceiling = 1e-3
    assert run() == Ended.DONE
    assert run.sim.counters[1] == 20
    assert run.count(Account.NOT_CONVERGED) > 0
    assert np.isfinite(run.sim.machine.state).all()


def test_a_held_loop_keeps_time_without_steps():
    run = Run(Policy.SKIP)
    run.schedule[Schedule.STEPS] = 5
    assert run() == Ended.DONE
    assert (run.count(Account.CYCLES), run.count(Account.PAUSED)) == (5, 15)
    assert run.sim.time == pytest.approx(5e-3)
    assert run.end == 20.0


def test_the_motion_is_that_of_a_plain_run():
    """The same model, unchanged: bit by bit, where nothing is late and the iterations suffice."""
    from samara.solve import transient

    run = Run(Policy.SKIP, cycles=200)
    run()
    other = Simulation(pendulum.build(), TwoStep(0.6), tolerance=1e-9)
    transient(other, 0.2, 1e-3, outputs="model.violation", progress=False)
    np.testing.assert_array_equal(run.sim.machine.state, other.machine.state)


@pytest.mark.parametrize(
    ("after", "until", "count"), [(0, 0.5, 0), (0, 1.0, 0), (0, 1.1, 1), (0, 3.1, 3), (3.1, 3.9, 0), (3.1, 5.0, 1)]
)
def test_deadlines_between(after, until, count):
    first = 12345
    assert deadlines_between(first, first + round(after * PERIOD), first + round(until * PERIOD), PERIOD) == count


def test_percentiles_are_those_of_the_durations():
    rng = np.random.default_rng(0)
    durations = np.exp(rng.normal(10.0, 1.0, 4999)).astype(np.int64)
    run = Run(Policy.SLIP, work=durations, cycles=4999)
    run()
    for p in (50.0, 99.0, 99.9):
        want = np.percentile(durations, p, method="inverted_cdf") * 1e-9
        assert want <= percentile(run.steps, p) <= want * 2 ** (1 / 32) * (1 + 1e-12)
    assert run.steps[-1] == durations.max()


@pytest.mark.parametrize("policy", list(Policy))
def test_a_held_loop_is_never_late(policy):
    """Nothing is done that could be late: no overrun, no skipped period, no step time; the grid of deadlines stays."""
    run = Run(policy, late=[0, round(3.1 * PERIOD)], cycles=20)
    run.schedule[Schedule.STEPS] = 0
    assert run() == Ended.DONE
    assert run.count(Account.CYCLES) == run.count(Account.OVERRUNS) == run.count(Account.SKIPPED) == 0
    assert run.count(Account.SLIPPED) == run.count(Account.BUSY) == run.steps.sum() == 0
    assert run.count(Account.PAUSED) == 17
    assert run.end == 20.0


def test_a_loop_that_is_kept_from_its_wait_is_late():
    """Between the end of a cycle and the next wait 1.2 periods pass: that deadline was missed, and is counted."""
    run = Run(Policy.SKIP, work=[0, round(0.9 * PERIOD)], cycles=2)
    run()
    assert run.count(Account.OVERRUNS) == 0
    run.clock.own[1] += round(1.3 * PERIOD)  # the clock goes on while nobody looks
    run.schedule[Schedule.LEFT] = 10
    run()
    assert run.count(Account.OVERRUNS) == run.count(Account.SKIPPED) == 1
    assert run.latencies[-1] == round(1.2 * PERIOD)
