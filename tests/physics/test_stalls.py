"""Every ready model survives a machine that stands still, under every policy, on a clock that is made up."""

import numpy as np
import pytest

from samara import models
from samara.realtime.loop.clock import SECOND, made_up
from samara.realtime.loop.simulator import RealTime, Report
from samara.realtime.session.schedule import Policy
from samara.solve.native.codes import Counter
from samara.system.memory.blocks import POSITION

NAMES = [name for name in models.names() if models.find(name).analysis == "transient"]
#: Cycles before the stall, and after it; and how many a loop that is behind takes at most: its stall is as long.
BEFORE, AFTER, CAUGHT_UP = 120, 60, 2000


@pytest.fixture(scope="module", params=NAMES)
def runner(request):
    """A ready model at the rate of its own step; one for all policies, started anew each time."""
    ready = models.find(request.param)
    options = {"method": ready.method.in_real_time(), "clock": made_up()}
    with RealTime(ready.make(), round(1.0 / ready.timeline.step), **options) as found:
        yield found


def served(runner: RealTime, policy: Policy, stall: float, cycles: int) -> Report:
    """A run from the start in which one cycle takes `stall` seconds, the others a twentieth of a period."""
    runner._reset()
    usual = runner.plan.period // 20
    runner.plan = runner.plan._replace(policy=int(policy))
    runner.clock = made_up(work=[usual] * BEFORE + [round(stall * SECOND) or usual] + [usual] * cycles)
    return runner.run(cycles / runner.rate)


def places(runner: RealTime) -> np.ndarray:
    return np.array([runner.sim.system.state.read(node, POSITION, 3) for node in runner.sim.model.nodes.values()])


@pytest.mark.parametrize("stall", [0.05, 0.1, 1.0])
def test_every_policy_survives_a_stall(runner, stall):
    """The steps are those of a run without a stall, bit by bit; only degraded ones leave part of a correction.

    That is below the method's ceiling of the velocities in each of them, and the next ones make up for it: places stay
    within a few times that part of the size of the model.
    """
    periods = round(stall * runner.rate)
    for policy in (Policy.SKIP, Policy.HOLD, Policy.SLIP, Policy.DEGRADE):
        behind = periods if policy in (Policy.SKIP, Policy.HOLD) else min(periods, CAUGHT_UP)
        steps = int(runner.sim.counters[Counter.STEPS])
        report = served(runner, policy, stall, BEFORE + round(1.1 * behind) + AFTER)
        assert report.ended == "done", (policy, report.message)
        steps, found = int(runner.sim.counters[Counter.STEPS]) - steps, places(runner)
        assert steps > BEFORE
        assert served(runner, Policy.SKIP, 0.0, steps).ended == "done"
        if policy == Policy.DEGRADE:
            assert np.abs(found - places(runner)).max() < 5.0 * runner.sim.method.ceiling * runner.sim.length
        else:
            np.testing.assert_array_equal(found, places(runner))


def test_a_loop_that_is_to_stop_does(runner):
    report = served(runner, Policy.STOP, 0.05, BEFORE + AFTER)
    assert report.ended == "overrun"
    assert report.simulated == pytest.approx((BEFORE + 1) / runner.rate)
