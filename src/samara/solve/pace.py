"""How long, how finely and into which files a run is to go, as the user says it: checked before any work is done."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from samara.arguments import file_path, fraction, positive, whole
from samara.model import ArgumentError
from samara.results.netcdf import no_file, require_results_file
from samara.solve.errors import SolveError

#: Part of a step by which a run may be shorter than it: rounding of the time that it starts at.
END_ROUNDING = 1e-6
#: Steps of one run, at most: a thousand million take an hour and more for the smallest models.
MOST_STEPS = 1e9
#: Part of a run below which a step is lost in the rounding of its time.
SHORTEST_PART = 1e-15


class Pace(NamedTuple):
    """End [s], fixed step [s] or accuracy, and every which step is recorded."""

    end: float
    step: float | None
    accuracy: float | None
    every: int
    interval: float | None = None  # of records between steps that follow an accuracy


def pace(who: str, end: Any, step: Any, accuracy: Any = None, every: Any = 1, dense: bool = False) -> Pace:
    """The same as plain numbers; `who` asks, in errors.

    dense: whether both may be given: steps follow the accuracy, and records are a step apart.
    """
    if dense and step is not None and accuracy is not None:
        whole_steps = pace(who, end, step, None, every)
        interval = whole_steps.every * positive(f"{who}: step", step)
        return Pace(whole_steps.end, None, fraction(f"{who}: accuracy", accuracy), 1, interval)
    if (step is None) == (accuracy is None):
        raise ArgumentError(f"{who}: give either a fixed step or an accuracy")
    end, every = positive(f"{who}: end", end), whole(f"{who}: every", every)
    if step is None:
        if every != 1:
            raise ArgumentError(
                f"{who}: every = {every} needs a fixed step: with an accuracy steps are of many sizes, and all are "
                "recorded; leave it out"
            )
        return Pace(end, None, fraction(f"{who}: accuracy", accuracy), every)
    step = positive(f"{who}: step", step)
    if step < SHORTEST_PART * end:
        raise ArgumentError(f"{who}: step = {step:g} s is too short for a run of {end:g} s: its time would stand still")
    require_room(who, 0.0, end, step)
    return Pace(end, step, None, every)


def require_room(who: str, start: float, end: float, step: float | None) -> None:
    """Refuses a run that ends before it begins, or before its first step does."""
    if end <= start:
        raise ArgumentError(f"{who}: end = {end:g} s is not after the present time, {start:g} s")
    if step is not None and end - start < (1.0 - END_ROUNDING) * step:
        raise ArgumentError(
            f"{who}: step = {step:g} s is longer than the whole run, {end - start:g} s: shorten it, or end later"
        )


def require_end_in_sight(who: str, start: float, end: float, step: float | None, every: int, width: int) -> None:
    """Refuses a run of more steps than anybody waits for, and one whose records no memory holds.

    width: numbers of a record.
    """
    if step is None:
        return
    steps = (end - start) / step
    if steps > MOST_STEPS:
        raise ArgumentError(
            f"{who}: {steps:.3g} steps of {step:g} s to the end at {end:g} s: more than {MOST_STEPS:.0e} are no run to "
            f"wait for; take a longer step, or reach the end in several runs of one Simulation"
        )
    size, there = 8.0 * (width + 1) * steps / every, physical_memory()
    if size > there:
        raise ArgumentError(
            f"{who}: {steps / every:.3g} records of {width} numbers are {size / 2**30:.3g} GiB, and this machine has "
            f"{there / 2**30:.3g} GiB: record fewer outputs, or every n-th step (every=n)"
        )


def physical_memory() -> float:
    """Of this machine [bytes]; infinite where it does not tell."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError, OSError):
        return float("inf")


def require_files(who: str, save: Any, checkpoint: Any, dump: Any) -> None:
    """Refuses files that could not be written when the run ends, or that would replace each other."""
    asked = {"save": save, "checkpoint": checkpoint, "dump": dump}
    given = {name: file_path(f"{who}: {name}", path) for name, path in asked.items() if path is not None}
    for name, path in given.items():
        folder = path.absolute().parent
        if why := no_file(path):
            raise SolveError(f"{who}: {name}: {path} {why}")
        if not folder.is_dir():
            raise SolveError(f"{path} cannot be written: its folder does not exist; make it, or name another file")
        if not os.access(folder, os.W_OK | os.X_OK):
            raise SolveError(f"{path} cannot be written: its folder lets nobody write there; name another file")
    if "save" in given:
        require_results_file(given["save"])
    if len({path.absolute() for path in given.values()}) < len(given):
        raise ArgumentError(f"{who}: {' and '.join(given)} must be different files")
