"""What a step owns: arrays of records that a run goes on with, marked where the records are declared.

    class Machine(NamedTuple):
        state: Owned          belongs to the state of a step: whoever puts a step back puts it back
        matrix: Solver        the linear solver's: a run that goes on bit by bit needs it, one that is put back does not
        res: np.ndarray       all else: constants, and room that is worth nothing after a step

Snapshots, checkpoints, co-simulation, trials of a trim and what is put back on error take their arrays from here, so
that none can be forgotten in one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

Owned = np.ndarray
Solver = np.ndarray


def marked(record: Any, mark: str, path: str = "") -> Iterator[tuple[str, np.ndarray]]:
    """Arrays of a record, and of those inside it, that are declared with this mark; each with its path."""
    fields = getattr(record, "_tuple", record)
    declared = {name: getattr(kind, "__forward_arg__", kind) for name, kind in type(fields).__annotations__.items()}
    for name, value in zip(fields._fields, fields, strict=True):
        if isinstance(value, np.ndarray):
            if declared[name] == mark:
                yield f"{path}{name}", value
        elif hasattr(value, "_fields") or hasattr(value, "_tuple"):
            yield from marked(value, mark, f"{path}{name}.")
