"""Scalar states: pressures, currents, inflow, modal amplitudes, bristle deflections, integrators."""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple

from samara.arguments import ModelError
from samara.model.quantities.freezing import Frozen
from samara.model.quantities.parameters import Parameter
from samara.model.quantities.units import with_unit

Order = Literal[0, 1, 2]


class StateMotion(NamedTuple):
    """A state at an instant, as an element sees it: value and its first and second time derivative."""

    value: Any
    rate: Any
    acceleration: Any


class Floor(NamedTuple):
    """A value that a state must not fall below, and what it means if it does: a run ends there, with its results.

    lower: in the unit of the state; words: a sentence on what happened and what helps; element: whose it is.
    """

    lower: float
    words: str
    element: str


class State(Frozen):
    """A scalar unknown, and the equation that belongs to it: the sum of what elements give for it is zero.

    order: of the highest derivative that the equations contain. 2: value and rate are given at the start (a modal
           amplitude); 1: the value is given, its rate follows (a pressure); 0: the value itself follows (algebraic).
    value, rate: at the start, in `unit` and `unit`/s.
    settled: a state of order 1 that starts with the value at which its rate vanishes, whatever `value` says: a filter
           that has been at rest.
    scale: a size that matters, in `unit`: changes far below it are noise.
    reaction: whether the rate is a reaction, as of a `Lock`: it follows from the motion, and no step is judged by it.
    tied:  a state of order 1 whose equation, `Site.tied`, says its value as a function of others, such as what is
           stored at a pressure: at the start it follows from them, whatever `value` says, and its rate from theirs.
    """

    def __init__(
        self,
        order: Order = 1,
        *,
        value: float = 0.0,
        rate: float = 0.0,
        unit: str = "1",
        scale: float = 1.0,
        description: str = "",
        settled: bool = False,
        reaction: bool = False,
        tied: bool = False,
    ) -> None:
        for what, given in (("value", value), ("rate", rate), ("scale", scale)):
            if isinstance(given, Parameter):
                raise ModelError(
                    f"a state's {what} must be a plain number, got {given!r}: what a run starts with does not follow it"
                )
        if not isinstance(unit, str) or not unit.strip():
            raise ModelError(f"unit of a state must be a text such as 'm', '1' for a pure number, got {unit!r}")
        self.name = ""  # set when it joins a model
        self.order, self.value, self.rate = order, _plain("value", value), _plain("rate", rate)
        self.unit, self.scale, self.description = unit, _plain("scale", scale), description
        self.settled, self.reaction, self.tied = bool(settled), bool(reaction), bool(tied)
        self._floor: Floor | None = None

    @property
    def floor(self) -> Floor | None:
        """The highest of the values that elements do not let it fall below; None where none cares."""
        return self._floor

    def bound_below(self, lower: float, words: str, element: str) -> None:
        """An element whose equations mean nothing below a value says so, when it joins a model."""
        if self._floor is None or lower > self._floor.lower:
            object.__setattr__(self, "_floor", Floor(float(lower), words, element))

    def join(self, name: str) -> None:
        """Called when the state joins a model."""
        if self.name:
            raise ModelError(f"state {self.name!r} cannot be added again as {name!r}: make a second one")
        if self.order not in (0, 1, 2):
            raise ModelError(f"state {name!r}: order must be 0, 1 or 2, got {self.order!r}")
        if self.tied and (self.order != 1 or self.settled):
            raise ModelError(f"state {name!r}: only a state of order 1 that does not start settled can be tied")
        if self.settled and self.order != 1:
            raise ModelError(f"state {name!r}: only a state of order 1 can start settled, this one has {self.order}")
        if not (math.isfinite(self.value) and math.isfinite(self.rate)):
            raise ModelError(f"state {name!r}: value and rate must be finite, got {self.value} and {self.rate}")
        if not (math.isfinite(self.scale) and self.scale > 0.0):
            raise ModelError(f"state {name!r}: scale must be positive, got {with_unit(f'{self.scale:g}', self.unit)}")
        self.name = name
        self.freeze(f"state {name!r}")

    def __repr__(self) -> str:
        return f"State({self.name!r}, order={self.order}, value={self.value:g} {self.unit})"


def _plain(what: str, given: Any) -> float:
    """A number that a state is made with."""
    try:
        if not isinstance(given, (str, bytes)):
            return float(given)
    except (TypeError, ValueError):
        pass
    raise ModelError(f"{what} of a state must be a number, got {given!r}")
