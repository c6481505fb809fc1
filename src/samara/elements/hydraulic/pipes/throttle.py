"""Laminar and turbulent flow through a restriction."""

from __future__ import annotations

from typing import Any

import numpy as np


def throttle(drop: Any, area: Any, coefficient: Any, density: Any, laminar_drop: Any) -> Any:
    """Mass flow through a restriction [kg/s], an odd and smooth function of the pressure drop.

        w = Cd A sqrt(2 rho) dp / (dp^2 + dp_t^2)^(1/4)

    dp: pressure drop [Pa]; dp_t: the drop at the laminar-turbulent transition, see `transition_drop`. Far above it
    this is the orifice equation w = Cd A sqrt(2 rho dp), far below it is linear in dp.
    """
    return coefficient * area * np.sqrt(2.0 * density) * drop / np.sqrt(np.sqrt(drop * drop + laminar_drop**2))


def transition_drop(reynolds: Any, diameter: Any, coefficient: Any, density: Any, viscosity: Any) -> Any:
    """Pressure drop at which the orifice equation gives the transition Reynolds number rho v D / mu, v = Q / A [Pa].

    dp_t = (Re mu / (Cd D))^2 / (2 rho)
    """
    return (reynolds * viscosity / (coefficient * diameter)) ** 2 / (2.0 * density)
