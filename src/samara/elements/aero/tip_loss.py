"""Loss of lift near the tip of a blade."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def prandtl_factor(f: Any) -> Any:
    """F = (2 / pi) acos(exp(-f)); plain or traced. It goes as sqrt(f) near the end of a blade, where f = 0."""
    return 2.0 / np.pi * np.arccos(np.exp(-f))


def prandtl(radius: float, blades: int, inflow: float) -> Callable[[float], float]:
    """Prandtl's factor on the lift at the radius x [m], for `Stations.gauss(..., lift=...)`.

        F = (2 / pi) acos(exp(-f)),   f = (N_b / 2) (1 - r) / lambda,   r = x / R

    inflow: ratio lambda of the flow through the disk to the tip speed, taken as the same all over the disk; the factor
    stays what it is while the inflow changes. In all (2 ln 2 / N_b) lambda R of the blade are lost.
    Source: J. G. Leishman, Principles of Helicopter Aerodynamics, 2nd edition, chapter 3.
    """
    if not (radius > 0.0 and blades >= 1 and inflow > 0.0):
        raise ValueError(f"tip loss: radius, blades and inflow must be positive, got {radius}, {blades}, {inflow}")

    def factor(x: float) -> float:
        f = 0.5 * blades * max(1.0 - abs(x) / radius, 0.0) / inflow
        return float(prandtl_factor(f))

    return factor
