"""Sensor of a scalar state."""

from __future__ import annotations

from samara.model import Contribution, EnergyBooks, Output, Site, State, reads


class StateValue(EnergyBooks):
    """Value and rate of a scalar state. Every state has one automatically."""

    x: State = reads(kw_only=False)

    def unit_of(self, output: Output) -> str:
        return self.x.unit if output.name == "value" else f"{self.x.unit}/s"

    def formulate(self, site: Site) -> Contribution:
        x = site.states[0]
        return Contribution(wrenches=[], outputs=[Output("value", "1", x.value), Output("rate", "1/s", x.rate)])
