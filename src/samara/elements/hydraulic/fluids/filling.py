"""Checks of the liquid in a circuit: a single liquid that does not boil."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from samara.elements.hydraulic.fluids.fluid import Fluid
from samara.model import Junction, ModelError, State

BOILS = (
    "its liquid boils there; raise the pressure of the circuit, with a tank under pressure or an accumulator, or slow "
    "down what sucks"
)
#: Pressure [Pa] beyond which no circuit goes, and density by that at the reference pressure.
LARGEST_PRESSURE, DENSEST = 1e9, 1.1
#: Part of a table by which a pressure may leave it without a word.
SLIGHT = 1e-6


def check_liquid(pressure: State, fluid: Fluid, element: str) -> None:
    """Rejects a liquid other than that of the circuit."""
    first, owner = vars(pressure).get("_filled", (fluid, element))
    if first is not fluid and repr(first) != repr(fluid):
        raise ModelError(
            f"element {element!r}: its fluid is not that of {owner!r}, with which it meets at {pressure.name!r}: "
            "one liquid fills a circuit, give both the same"
        )


def check_boiling(what: str, pressure: Any, fluid: Fluid) -> None:
    """Rejects a pressure [Pa], named by `what`, at which the liquid is vapour."""
    if float(pressure) < float(fluid.vapour_pressure):
        raise ValueError(
            f"{what} is {float(pressure):g} Pa, below the vapour pressure of its fluid, "
            f"{float(fluid.vapour_pressure):g} Pa: pressures are absolute, give a higher one"
        )


def check_kept(junctions: Iterable[Junction], fluid: Fluid) -> None:
    """The same for the initial pressures of a complete model, at junctions whose pressure no source prescribes."""
    for junction in junctions:
        if junction.stored and not junction.held:
            check_boiling(f"the pressure of {junction.name!r} at the start", junction.value, fluid)


def pressed(results: Any, junctions: Iterable[Junction], fluid: Fluid) -> list[str]:
    """Messages on impossibly high pressures, caused by flow sources, from the channels of a run."""
    found = []
    for junction in junctions:
        name = f"{junction.name}.value"
        most = float(np.max(results[name])) if name in results.channels else 0.0
        squeezed = float(fluid.density(most) / fluid.density(float(fluid.now().reference_pressure)))
        if most > LARGEST_PRESSURE or squeezed > DENSEST:
            found.append(
                f"the pressure of {junction.name!r} rose to {most:.3g} Pa, which no liquid bears: what it makes flow "
                "finds no way out; lead it off by an Orifice or a ReliefValve, or let less flow"
            )
    return found


def unknown(results: Any, pressures: Iterable[State], fluid: Fluid, element: str) -> list[str]:
    """Messages on pressures outside a liquid's table, each from the first element that has it."""
    low, high = fluid.known()
    if not high - low < np.inf:
        return []
    found, slight = [], SLIGHT * (high - low)
    for pressure in pressures:
        name = f"{pressure.name}.value"
        if vars(pressure).get("_filled", (fluid, ""))[1] != element or name not in results.channels:
            continue
        values = np.asarray(results[name])
        if values.size and (values.min() < low - slight or values.max() > high + slight):
            found.append(
                f"the pressure of {pressure.name!r} went from {values.min():.4g} to {values.max():.4g} Pa, beyond the "
                f"table of its fluid, {low:.4g} to {high:.4g} Pa: give the TableFluid a longer one"
            )
    return found


def fill(pressures: Iterable[State], fluid: Fluid, element: str) -> None:
    """Declares that an element has a liquid at these pressures: a run ends when one falls below the vapour pressure.

    A second liquid in the same circuit is rejected.
    """
    for pressure in pressures:
        check_liquid(pressure, fluid, element)
        object.__setattr__(pressure, "_filled", vars(pressure).get("_filled", (fluid, element)))
        pressure.bound_below(float(fluid.vapour_pressure), BOILS, element)
