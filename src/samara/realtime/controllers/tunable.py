"""Controller parameters that can be changed while it runs."""

from __future__ import annotations

import math
from typing import Any, overload

from samara.model import ModelError, Parameter


class Tunable:
    """A number of a controller with a unit, limits and a meaning; see `tunable`."""

    name = ""

    def __init__(
        self, default: float, unit: str, lower: float, upper: float, description: str, whole: bool = False
    ) -> None:
        self.default, self.unit, self.lower, self.upper = float(default), unit, float(lower), float(upper)
        self.description, self.whole = description, whole

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def check(self, value: Any) -> float:
        """The value as a float, or an error that names it and its limits."""
        found = Parameter(self.name, value, self.unit, self.lower, self.upper).value
        if self.whole and not found.is_integer():
            raise ModelError(f"parameter {self.name!r}: {found:g} must be a whole number")
        return found

    @overload
    def __get__(self, owner: None, kind: type) -> Tunable: ...
    @overload
    def __get__(self, owner: object, kind: type | None = None) -> float: ...
    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        return self if owner is None else owner.__dict__.get(self.name, self.default)


def tunable(
    default: float,
    unit: str = "1",
    lower: float = -math.inf,
    upper: float = math.inf,
    description: str = "",
    whole: bool = False,
) -> Any:
    """A number of a `Controller` that is listed with its unit and limits, and may be changed while it runs.

        gain = tunable(4.0, unit="N m/rad", lower=0.0, upper=50.0, description="of the angle")

    In the class's functions ``self.gain`` is a plain float. whole: whether it counts something; one that counts from 0
    to 1 is a switch, in the panel too.
    """
    return Tunable(default, unit, lower, upper, description, whole)
