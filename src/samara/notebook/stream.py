"""Streams on which a line can be written over: terminals, and cells of a notebook."""

from __future__ import annotations

from typing import Any


def is_cell(stream: Any) -> bool:
    """Whether it is the output of a notebook's cell."""
    return type(stream).__module__.partition(".")[0] == "ipykernel"


def rewrites(stream: Any) -> bool:
    """Whether a carriage return goes back to the beginning of the line."""
    try:
        return is_cell(stream) or bool(stream.isatty())
    except (AttributeError, ValueError):  # none, or closed
        return False
