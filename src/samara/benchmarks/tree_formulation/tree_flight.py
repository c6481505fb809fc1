"""The X-Cell with its air and controls in the recursive formulation at 1 kHz, beside the redundant one."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from numba import njit

from samara.benchmarks.advance import advance
from samara.benchmarks.rows import Row, interleave, ratio
from samara.models.helicopters import xcell
from samara.solve import Simulation, TwoStep, transient
from samara.solve.native.codes import Counter
from samara.solve.native.kernels import OUTPUTS, TIME, clear, residual, run_kinds, set_time
from samara.solve.step.march import march
from samara.solve.tree.kernels import call_tree
from samara.solve.tree.machine import FRESH
from samara.solve.tree.schemes import RungeKutta4
from samara.solve.tree.stepping import evaluate

CASE, STEP = "helicopter-flight", 1e-3
#: Of the redundant formulation, as in the benchmark of rotors.
RADIUS_INF, TOLERANCE = 0.6, 1e-6
#: Native calls of a stage per sample.
CALLS = 200
FORWARD, DRIVES, PLACE, REACTIONS, MEASURES, RESIDUAL = range(6)
STAGES = {
    "evaluation_us": (FORWARD, "drives and accelerations with all loads"),
    "drives_us": (DRIVES, "of it drives and prescribed nodes"),
    "place_us": (PLACE, "nodes and states into the memory of the system, once per recorded step"),
    "reactions_us": (REACTIONS, "multipliers of all joints, once per recorded step"),
    "outputs_us": (MEASURES, "all measures, once per recorded step"),
    "violation_us": (RESIDUAL, "residual of the redundant equations, for the measure model.violation"),
}


@njit(nogil=True)
def _often(m, which, count):
    tree = m.tree
    for _ in range(count):
        if which == FORWARD:
            tree.status[FRESH] = 0
            evaluate(m, m.coef[TIME])
        elif which == DRIVES:
            set_time(m, m.coef[TIME])
        elif which == PLACE or which == REACTIONS:
            call_tree(m, tree.kernels.place if which == PLACE else tree.kernels.reactions)
        elif which == MEASURES:
            clear(m.scratch.out)
            run_kinds(m, m.plan.program, OUTPUTS, m.scratch.out.ctypes.data, m.scratch.out.ctypes.data)
        else:
            residual(m)


def flight(repeats: int, settling: float, steps: int) -> Iterator[Row]:
    """Hover with regulators on, from the trim; steps: of a sample."""
    tree = Simulation(xcell.build(), RungeKutta4(), formulation="recursive")
    whole = Simulation(xcell.build(), TwoStep(RADIUS_INF), tolerance=TOLERANCE)
    for sim in (tree, whole):
        transient(sim, settling, STEP, outputs="model.violation", progress=False)
    whole.analyse_for(STEP)
    before = whole.counters.copy()
    calls: dict[str, Callable[[], None]] = {
        "tree": partial(advance, tree, STEP, steps),
        "redundant": partial(advance, whole, STEP, steps),
        "recorded": _recorder(tree, steps),
    }
    timings = interleave(calls, repeats=repeats)
    count = whole.counters - before
    own, recorded, theirs = (timings[name].scaled(1e6 / steps) for name in ("tree", "recorded", "redundant"))
    note = f"at 1 kHz, RungeKutta4, nothing recorded; {own.best * 1e-3:.2g} to {own.percentile(95) * 1e-3:.2g}"
    yield Row(CASE, "real_over_sim", own.median * 1e-6 / STEP, "", "< 0.005", note)
    yield Row(CASE, "us_per_step", own.median, "us", "", f"{own.best:.2f} to {own.percentile(95):.2f} us")
    yield Row(CASE, "us_per_step_p95", own.percentile(95), "us", "", f"of {own.samples.size} samples of {steps} steps")
    note = f"all {tree.machine.scratch.out.size} measures in each step"
    yield Row(CASE, "real_over_sim_recorded", recorded.median * 1e-6 / STEP, "", "", note)
    yield Row(CASE, "evaluations_per_step", evaluations(tree, steps) / steps, "", "", "calls of the kernel, counted")
    yield from _stages(tree, repeats)
    iterations = count[Counter.ITERATIONS] / count[Counter.STEPS]
    note = f"TwoStep({RADIUS_INF:g}), tolerance {TOLERANCE:g}, {whole.system.unknowns.size} unknowns; "
    note += f"{theirs.best:.1f} to {theirs.percentile(95):.1f} us"
    yield Row(CASE, "redundant_us_per_step", theirs.median, "us", "", note)
    yield Row(CASE, "redundant_iterations_per_step", iterations, "")
    note = "time per step of the redundant formulation over ours, both at 1 kHz, nothing recorded"
    yield Row(CASE, "speedup_vs_redundant", ratio(timings["redundant"], timings["tree"]), "x", "", note)


def _recorder(sim: Simulation, steps: int) -> Callable[[], None]:
    """Steps of which each is recorded."""
    columns = np.arange(sim.machine.scratch.out.size)
    times, rows = np.zeros(steps), np.zeros((steps, columns.size))

    def go() -> None:
        status, *_ = march(sim.work, STEP, steps, 1, 0, columns, times, rows)
        assert status == 0

    return go


def _stages(sim: Simulation, repeats: int) -> Iterator[Row]:
    calls = {name: partial(_often, sim.machine, which, CALLS) for name, (which, _) in STAGES.items()}
    found = interleave(calls, repeats=repeats)
    for name, (_, what) in STAGES.items():
        spent = found[name].scaled(1e6 / CALLS)
        yield Row(CASE, name, spent.median, "us", "", f"{what}; {spent.best:.2f} to {spent.percentile(95):.2f} us")
    operations = sim.tree.operations if sim.tree is not None else {}
    for name in ("forward", "place", "reactions"):
        yield Row(CASE, f"{name}_operations", operations.get(name, 0), "", "", "arithmetic of one call")


def evaluations(sim: Simulation, steps: int) -> int:
    """Calls of the kernel `forward` in so many steps; the one that shows the end is the first of the next step."""
    kernel = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * 7)
    machine, calls = sim.machine, 0
    real = kernel(machine.tree.kernels.forward)

    @kernel
    def counted(*arguments):
        nonlocal calls
        calls += 1
        real(*arguments)

    address = ctypes.cast(counted, ctypes.c_void_p).value
    assert address is not None
    sim.machine = machine._replace(tree=machine.tree._replace(kernels=machine.tree.kernels._replace(forward=address)))
    try:
        advance(sim, STEP, steps)
    finally:
        sim.machine = machine
    return calls
