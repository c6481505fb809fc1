"""What every command shares: errors and JSON (from `samara.entry`), pictures, tables."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from samara.entry import FAILED, INTERRUPTED, MISUSED, CommandError, as_json, one_line, print_json

__all__ = [
    "FAILED", "INTERRUPTED", "MISUSED", "CommandError", "as_json", "one_line", "print_json", "report_troubles",
    "require_picture", "table",
]  # fmt: skip


def report_troubles(command: str, troubles: Iterable[str]) -> int:
    """Says what could not be written, a line each, after what is printed; the exit code."""
    code = 0
    for line in troubles:
        print(f"{command}: {line}", file=sys.stderr)
        code = FAILED
    return code


def require_picture(name: str) -> None:
    """Refuses a file name for --plot that Matplotlib has no format for."""
    from samara.results.plotting import formats

    known, suffix = formats(), Path(name).suffix[1:].lower()
    if suffix not in known:
        raise CommandError(f"--plot {name}: unsupported picture format; choose from {', '.join(known)}")


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
