"""How long a run is, how finely, and what is kept of it, in one record; checked here alone."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import InitVar, dataclass, replace
from typing import Any

from samara.method.fields import COUNT, FRACTION, PATTERNS, POSITIVE, check, fields_of, setting

#: Part of a step by which a run may be shorter than it: rounding of the time that it starts at.
END_ROUNDING = 1e-6
#: Steps of one run, at most: a thousand million take an hour and more for the smallest models.
MOST_STEPS = 1e9
#: Part of a run below which a step is lost in the rounding of its time.
SHORTEST_PART = 1e-15


@dataclass(frozen=True)
class Timeline:
    """How long a run is, how finely, and what is kept of it.

    end:      simulated time at which it stops [s], rounded to whole steps.
    step:     fixed time step [s]; or give `accuracy` instead and the step follows the local error (relative to the size
              of the mechanism, and in rad, per step). Give both to have records a `step` apart, by dense output between
              the steps that the accuracy chooses.
    every:    record every n-th step.
    outputs:  names or patterns of what to record ("bob.position", "*.force"); everything by default.
    """

    end: float | None = setting(None, POSITIVE, "simulated time at which to stop [s]", metavar="S")
    step: float | None = setting(None, POSITIVE, "fixed time step [s]; with an accuracy, of records", metavar="S")
    accuracy: float | None = setting(
        None, FRACTION, "let the step follow this local error per step (of the size of the mechanism, and in rad)",
        metavar="A",
    )  # fmt: skip
    every: int = setting(1, COUNT, "record every N-th step (fixed step only)", metavar="N")
    outputs: tuple[str, ...] = setting(("*",), PATTERNS, 'channels to record, such as "*.angle"', metavar="PATTERN")
    who: InitVar[str] = "Timeline"

    def __post_init__(self, who: str) -> None:
        from samara.arguments import ArgumentError

        check(self, who)
        if self.step is None and self.accuracy is not None and self.every != 1:
            raise ArgumentError(
                f"{who}: every = {self.every} needs a fixed step: with an accuracy steps are of many sizes, and all "
                "are recorded; leave it out"
            )
        if self.step is None or self.end is None:
            return
        if self.step < SHORTEST_PART * self.end:
            raise ArgumentError(
                f"{who}: step = {self.step:g} s is too short for a run of {self.end:g} s: its time would stand still"
            )
        self.require_room(who, 0.0)

    def with_fields(self, given: Mapping[str, Any], who: str = "Timeline") -> Timeline:
        """The same with those of these values that are its fields, and that are not None.

        With an accuracy, the steps that follow it are recorded, unless a step is given, too.
        """
        chosen = fields_of(Timeline, given)
        if "accuracy" in chosen:
            chosen = {"step": None, **chosen}
        return replace(self, who=who, **chosen)

    @property
    def fixed_step(self) -> float | None:
        """Of a run that follows no accuracy [s]."""
        return self.step if self.accuracy is None else None

    @property
    def thinned(self) -> int:
        """Every which step is recorded."""
        return self.every if self.accuracy is None else 1

    @property
    def interval(self) -> float:
        """Of records between steps that follow an accuracy [s]; 0: steps are recorded."""
        return 0.0 if self.accuracy is None or self.step is None else self.every * self.step

    def require(self, who: str, fixed: bool = False) -> Timeline:
        """The same, if it says how long and how finely; fixed: whether a run at an accuracy is refused."""
        from samara.arguments import ArgumentError

        if (self.step is None and self.accuracy is None) or (fixed and self.accuracy is not None):
            words = "a fixed step" if fixed else "either a fixed step or an accuracy"
            raise ArgumentError(f"{who}: give {words}")
        if self.end is None:
            raise ArgumentError(f"{who}: give end, the simulated time at which it stops [s]")
        return self

    def require_room(self, who: str, start: float) -> None:
        """Refuses a run that ends before it begins, or before its first step does."""
        from samara.arguments import ArgumentError

        end, step = self.end or 0.0, self.fixed_step
        if end <= start:
            raise ArgumentError(f"{who}: end = {end:g} s is not after the present time, {start:g} s")
        if step is not None and end - start < (1.0 - END_ROUNDING) * step:
            raise ArgumentError(
                f"{who}: step = {step:g} s is longer than the whole run, {end - start:g} s: shorten it, or end later"
            )

    def require_end_in_sight(self, who: str, start: float, width: int) -> None:
        """Refuses a run of more steps than anybody waits for, and one whose records no memory holds.

        width: numbers of a record.
        """
        from samara.arguments import ArgumentError

        if self.step is None:
            return
        steps = ((self.end or 0.0) - start) / self.step
        if steps > MOST_STEPS:
            raise ArgumentError(
                f"{who}: {steps:.3g} steps of {self.step:g} s to the end at {self.end:g} s: more than {MOST_STEPS:.0e} "
                "are no run to wait for; take a longer step, or reach the end in several runs of one Simulation"
            )
        size, there = 8.0 * (width + 1) * steps / self.every, physical_memory()
        if size > there:
            raise ArgumentError(
                f"{who}: {steps / self.every:.3g} records of {width} numbers are {size / 2**30:.3g} GiB, and this "
                f"machine has {there / 2**30:.3g} GiB: record fewer outputs, or every n-th step (every=n)"
            )


def physical_memory() -> float:
    """Of this machine [bytes]; infinite where it does not tell."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError, OSError):
        return float("inf")
