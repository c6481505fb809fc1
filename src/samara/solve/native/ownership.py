"""Ownership of arrays: those that a run needs to continue are marked where their records are declared.

    class Machine(NamedTuple):
        state: Owned          state of a step: undoing a step restores it
        matrix: Solver        linear solver: needed to continue a run bit by bit, but not to undo a step
        res: np.ndarray       everything else: constants and scratch memory

Owned arrays lie in one block of memory, so that snapshots, checkpoints, co-simulation, trial steps of a trim and
restoring after an error are each one copy, and none of them can omit anything.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from samara.system.memory.aligned_arrays import BOUNDARY, aligned_zeros

Owned = np.ndarray
Solver = np.ndarray


def marked(record: Any, mark: str, path: str = "") -> Iterator[tuple[str, np.ndarray]]:
    """Arrays of a record, and of those inside it, that are declared with this mark; each with its path."""
    fields = getattr(record, "_tuple", record)
    for (name, declared), value in zip(_declared(type(fields)), fields, strict=True):  # type: ignore[arg-type]
        if isinstance(value, np.ndarray):
            if declared == mark:
                yield f"{path}{name}", value
        elif hasattr(value, "_fields") or hasattr(value, "_tuple"):
            yield from marked(value, mark, f"{path}{name}.")


@functools.cache
def _declared(kind: type) -> list[tuple[str, Any]]:
    """Fields of a record and how they are declared, in order."""
    kinds = kind.__annotations__
    return [(name, getattr(kinds[name], "__forward_arg__", kinds[name])) for name in kind._fields]  # type: ignore[attr-defined]


def with_arrays(record: Any, arrays: Mapping[str, np.ndarray], path: str = "") -> Any:
    """A record with other arrays at these paths, also in those inside it."""
    fields, changed = getattr(record, "_tuple", record), dict[str, Any]()
    for name, value in zip(fields._fields, fields, strict=True):
        if f"{path}{name}" in arrays:
            changed[name] = arrays[f"{path}{name}"]
        elif hasattr(value, "_fields") or hasattr(value, "_tuple"):
            changed[name] = with_arrays(value, arrays, f"{path}{name}.")
    return record._replace(**changed)


class StateBlock:
    """One block of memory, and arrays by name that are parts of it, each on a boundary of cache lines."""

    def __init__(self, arrays: Mapping[str, np.ndarray]) -> None:
        rooms = [-(-array.nbytes // BOUNDARY) * BOUNDARY // 8 for array in arrays.values()]
        self._first = dict(zip(arrays, np.cumsum([0, *rooms[:-1]]).tolist(), strict=True))
        self._like = {name: (array.nbytes, array.dtype, array.shape) for name, array in arrays.items()}
        self.block = aligned_zeros(sum(rooms))
        self.arrays = {name: self.part(self.block, name) for name in arrays}
        for name, array in arrays.items():
            self.arrays[name][...] = array

    def part(self, block: np.ndarray, name: str) -> np.ndarray:
        """An array of a block laid out like this one, such as a copy."""
        size, dtype, shape = self._like[name]
        return block[self._first[name] :].view(np.uint8)[:size].view(dtype).reshape(shape)

    @property
    def layout(self) -> np.ndarray:
        """Names, kinds of numbers and shapes of the arrays, in their order: blocks that differ in these differ."""
        return np.array([f"{name} {dtype.str} {shape}" for name, (_, dtype, shape) in self._like.items()], dtype=str)
