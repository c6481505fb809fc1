"""What an experiment is: a run, what was found, and its figure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from samara.results import Results


@dataclass(frozen=True)
class Finding:
    """A number that was measured; `expected` says in words what it is compared with ("" for nothing)."""

    name: str
    value: float
    unit: str
    expected: str = ""


@dataclass(frozen=True)
class Outcome:
    """What a run gave: results, findings, and a function that draws its figure."""

    results: Results
    findings: tuple[Finding, ...]
    draw: Callable[[], Figure]

    def __getitem__(self, name: str) -> float:
        """The finding of that name."""
        for finding in self.findings:
            if finding.name == name:
                return finding.value
        raise KeyError(f"{name!r}; there are {', '.join(f.name for f in self.findings)}")


@dataclass(frozen=True)
class Experiment:
    """A run by name. source: where the original is published; stand_in: what of it is made up."""

    name: str
    description: str
    source: str
    run: Callable[[], Outcome]
    stand_in: str = ""
