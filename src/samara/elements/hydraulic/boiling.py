"""Pressures below which a liquid boils: what no element here describes."""

from __future__ import annotations

from collections.abc import Iterable

from samara.elements.hydraulic.fluid import Fluid
from samara.model import State


def forbid_boiling(pressures: Iterable[State], fluid: Fluid, element: str) -> None:
    """Ends a run where one of the pressures falls below that of the vapour."""
    words = (
        "its liquid boils there; raise the pressure of the circuit, with a tank under pressure or an accumulator, or "
        "slow down what sucks"
    )
    for pressure in pressures:
        pressure.bound_below(float(fluid.vapour_pressure), words, element)
