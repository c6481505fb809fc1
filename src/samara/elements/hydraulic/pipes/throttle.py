"""Flow through a narrow, laminar and turbulent."""

from __future__ import annotations

from typing import Any

import numpy as np


def throttle(drop: Any, area: Any, coefficient: Any, density: Any, laminar_drop: Any) -> Any:
    """Mass flow through a narrow [kg/s], odd and smooth in the drop.

        w = Cd A sqrt(2 rho) dp / (dp^2 + dp_t^2)^(1/4)

    dp: drop of pressure [Pa]; dp_t: the drop at which laminar turns into turbulent flow, see `transition_drop`. Far
    above it this is the orifice equation w = Cd A sqrt(2 rho dp), far below it is linear in dp.
    """
    return coefficient * area * np.sqrt(2.0 * density) * drop / np.sqrt(np.sqrt(drop * drop + laminar_drop**2))


def transition_drop(reynolds: Any, diameter: Any, coefficient: Any, density: Any, viscosity: Any) -> Any:
    """Drop at which the orifice equation has the Reynolds number of transition, rho v D / mu with v = Q / A [Pa].

    dp_t = (Re mu / (Cd D))^2 / (2 rho)
    """
    return (reynolds * viscosity / (coefficient * diameter)) ** 2 / (2.0 * density)
