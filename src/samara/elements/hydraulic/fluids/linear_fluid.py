"""Liquid with linear compressibility."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.hydraulic.fluids.fluid import Fluid
from samara.model import number
from samara.tracing import select

#: Up to where the series of the artanh is taken, and its terms: what is left out is below 1e-16 of it.
NEAR, TERMS = 0.1, 8


class LinearFluid(Fluid):
    """A liquid whose density grows linearly with pressure.

        rho_T0 = reference_density (1 + (p - p0) / bulk_modulus),     p0 = reference_pressure
        h = bulk_modulus / reference_density ln(1 + (p - p0) / bulk_modulus)

    reference_density [kg/m^3], bulk_modulus [Pa]. The speed of sound is sqrt(bulk_modulus / reference_density) at any
    pressure. Limit: p > p0 - bulk_modulus, far below any pressure a liquid can bear.
    """

    reference_density: float = number(unit="kg/m^3", positive=True)
    bulk_modulus: float = number(unit="Pa", positive=True)

    def cold_density(self, p):
        return self.reference_density * (1.0 + (p - self.reference_pressure) / self.bulk_modulus)

    def cold_drop(self, p, q):
        u = (p - q) / (2.0 * (self.bulk_modulus - self.reference_pressure) + p + q)
        return self.bulk_modulus / self.reference_density * 2.0 * artanh(u)

    def sound_speed(self) -> float:
        """Speed of sound in the unbounded liquid at its temperature [m/s]."""
        swelling = 1.0 + float(self.expansion) * (float(self.temperature) - float(self.reference_temperature))
        return float(np.sqrt(float(self.bulk_modulus) * swelling / float(self.reference_density)))


def artanh(u: Any) -> Any:
    """ln((1 + u) / (1 - u)) / 2, exact to rounding near zero: u + u^3 / 3 + u^5 / 5 ... there."""
    u2 = u * u
    series = 0.0
    for k in range(TERMS, 0, -1):
        series = 1.0 / (2 * k - 1) + u2 * series
    return select(u2 < NEAR**2, u * series, 0.5 * np.log((1.0 + u) / (1.0 - u)))
