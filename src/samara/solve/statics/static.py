"""Static solution: equilibrium at rest, in one step, or by increments of load or time."""

from __future__ import annotations

import warnings
from typing import Literal

import numpy as np

from samara import arguments
from samara.arguments import finite, fraction, one_of, whole
from samara.model import ArgumentError, Model
from samara.model.roles.friction import has_friction
from samara.results import Recorder, Results, RunAttrs
from samara.results.progress import CountProgress, Progress
from samara.scene import scene_of
from samara.solve.as_simulation import as_simulation
from samara.solve.constraints.redundant_locks import check_locks
from samara.solve.constraints.release import share_reactions
from samara.solve.errors import Diverged
from samara.solve.measures import channels, chosen
from samara.solve.mechanism.at_rest import at_rest, followers, remains
from samara.solve.native.codes import Counter
from samara.solve.native.outputs import measure_at_rest
from samara.solve.redundant.carrier import drop
from samara.solve.report.floors import below_floor
from samara.solve.simulation import Simulation
from samara.solve.start.assembly import assemble
from samara.solve.statics.load_path import LoadPath
from samara.solve.statics.stability import Stability, stability_under_load
from samara.solve.store.transaction import rolled_back_on_error
from samara.system.system import System

#: Of the last correction, and the bound on corrections, unless told otherwise.
CORRECTION_TOLERANCE, MOST_ITERATIONS = 1e-10, 100
#: Each is recorded, and takes a millisecond at least.
MOST_LOAD_STEPS = 1_000_000
#: What to do about an equilibrium that is not stable.
REMEDIES = {
    "neutral": "it is one of many equilibria; constrain the free motion or add a spring",
    "unstable": "no stable one was found; start elsewhere, or give stable=False to accept this one",
}


def static(
    model: Model | System | Simulation,
    *,
    time: float = 0.0,
    steps: int = 1,
    along: Literal["loads", "time"] = "loads",
    outputs: str | tuple[str, ...] = ("*",),
    tolerance: float = CORRECTION_TOLERANCE,
    iterations: int = MOST_ITERATIONS,
    stable: bool = True,
    progress: bool | None = False,
) -> Results:
    """Finds the stable equilibrium at rest in load steps; returns one sample of the chosen outputs per step.

    time:      at which drives are evaluated [s]. The time of the simulation is unchanged: a subsequent run starts
               there, with its drives at that time.
    steps:     number of load steps, each recorded.
    along:     the quantity incremented in equal parts: "loads", a factor from 0 to 1 on all forces, couples and
               weights, recorded instead of time; or "time", from 0 to `time`, where the drives define the loading
               (loads given as ramps).
    tolerance: of the last correction, relative to the size of the mechanism and in rad.
    iterations: maximum number of Newton iterations per attempt.
    stable:    whether to leave an unstable equilibrium (`stability`) and search for a stable one; False: accept any
               equilibrium near the initial pose.

    progress:  whether to show a progress bar; None: a bar on a terminal, a line elsewhere.

    A load step whose iterations fail is halved, down to a thousandth, and lengthened again on success. Corrections
    larger than a quarter of the size of the mechanism, or 0.25 rad, are shortened. If Newton's method finds no (stable)
    equilibrium, scalar states are integrated from the start of the load step with growing time steps
    (`pseudo_transient`), and the mechanism relaxes by an overdamped motion (`relaxation`). Driven motions are stopped
    at their present value: a driven rotor is at rest, and the stability is that at rest. Its motion is found by
    `steady_rotation` or `periodic`; `modes` and `state_space` reject a simulation stopped in this way.
    `results.attrs.stability` is "stable", "neutral" or "unstable"; with `stable=True` there is a warning unless it is
    "stable". Elements that relate rates (gears, locks, shafts with windup) relate the changes of the pose from the
    start (`samara.solve.mechanism.at_rest`). If there is no equilibrium, the error names the joint or node that keeps
    moving, and the unconstrained direction. The simulation is left in the equilibrium: pass a `Simulation` to continue
    from there with `transient`. After an error it is unchanged, bit for bit.
    """
    time, steps = finite("static: time", time), whole("static: steps", steps, most=MOST_LOAD_STEPS)
    tolerance, iterations = fraction("static: tolerance", tolerance), whole("static: iterations", iterations)
    if one_of("static: along", along, ("loads", "time")) == "time" and time == 0.0:
        raise ArgumentError("static: along='time' runs from 0 to `time`: give a non-zero time")
    stable = arguments.yes_or_no("static: stable", stable)
    progress = None if progress is None else arguments.yes_or_no("static: progress", progress)
    patterns = arguments.outputs("static: outputs", outputs)
    sim = as_simulation("static", model)
    with sim.alone(), rolled_back_on_error(sim):
        path = LoadPath(sim, time, along == "time", tolerance, iterations, stable)
        with CountProgress(steps, sim.model.name, things="load steps", enabled=progress) as bar:
            results = _solved(path, steps, patterns, bar)
    if stable:
        for words in (*_sticking(sim), *_doubtful(path.stability)):
            warnings.warn(f"model {sim.model.name!r}: {words}", stacklevel=2)
    return results


def equilibrium(sim: Simulation, stable: bool) -> LoadPath:
    """Brings a simulation to static equilibrium as `static` does, without records and warnings."""
    with sim.alone(), rolled_back_on_error(sim):
        path = LoadPath(sim, 0.0, False, CORRECTION_TOLERANCE, MOST_ITERATIONS, stable)
        _solved(path, 1, ("model.violation",), None)
    return path


def _doubtful(found: Stability) -> list[str]:
    """A sentence on an equilibrium that is not stable."""
    return [f"the equilibrium is {found}; {REMEDIES[found.verdict]}"] if found.verdict in REMEDIES else []


def _sticking(sim: Simulation) -> list[str]:
    """Sentences on elements that may stick or slide."""
    layout, first, loose = sim.system.layout, 6 * len(sim.system.layout.free), set[str]()
    if followers(sim).size:
        with sim.state.kept():
            loose = {layout.states[k - first].name for k in at_rest(sim).loose}
    return [
        f"{e.name!r} ({type(e).__name__}) sticks or slides: its load at rest is undetermined, since it "
        f"depends on the loading history; here it keeps its initial load. Constrain parts that must not "
        f"move by a joint or a Lock, or run a damped transient until it settles"
        for e in sim.model.elements.values()
        if has_friction(e) or loose & {state.name for state in e.owned.values()}
    ]


def _solved(path: LoadPath, steps: int, patterns: tuple[str, ...], bar: Progress | None) -> Results:
    sim = path.sim
    s = sim.system
    drop(sim)
    s.state.twists, s.state.accelerations = 0.0, 0.0
    assemble(sim, balance=False)
    s.state.twists, s.state.accelerations = 0.0, 0.0
    check_locks(sim)
    path.begin()
    channels, columns = chosen(s, patterns)
    recorder = Recorder(channels, expected_rows=steps)
    message = ""
    for k in range(1, steps + 1):
        message = path.go(k / steps, 1.0 / steps) or path.keep() or below_floor(sim, "would be at", "at rest")
        times, rows = recorder.room(1)
        measure_at_rest(sim.machine)
        rows[0] = s.arrays.out[columns]
        share_reactions(sim, columns, rows[0])
        rows[0, columns == s.arrays.out.size - 1] = _gap(sim)
        times[0] = path.time if steps == 1 else path.at * path.time if path.along_time else path.at
        recorder.commit(1)
        if message:
            break
        if bar is not None:
            bar.update(k)
    if not message and not path.stable:
        path.stability = stability_under_load(sim)
    results = Results.from_recorder(recorder, _attrs(path, steps, message))
    clock = sim.memory.clock
    clock.started, clock.step, sim.memory.trust.factored_for = False, 0.0, 0.0  # what follows starts anew from here
    if message:
        raise Diverged(message, results)
    return results


def _gap(sim: Simulation) -> float:
    """Largest violation of a constraint of poses: a rate that is prescribed is none at rest."""
    rows = remains(sim)[sim.system.layout.coordinates :]
    if sim.system.releases is not None:
        rows = rows + sim.system.releases.give * sim.state.multipliers
    return float(np.abs(rows).max(initial=0.0))


def _attrs(path: LoadPath, steps: int, message: str) -> RunAttrs:
    model, done = path.sim.model, int(path.sim.counters[Counter.ITERATIONS])
    return RunAttrs(
        model=model.name,
        parameters=path.sim.system.parameters.recorded(),
        integrator="static",
        options={
            "tolerance": path.tolerance,
            "steps": steps,
            "along": "time" if path.along_time else "loads",
            "stable": path.stable,
        },
        counters={"iterations": done, "halvings": path.halvings, "relaxations": path.relaxed, "settled": path.settled},
        analyses=("static",),
        status="failed" if message else "completed",
        message=message,
        stability="" if message else path.stability.verdict,
        stand_in=model.stand_in,
        scene=scene_of(path.sim.system, channels(path.sim.system)[0]),
    )
