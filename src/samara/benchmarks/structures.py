"""`samara bench structures`: flexible blades in steady rotation."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from samara.benchmarks import gimbal
from samara.benchmarks.rows import Row
from samara.models.rotor4 import SPEED, build
from samara.solve import Simulation, TwoStep, assemble
from samara.solve.march import march
from samara.solve.step import Counter

STEPS_PER_TURN = 90
TOLERANCE = 1e-7


def rows(repeats: int = 40) -> Iterator[Row]:
    """All cases."""
    costs = {}
    for beams in (5, 15, 60):
        samples, sim, step = _run(beams, repeats if beams < 60 else repeats // 4)
        costs[beams] = float(np.median(samples))
        if beams == 5:
            yield from _rotor(samples, sim, step)
    slope = float(np.polyfit(np.log(list(costs)), np.log(list(costs.values())), 1)[0])
    note = "CPU time a step over 5, 15, 60 beams a blade: " + ", ".join(f"{c * 1e6:.0f} us" for c in costs.values())
    yield Row("rotor4", "cost_exponent", slope, "", "< 1.1", note)
    yield from gimbal.rows(repeats)


def _rotor(samples: np.ndarray, sim: Simulation, step: float) -> Iterator[Row]:
    case, count = "rotor4-flexible", sim.counters
    median = float(np.median(samples))
    note = f"{sim.system.size} unknowns, p99 {np.percentile(samples, 99) * 1e6:.1f} us, Newton tolerance {TOLERANCE:g}"
    yield Row(case, "us_per_step_median", median * 1e6, "us", "", note)
    aim = "period of 2.6 ms: 90 steps a turn at 27 rad/s"
    yield Row(case, "real_over_sim", median / step, "", "< 0.012", aim)
    yield Row(case, "iterations_per_step", count[Counter.ITERATIONS] / count[Counter.STEPS], "")
    yield Row(case, "jacobians_per_step", count[Counter.JACOBIANS] / count[Counter.STEPS], "", "< 0.05")


def _run(beams: int, repeats: int) -> tuple[np.ndarray, Simulation, float]:
    """CPU times a step in steady rotation, after ten turns."""
    sim = Simulation(build(beams=beams), TwoStep(0.6), tolerance=TOLERANCE)
    step = 2 * np.pi / SPEED / STEPS_PER_TURN
    assemble(sim)
    sim.analyse_for(step)
    nothing = np.zeros(0, np.int64), np.zeros(1), np.zeros((1, 0))

    def turn() -> float:
        start = time.thread_time()
        status, done, _ = march(
            sim.machine, sim.lu, sim.v, sim.settings, sim.memory, sim.counters,
            step, STEPS_PER_TURN, STEPS_PER_TURN + 1, 0, *nothing,
        )  # fmt: skip
        if done != STEPS_PER_TURN:
            raise RuntimeError(f"rotor with {beams} beams a blade stopped after {done} steps, status {status}")
        return (time.thread_time() - start) / STEPS_PER_TURN

    for _ in range(10):
        turn()
    return np.array([turn() for _ in range(repeats)]), sim, step
