"""What every command shares: errors as one line with their exit codes, tables, JSON."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

FAILED, MISUSED, INTERRUPTED = 1, 2, 130


class CommandError(Exception):
    """A command that cannot do what it was asked: one sentence, and the exit code."""

    def __init__(self, message: str, code: int = MISUSED) -> None:
        super().__init__(message)
        self.code = code


def complain(command: str, message: str, code: int, as_json: bool) -> int:
    """Says what went wrong in one line, also as JSON where that was asked for; returns the exit code."""
    print(f"{command}: {message}", file=sys.stderr)
    if as_json:
        print_json({"error": message})
    return code


def explain(error: Exception) -> tuple[str, int]:
    """One line about an error, and its exit code."""
    from samara.model import ArgumentError, ModelError
    from samara.results import UnknownChannelError

    if isinstance(error, CommandError):
        return one_line(error), error.code
    if isinstance(error, (ModelError, ArgumentError, UnknownChannelError, OSError)):
        return one_line(error), MISUSED
    return f"unexpected {type(error).__name__}: {one_line(error)} (--debug shows where)", FAILED


def one_line(error: BaseException) -> str:
    """The message of an error, with the notes that were added to it, on one line."""
    parts = [str(error), *getattr(error, "__notes__", ())]
    return " ".join("; ".join(part for part in parts if part).split())


def print_json(data: Any) -> None:
    """A JSON document on standard output; numbers that are not finite become null."""
    print(json.dumps(plain(data), indent=2, allow_nan=False))


def plain(value: Any) -> Any:
    """The same with dictionaries, lists, texts and finite numbers only."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):  # NumPy's numbers and arrays
        return plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def require_picture(name: str) -> None:
    """Refuses a file name for --plot that Matplotlib has no format for."""
    from samara.results.plotting import formats

    known, suffix = formats(), Path(name).suffix[1:].lower()
    if suffix not in known:
        raise CommandError(f"--plot {name}: no such kind of picture; there are {', '.join(known)}")


def table(head: Sequence[str], rows: Iterable[Sequence[Any]], right: Sequence[str] = ()) -> str:
    """Aligned text under a heading; the columns named in `right` are aligned to the right."""
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max(len(line[i]) for line in [list(head), *cells]) for i in range(len(head))]
    lines = []
    for line in [list(head), *cells]:
        padded = [c.rjust(w) if h in right else c.ljust(w) for c, w, h in zip(line, widths, head, strict=True)]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
