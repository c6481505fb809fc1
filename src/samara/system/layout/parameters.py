"""Named parameters of a compiled model: changed everywhere at once, and checked here alone, whoever asks."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from samara.arguments import named, text
from samara.model import Model, Parameter
from samara.model.changes import ParameterChanges
from samara.system.memory.numbers import Where


class Parameters:
    """What each name stands for, and where its number lies in the memory of kernels.

    changes: how often one, or the state itself, was changed: by `set`, by `SystemState`, or by an operator who writes
             into that memory. For a run each is an event.
    """

    def __init__(self, model: Model, places: dict[str, list[Where]]) -> None:
        self._model, self._places = model, places
        self.named: dict[str, Parameter] = model.parameters
        self.changes = np.zeros(1, np.int64)
        self._compiled = {name: parameter.value for name, parameter in self.named.items()}

    @functools.cached_property
    def checks(self) -> ParameterChanges:
        """What says whether parameters may have new values."""
        return ParameterChanges(self._model)

    def find(self, name: str) -> Parameter:
        """The parameter of that name."""
        return self.named[named(f"model {self._model.name!r}", "parameter", name, self.named)]

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """Parameters have the values that this system was told meanwhile; another one that shares them may differ."""
        before = {name: parameter.value for name, parameter in self.named.items()}
        told = self._compiled | (self.checks.given if "checks" in vars(self) else {})
        try:
            for name, value in told.items():
                self.named[name].put(value)
            yield
        finally:
            for name, value in before.items():
                self.named[name].put(value)

    def recorded(self) -> dict[str, tuple[float, str]]:
        """Value and unit of each, for the records of a run: as they are in memory."""
        values = dict(zip(sorted(self.named), self.values().tolist(), strict=True))
        return {name: (values[name], parameter.unit) for name, parameter in self.named.items()}

    def set(self, name: str, value: float) -> None:
        """Changes a parameter everywhere it is used, if its limits and all that hold it allow it."""
        before, parameter = self.checks.put({text("set_parameter: name", name): value})[name], self.named[name]
        changed = parameter.value != before
        for array, where in self.places(name):
            changed |= bool(array[where] != parameter.value)
            array[where] = parameter.value
        if changed:
            self.changes[0] += 1

    def follow(self, name: str, array: np.ndarray, where: tuple[int, ...]) -> None:
        """Another place of the number of a parameter, which has its value from now on."""
        array[where] = self.named[name].value
        self._places.setdefault(name, []).append((array, where))

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
