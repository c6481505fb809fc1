"""Crank-Nicolson, the trapezoidal rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from samara.solve.integrators.family import LinearTwoStep


@dataclass(frozen=True)
class CrankNicolson(LinearTwoStep):
    """x_k = x_{k-1} + h (xdot_k + xdot_{k-1}) / 2: beta = delta = 0, no numerical damping (rho_inf = 1).

    On constrained systems its multipliers and accelerations oscillate without decay, so every step has to be
    stabilised: prefer `TwoStep` with a radius below 1.
    """

    name = "Crank-Nicolson"
    radius = 1.0

    @staticmethod
    def weights(alpha: float, numbers: Any) -> tuple[float, float, float, float, float]:
        """Half of the rate now, half of that before."""
        return 1.0, 0.0, 0.5 * alpha, 0.5 * alpha, 0.0
