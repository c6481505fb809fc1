"""Signal link: closes a signal loop."""

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

    y: a state of order 0 created beforehand by ``model.state("y", 0)`` and already used where the loop begins; not a
    junction of a network, nor a state defined by another element. u: the signal to which it is set, where the loop
    ends.
    """

    y: State = state(kw_only=False)
    u: Any = signal(kw_only=False)

    def examine(self) -> None:
        if isinstance(self.y, Junction):
            holder = HOLDERS.get(self.y.domain.name, "an element of the family Hold")
            raise ValueError(
                f"y must be a state of model.state(name, 0): {self.y.name!r} is a junction, where a "
                f"link would create a flow from nowhere; fix its value by {holder}"
            )
        if isinstance(self.y, State) and self.y.order != 0:
            raise ValueError(
                f"y must be a state of order 0, model.state(name, 0): {self.y.name!r} is of {self.y.order}"
            )

    def defines(self) -> list[State]:
        return [self.y]

    def formulate(self, site: Site) -> Contribution:
        return Contribution(wrenches=[], balances=[site.states[0].value - self.received(site, "u")])
