"""`samara bench rotors`: the machines of the real-time paper with their air, at the paper's rates."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from samara.benchmarks.rows import Row
from samara.model import Model
from samara.models import puma
from samara.solve import Simulation, TwoStep, transient
from samara.solve.march import march
from samara.solve.step import Counter, Status, take_back

RADIUS_INF = 0.6
TOLERANCE = 1e-6
#: time that a rotor gets to settle before it is measured [s]
SETTLING = 3.0


@dataclass(frozen=True)
class Machine:
    """A rotor of the benchmark.

    step:   of the paper [s]. paper: its real over simulated time on its machine, nan if it gives none.
    mbdyn:  time a step of MBDyn 1.7.3, tuned and untuned, on a machine like ours and a model like this [us].
    aim:    of real over simulated time.
    source: equations as the paper counts them.
    tolerance: of Newton's method: velocities to this part of the tip speed.
    """

    name: str
    build: Callable[[], Model]
    step: float
    paper: float
    mbdyn: tuple[float, float]
    aim: str
    source: Callable[[Model], int]
    tolerance: float = TOLERANCE


MACHINES = (
    Machine("puma-rigid", puma.build, 2.5e-3, 0.830, (444, 1972), "< 0.007, at least 0.012", puma.source_equations),
    Machine(
        "puma-elastic", partial(puma.build, blades="elastic"), 2.5e-3, float("nan"), (2830, 5825),
        "< 0.04, at least 0.075", puma.source_equations,
    ),
)  # fmt: skip


def rows(machines: tuple[Machine, ...] = MACHINES, steps: int = 4000) -> Iterator[Row]:
    """All machines."""
    for machine in machines:
        yield from measured(machine, steps)


def measured(machine: Machine, steps: int) -> Iterator[Row]:
    """One machine, settled: the native driver alone, nothing recorded."""
    model = machine.build()
    sim = Simulation(model, TwoStep(RADIUS_INF), tolerance=machine.tolerance)
    transient(sim, SETTLING, machine.step, outputs=("rotor.thrust",), progress=False)
    sim.analyse_for(machine.step)  # pivots for a rotor in motion
    before = sim.counters.copy()
    singles = np.array([timed(sim, machine.step, 1) for _ in range(steps)])
    spent = np.array([timed(sim, machine.step, 100) / 100 for _ in range(max(3, steps // 100))])
    count = sim.counters - before
    taken = float(count[Counter.STEPS])
    median, name = float(np.median(spent)), machine.name
    tuned, untuned = machine.mbdyn
    yield Row(name, "unknowns", sim.system.size)
    yield Row(name, "equations_as_in_paper", machine.source(model))
    note = f"{spent.min() * 1e6:.1f} to {spent.max() * 1e6:.1f} us over {len(spent)} runs of 100 steps"
    yield Row(name, "us_per_step_median", median * 1e6, "us", "", note)
    note = f"of {steps} single steps, each called from Python; their median is {np.median(singles) * 1e6:.1f} us"
    yield Row(name, "us_per_step_p999", float(np.percentile(singles, 99.9)) * 1e6, "us", "", note)
    yield Row(
        name, "iterations_per_step", count[Counter.ITERATIONS] / taken, "", "", f"tolerance {machine.tolerance:g}"
    )
    note = f"{count[Counter.ANALYSES]} new pivot sequences in {taken:.0f} steps"
    yield Row(name, "jacobians_per_step", count[Counter.JACOBIANS] / taken, "", "", note)
    paper = f"the paper: {machine.paper:g}" if np.isfinite(machine.paper) else "the paper has none"
    note = f"at {1 / machine.step:.0f} Hz; {paper}; MBDyn 1.7.3: {tuned * 1e-6 / machine.step:.2f}"
    yield Row(name, "real_over_sim", median / machine.step, "", machine.aim, note)
    note = (
        f"MBDyn 1.7.3 needs {tuned} us a step tuned, {untuned} us untuned, on this kind of machine; not measured here"
    )
    yield Row(name, "speedup_vs_mbdyn_tuned", tuned * 1e-6 / median, "x", "30, at least 15", note)


def advance(sim: Simulation, step: float, steps: int) -> None:
    """Marches on; nothing is recorded. A pivot sequence that no longer suits is renewed, as `transient` does."""
    nothing = np.zeros(0, np.int64), np.zeros(1), np.zeros((1, 0))
    while steps > 0:
        status, done, _ = march(
            sim.machine, sim.lu, sim.v, sim.settings, sim.memory, sim.counters, step, steps, steps + 1, 0, *nothing
        )
        steps -= done
        if status == Status.GROWTH:
            values = sim.matrix_values()
            take_back(sim.machine)
            sim.analyse(values, sim.turning_elements(step))
        elif status != Status.OK:
            raise RuntimeError(f"{sim.model.name} stopped at {sim.time:g} s, status {status}")


def timed(sim: Simulation, step: float, steps: int) -> float:
    """CPU time of these steps [s]."""
    start = time.thread_time_ns()
    advance(sim, step, steps)
    return (time.thread_time_ns() - start) * 1e-9
