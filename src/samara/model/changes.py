"""Changes of named parameters: the one place that says whether they may be, whoever asks (script, panel, sweep)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping

from samara.arguments import ModelError, named
from samara.model.membership import recheck
from samara.model.model import Model
from samara.model.quantities.freezing import preparing
from samara.model.quantities.parameters import Parameter
from samara.model.schema.drives import Drive, Input
from samara.model.schema.record import Record


class ParameterChanges:
    """The parameters of a model as it is now, with all who must agree to a new value.

    A value is within the limits of its parameter, and every element and drive that it stands in is checked again, its
    conditions on several numbers included.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.parameters: dict[str, Parameter] = model.parameters
        self.given: dict[str, float] = {}  # values that parameters have by `put`
        self._checks: dict[str, list[Callable[[], None]]] = {name: [] for name in self.parameters}
        self._limits = {name: (p.lower, p.upper) for name, p in self.parameters.items()}
        if not self.parameters:
            return
        for element in model.elements.values():
            self._note(element, functools.partial(recheck, element))
            for leaf in element.leaves():
                self._follow(leaf, f"element {element.name!r}")
        for node in model.nodes.values():
            for drive in node.motion.drives if node.motion else ():
                self._follow(drive, f"motion of node {node.name!r}")

    def _follow(self, leaf: object, where: str) -> None:
        """Into a drive."""
        if isinstance(leaf, Drive) and not isinstance(leaf, Input):
            self._note(leaf, lambda: _validated(leaf, where))

    def _note(self, record: Record, check: Callable[[], None]) -> None:
        named = [(leaf, limits) for leaf, limits in record.bounds() if isinstance(leaf, Parameter)]
        for parameter, (low, high) in named:
            lower, upper = self._limits[parameter.name]
            self._limits[parameter.name] = max(lower, low), min(upper, high)
        for name in dict.fromkeys(parameter.name for parameter, _ in named):
            self._checks[name].append(check)

    def limits(self, name: str) -> tuple[float, float]:
        """Of a parameter: its own, within those of the fields that it stands in. Zero may be excluded."""
        return self._limits[self._known(name).name]

    def put(self, values: Mapping[str, float]) -> dict[str, float]:
        """Gives parameters these values, all or none; what they were before. `ModelError` says what is wrong."""
        before = {name: self._known(name).value for name in values}
        try:
            for name, value in values.items():
                self.parameters[name].put(value)
            for check in dict.fromkeys(check for name in values for check in self._checks[name]):
                check()
        except BaseException:
            self.take_back(before)
            raise
        self.given.update({name: self.parameters[name].value for name in values})
        return before

    def take_back(self, before: Mapping[str, float]) -> None:
        """Gives parameters back what they were."""
        for name, value in before.items():
            self.parameters[name].put(value)
        self.given.update(before)

    def check(self, values: Mapping[str, float]) -> None:
        """Whether they could have these values; changes nothing. `ModelError` says what is wrong."""
        self.take_back(self.put(values))

    def _known(self, name: str) -> Parameter:
        return self.parameters[named(f"model {self.model.name!r}", "parameter", name, self.parameters)]


def _validated(drive: Drive, where: str) -> None:
    try:
        with preparing():
            drive.validate()
    except ValueError as error:
        raise ModelError(f"{where}: {error}") from None
