"""What a liquid asks of the circuit that it fills: to be the only one, and not to boil."""

from __future__ import annotations

from collections.abc import Iterable

from samara.elements.hydraulic.fluid import Fluid
from samara.model import ModelError, State

BOILS = (
    "its liquid boils there; raise the pressure of the circuit, with a tank under pressure or an accumulator, or slow "
    "down what sucks"
)


def fill(pressures: Iterable[State], fluid: Fluid, element: str) -> None:
    """Says that an element has a liquid at these pressures: a run ends where one falls below that of the vapour.

    Another liquid than the first one is refused.
    """
    for pressure in pressures:
        first, owner = vars(pressure).get("_filled", (fluid, element))
        if first is not fluid and repr(first) != repr(fluid):
            raise ModelError(
                f"element {element!r}: its fluid is not that of {owner!r}, with which it meets at {pressure.name!r}: "
                "one liquid fills a circuit, give both the same"
            )
        object.__setattr__(pressure, "_filled", (first, owner))
        pressure.bound_below(float(fluid.vapour_pressure), BOILS, element)
