"""`samara run`: simulates a model and keeps the results, also of a run that fails."""

from __future__ import annotations

import argparse
import math
import sys
import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from samara.cli.pictures import keep_pictures, require_pictures
from samara.cli.report import FAILED, INTERRUPTED, CommandError, one_line, print_json
from samara.cli.settings import run_fields, words
from samara.cli.target import Target, load
from samara.method.timeline import Timeline
from samara.models import load_steps
from samara.results import Channels, Results, UnknownChannelError
from samara.results.netcdf import require_folder, require_results_file
from samara.results.plotting import MOST_AXES
from samara.solve import ChangedStart, Diverged, Interrupted, NotSaved, Simulation, SolveError, static, transient
from samara.solve.files import trouble
from samara.solve.measures import chosen
from samara.tracing.compiling import COMPILING

#: What a run records unless it is told how much [bytes].
MOST_BYTES = 200e6
EXIT_CODES = {"completed": 0, "failed": FAILED, "interrupted": INTERRUPTED}


@dataclass(frozen=True)
class TimedRun:
    """Results and how long they took [s]: to compile, to prepare besides, and to run."""

    results: Results
    compiled: float
    prepared: float
    ran: float
    trouble: str = ""  # a file that could not be written
    leads: bool = True  # whether this process, of those that run together, prints and writes

    @property
    def simulated(self) -> float:
        """Simulated time that was recorded [s]; none of a static solution."""
        times = self.results.time
        if self.results.attrs.integrator == "static":
            return 0.0
        return float(times[-1] - times[0]) if len(times) else 0.0

    @property
    def ratio(self) -> float | None:
        """Real time for a simulated second."""
        return self.ran / self.simulated if self.simulated else None


def main(args: argparse.Namespace) -> int:
    """Runs a model; exit code 0, 1 when the run failed, 130 when it was interrupted."""
    _require_files(args)
    target = load(args.name, args.settings, args.redundant)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ChangedStart)  # printed among the results
        outcome = _simulate(target, args)
    if not outcome.leads:
        return EXIT_CODES[outcome.results.attrs.status]
    files, troubles = _keep(target, outcome, args)
    status = outcome.results.attrs.status
    if args.json:
        print_json(_document(outcome, files))
    elif not args.quiet:
        print(_page(outcome, files, target.plot))
    if status != "completed":
        print(f"samara run: {one_line(Exception(outcome.results.attrs.message))}", file=sys.stderr)
    for missed in troubles:
        print(f"samara run: {missed}", file=sys.stderr)
    return EXIT_CODES[status] or (FAILED if troubles else 0)


def _require_files(args: argparse.Namespace) -> None:
    """Refuses files that cannot be read or written before any work is done."""
    if args.save:
        require_results_file(Path(args.save))
    if args.checkpoint:
        require_folder(Path(args.checkpoint))
    require_pictures(args.plot, args.animate, ())
    if args.resume and not Path(args.resume).is_file():
        raise CommandError(f"--resume {args.resume}: no such file")


def _load(target: Target, args: argparse.Namespace) -> TimedRun:
    """Static solution in load steps, for a model that is meant for it."""
    given = [name for name in run_fields(args) if name not in ("step", "tolerance", "outputs")]
    given += [name for name in ("checkpoint", "resume") if getattr(args, name)]
    if given:
        raise CommandError(f"{target.name} is a static model, not run in time: omit {', '.join(words(args, given))}")
    fields = _fields(args)
    method, timeline = target.method_of(fields), target.timeline_of(fields)
    began, compiled = time.perf_counter(), COMPILING.seconds
    try:
        sim = Simulation(target.model)
        results = static(
            sim, steps=load_steps(timeline.step or 1.0), outputs=timeline.outputs, tolerance=method.tolerance
        )
    except Diverged as stop:
        if stop.results is None:
            raise
        results = stop.results
    except SolveError as error:
        raise CommandError(one_line(error), FAILED) from error
    return _outcome(_with_values(target, results), began, compiled)


def _outcome(results: Results, began: float, compiled: float, missed: str = "") -> TimedRun:
    """The times apart; began: when [s], compiled: what had been spent on compiling until then [s]."""
    passed, compiled = time.perf_counter() - began, COMPILING.seconds - compiled
    ran = float(results.attrs.counters.get("seconds", passed - compiled))
    return TimedRun(results, compiled, max(passed - compiled - ran, 0.0), ran, missed)


def _simulate(target: Target, args: argparse.Namespace) -> TimedRun:
    if target.analysis == "static":
        return _load(target, args)
    given, missed = _fields(args), ""
    method, timeline = target.method_of(given), target.timeline_of(given)
    began, compiled = time.perf_counter(), COMPILING.seconds
    try:
        sim = Simulation(target.model, method=method.for_accuracy() if timeline.accuracy else method)
        timeline = _thinned(sim, timeline, given)
        results = transient(
            sim,
            timeline=timeline,
            checkpoint=args.checkpoint,
            resume=args.resume,
            progress=False if args.quiet or args.json else None,
            dump=Path(args.save).with_suffix(".dump.npz") if args.save else None,
        )
    except (Diverged, Interrupted, NotSaved) as stop:
        if stop.results is None:
            raise
        results = stop.results
        missed = one_line(stop) if isinstance(stop, NotSaved) else ""
    except SolveError as error:
        raise CommandError(one_line(error), FAILED) from error
    return replace(_outcome(_with_values(target, results), began, compiled, missed), leads=sim.leads)


def _thinned(sim: Simulation, timeline: Timeline, given: Mapping[str, Any]) -> Timeline:
    """The same with fewer steps recorded where all would take too much, and nobody said how many; this is told."""
    if "every" in given or "outputs" in given or timeline.fixed_step is None or timeline.end is None:
        return timeline
    columns = 1 + chosen(sim.system, timeline.outputs)[0].width
    size = 8.0 * columns * timeline.end / timeline.fixed_step / timeline.every
    if size <= MOST_BYTES:
        return timeline
    every = timeline.every * math.ceil(size / MOST_BYTES)
    print(
        f"samara run: records one step in {every}: {columns} columns at every step would take {size * 1e-9:.2g} GB; "
        "--every 1 keeps them, --outputs chooses channels",
        file=sys.stderr,
    )
    return replace(timeline, every=every)


def _fields(args: argparse.Namespace) -> dict[str, Any]:
    """Fields of method and timeline that were given; of outputs also those without which nothing is seen to move."""
    found = run_fields(args)
    if args.animate is not None and "outputs" in found:
        found["outputs"] = [*found["outputs"], "*.position", "*.rotation"]
    return found


def _with_values(target: Target, results: Results) -> Results:
    """The same, with the numbers that the model was built of among its parameters."""
    attrs = replace(results.attrs, parameters={**target.values, **results.attrs.parameters})
    return Results(results.channels, results.time, results.table, attrs)


def _keep(target: Target, outcome: TimedRun, args: argparse.Namespace) -> tuple[dict[str, str], list[str]]:
    """Writes what was asked for; {what: file}, and what could not be written, a sentence each."""
    files: dict[str, str] = {}
    results = outcome.results
    troubles = [outcome.trouble] if outcome.trouble else []
    if args.save:
        missed = trouble(args.save, lambda: results.save(args.save))
        files |= {} if missed else {"save": args.save}
        troubles += missed
    shown = len(results) > 0
    made, missed = keep_pictures(
        plot=(
            _named(args.plot, target, "png", shown),
            lambda name: results.plot(*_curves(target, results, args.outputs), path=name),
        ),
        animate=(_named(args.animate, target, "html", shown), results.animate),
    )
    files |= made
    troubles += missed
    if args.checkpoint and not outcome.trouble and Path(args.checkpoint).exists():
        files["checkpoint"] = args.checkpoint
    return files, troubles


def _named(given: str | None, target: Target, ending: str, shown: bool) -> str | None:
    """The file that was asked for, by its name or by the model's."""
    return (given or f"{target.name}.{ending}") if shown and given is not None else None


def _curves(target: Target, results: Results, outputs: list[str] | None) -> tuple[str, ...]:
    """What to draw: what was asked for, else what shows the motion, else positions; as much as a figure takes."""
    recorded = results.channels
    if outputs or target.plot:
        return recorded.select(*(outputs or target.plot)).names[:MOST_AXES]
    positions = tuple(name for name in recorded.names if name.endswith(".position"))
    return (positions or recorded.names)[:8]


def _matching(results: Results, pattern: str) -> Channels:
    """The channels of a pattern of the model's, as far as they were recorded."""
    try:
        return results.channels.select(pattern)
    except UnknownChannelError:
        return Channels()


def _page(outcome: TimedRun, files: dict[str, str], plot: Sequence[str] = ()) -> str:
    results = outcome.results
    lines = [results.summary(first=[c.name for name in plot for c in _matching(results, name)]), ""]
    compiled = f", {outcome.compiled:.2g} s to compile, first run only" if outcome.compiled else ""
    if outcome.ratio is not None:
        lines.append(
            f"{outcome.simulated:g} s simulated in {outcome.ran:.3g} s: real/simulated = {outcome.ratio:.3g} "
            f"(and {outcome.prepared:.2g} s to prepare{compiled})"
        )
    words = {"save": "results in", "plot": "plot in", "animate": "animation in", "checkpoint": "checkpoint in"}
    return "\n".join(lines + [f"{words[what]} {path}" for what, path in files.items()])


def _document(outcome: TimedRun, files: dict[str, str]) -> dict[str, Any]:
    results, attrs = outcome.results, outcome.results.attrs
    return {
        "model": attrs.model,
        "status": attrs.status,
        "message": attrs.message,
        "stability": attrs.stability,
        "notes": list(attrs.notes),
        "samples": len(results),
        "start": results.time[0] if len(results) else None,
        "end": results.time[-1] if len(results) else None,
        "integrator": attrs.integrator,
        "options": dict(attrs.options),
        "counters": dict(attrs.counters),
        "parameters": {name: {"value": value, "unit": unit} for name, (value, unit) in attrs.parameters.items()},
        "seconds_to_compile": outcome.compiled,
        "seconds_to_prepare": outcome.prepared,
        "seconds_to_run": outcome.ran,
        "real_over_simulated": outcome.ratio,
        "channels": [_range(results, channel) for channel in results.channels],
        "files": files,
        "stand_in": attrs.stand_in,
        "version": attrs.version,
    }


def _range(results: Results, channel: Any) -> dict[str, Any]:
    values = results[channel.name]
    finite = values[np.isfinite(values)]
    return {
        "name": channel.name,
        "unit": channel.unit,
        "components": list(channel.components),
        "minimum": float(finite.min()) if finite.size else None,
        "maximum": float(finite.max()) if finite.size else None,
        "last": values[-1] if len(values) else None,
    }
