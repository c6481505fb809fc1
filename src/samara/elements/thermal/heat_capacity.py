"""Heat capacity."""

from __future__ import annotations

from samara.elements.networks.storage import Storage
from samara.model import THERMAL, number


class HeatCapacity(Storage):
    """Stores heat at a junction: capacity dT/dt = heat flow in; capacity [J/K]. Its energy is capacity T.

    A run ends when the temperature falls below absolute zero.
    """

    domain = THERMAL

    capacity: float = number(unit="J/K", positive=True)

    def join(self, name: str) -> None:
        super().join(name)
        self.n.bound_below(0.0, "more heat flows out than there is: look at the sources of heat", name)

    def content(self, n):
        return self.capacity * n.value

    def stored(self, n):
        return self.capacity * n.value
