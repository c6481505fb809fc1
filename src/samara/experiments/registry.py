"""Definition of an experiment: a run, its findings, and its figure."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from samara.models.registry import Argument, Value, arguments_of, look_up

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from samara.results import Results


@dataclass(frozen=True)
class Finding:
    """A measured number; `expected` describes the value it is compared with ("" for none)."""

    name: str
    value: float
    unit: str
    expected: str = ""


@dataclass(frozen=True)
class Sheet:
    """Rows of numbers under their names; the first and last columns may contain text; nan marks unknown values."""

    head: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    def __getitem__(self, name: str) -> list[Any]:
        """A column."""
        return [row[self.head.index(name)] for row in self.rows]


@dataclass(frozen=True)
class Outcome:
    """Result of a run: results, findings, and a function that draws its figure.

    sheet: a table of computed values with those they are compared with, or of a sweep; results are then those of its
    last row. problem: why the run is not the one requested, in a sentence; "" if it is. figures: for an experiment
    with several, functions that draw them, by name; `draw` is then that of the main one.
    """

    results: Results
    findings: tuple[Finding, ...]
    draw: Callable[[], Figure]
    sheet: Sheet | None = None
    problem: str = ""
    figures: Mapping[str, Callable[[], Figure]] = field(default_factory=dict)

    def __getitem__(self, name: str) -> float:
        """The finding with that name."""
        for finding in self.findings:
            if finding.name == name:
                return finding.value
        raise KeyError(f"{name!r}; there are {', '.join(f.name for f in self.findings)}")


@dataclass(frozen=True)
class Experiment:
    """A run by name.

    source: where the original is published; stand_in: which data are made up. run: its keyword arguments, if any,
    are annotated like those of a ready model's builder, ``Annotated[int, Quantity("1", "steps per turn")]``. figures:
    names of its figures if it has several.
    """

    name: str
    description: str
    source: str
    run: Callable[..., Outcome]
    stand_in: str = ""
    figures: tuple[str, ...] = ()

    @functools.cached_property
    def arguments(self) -> dict[str, Argument]:
        """Arguments of `run`, by name."""
        return arguments_of(self.run)

    def settings(self, given: Mapping[str, Any]) -> dict[str, Value]:
        """Converts values or texts to arguments of `run`; a `ModelError` names invalid ones."""
        return {name: look_up(self.arguments, name, f"setting of {self.name}").check(v) for name, v in given.items()}
