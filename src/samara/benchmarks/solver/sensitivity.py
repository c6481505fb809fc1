"""Cost of derivatives by parameters, in runs: the same steps with none, one and four parameters, in turn.

A difference quotient of fourth order takes four runs per parameter, a simple one takes one, with an error that a step
must be chosen for. Here derivatives are exact, and a parameter costs part of a run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from samara.analysis.sensitivities.sensitivity import given_change
from samara.benchmarks.advance import advance
from samara.benchmarks.rows import Row, interleave
from samara.model import Model
from samara.models.articulated_rotors import puma
from samara.models.helicopters import helicopter
from samara.solve import Simulation, TwoStep
from samara.solve.start.start import start
from samara.solve.tangent.sensitivity_march import make_along, march_along

STEPS, TOLERANCE = 100, 1e-7
CASES: dict[str, tuple[Callable[[], Model], float]] = {
    "puma": (puma.build, 1.0 / 400.0),
    "helicopter": (helicopter.build, 1.0 / 400.0),
}
MANY = 4


def rows(repeats: int = 20) -> Iterator[Row]:
    """Steps of a plain run, and with derivatives."""
    for case, (build, h) in CASES.items():
        runs = {str(count): _prepared(build(), h, count) for count in (0, 1, MANY)}
        found = interleave(runs, repeats=repeats, warmup=2)
        plain, one, many = (found[str(count)].samples for count in (0, 1, MANY))
        for metric, samples in (("cost_of_one", one), (f"cost_of_{MANY}", many)):
            yield Row(case, metric, float(np.median(samples / plain)), "runs", "", "run and derivatives, over a run")
        each = float(np.median((many - one) / (MANY - 1) / plain))
        yield Row(case, "cost_per_parameter", each, "runs", "< 1", "each further parameter, over a run")


def _prepared(model: Model, h: float, count: int) -> Callable[[], None]:
    sim = Simulation(model, TwoStep(0.6), tolerance=TOLERANCE)
    start(sim, h)
    if not count:
        return partial(advance, sim, h, STEPS)
    names = [*model.parameters, *sim.system.layout.input_index][:count]
    changes = [given_change(sim, name) for name in names]
    along = make_along(sim, changes, np.zeros((count, sim.system.layout.state_size)))
    columns, times = np.zeros(0, np.int64), np.zeros(1)

    def run() -> None:
        status, done, _ = march_along(
            sim, along, h, STEPS, STEPS + 1, columns, times, np.zeros((1, 0)), np.zeros((1, count, 0))
        )
        if status or done < STEPS:
            raise RuntimeError(f"the run of {model.name!r} ended after {done} steps with status {status}")

    return run
