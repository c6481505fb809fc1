"""End, step and recorded outputs of a run: one record, validated here only."""

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
    """End, step and recorded outputs of a run.

    end:      simulated time at which the run stops [s], rounded to whole steps.
    step:     fixed time step [s]. With `accuracy` instead, the step adapts to the local error per step (relative to the
              size of the mechanism, and in rad). With both, records are a `step` apart, interpolated by dense output
              between the adaptive steps.
    every:    record every n-th step only.
    outputs:  names or patterns of the channels to record ("bob.position", "*.force"); all by default.
    """

    end: float | None = setting(None, POSITIVE, "simulated time at which to stop [s]", metavar="S")
    step: float | None = setting(
        None, POSITIVE, "fixed time step [s]; with --accuracy, the interval of the records", metavar="S"
    )
    accuracy: float | None = setting(
        None, FRACTION, "adapt the step to this local error per step (relative to the size of the "
    "mechanism, and in rad)",
        metavar="A",
    )  # fmt: skip
    every: int = setting(1, COUNT, "record every N-th step only (fixed step)", metavar="N")
    outputs: tuple[str, ...] = setting(("*",), PATTERNS, 'channels to record, such as "*.angle"', metavar="PATTERN")
    who: InitVar[str] = "Timeline"

    def __post_init__(self, who: str) -> None:
        from samara.arguments import ArgumentError

        check(self, who)
        if self.step is None and self.accuracy is not None and self.every != 1:
            raise ArgumentError(
                f"{who}: every = {self.every} needs a fixed step: adaptive steps (accuracy) are all "
                f"recorded; omit every, or give step as well"
            )
        if self.step is None or self.end is None:
            return
        if self.step < SHORTEST_PART * self.end:
            raise ArgumentError(
                f"{who}: step = {self.step:g} s is too short for a run of {self.end:g} s: time would "
                f"not advance within rounding error; use a longer step"
            )
        self.require_room(who, 0.0)

    def with_fields(self, given: Mapping[str, Any], who: str = "Timeline") -> Timeline:
        """A copy with these values; names that are not fields, and None, are ignored.

        An accuracy removes the fixed step, unless a step is given too.
        """
        chosen = fields_of(Timeline, given)
        if "accuracy" in chosen:
            chosen = {"step": None, **chosen}
        return replace(self, who=who, **chosen)

    @property
    def fixed_step(self) -> float | None:
        """The step of a run without accuracy [s]; None with one."""
        return self.step if self.accuracy is None else None

    @property
    def thinned(self) -> int:
        """Every n-th step is recorded: this n."""
        return self.every if self.accuracy is None else 1

    @property
    def interval(self) -> float:
        """Interval of the records with adaptive steps [s]; 0: every step is recorded."""
        return 0.0 if self.accuracy is None or self.step is None else self.every * self.step

    def require(self, who: str, fixed: bool = False) -> Timeline:
        """This record, if end and step are given; fixed: whether adaptive steps are rejected."""
        from samara.arguments import ArgumentError

        if (self.step is None and self.accuracy is None) or (fixed and self.accuracy is not None):
            words = "a fixed step" if fixed else "either a fixed step or an accuracy"
            raise ArgumentError(f"{who}: give {words}")
        if self.end is None:
            raise ArgumentError(f"{who}: give end, the simulated time at which the run stops [s]")
        return self

    def require_room(self, who: str, start: float) -> None:
        """Rejects a run that ends before it begins, or within its first step."""
        from samara.arguments import ArgumentError

        end, step = self.end or 0.0, self.fixed_step
        if end <= start:
            raise ArgumentError(f"{who}: end = {end:g} s is not after the present time, {start:g} s")
        if step is not None and end - start < (1.0 - END_ROUNDING) * step:
            raise ArgumentError(
                f"{who}: step = {step:g} s is longer than the whole run, {end - start:g} s: use a "
                f"shorter step or a later end"
            )

    def require_end_in_sight(self, who: str, start: float, width: int) -> None:
        """Rejects a run with too many steps, or whose records exceed the memory.

        width: numbers per record.
        """
        from samara.arguments import ArgumentError

        if self.step is None:
            return
        steps = ((self.end or 0.0) - start) / self.step
        if steps > MOST_STEPS:
            raise ArgumentError(
                f"{who}: {steps:.3g} steps of {self.step:g} s to the end at {self.end:g} s exceed the "
                f"limit of {MOST_STEPS:.0e}: use a longer step, or several runs of one Simulation"
            )
        size, there = 8.0 * (width + 1) * steps / self.every, physical_memory()
        if size > there:
            raise ArgumentError(
                f"{who}: {steps / self.every:.3g} records of {width} numbers need {size / 2**30:.3g} "
                f"GiB, but this machine has {there / 2**30:.3g} GiB: record fewer outputs, or every n-th step (every=n)"
            )


def physical_memory() -> float:
    """Physical memory of this machine [bytes]; infinite if unknown."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError, OSError):
        return float("inf")
