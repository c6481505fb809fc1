"""Pressure source."""

from __future__ import annotations

from typing import Any

from samara.elements.hydraulic.fluids.filling import check_boiling, fill, unknown
from samara.elements.hydraulic.fluids.fluid import Fluid
from samara.elements.networks.hold import Hold
from samara.model import HYDRAULIC, Constant, Contribution, Doubting, Site, record, signal


class PressureSource(Hold, Doubting):
    """Prescribes the pressure of a junction at any flow: p = pressure [Pa, absolute]. The inflow carries h(p).

    pressure: a signal, that is a number, a `Parameter`, a drive, an input or a state. fluid: a `Fluid`. State
    ``inflow``: mass flow from the source into the junction [kg/s].
    """

    domain = HYDRAULIC

    fluid: Fluid = record(of=Fluid, such_as="LinearFluid(...)")
    pressure: Any = signal(unit="Pa")

    def examine(self) -> None:
        super().examine()
        if isinstance(self.pressure, Constant):
            check_boiling("pressure", self.pressure.value, self.fluid)

    def join(self, name: str) -> None:
        super().join(name)
        fill([self.n], self.fluid, name)

    def doubts(self, results: Any) -> list[str]:
        return [*super().doubts(results), *unknown(results, [self.n], self.fluid, self.name)]

    @property
    def steady(self) -> bool:
        """Whether the pressure is constant."""
        return isinstance(self.pressure, Constant)

    def formulate(self, site: Site) -> Contribution:
        n, inflow = site.states[0], site.states[-1]
        return Contribution(
            wrenches=[],
            balances=[-self.domain.weight * inflow.value, n.value - self.received(site, "pressure")],
            supplied=self.fluid.enthalpy(n.value) * inflow.value,
        )
