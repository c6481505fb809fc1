"""Named parameters: numbers of a model that can change without recompiling, even between two steps of a run."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from samara.arguments import ModelError, text
from samara.model.quantities.units import spaced

if TYPE_CHECKING:

    class _Number(float):
        """What type checkers take a parameter for, since it may stand wherever a field says `float`."""

        def __new__(cls, *args: Any, **kwargs: Any) -> Self: ...

else:
    _Number = object

_reads: ContextVar[list[Parameter] | None] = ContextVar("reads", default=None)


@contextmanager
def noted_reads() -> Iterator[list[Parameter]]:
    """The parameters that are read as plain numbers meanwhile, in order."""
    found: list[Parameter] = []
    token = _reads.set(found)
    try:
        yield found
    finally:
        _reads.reset(token)


class Parameter(_Number):
    """A named number with a unit and optional limits; use it wherever an element or a drive takes a number.

    Assigning to `value` affects simulations created afterwards. Change an existing one with
    ``simulation.system.set_parameter(name, value)``; after a plain assignment it refuses to continue.

    >>> k = Parameter("spring.stiffness", 250.0, unit="N/m", lower=0.0)
    >>> float(k)
    250.0
    """

    def __init__(
        self,
        name: str,
        value: float,
        unit: str = "",
        lower: float = -math.inf,
        upper: float = math.inf,
        description: str = "",
    ) -> None:
        self.name, self.unit, self.description = text("Parameter: name", name), unit, description
        self.lower = _number(f"parameter {name!r}: lower", lower)
        self.upper = _number(f"parameter {name!r}: upper", upper)
        if not isinstance(unit, str):
            raise ModelError(f"parameter {name!r}: unit must be a string such as 'N/m', got {unit!r}")
        self._value = self.check(value)
        self.assignments = 0  # how often `value` was assigned

    @property
    def value(self) -> float:
        """As it is now."""
        read = _reads.get()
        if read is not None:
            read.append(self)
        return self._value

    @value.setter
    def value(self, value: float) -> None:
        self._value = self.check(value)
        self.assignments += 1

    def put(self, value: float) -> None:
        """Changes the value for a system that is told so: no assignment of the user's."""
        self._value = self.check(value)

    def check(self, value: Any) -> float:
        """The value as a float, or an error that names the parameter and its limits."""
        number = _number(f"parameter {self.name!r}", value)
        if not math.isfinite(number) or not self.lower <= number <= self.upper:
            raise ModelError(
                f"parameter {self.name!r}: {number:g}{spaced(self.unit)} is outside [{self.lower:g}, {self.upper:g}]"
                if math.isfinite(number)
                else f"parameter {self.name!r} must be a finite number, got {number:g}"
            )
        return number

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        return f"Parameter({self.name!r}, {self.value:g}, unit={self.unit!r})"


def _number(what: str, value: Any) -> float:
    """A number, infinite ones too; texts and truth values are none."""
    try:
        if not isinstance(value, (str, bytes, bool, np.bool_)):
            return float(value)
    except OverflowError:
        raise ModelError(f"{what} must be a finite number, got one that is too large") from None
    except (TypeError, ValueError):
        pass
    raise ModelError(f"{what} must be a number, got {value!r}")
