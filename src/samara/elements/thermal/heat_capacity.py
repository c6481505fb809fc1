"""Heat capacity."""

from __future__ import annotations

from samara.elements.networks.storage import Storage
from samara.model import THERMAL, number


class HeatCapacity(Storage):
    """Keeps heat at a junction: capacity dT/dt = heat that flows in; capacity [J/K]. Its energy is capacity T."""

    domain = THERMAL

    capacity: float = number(unit="J/K", positive=True)

    def content(self, n):
        return self.capacity * n.value

    def stored(self, n):
        return self.capacity * n.value
