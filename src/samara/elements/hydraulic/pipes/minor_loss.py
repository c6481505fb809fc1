"""Minor loss."""

from __future__ import annotations

import numpy as np

from samara.elements.hydraulic.pipes.branch import HydraulicBranch
from samara.elements.hydraulic.pipes.throttle import throttle, transition_drop
from samara.model import number


class MinorLoss(HydraulicBranch):
    """A bend, fitting, entry or change of area: p_a - p_b = K rho v |v| / 2 in turbulent flow.

        w = A sqrt(2 rho / K) dp / (dp^2 + dp_t^2)^(1/4),     dp_t = K (Re_t mu / D)^2 / (2 rho)

    Reverse flow may have a different K, `coefficient_back`; by default it is the same. v: mean speed in the bore [m/s].

    diameter: of the bore, D [m]; coefficient: K > 0; transition: Reynolds number rho v D / mu below which the loss is
    linear in v. Tables of K: Idelchik, Handbook of Hydraulic Resistance.
    """

    diameter: float = number(unit="m", positive=True)
    coefficient: float = number(positive=True)
    coefficient_back: float = number(default=None, positive=True)
    transition: float = number(default=100.0, positive=True)

    def prepare(self) -> None:
        super().prepare()
        if self.coefficient_back is None:
            self.coefficient_back = self.coefficient

    def flow(self, a, b):
        rho, drop = self.density(a, b), a.value - b.value
        mu, area = self.fluid.shear_viscosity(), 0.25 * np.pi * self.diameter**2
        forth, back = 1.0 / np.sqrt(self.coefficient), 1.0 / np.sqrt(self.coefficient_back)
        # between the two over the drops of laminar flow, so that the slope does not jump at rest
        width = transition_drop(self.transition, self.diameter, forth, rho, mu)
        part = 0.5 * (1.0 + drop / np.sqrt(drop * drop + width**2))
        discharge = back + (forth - back) * part
        limit = transition_drop(self.transition, self.diameter, discharge, rho, mu)
        return throttle(drop, area, discharge, rho, limit)
