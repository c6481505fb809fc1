"""A branch of a network, whose flow depends on the values of two junctions."""

from __future__ import annotations

from typing import Any

from samara.elements.networks.element import NetworkElement
from samara.model import Connection, Contribution, Junction, ModelError, Output, Site, StateMotion, Way, state


class Branch(NetworkElement):
    """An element whose flow from junction a to junction b depends on their values.

        balance of a += flow,     balance of b -= flow

    Subclasses define `flow`, and `stored` and `lost` for energy and heat. a, b: junctions.
    """

    a: Junction = state(kw_only=False)
    b: Junction = state(kw_only=False)

    def junctions(self) -> list[Junction]:
        return [self.a, self.b]

    def examine(self) -> None:
        super().examine()
        if self.a is self.b:
            raise ValueError(f"both ends are at junction {self.a.name!r}: nothing would flow")

    def connections(self) -> list[Connection]:
        return [Connection(Way.CONDUCTS, self.a, self.b)]

    def flow(self, a: StateMotion, b: StateMotion) -> Any:
        """Flow from a to b, in the flow unit of the domain."""
        raise ModelError(f"{type(self).__name__}: define a method flow(a, b)")

    def lost(self, a: StateMotion, b: StateMotion, flow: Any) -> Any:
        """Power dissipated as heat [W]; by default all power that enters and does not leave."""
        return self.power(a, b, flow)

    def supplied(self, a: StateMotion, b: StateMotion, flow: Any) -> Any:
        """External power [W]."""
        return 0.0

    def power(self, a: StateMotion, b: StateMotion, flow: Any) -> Any:
        """Power the flow brings in at a minus the power it takes out at b [W]."""
        return (a.value - b.value) * flow

    def formulate(self, site: Site) -> Contribution:
        a, b = site.states[:2]
        flow = self.flow(a, b)
        return Contribution(
            wrenches=[],
            balances=[self.domain.weight * flow, -self.domain.weight * flow],
            dissipated=self.lost(a, b, flow),
            supplied=self.supplied(a, b, flow),
            outputs=self.report(a, b, flow),
        )

    def report(self, a: StateMotion, b: StateMotion, flow: Any) -> list[Output]:
        """Recorded channels: the flow, and the difference of the values."""
        return [
            Output(self.domain.through, self.domain.flow_unit, flow, description="from a to b"),
            Output(self.domain.difference, self.domain.unit, a.value - b.value, description="of a over b"),
        ]
