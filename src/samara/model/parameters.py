"""Named parameters: numbers of a model that may change without recompiling, even between two steps of a run."""

from __future__ import annotations

import math

from samara.model.errors import ModelError


class Parameter:
    """A named number with a unit and optional limits; use it wherever an element or a drive takes a number.

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
        self.name, self.unit, self.description = name, unit, description
        self.lower, self.upper = float(lower), float(upper)
        self.value = self.check(value)

    def check(self, value: float) -> float:
        """The value as a float, or an error that names the parameter and its limits."""
        value = float(value)
        if not math.isfinite(value) or not self.lower <= value <= self.upper:
            raise ModelError(
                f"parameter {self.name!r}: {value:g} {self.unit} is outside [{self.lower:g}, {self.upper:g}]"
            )
        return value

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        return f"Parameter({self.name!r}, {self.value:g}, unit={self.unit!r})"
