"""The sweep itself: which variants are missing, who carries them out, what is kept of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any, Literal, Unpack

from samara import arguments
from samara.method.given import AllFields, records
from samara.method.method import Method
from samara.method.timeline import Timeline
from samara.model import ArgumentError
from samara.results.progress import CountProgress
from samara.sweep.errors import SweepError, SweepInterrupted
from samara.sweep.results import SweepResults, assemble_results
from samara.sweep.storage.definition import definition
from samara.sweep.storage.store import Store
from samara.sweep.study import RunSettings, Study, learnt_units, make_study
from samara.sweep.variants import Variants
from samara.sweep.workers.executors import Executor
from samara.sweep.workers.serial import Task


def sweep(
    make: Callable[..., Any],
    measure: Callable[[Any], Any],
    variants: Variants,
    *,
    method: Method | None = None,
    timeline: Timeline | None = None,
    analysis: Literal["transient", "static"] = "transient",
    workers: int | None = None,
    scheduler: str | None = None,
    store: str | os.PathLike[str] | None = None,
    again: bool = False,
    retries: int = 2,
    timeout: float | None = None,
    units: Mapping[str, str] | None = None,
    name: str = "",
    progress: bool | None = None,
    **given: Unpack[AllFields],
) -> SweepResults:
    """Makes, runs and measures every variant, and returns what was measured as labelled arrays.

    make:      called with those values of a variant that it has arguments for; returns a Model. All other names are
               named parameters of that model, and are set without building or compiling it again.
    measure:   returns a number, or {name: number or array}. With `end` it gets the `Results` of a transient run;
               without, the `Simulation` at its start, for a run, modes or whatever it likes. What `make` returns
               instead of a Model is handed on as it is.
    variants:  `grid`, `listed` or `latin_hypercube`.
    method, timeline: of the run, as in `transient`, or their fields by name: end, step, formulation, tolerance, ...
    analysis:  "static": a run is a static solution, `step` that part of the load which each load step adds.
    workers:   processes on this machine; this one alone by default.
    scheduler: address of a Dask scheduler, "tls://host:8786": whoever reaches it runs code as this user, see Security.
               "local" is `workers` on this machine, one for each core if nothing is said.
    store:     folder in which every finished variant is kept at once; a sweep with the same store does what is missing.
    again:     whether variants that failed before are tried again.
    retries:   how often a variant is tried again after the process that had it died.
    timeout:   for one variant [s], what is compiled for it included; needs `workers`, 1 if nothing is said.
    units:     of parameters and measures, where they are not known from the model.
    name:      of the sweep, above its plots and its progress line.

    A variant that fails is nan in the results, with its cause: the sweep goes on. Ctrl-C raises `SweepInterrupted`,
    whose `results` hold what is done. What ends a sweep otherwise is a `SweepError`.
    """
    if not isinstance(variants, Variants):
        raise ArgumentError(f"sweep: variants must be those of grid, listed or latin_hypercube, got {variants!r}")
    run = _run_settings(*records(sweep, method, timeline, given), analysis)
    _check(units, name, again, progress)
    executor = Executor(workers, scheduler, timeout, retries)
    study = make_study(make, measure, run, variants)
    meaning = {} if store is None else definition(study)  # before anything of it is called, which may change it
    known = {**learnt_units(study, variants), **(units or {})}
    with closing(Store(store, meaning)) as kept:

        def results() -> SweepResults:
            return assemble_results(variants, [kept.done.get(key) for key in variants.keys], known, name)

        try:
            _carry_out(executor, study, _missing(study, variants, kept, again), kept, name, progress)
        except KeyboardInterrupt:
            raise SweepInterrupted(f"interrupted: {_state(kept, variants)}", results()) from None
        except SweepError as error:
            raise SweepError(f"{error}; {_state(kept, variants)}" if kept.done else str(error)) from error
        return results()


def _missing(study: Study, variants: Variants, kept: Store, again: bool) -> list[Task]:
    """What is not done yet; variants of one and the same model follow each other, for it is compiled once."""
    missing: list[Task] = [
        (number, values)
        for number, (key, values) in enumerate(zip(variants.keys, variants, strict=True))
        if key not in kept.done or (again and kept.done[key].cause)
    ]
    return sorted(missing, key=lambda task: repr(sorted(study.split(task[1])[0].items())))


def _carry_out(
    executor: Executor, study: Study, missing: list[Task], kept: Store, name: str, progress: bool | None
) -> None:
    """Does what is missing, and keeps each variant at once."""
    if not missing:
        return
    values, done, failed = dict(missing), 0, 0
    with (
        CountProgress(len(missing), name or "sweep", enabled=progress, things="variants") as bar,
        closing(executor.carry_out(study, missing)) as arriving,  # type: ignore[type-var]
    ):
        for number, finished in arriving:
            kept.add(values[number], finished)
            done, failed = done + 1, failed + bool(finished.cause)
            bar.update(done, **({"failed": failed} if failed else {}))


def _state(kept: Store, variants: Variants) -> str:
    """How far a sweep is, and how to go on."""
    count = sum(key in kept.done for key in variants.keys)
    so_far = f"{count} of {len(variants)} variants are done"
    if kept.folder is None:
        return f"{so_far}; with a store, the same call would go on from there"
    return f"{so_far} and kept in {kept.folder}: the same call goes on from there"


def _check(units: Any, name: Any, again: Any, progress: Any) -> None:
    if units is not None and not (
        isinstance(units, Mapping) and all(isinstance(word, str) for pair in units.items() for word in pair)
    ):
        raise ArgumentError(f"sweep: units must be texts by name, such as {{'speed': 'rad/s'}}, got {units!r}")
    if not isinstance(name, str):
        raise ArgumentError(f"sweep: name must be a string, got {name!r}")
    arguments.yes_or_no("sweep: again", again)
    if progress is not None:
        arguments.yes_or_no("sweep: progress", progress)


def _run_settings(method: Method | None, timeline: Timeline, analysis: Literal["transient", "static"]) -> RunSettings:
    """What does not go together is refused before any work."""
    arguments.one_of("sweep: analysis", analysis, ("transient", "static"))
    method = method or Method()
    if analysis == "static":
        if method.formulation == "recursive":
            raise ArgumentError("sweep: a static analysis uses the redundant formulation: omit formulation")
    elif timeline.end is not None:
        timeline.require("sweep")
    else:
        for what, value in (("step", timeline.step), ("accuracy", timeline.accuracy)):
            if value is not None:
                raise ArgumentError(f"sweep: {what} is that of a run: give end too, or leave it out")
    return RunSettings(method if timeline.accuracy is None else method.for_accuracy(), timeline, analysis)
