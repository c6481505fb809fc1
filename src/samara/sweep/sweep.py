"""The sweep itself: which variants are missing, who carries them out, what is kept of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, Literal

from samara import arguments
from samara.model import ArgumentError
from samara.results.progress import CountProgress
from samara.solve.integrators import Integrator
from samara.solve.integrators.contract import check_scheme
from samara.solve.pace import pace
from samara.solve.settings.formulation import FORMULATIONS
from samara.solve.tree.schemes import DormandPrince, TreeIntegrator
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
    end: float | None = None,
    step: float | None = None,
    accuracy: float | None = None,
    integrator: Integrator | TreeIntegrator | None = None,
    formulation: str | None = None,
    cut: Sequence[str] = (),
    tolerance: float | None = None,
    outputs: str | tuple[str, ...] = ("*",),
    every: int = 1,
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
) -> SweepResults:
    """Makes, runs and measures every variant, and returns what was measured as labelled arrays.

    make:      called with those values of a variant that it has arguments for; returns a Model. All other names are
               named parameters of that model, and are set without building or compiling it again.
    measure:   returns a number, or {name: number or array}. With `end` it gets the `Results` of a transient run;
               without, the `Simulation` at its start, for a run, modes or whatever it likes. What `make` returns
               instead of a Model is handed on as it is.
    variants:  `grid`, `listed` or `latin_hypercube`.
    end, step, accuracy, integrator, formulation, cut, tolerance, outputs, every: of the run, see `transient`.
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
    run = _run_settings(end, step, accuracy, tolerance, outputs, every, analysis)
    run = replace(run, **_method(integrator, formulation, cut, run))
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
        raise ArgumentError(f"sweep: name must be a text, got {name!r}")
    arguments.yes_or_no("sweep: again", again)
    if progress is not None:
        arguments.yes_or_no("sweep: progress", progress)


def _run_settings(
    end: float | None,
    step: float | None,
    accuracy: float | None,
    tolerance: float | None,
    outputs: str | tuple[str, ...],
    every: int,
    analysis: Literal["transient", "static"],
) -> RunSettings:
    patterns = arguments.outputs("sweep: outputs", outputs)
    arguments.one_of("sweep: analysis", analysis, ("transient", "static"))
    if end is None:
        for what, value in (("step", step), ("accuracy", accuracy)):
            if value is not None and analysis == "transient":
                raise ArgumentError(f"sweep: {what} is that of a run: give end too, or leave it out")
    elif analysis == "transient":
        plan = pace("sweep", end, step, accuracy, every)
        end, step, accuracy, every = plan.end, plan.step, plan.accuracy, plan.every
    every = arguments.whole("sweep: every", every)
    tolerance = None if tolerance is None else arguments.fraction("sweep: tolerance", tolerance)
    return RunSettings(end, step, accuracy, None, tolerance, patterns, every, analysis)


def _method(
    integrator: Integrator | TreeIntegrator | None, formulation: str | None, cut: Sequence[str], run: RunSettings
) -> dict[str, Any]:
    """Formulation and integrator, as `transient` takes them: what does not go together is refused before any work."""
    if formulation is not None:
        arguments.one_of("sweep: formulation", formulation, FORMULATIONS)
    if integrator is not None and not isinstance(integrator, (Integrator, TreeIntegrator)):
        raise ArgumentError(f"sweep: integrator must be samara.TwoStep(rho_inf) or another one, got {integrator!r}")
    if isinstance(integrator, Integrator):
        check_scheme(integrator)
    joints = () if cut in ((), []) else arguments.names("sweep: cut", cut, "name a joint, or leave it out")
    if formulation == "recursive":
        if run.analysis == "static":
            raise ArgumentError("sweep: a static analysis takes the redundant formulation: leave formulation out")
        if integrator is None and run.accuracy is not None:
            integrator = DormandPrince()
    elif isinstance(integrator, TreeIntegrator):
        raise ArgumentError(
            f"sweep: {integrator.name}() is for trees: give formulation='recursive', or another integrator"
        )
    elif joints:
        raise ArgumentError("sweep: cut is for trees: give formulation='recursive' too, or leave it out")
    return {"integrator": integrator, "formulation": formulation, "cut": joints}
