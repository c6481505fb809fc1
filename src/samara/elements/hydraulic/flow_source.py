"""Flow source."""

from __future__ import annotations

from typing import Any

from samara.elements.hydraulic.branch import HydraulicBranch
from samara.model import Connection, Way, driven, option


class FlowSource(HydraulicBranch):
    """Makes a given amount flow from a to b, whatever the pressures.

        w = amount(t) [kg/s] by mass,     w = rho(p_a) amount(t) [amount: m^3/s] by volume, as drawn from a

    amount: a number, a `Parameter`, a drive or an input. by: "mass" or "volume". What it takes for the change of
    pressure, w (h(p_b) - h(p_a)), comes from outside.
    """

    amount: Any = driven()
    by: str = option(default="mass", choices=("mass", "volume"))

    def connections(self) -> list[Connection]:
        return [Connection(Way.FLOWS, self.a, self.b)]

    def flow(self, a, b):
        return self.amount if self.by == "mass" else self.amount * self.fluid.density(a.value)

    def lost(self, a, b, flow):
        return 0.0

    def supplied(self, a, b, flow):
        return -self.power(a, b, flow)
