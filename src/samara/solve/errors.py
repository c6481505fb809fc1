"""What can go wrong while a model is solved. Nothing computed so far is lost: the error carries it."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

#: Of a sentence that another program says, in one of ours [characters].
QUOTED_WIDTH = 100


class SolveError(RuntimeError):
    """A model that has no solution, or whose solution could not be found."""


class SingularModel(SolveError):  # noqa: N818
    """Equations that do not determine the motion: redundant constraints, or a node that nothing holds."""


class Diverged(SolveError):  # noqa: N818
    """A run that had to stop. `results` holds everything up to there, `dump` the file with the last states."""

    def __init__(self, message: str, results: Any = None, dump: Path | None = None) -> None:
        super().__init__(message)
        self.results, self.dump = results, dump


class NotSaved(SolveError):  # noqa: N818
    """A run that came to its end, and a file of it that could not be written. `results` holds all of it."""

    def __init__(self, message: str, results: Any) -> None:
        super().__init__(message)
        self.results = results


class NotSmooth(SolveError):  # noqa: N818
    """A run whose derivatives end before it does. `results` holds everything up to there."""

    results: Any = None


def in_one_line(error: Exception) -> str:
    """The first thing that Numba says, which takes pages."""
    lines = [line.strip() for line in str(error).splitlines() if not line.startswith("Failed in ")]
    return textwrap.shorten(next(filter(None, lines), type(error).__name__), QUOTED_WIDTH, placeholder="...")
