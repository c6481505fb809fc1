"""What closes a loop of signals."""

from __future__ import annotations

from typing import Any

from samara.model import Contribution, Defining, EnergyBooks, Junction, Site, State, signal, state

#: What holds a junction of a network at a signal.
HOLDERS = {
    "electric": "a VoltageSource to earth",
    "hydraulic": "a PressureSource",
    "thermal": "a TemperatureSource",
}


class SignalLink(EnergyBooks, Defining):
    """y = u: closes a loop of blocks.

    y: a state of order 0 that was made beforehand by ``model.state("y", 0)`` and is in use already, where the loop
    begins; no junction of a network, and nothing that another element says the value of. u: the signal that it is,
    known where the loop ends.
    """

    y: State = state(kw_only=False)
    u: Any = signal(kw_only=False)

    def examine(self) -> None:
        if isinstance(self.y, Junction):
            holder = HOLDERS.get(self.y.domain.name, "an element of the family Hold")
            raise ValueError(
                f"y must be a state of model.state(name, 0): {self.y.name!r} is a junction, and a link would let flow "
                f"there what comes from nowhere; hold it by {holder}"
            )
        if isinstance(self.y, State) and self.y.order != 0:
            raise ValueError(
                f"y must be a state of order 0, model.state(name, 0): {self.y.name!r} is of {self.y.order}"
            )

    def defines(self) -> list[State]:
        return [self.y]

    def formulate(self, site: Site) -> Contribution:
        return Contribution(wrenches=[], balances=[site.states[0].value - self.received(site, "u")])
