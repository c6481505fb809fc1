"""Named parameters of a compiled model: changed everywhere at once, and checked here alone, whoever asks."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np

from samara.model import Model, ModelError, Parameter
from samara.model.changes import ParameterChanges
from samara.system.numbers import Where


class Parameters:
    """What each name stands for, and where its number lies in the memory of kernels.

    changes: how often one, or the state itself, was changed: by `set`, by `SystemState`, or by an operator who writes
             into that memory. For a run each is an event.
    """

    def __init__(self, model: Model, places: dict[str, list[Where]]) -> None:
        self._model, self._places = model, places
        self.named: dict[str, Parameter] = model.parameters
        self.changes = np.zeros(1, np.int64)

    @functools.cached_property
    def checks(self) -> ParameterChanges:
        """What says whether parameters may have new values."""
        return ParameterChanges(self._model)

    def find(self, name: str) -> Parameter:
        """The parameter of that name."""
        if name not in self.named:
            known = ", ".join(self.named) or "none"
            raise ModelError(f"model {self._model.name!r} has no parameter {name!r} (it has: {known})")
        return self.named[name]

    def set(self, name: str, value: float) -> None:
        """Changes a parameter everywhere it is used, if its limits and all that hold it allow it."""
        before, parameter = self.checks.put({name: value})[name], self.named[name]
        for array, where in self.places(name):
            array[where] = parameter.value
        if parameter.value != before:
            self.changes[0] += 1

    def places(self, name: str) -> Sequence[Where]:
        """Arrays and indices of the numbers that a parameter is."""
        return self._places.get(name, ())

    def values(self) -> np.ndarray:
        """Of all parameters as they are in memory, where an operator may have changed them; in order of their names."""
        found = []
        for name, parameter in sorted(self.named.items()):
            array, where = next(iter(self.places(name)), (None, ()))
            found.append(parameter.value if array is None else array[where])
        return np.array(found, float)

    def addresses(self, name: str) -> list[int]:
        """Where in memory the numbers lie that a parameter is."""
        return [array[where[:-1]].ctypes.data + where[-1] * array.strides[-1] for array, where in self.places(name)]
