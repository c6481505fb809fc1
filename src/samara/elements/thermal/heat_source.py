"""Heat source."""

from __future__ import annotations

from typing import Any

from samara.elements.networks.element import NetworkElement
from samara.model import THERMAL, Connection, Contribution, Junction, Output, Site, Way, signal, state


class HeatSource(NetworkElement):
    """Supplies external heat to a junction.

        balance of n -= heat

    n: the junction. heat: [W], a number, a `Parameter`, a drive, an input or a state.
    """

    domain = THERMAL

    n: Junction = state(kw_only=False)
    heat: Any = signal(unit="W")

    def junctions(self) -> list[Junction]:
        return [self.n]

    def connections(self) -> list[Connection]:
        return [Connection(Way.FLOWS, self.n)]

    def formulate(self, site: Site) -> Contribution:
        heat = self.received(site, "heat")
        return Contribution(
            wrenches=[],
            balances=[-self.domain.weight * heat],
            supplied=heat,
            outputs=[Output("heat", "W", heat, description="into the junction")],
        )
