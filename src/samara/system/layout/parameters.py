"""Named parameters of a compiled model: a change takes effect wherever the parameter is used; all checks are here."""

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
    """What each name stands for, and where its number is stored in kernel memory.

    changes: how often a parameter, or the state itself, was changed: by `set`, by `SystemState`, or by an operator who
             writes to that memory. A run treats each change as an event.
    """

    def __init__(self, model: Model, places: dict[str, list[Where]]) -> None:
        self._model, self._places = model, places
        self.named: dict[str, Parameter] = model.parameters
        self.changes = np.zeros(1, np.int64)
        self._compiled = {name: parameter.value for name, parameter in self.named.items()}

    @functools.cached_property
    def checks(self) -> ParameterChanges:
        """Functions that decide whether parameters may take new values."""
        return ParameterChanges(self._model)

    def find(self, name: str) -> Parameter:
        """The parameter with that name."""
        return self.named[named(f"model {self._model.name!r}", "parameter", name, self.named)]

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """Context with this system's parameter values; another system sharing the parameters may have others."""
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
        """Value and unit of each parameter as it is in memory, for the records of a run."""
        values = dict(zip(sorted(self.named), self.values().tolist(), strict=True))
        return {name: (values[name], parameter.unit) for name, parameter in self.named.items()}

    def set(self, name: str, value: float) -> None:
        """Changes a parameter wherever it is used, if its limits and all objects that hold it allow the value."""
        before, parameter = self.checks.put({text("set_parameter: name", name): value})[name], self.named[name]
        changed = parameter.value != before
        for array, where in self.places(name):
            changed |= bool(array[where] != parameter.value)
            array[where] = parameter.value
        if changed:
            self.changes[0] += 1

    def follow(self, name: str, array: np.ndarray, where: tuple[int, ...]) -> None:
        """Adds another position of a parameter's number, which takes its value from now on."""
        array[where] = self.named[name].value
        self._places.setdefault(name, []).append((array, where))

    def places(self, name: str) -> Sequence[Where]:
        """Arrays and indices of the numbers that hold a parameter."""
        return self._places.get(name, ())

    def values(self) -> np.ndarray:
        """Values of all parameters in memory, where an operator may have changed them; in order of their names."""
        found = []
        for name, parameter in sorted(self.named.items()):
            array, where = next(iter(self.places(name)), (None, ()))
            found.append(parameter.value if array is None else array[where])
        return np.array(found, float)

    def addresses(self, name: str) -> list[int]:
        """Memory addresses of the numbers that hold a parameter."""
        return [array[where[:-1]].ctypes.data + where[-1] * array.strides[-1] for array, where in self.places(name)]
