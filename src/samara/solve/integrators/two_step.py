"""The default: A/L-stable two-step formula with tunable damping of the fastest modes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from samara.arguments import finite
from samara.model import ArgumentError
from samara.solve.integrators.crank_nicolson import CrankNicolson
from samara.solve.integrators.family import SecondOrder
from samara.solve.integrators.integrator import Integrator


@dataclass(frozen=True)
class TwoStep(SecondOrder):
    """Two-step formula with asymptotic spectral radius `radius` (rho_inf) in [0, 1].

    With g = (1 - rho)^2 and D = 2 (1 + alpha) - g:
    beta = alpha [(2 + alpha) g + 2 (1 + alpha)(2 rho - 1)] / D,   delta = alpha^2 g / (2 D).
    rho = 0 is BDF2; rho = 1 is a trapezoidal rule over two steps. 0.6 suits rotors (Masarati et al. 2001).
    """

    radius: float = 0.6

    def __post_init__(self) -> None:
        radius = finite("TwoStep: radius", self.radius)
        if not 0.0 <= radius <= 1.0:
            raise ArgumentError(f"TwoStep: radius must be from 0 to 1, got {radius:g}")
        object.__setattr__(self, "radius", radius)

    @property
    def name(self) -> str:  # type: ignore[override]
        """With its radius."""
        return f"two-step, rho_inf = {self.radius:g}"

    @property
    def numbers(self) -> tuple[float, ...]:  # type: ignore[override]
        """The radius."""
        return (self.radius,)

    @staticmethod
    def choice(alpha: float, numbers: Any) -> tuple[float, float]:
        """(beta, delta) by the radius."""
        radius = numbers[0]
        gap = (1.0 - radius) * (1.0 - radius)
        d = 2.0 * (1.0 + alpha) - gap
        beta = alpha * ((2.0 + alpha) * gap + 2.0 * (1.0 + alpha) * (2.0 * radius - 1.0)) / d
        delta = 0.5 * alpha * alpha * gap / d
        return beta, delta

    def stabilised(self) -> Integrator:
        """With radius 1 the trapezoidal rule: the same formula, without a memory that projections disturb."""
        return CrankNicolson() if self.radius == 1.0 else self
