"""Incompressible liquid."""

from __future__ import annotations

from samara.elements.hydraulic.fluids.fluid import Fluid
from samara.model import number


class IncompressibleFluid(Fluid):
    """rho_T0 = reference_density, h = (p - reference_pressure) / rho_T0. Volumes do not store it.

    reference_density [kg/m^3]. Pressures follow algebraically from the flows: omit `Volume`, or make its walls
    compliant.
    """

    compressible = False

    reference_density: float = number(unit="kg/m^3", positive=True)

    def cold_density(self, p):
        return self.reference_density

    def cold_drop(self, p, q):
        return (p - q) / self.reference_density
