"""Temperature source."""

from __future__ import annotations

from typing import Any

from samara.elements.networks.hold import Hold
from samara.model import THERMAL, Constant, Contribution, Site, signal


class TemperatureSource(Hold):
    """Prescribes the temperature of a junction: ambient air, a coolant.

        T = temperature [K]

    temperature: absolute; a number, a `Parameter`, a drive, an input or a state. State ``inflow``: external heat
    flow into the junction [W].
    """

    domain = THERMAL

    temperature: Any = signal(unit="K")

    def examine(self) -> None:
        super().examine()
        if isinstance(self.temperature, Constant) and float(self.temperature.value) < 0.0:
            raise ValueError(
                f"temperature is absolute, and not negative, got {float(self.temperature.value):g} K: 0 degrees "
                "Celsius are 273.15 K"
            )

    @property
    def steady(self) -> bool:
        return isinstance(self.temperature, Constant)

    def formulate(self, site: Site) -> Contribution:
        n, inflow = site.states[0], site.states[-1].value
        return Contribution(
            wrenches=[],
            balances=[-self.domain.weight * inflow, n.value - self.received(site, "temperature")],
            supplied=inflow,
        )
