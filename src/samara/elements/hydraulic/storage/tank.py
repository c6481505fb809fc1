"""Tank."""

from __future__ import annotations

from typing import Any

from samara.elements.hydraulic.fluids.filling import check_boiling, fill, unknown
from samara.elements.hydraulic.fluids.fluid import ATMOSPHERE, Fluid
from samara.elements.networks.hold import Hold
from samara.model import HYDRAULIC, Doubting, number, record


class Tank(Hold, Doubting):
    """A large vessel at constant pressure: p = pressure [Pa, absolute], atmospheric by default.

    Every network needs a tank, another pressure source, or a volume. fluid: a `Fluid`. State ``inflow``: mass flow
    out of the tank into the junction [kg/s].
    """

    domain = HYDRAULIC

    fluid: Fluid = record(of=Fluid, such_as="LinearFluid(...)")
    pressure: float = number(default=ATMOSPHERE, unit="Pa", nonnegative=True)

    def examine(self) -> None:
        super().examine()
        check_boiling("pressure", self.pressure, self.fluid)

    def join(self, name: str) -> None:
        super().join(name)
        fill([self.n], self.fluid, name)

    def doubts(self, results: Any) -> list[str]:
        return [*super().doubts(results), *unknown(results, [self.n], self.fluid, self.name)]

    @property
    def steady(self) -> bool:
        """Whether the pressure is constant."""
        return True

    def given(self):
        return self.pressure

    def brought(self, n, inflow):
        return self.fluid.enthalpy(n.value) * inflow
