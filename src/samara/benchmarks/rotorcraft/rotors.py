"""`samara bench rotors`: the machines of the real-time paper with their air, at the paper's rates."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from samara.benchmarks.advance import advance
from samara.benchmarks.rotorcraft import trim
from samara.benchmarks.rows import Row
from samara.elements.aero.inflow.annular import Annular
from samara.elements.aero.inflow.peters_he import PetersHe
from samara.elements.aero.surfaces.surface import AeroSurface
from samara.model import Model
from samara.model.declarations.declared_rotor import belongs
from samara.models.articulated_rotors import puma
from samara.models.helicopters import helicopter
from samara.models.source_count import source_equations
from samara.models.tiltrotors import tiltrotor, wrats
from samara.solve import Simulation, TwoStep, transient
from samara.solve.native.codes import Counter

RADIUS_INF = 0.6
TOLERANCE = 1e-6
#: time that a rotor gets to settle before it is measured [s]; the helicopter is free by then
SETTLING = 4.0


@dataclass(frozen=True)
class BenchmarkRotor:
    """A rotor of the benchmark.

    rate:      steps per second, of the paper.
    source:    equations of a model by the paper's rules; None where there are none.
    printed:   how many the paper prints of its own model, where it does.
    paper:     real over simulated time of the paper, on its machine.
    mbdyn:     time a step of MBDyn 1.7.3, tuned and untuned, on a machine like ours and a model like this [us].
    aim:       of real over simulated time.
    tolerance: of Newton's method: velocities to this part of the tip speed.
    """

    name: str
    build: Callable[[], Model]
    rate: float
    source: Callable[[Model], int] | None
    paper: float | None = None
    mbdyn: tuple[float, float] | None = None
    aim: str = ""
    tolerance: float = TOLERANCE
    printed: int | None = None


def _tiltrotor(name: str, wing: bool, gimbal: str, paper: float) -> BenchmarkRotor:
    """A variant of the paper's table I; the one of MBDyn that was measured has 149 equations."""
    return BenchmarkRotor(
        name,
        partial(tiltrotor.build, wing=wing, gimbal=gimbal),
        tiltrotor.RATE,
        source_equations,
        paper,
        (200.0, 774.0),
        "< 0.007, at least 0.013",
        printed=tiltrotor.TABLE_I[wing, gimbal],
    )


MACHINES = (
    BenchmarkRotor(
        "puma-rigid", puma.build, 400.0, puma.source_equations, 0.830, (444.0, 1972.0), "< 0.007, at least 0.012"
    ),
    BenchmarkRotor(
        "puma-elastic", partial(puma.build, blades="elastic"), 400.0, puma.source_equations, None, (2830.0, 5825.0),
        "< 0.04, at least 0.075",
    ),
    _tiltrotor("tiltrotor-wing-gimbal", True, "joint", 0.648),
    _tiltrotor("tiltrotor-gimbal", False, "joint", 0.533),
    _tiltrotor("tiltrotor-wing", True, "joints", 0.840),
    _tiltrotor("tiltrotor", False, "joints", 0.705),
    BenchmarkRotor("wrats-rigid", wrats.build, wrats.RATE, source_equations, 1.0, printed=wrats.EQUATIONS),
    BenchmarkRotor("wrats-elastic", partial(wrats.build, blades="elastic"), wrats.RATE, None),
    BenchmarkRotor("helicopter", helicopter.build, 400.0, lambda model: helicopter.equations(model)["source"]),
)  # fmt: skip


def rows(
    machines: tuple[BenchmarkRotor, ...] = MACHINES, steps: int = 4000, blades: tuple[str, ...] = ("rigid", "elastic")
) -> Iterator[Row]:
    """All machines, what the Puma's rotor costs with other inflow models, and how long its trim takes."""
    for machine in machines:
        yield from measured(machine, steps)
    for kind in blades:
        yield from inflow_costs(kind, steps)
    yield from trim.rows()


def measured(machine: BenchmarkRotor, steps: int) -> Iterator[Row]:
    """One machine, settled: the native driver alone, without recording."""
    model, name, step = machine.build(), machine.name, 1.0 / machine.rate
    sim = settled(model, step, machine.tolerance)
    before = sim.counters.copy()
    singles = np.array([timed(sim, step, 1) for _ in range(steps)])
    spent = np.array([timed(sim, step, 100) / 100 for _ in range(max(3, steps // 100))])
    count = sim.counters - before
    taken = float(count[Counter.STEPS])
    median = float(np.median(spent))
    yield Row(name, "unknowns", sim.system.unknowns.size)
    if machine.source is not None:
        note = (
            "" if machine.printed is None else f"counted from this model; the paper prints {machine.printed} of its own"
        )
        yield Row(name, "equations_as_in_paper", machine.source(model), "", "", note)
    note = f"{spent.min() * 1e6:.1f} to {spent.max() * 1e6:.1f} us over {len(spent)} runs of 100 steps"
    yield Row(name, "us_per_step_median", median * 1e6, "us", "", note)
    note = f"of {steps} single steps, each called from Python; their median is {np.median(singles) * 1e6:.1f} us"
    yield Row(name, "us_per_step_p999", float(np.percentile(singles, 99.9)) * 1e6, "us", "", note)
    note = f"tolerance {machine.tolerance:g}"
    yield Row(name, "iterations_per_step", count[Counter.ITERATIONS] / taken, "", "", note)
    note = f"{count[Counter.REFRESHED] / taken:.2g} a step of the bearings alone; {count[Counter.ANALYSES]} new pivots"
    yield Row(name, "jacobians_per_step", count[Counter.JACOBIANS] / taken, "", "", note)
    notes = [f"at {machine.rate:.0f} Hz"]
    if machine.paper is not None:
        notes.append(f"the paper: {machine.paper:g}")
    if machine.mbdyn is not None:
        notes.append(f"MBDyn 1.7.3: {machine.mbdyn[0] * 1e-6 / step:.2f}")
    yield Row(name, "real_over_sim", median / step, "", machine.aim, "; ".join(notes))
    if machine.mbdyn is not None:
        tuned, untuned = machine.mbdyn
        note = f"MBDyn 1.7.3: {tuned:g} us per step tuned, {untuned:g} us untuned on such a machine; not measured here"
        yield Row(name, "speedup_vs_mbdyn_tuned", tuned * 1e-6 / median, "x", "30, at least 15", note)


def inflow_costs(blades: str, steps: int = 4000) -> Iterator[Row]:
    """The Puma's rotor with inflow along the blade beside uniform inflow: in turn, 100 steps each."""
    step = 1.0 / 400.0
    uniform = puma.build(blades=blades)
    inflows = {"annular": Annular(radii=station_radii(uniform)), "peters-he": PetersHe()}
    models = {"": uniform} | {name: puma.build(blades=blades, inflow=inflow) for name, inflow in inflows.items()}
    sims = {name: settled(model, step) for name, model in models.items()}
    before = {name: sim.counters.copy() for name, sim in sims.items()}
    rounds = range(max(5, steps // 100))
    spent = np.array([[timed(sim, step, 100) / 100 for sim in sims.values()] for _ in rounds])
    for k, (name, sim) in enumerate(sims.items()):
        if not name:
            continue
        count, case = sim.counters - before[name], f"puma-{blades}-{name}"
        yield Row(case, "unknowns", sim.system.unknowns.size, "", "", f"{sims[''].system.unknowns.size} when uniform")
        note = f"{spent[:, k].min() * 1e6:.1f} to {spent[:, k].max() * 1e6:.1f} us over {len(spent)} runs of 100 steps"
        yield Row(case, "us_per_step_median", float(np.median(spent[:, k])) * 1e6, "us", "", note)
        taken = count[Counter.ITERATIONS] / count[Counter.STEPS]
        yield Row(case, "iterations_per_step", taken, "", "", f"tolerance {TOLERANCE:g}")
        cost = float(np.median(spent[:, k]) / np.median(spent[:, 0]))
        note = (
            f"CPU time per step over that with uniform inflow, in turn; medians, {len(inflows) + 1} rotors in one run"
        )
        yield Row(case, "cost_of_inflow", cost, "x", "at most 1.2", note)


def station_radii(model: Model) -> np.ndarray:
    """Radii of the stations of a rotor's first blade [R], rising."""
    blade = model.rotor().blades[0]
    surfaces = [e for e in model.elements.values() if belongs(e.name, blade) and isinstance(e, AeroSurface)]
    return np.sort(np.concatenate([surface.rings()[0] for surface in surfaces]))


def settled(model: Model, step: float, tolerance: float = TOLERANCE) -> Simulation:
    """A rotor in steady motion, with matching pivots."""
    sim = Simulation(model, TwoStep(RADIUS_INF), tolerance=tolerance)
    transient(sim, SETTLING, step, outputs="model.violation", progress=False)
    sim.analyse_for(step)
    return sim


def timed(sim: Simulation, step: float, steps: int) -> float:
    """CPU time of these steps [s]."""
    start = time.thread_time_ns()
    advance(sim, step, steps)
    return (time.thread_time_ns() - start) * 1e-9
