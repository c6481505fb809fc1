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
    """A state at one instant, as an element sees it: value, first and second time derivatives."""

    value: Any
    rate: Any
    acceleration: Any


class Floor(NamedTuple):
    """A lower limit of a state: the run ends there, and keeps its results.

    lower: in the unit of the state; words: a sentence with cause and remedy; element: the one that sets the limit.
    """

    lower: float
    words: str
    element: str


class State(Frozen):
    """A scalar unknown and its equation: the contributions of all elements to it add up to zero.

    order: highest derivative in its equation. 2: value and rate are initial conditions (modal amplitude); 1: the value
           is an initial condition, its rate follows (a pressure); 0: the value follows from the equation (algebraic).
    value, rate: at the start, in `unit` and `unit`/s.
    settled: a state of order 1 that starts in steady state, at the value for which its rate vanishes, regardless of
           `value`: a filter after its transient.
    scale: typical size, in `unit`; changes far below it are negligible.
    reaction: whether the rate is a reaction, as of a `Lock`: it follows from the motion and is excluded from step-size
              control.
    tied:  a state of order 1 whose equation, `Site.tied`, gives its value as a function of others, such as the volume
           stored at a pressure: initial value and rate follow from theirs, regardless of `value`.
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
                    f"a state's {what} must be a plain number, got {given!r}: initial values do not follow a Parameter"
                )
        if not isinstance(unit, str) or not unit.strip():
            raise ModelError(f"unit of a state must be a string such as 'm', or '1' for a pure number, got {unit!r}")
        self.name = ""  # set when it joins a model
        self.order, self.value, self.rate = order, _plain("value", value), _plain("rate", rate)
        self.unit, self.scale, self.description = unit, _plain("scale", scale), description
        self.settled, self.reaction, self.tied = bool(settled), bool(reaction), bool(tied)
        self._floor: Floor | None = None

    @property
    def floor(self) -> Floor | None:
        """The highest lower limit set by elements; None without one."""
        return self._floor

    def bound_below(self, lower: float, words: str, element: str) -> None:
        """Called by an element whose equations are invalid below a value, when it is added to a model."""
        if self._floor is None or lower > self._floor.lower:
            object.__setattr__(self, "_floor", Floor(float(lower), words, element))

    def join(self, name: str) -> None:
        """Called when the state joins a model."""
        if self.name:
            raise ModelError(f"state {self.name!r} cannot be added again as {name!r}: create a second one")
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
