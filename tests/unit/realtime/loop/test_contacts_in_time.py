"""Contacts in real time, on a made-up clock: iterations of a step are bounded and counted, contradictions end a run."""

import numpy as np
import pytest

import samara as sm
from samara.models import landing, puma_sailing
from samara.realtime.loop.clock import made_up
from samara.realtime.loop.simulator import RealTime
from samara.rotations import rotation_from_axes
from samara.solve.native.codes import Counter

BOUND = 8  # iterations of one solution, as `samara realtime` has them
#: Solutions that a step with an event is allowed here. 27 iterations were the most that was seen, in rotor sailing.
SOLUTIONS = 5


def served(model: sm.Model, rate: float, end: float) -> tuple[np.ndarray, float]:
    """Counts of each step of a run in real time, and the time that was simulated."""
    rows = []
    with RealTime(model, rate, clock=made_up(), tolerance=1e-7, iterations=BOUND) as runner:
        for _ in range(round(end * rate)):
            before = runner.sim.counters.copy()
            report = runner.run(1.0 / rate)
            assert report.ended == "done", report.message
            rows.append(runner.sim.counters - before)
        counts = np.array(rows)
        assert report.accounts["cycles"] == len(rows)
        assert report.accounts["not_converged"] == counts[:, Counter.UNCONVERGED].sum() <= 0.002 * len(rows)
        assert report.accounts["repeated"] == 0  # none was so far from convergence that it was taken again
        return counts, runner.sim.time


@pytest.mark.parametrize(
    ("model", "rate", "end"),
    [
        (lambda: puma_sailing.build("gust", blades="rigid", gust=35.0, roll_deg=4.0, heave=0.5), 1000.0, 4.5),
        (lambda: landing.build(deck="ship", clearance=1.0, release=0.5), 400.0, 4.0),
        (lambda: landing.build(gear="skids", clearance=1.0, release=0.5), 400.0, 4.0),
    ],
    ids=["puma-sailing", "landing on a ship", "landing on skids"],
)
def test_iterations_with_contacts_are_bounded_and_counted(model, rate, end):
    counts, time = served(model(), rate, end)
    assert time == pytest.approx(end)
    hits = counts[:, Counter.EVENTS] > 0
    assert 2 <= np.count_nonzero(hits) < 0.05 * len(counts)
    each = counts[:, Counter.ITERATIONS]
    assert each[~hits].max() <= BOUND and each.max() <= SOLUTIONS * BOUND
    assert (counts[:, Counter.STEPS] == 1).all()


def test_it_is_the_run_off_line():
    """The same steps by the same code: bit by bit, as long as no bound acts."""
    end, rate = 3.0, 400.0
    model = landing.build(deck="ship", clearance=1.0, release=0.5)
    with RealTime(model, rate, clock=made_up(), tolerance=1e-7, iterations=25) as runner:
        runner.run(end)
        ours = runner.sim.machine.state.copy()
        assert runner.sim.counters[Counter.EVENTS] >= 2
    twin = sm.Stepper(model, 1.0 / rate, tolerance=1e-7)
    twin.advance(round(end * rate))
    np.testing.assert_array_equal(ours, twin.sim.machine.state)


def test_late_steps_at_impacts_follow_the_policy():
    """Every step takes half a period; the 20th, 3.1: three periods are left out, and the ball still bounces."""
    model = sm.Model("ball", gravity=(0, 0, -9.81))
    ball = model.node("ball", position=(0, 0, 0.02))
    model.add("body", sm.Body(ball, mass=2.0, inertia=(0.01,) * 3))
    model.add("floor", sm.Contact(model.ground, ball, restitution=0.5))
    period = 1_000_000
    work = [period // 2] * 20 + [round(3.1 * period)] + [period // 2] * 200
    with RealTime(model, 1000.0, clock=made_up((), work), policy="skip") as runner:
        report = runner.run(0.2)
        assert report.accounts["overruns"] == 3 and report.accounts["skipped"] == 3
        assert report.simulated == pytest.approx(0.197) and runner.sim.counters[Counter.IMPACTS] >= 2


@pytest.mark.parametrize("formulation", ["redundant", "recursive"])
def test_contacts_that_contradict_each_other_end_a_run(formulation):
    press = sm.Model("press", gravity=(0, 0, -9.81))
    die = press.prescribed("die", sm.Motion(position=(0, 0, lambda t: -1.0 * t)))
    part = press.node("part", position=(0, 0, 0.0999))
    press.add("body", sm.Body(part, mass=2.0, inertia=(0.01,) * 3))
    down = sm.Placement((0, 0, 0.5), rotation_from_axes(z=(0, 0, -1), x=(1, 0, 0)))
    press.add("table", sm.Contact(press.ground, part, place_a=(0, 0, 0), shape=sm.BallShape(0.1)))
    press.add("die.face", sm.Contact(die, part, place_a=down, shape=sm.BallShape(0.1)))
    with RealTime(press, 1000.0, clock=made_up(), formulation=formulation) as runner:
        report = runner.run(1.0)
    assert report.ended == "contradiction" and report.failed and "'table', 'die.face'" in report.message
    assert report.simulated == pytest.approx(0.3, abs=2e-3)
