"""Transient run: assemble, march, record; results are kept if it ends early."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Unpack

from samara import arguments
from samara.method.given import RunFields, records
from samara.method.method import Method
from samara.method.timeline import Timeline
from samara.model import ArgumentError, Model
from samara.results import Progress, Results
from samara.solve.as_simulation import as_simulation
from samara.solve.errors import Diverged, NotSaved
from samara.solve.files import require_files, trouble
from samara.solve.interrupt import noting_interrupts
from samara.solve.report.doubts import warn_of_doubts, warn_of_throws, warn_of_turns, warn_of_unresolved
from samara.solve.run import Run
from samara.solve.simulation import Simulation
from samara.solve.store.checkpoint import load_checkpoint, save_checkpoint
from samara.solve.store.transaction import rolled_back_on_error
from samara.solve.tree.schemes import TreeIntegrator
from samara.system.system import System


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a run; `results` holds everything up to that time."""

    def __init__(self, results: Results, troubles: Sequence[str] = ()) -> None:
        where = f"interrupted at t = {results.time[-1]:g} s" if len(results.time) else "interrupted"
        super().__init__("; ".join([where, *troubles]))
        self.results = results


def transient(
    model: Model | System | Simulation,
    end: float | None = None,
    step: float | None = None,
    *,
    method: Method | None = None,
    timeline: Timeline | None = None,
    save: str | Path | None = None,
    record: bool = False,
    checkpoint: str | Path | None = None,
    resume: str | Path | None = None,
    progress: bool | None = None,
    dump: str | Path | None = None,
    **given: Unpack[RunFields],
) -> Results:
    """Simulates a model until the time `end` [s], rounded to whole steps, and returns the recorded results.

    method:     how steps are taken, a `Method`; or its fields by name: formulation, integrator, tolerance, cut, ...
    timeline:   end, step and recorded outputs, a `Timeline`; or its fields: end, step, accuracy, every, outputs. Fields
                given by name override those of the records.
    save:       NetCDF file, written also when the run fails or is interrupted.
    record:     whether to write rows to disk during the run, to the file `save` with the suffix .chunks, so that they
                survive a killed run: see `Results.recover(save)`, or `samara record --recover`.
    checkpoint: file to write at the end of the run, successful or not; `resume` continues from it, bit for bit.
    dump:       file for the last 100 states if the run fails (default: next to `save`, else the temporary directory).

    Raises `Diverged` if no solution is found, `Interrupted` on Ctrl-C, `NotSaved` if a file cannot be written at the
    end; each has `.results`.
    """
    method, timeline = records(transient, method, timeline, {"end": end, "step": step, **given})
    timeline.require("transient")
    require_files("transient", save, checkpoint, dump)
    progress = None if progress is None else arguments.yes_or_no("transient: progress", progress)
    if arguments.yes_or_no("transient: record", record) and save is None:
        raise ArgumentError("transient: record=True writes next to the results file: give it too, save='run.nc'")
    resume = None if resume is None else arguments.file_path("transient: resume", resume)
    if method is not None and timeline.accuracy is not None:
        method = method.for_accuracy()
    sim = as_simulation("transient", model, method, trees=True, runs=True)
    require_estimate(sim, timeline.accuracy)
    if not sim.leads:
        save = checkpoint = dump = None
        progress = False
    run = Run(sim, timeline, dump, save, 4, records=record and sim.leads)
    if run.sampling is not None and (checkpoint is not None or resume is not None):
        run.sampling.require_kept("transient", sim.model.name)
    with sim.alone():
        if resume is not None:
            with rolled_back_on_error(sim):
                load_checkpoint(sim, resume)
                if run.sampling is not None:
                    run.sampling.require("transient", sim, run.step)
                timeline.require_room("transient", sim.time)
        return _carried_out(run, resume is None, progress, checkpoint)


def _carried_out(run: Run, fresh: bool, progress: bool | None, checkpoint: str | Path | None) -> Results:
    """Start, march and files; whatever happens, what was recorded comes back, as results or with the error."""
    sim, save = run.sim, run.save
    status, message, pressed = "completed", "", False
    failure: Diverged | None = None
    with ExitStack() as held:  # a Ctrl-C in the march waits for its step, later ones for the files
        held.push(run.let_go)
        try:
            run.start(fresh)
            interrupted = held.enter_context(noting_interrupts())
            with Progress(run.end, sim.model.name, enabled=progress, start_time=sim.time) as bar:
                run.march(bar, interrupted)
        except KeyboardInterrupt:
            held.enter_context(noting_interrupts())
            status, message, pressed = "interrupted", f"interrupted at t = {sim.time:g} s", True
        except Diverged as error:
            status, message, failure = "failed", str(error), error
        results = run.results(status, message)
        troubles = [] if save is None else trouble(save, lambda: results.save(save))
        if run.to_disk is not None:
            run.to_disk.end(keep=bool(troubles))
        if checkpoint is not None and run.ready and failure is None:
            troubles += trouble(checkpoint, lambda: save_checkpoint(sim, checkpoint))
        pressed = pressed or (failure is None and interrupted())
    if failure is not None:
        raise Diverged("; ".join([str(failure), *troubles]), results, failure.dump) from failure.__cause__
    if pressed:
        raise Interrupted(results, troubles) from None
    if troubles:
        raise NotSaved(f"model {sim.model.name!r} completed its run, but {'; '.join(troubles)}", results)
    warn_of_doubts(sim, results, run.stacklevel)
    warn_of_throws(sim, results, run.stacklevel)
    warn_of_turns(sim.model, float(sim.memory.clock.turn), run.stacklevel)
    warn_of_unresolved(sim.model, sim.scheme.name, sim.counters, run.stacklevel)
    return results


def require_estimate(sim: Simulation, accuracy: float | None) -> None:
    """Rejects an accuracy with an integrator that has no error estimate."""
    trees = sim.tree is not None
    if accuracy is None or (sim.integrator.adapts and (not trees or isinstance(sim.integrator, TreeIntegrator))):
        return
    other = "samara.DormandPrince()" if trees else "samara.TwoStep(rho_inf)"
    raise ArgumentError(
        f"transient: {sim.integrator.name} has no error estimate: use {other}, or give a step instead of an accuracy"
    )
