"""Loss of lift near the tip of a blade."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from samara.arguments import positive, whole

#: acos(x) / sqrt(1 - x) from 0 to 1 as a polynomial, which meets it at Chebyshev's points: acos(x) to 7e-10.
ARC_COSINE = (
    1.5707963261817999, -0.21460171347253898, 0.08904447358746433, -0.05073756436797805, 0.03329857059293432,
    -0.02279807142229933, 0.014498017668768138, -0.007369447404328283, 0.0024783733475626625, -0.00039540267429029064,
)  # fmt: skip


def prandtl_factor(f: Any) -> Any:
    """F = (2 / pi) acos(exp(-f)), to 5e-10; plain or traced. Near the end of a blade, f = 0, it goes as sqrt(f)."""
    x = np.exp(-f)
    series: Any = ARC_COSINE[-1]
    for c in ARC_COSINE[-2::-1]:
        series = series * x + c
    return 2.0 / np.pi * np.sqrt(1.0 - x) * series


def prandtl(radius: float, blades: int, inflow: float) -> Callable[[float], float]:
    """Prandtl's factor on the lift at the radius x [m], for `Stations.gauss(..., lift=...)`.

        F = (2 / pi) acos(exp(-f)),   f = (N_b / 2) (1 - r) / lambda,   r = x / R

    inflow: ratio lambda of the flow through the disk to the tip speed, taken as uniform over the disk; the factor does
    not change with the inflow during a run. The effective blade is shorter by (2 ln 2 / N_b) lambda R.
    Source: J. G. Leishman, Principles of Helicopter Aerodynamics, 2nd edition, chapter 3.
    """
    radius, inflow = positive("prandtl: radius", radius), positive("prandtl: inflow", inflow)
    blades = whole("prandtl: blades", blades)

    def factor(x: float) -> float:
        f = 0.5 * blades * max(1.0 - abs(x) / radius, 0.0) / inflow
        return float(prandtl_factor(f))

    return factor
