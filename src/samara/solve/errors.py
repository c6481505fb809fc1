"""Errors of the solution. Results computed before the error are kept: the exception carries them."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

#: Of a sentence that another program says, in one of ours [characters].
QUOTED_WIDTH = 100


class SolveError(RuntimeError):
    """The model has no solution, or none was found."""


class SingularModel(SolveError):  # noqa: N818
    """The equations do not determine the motion: redundant constraints, or an unconstrained node without inertia."""


class Diverged(SolveError):  # noqa: N818
    """A run that failed. `results` holds everything up to that time, `dump` names the file with the last states."""

    def __init__(self, message: str, results: Any = None, dump: Path | None = None) -> None:
        super().__init__(message)
        self.results, self.dump = results, dump


class NotSaved(SolveError):  # noqa: N818
    """A completed run of which a file could not be written. `results` holds the complete results."""

    def __init__(self, message: str, results: Any) -> None:
        super().__init__(message)
        self.results = results


class NotSmooth(SolveError):  # noqa: N818
    """A run whose derivatives cease to exist at some time. `results` holds everything up to that time."""

    results: Any = None


def in_one_line(error: Exception) -> str:
    """The first thing that Numba says, which takes pages."""
    lines = [line.strip() for line in str(error).splitlines() if not line.startswith("Failed in ")]
    return textwrap.shorten(next(filter(None, lines), type(error).__name__), QUOTED_WIDTH, placeholder="...")
