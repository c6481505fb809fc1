"""Temperature source."""

from __future__ import annotations

from typing import Any

from samara.elements.networks.hold import Hold
from samara.model import THERMAL, driven


class TemperatureSource(Hold):
    """Holds a junction at a temperature [K], a number, a `Parameter`, a drive or an input: the air around, a coolant.

    State ``inflow``: heat from outside into the junction [W].
    """

    domain = THERMAL

    temperature: Any = driven(unit="K")

    def given(self):
        return self.temperature

    def brought(self, n, inflow):
        return inflow
