"""Pressures below which a liquid boils: what no element here describes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from samara.elements.hydraulic.fluid import Fluid


def boiling_doubts(results: Any, names: Iterable[str], fluid: Fluid) -> list[str]:
    """A sentence for each pressure of these names that fell below the vapour pressure in a run."""
    limit, found = float(fluid.vapour_pressure), []
    for name in names:
        channel = f"{name}.value"
        lowest = float(np.min(results[channel])) if channel in results.channels else limit
        if lowest < limit:
            found.append(
                f"the pressure {name!r} fell to {lowest:.3g} Pa, below the {limit:.3g} Pa at which its liquid boils: "
                "from there on it is wrong; raise the pressure of the circuit, or slow down what sucks"
            )
    return found
