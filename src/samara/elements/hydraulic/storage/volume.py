"""Dead volume."""

from __future__ import annotations

from samara.elements.hydraulic.storage.storage import HydraulicStorage
from samara.model import number


class Volume(HydraulicStorage):
    """Liquid in a vessel at a junction: inflow raises its pressure.

        dm/dt = flow,     m = rho(p) V,     V = volume (1 + compliance (p - p0))
        energy: m h - p V + volume compliance p^2 / 2

    volume [m^3] at the reference pressure p0 of the fluid; compliance: of the walls [1/Pa], D / (E t) for a thin pipe
    of diameter D, wall thickness t and Young's modulus E. n: the junction. fluid: a `Fluid`.
    """

    volume: float = number(unit="m^3", positive=True)
    compliance: float = number(default=0.0, unit="1/Pa", nonnegative=True)

    def examine(self) -> None:
        super().examine()
        if not self.fluid.compressible and not float(self.compliance) > 0.0:
            raise ValueError(
                "an incompressible fluid in rigid walls stores nothing: give compliance, a compressible fluid such as "
                "LinearFluid, or leave the volume out"
            )

    def room(self, p):
        """V at a pressure [m^3]."""
        return self.volume * (1.0 + self.compliance * (p - self.fluid.reference_pressure))

    def content(self, n):
        return self.fluid.density(n.value) * self.room(n.value)

    def stored(self, n):
        walls = 0.5 * self.volume * self.compliance * n.value**2
        return self.fluid.held_energy(n.value, self.room(n.value)) + walls
