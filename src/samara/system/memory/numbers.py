"""Numbers of elements and drives in the kernels' form: values, named parameters, tables."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.model import Parameter
from samara.tracing import Curve, Surface

#: Position of a number: an array and an index into it.
Where = tuple[np.ndarray, tuple[int, ...]]


class ParameterPlaces:
    """Records where each named parameter is stored, and keeps every table once."""

    def __init__(self) -> None:
        self.places: dict[str, list[Where]] = {}
        self._starts: dict[int, int] = {}
        self._tables: list[np.ndarray] = [np.zeros(1)]
        self._end = 1

    def place(self, leaf: Any, array: np.ndarray, where: tuple[int, ...]) -> float:
        """A leaf as the kernel reads it at that position: its value, or where its table begins."""
        if isinstance(leaf, Parameter):
            self.places.setdefault(leaf.name, []).append((array, where))
            return leaf.value
        if isinstance(leaf, (Curve, Surface)):
            if id(leaf) not in self._starts:
                self._starts[id(leaf)] = self._end
                self._tables.append(leaf.pack())
                self._end += len(self._tables[-1])
            return float(self._starts[id(leaf)])
        return float(leaf)

    def tables(self) -> np.ndarray:
        """All tables, concatenated."""
        return np.concatenate(self._tables)
