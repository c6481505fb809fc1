"""`samara bench substructures`: solution in parts on lanes, threads and ranks, as tables 1 to 3 of the parallel paper.

The rotor is the WRATS model with elastic blades of 8, 16 and 60 beams, cut by its blades, at 600 steps per second.
Times of lanes are CPU times of one thread, in turn with those of the model as a whole. Times of threads and ranks are
by the clock: the machine should have nothing else to do, and the shortest of the samples is taken.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

from samara.benchmarks.advance import advance
from samara.benchmarks.cases.samara_rotor import RADIUS_INF
from samara.benchmarks.cases.samara_rotor import TOLERANCE as ROTOR_TOLERANCE
from samara.benchmarks.rows import Row, Timing, interleave, ratio
from samara.models.rotors import rotor4
from samara.models.source_count import source_equations
from samara.models.tiltrotors import wrats
from samara.solve import Simulation, TwoStep, assemble
from samara.solve.linear.lu import refactor
from samara.solve.linear.schur.solver import EVALUATE, FACTOR, RECOVER, perform
from samara.solve.native.kernels import jacobian, residual
from samara.solve.redundant.correction import correction
from samara.solve.start.start import start
from samara.system.partition import partition

STEP, TOLERANCE, SETTLING, STEPS = 1.0 / wrats.RATE, wrats.TOLERANCE, 300, 60
BEAMS = (8, 16, 60)
#: Beams per blade of the rotors of 10^4 and 10^5 unknowns, with the steps of a sample; and their step [s].
ROTORS, ROTOR_STEP = ((208, 20), (2084, 10)), 1e-4
RANKS = (1, 2, 4)
#: The paper's own: time of two seconds on one and on four processors [s], and the interface's unknowns there.
PAPER = {8: (801.0, 154.0, 91), 16: (1724.0, 270.0, 80), 60: (8320.0, 930.0, 48)}
#: Calls per sample of a stage.
CALLS = 20


def rows(beams: tuple[int, ...] = BEAMS, repeats: int = 15, ranks: tuple[int, ...] = RANKS) -> Iterator[Row]:
    """All sizes; stages, threads and ranks of the largest."""
    costs: dict[int, float] = {}
    for count in beams:
        costs[count] = yield from case(count, repeats, ranks if count == max(beams) else ())
    if len(costs) > 1:
        exponent = float(np.polyfit(np.log(list(costs)), np.log(list(costs.values())), 1)[0])
        yield Row("wrats", "cost_exponent", exponent, "", "1", f"step over {beams} beams per blade, log-log slope")


def case(beams: int, repeats: int, ranks: tuple[int, ...]) -> Generator[Row, None, float]:
    """One size; returns the time per step of the whole [us]."""
    name = f"wrats-{beams}"
    runs = {
        "whole": made(beams),
        "lanes": made(beams, partition="blades"),
        "threads-1": made(beams, partition="blades", backend="threads"),
        "threads-2": made(beams, partition="blades", backend="threads", threads=2),
    }
    cut = partition(runs["whole"].model, by="blades")
    whole, parallel, border = PAPER.get(beams, (np.nan, np.nan, 0))
    note = f"{cut.shares['blade_1'].unknowns} of each blade; the paper's on 4 processors: {border}"
    counted = source_equations(runs["whole"].model)
    yield Row(
        name, "unknowns", runs["whole"].system.unknowns.size, "", "", f"{counted} by the paper's rules, of four blades"
    )
    yield Row(name, "interface", cut.interface, "", "", note)
    for way in ("whole", "lanes"):
        began = time.thread_time()
        runs[way].analyse_for(STEP)
        yield Row(name, f"analysis_s_{way}", time.thread_time() - began, "s", "", "pivots and programs, once per run")
    steps = interleave({way: _steps(runs[way]) for way in ("whole", "lanes")}, repeats=repeats)
    for way, timing in steps.items():
        yield Row(name, f"us_per_step_{way}", timing.scaled(1e6 / STEPS).median, "us", "", "CPU time")
    yield from stages(name, runs, repeats)
    note = "a whole step; elements, which are evaluated in lanes either way, are most of it"
    yield Row(name, "lanes_step_speedup", ratio(steps["whole"], steps["lanes"]), "x", "", note)
    clock = by_the_clock({way: _steps(sim) for way, sim in runs.items()}, repeats)
    for way in ("threads-1", "threads-2"):
        yield Row(name, f"us_per_step_{way}", clock[way] * 1e6 / STEPS, "us", "", "by the clock, the shortest")
    note = f"by the clock, whole over two threads; the paper on 4 processors: {whole / parallel:.2f}"
    yield Row(name, "threads_speedup", clock["whole"] / clock["threads-2"], "x", 1.6, note)
    yield from by_ranks(name, beams, ranks)
    return steps["whole"].median * 1e6 / STEPS


def rotor_rows(sizes: tuple[tuple[int, int], ...] = ROTORS, repeats: int = 10) -> Iterator[Row]:
    """Rotors of four elastic blades that share nothing but the hub: by the clock, whole over two threads."""
    for beams, steps in sizes:
        ways: dict[str, dict[str, Any]] = {"whole": {}}
        ways["threads-2"] = {"partition": "blades", "backend": "threads", "threads": 2}
        runs = {way: _rotor(beams, steps, **options) for way, options in ways.items()}
        name = f"rotor-{runs['whole'].system.unknowns.size}"
        clock = by_the_clock({way: partial(advance, sim, ROTOR_STEP, steps) for way, sim in runs.items()}, repeats)
        for way, seconds in clock.items():
            yield Row(name, f"us_per_step_{way}", seconds * 1e6 / steps, "us", "", "by the clock, the shortest")
        yield Row(name, "threads_speedup", clock["whole"] / clock["threads-2"], "x", 1.6, "by the clock")


def _rotor(beams: int, steps: int, **options: Any) -> Simulation:
    sim = Simulation(rotor4.build(beams=beams), TwoStep(RADIUS_INF), tolerance=ROTOR_TOLERANCE, **options)
    assemble(sim, step=ROTOR_STEP)
    sim.analyse_for(ROTOR_STEP)
    advance(sim, ROTOR_STEP, steps)
    return sim


def made(beams: int, **options) -> Simulation:
    """A rotor that turns, ready to go on."""
    model = wrats.build(blades="elastic", beams=beams)
    sim = Simulation(model, TwoStep(0.6), tolerance=TOLERANCE, **options)
    start(sim, STEP)
    advance(sim, STEP, SETTLING)
    return sim


def _steps(sim: Simulation) -> Callable[[], None]:
    return lambda: advance(sim, STEP, STEPS)


def by_the_clock(calls: dict[str, Callable[[], None]], repeats: int) -> dict[str, float]:
    """Shortest time of each call [s], in turn."""
    best = dict.fromkeys(calls, np.inf)
    for _ in range(repeats):
        for way, call in calls.items():
            began = time.perf_counter()
            call()
            best[way] = min(best[way], time.perf_counter() - began)
    return best


# ---- stages
@dataclass(frozen=True)
class Stages:
    """Native loops over one stage of a step."""

    residual: Callable
    jacobian: Callable
    factor: Callable
    solve: Callable
    hand: Callable


def _native() -> Stages:
    @njit(nogil=True)
    def evaluate(work, count):
        for _ in range(count):
            residual(work.machine)

    @njit(nogil=True)
    def differentiate(work, count):
        for _ in range(count):
            jacobian(work.machine, work.factors)

    @njit(nogil=True)
    def factor(work, given, count):
        for _ in range(count):
            work.factors[:] = given
            if work.schur.number != 0:
                perform(work, 0, FACTOR)
            else:
                refactor(work.lu, work.factors)

    @njit(nogil=True)
    def solve(work, count):
        for _ in range(count):
            correction(work)

    @njit(nogil=True)
    def hand(work, number, count):
        for _ in range(count):
            perform(work, number, EVALUATE)
            perform(work, number, RECOVER)

    return Stages(evaluate, differentiate, factor, solve, hand)


def stages(name: str, runs: dict[str, Simulation], repeats: int) -> Iterator[Row]:
    """Elements, factors and solutions by themselves, in native loops."""
    native, pair = _native(), {way: runs[way] for way in ("whole", "lanes")}

    def measured(call: Callable, *more) -> dict[str, Timing]:
        calls = {way: (lambda sim=sim: call(sim.work, *(x[id(sim)] for x in more), CALLS)) for way, sim in pair.items()}
        return {way: t.scaled(1e6 / CALLS) for way, t in interleave(calls, repeats=repeats).items()}

    yield Row(name, "residual_us", measured(native.residual)["whole"].median, "us", "", "elements: equations")
    found = measured(native.jacobian)
    yield Row(name, "jacobian_us", found["whole"].median, "us", "", "elements: derivatives")
    solving = measured(native.solve)
    given = {}
    for sim in pair.values():
        native.jacobian(sim.work, 1)
        given[id(sim)] = sim.v.copy()
    factoring = measured(native.factor, given)
    for stage, times in (("factor", factoring), ("solve", solving)):
        for way, timing in times.items():
            yield Row(name, f"{stage}_us_{way}", timing.median, "us")
        yield Row(name, f"lanes_{stage}_speedup", ratio(times["whole"], times["lanes"]), "x")
    total = {way: Timing(factoring[way].samples + solving[way].samples) for way in pair}
    note = "linear solver: a factorisation and a solution, whole over four blades abreast, one core"
    yield Row(name, "lanes_speedup", ratio(total["whole"], total["lanes"]), "x", 2, note)
    divided = runs["threads-2"].work
    hands = interleave({k: (lambda k=k: native.hand(divided, int(k), CALLS)) for k in "01"}, repeats=repeats)
    for k, timing in hands.items():
        note = "CPU time of one of two threads per iteration: its elements, its part of the linear solver"
        yield Row(name, f"hand_us_{int(k) + 1}", timing.median * 1e6 / CALLS, "us", "", note)
    for sim in pair.values():  # go on with factors as they should be
        sim.analyse_for(STEP)
        advance(sim, STEP, STEPS)


# ---- ranks
_SCRIPT = """
import json, sys, time
from samara.benchmarks.advance import advance
from samara.benchmarks.scaling.substructures import STEP, STEPS, made
sim = made(int(sys.argv[1]), partition="blades", backend="mpi")
times = []
for _ in range(int(sys.argv[2])):
    began = time.perf_counter()
    advance(sim, STEP, STEPS)
    times.append(time.perf_counter() - began)
if sim.leads:
    print(json.dumps(min(times) / STEPS))
"""


def by_ranks(name: str, beams: int, ranks: tuple[int, ...], samples: int = 10) -> Iterator[Row]:
    """Time per step of processes that `mpirun` starts."""
    beside = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    mpirun, there = shutil.which("mpirun", path=beside), importlib.util.find_spec("mpi4py") is not None
    for count in ranks:
        metric = f"us_per_step_ranks-{count}"
        if not (mpirun and there):
            yield Row(name, metric, float("nan"), "us", "", "left out: mpi4py or mpirun is not there")
            continue
        command = [mpirun, "-n", str(count), sys.executable, "-c", _SCRIPT, str(beams), str(samples)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        spent = float(json.loads(done.stdout.strip().splitlines()[-1])) * 1e6
        cores = os.cpu_count() or 1
        note = "by the clock, the shortest" + (f"; {cores} processors for {count} processes" if count > cores else "")
        yield Row(name, metric, spent, "us", "", note)
