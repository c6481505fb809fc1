"""Second backward difference formula."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from samara.solve.integrators.family import SecondOrder


@dataclass(frozen=True)
class BDF2(SecondOrder):
    """BDF2, with rho_inf = 0: annihilates unresolved frequencies.

    beta = -alpha^2 / (1 + 2 alpha),   delta = alpha^2 / (2 (1 + 2 alpha)),   so that b1 = b2 = 0.
    """

    name = "BDF2"
    radius = 0.0

    @staticmethod
    def choice(alpha: float, numbers: Any) -> tuple[float, float]:
        """(beta, delta); operations are those of `TwoStep` at radius 0, to the last bit."""
        d = 2.0 * (1.0 + alpha) - 1.0
        return alpha * ((2.0 + alpha) - 2.0 * (1.0 + alpha)) / d, 0.5 * alpha * alpha / d
