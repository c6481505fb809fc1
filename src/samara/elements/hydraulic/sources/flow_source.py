"""Flow source."""

from __future__ import annotations

from typing import Any

from samara.elements.hydraulic.fluids.filling import pressed
from samara.elements.hydraulic.pipes.branch import HydraulicBranch
from samara.model import Connection, Contribution, Site, Way, option, signal


class FlowSource(HydraulicBranch):
    """Prescribes the flow from a to b, at any pressures.

        w = amount [kg/s] by mass,     w = rho(p_a) amount [amount: m^3/s] by volume at the density of a

    amount: a signal, that is a number, a `Parameter`, a drive, an input or a state. by: "mass" or "volume". The power
    of the pressure change, w (h(p_b) - h(p_a)), is external.
    """

    amount: Any = signal(unit="kg/s or m^3/s")
    by: str = option(default="mass", choices=("mass", "volume"))

    def connections(self) -> list[Connection]:
        return [Connection(Way.FLOWS, self.a, self.b)]

    def doubts(self, results: Any) -> list[str]:
        return [*super().doubts(results), *pressed(results, self.junctions(), self.fluid)]

    def formulate(self, site: Site) -> Contribution:
        a, b = site.states[:2]
        amount, weight = self.received(site, "amount"), self.domain.weight
        flow = amount if self.by == "mass" else amount * self.fluid.density(a.value)
        return Contribution(
            wrenches=[],
            balances=[weight * flow, -weight * flow],
            supplied=-self.power(a, b, flow),
            outputs=self.report(a, b, flow),
        )
