"""A branch of a network: what flows between two junctions follows from their values."""

from __future__ import annotations

from typing import Any

from samara.elements.networks.element import NetworkElement
from samara.model import Connection, Contribution, Junction, ModelError, Output, Site, StateMotion, Way, state


class Branch(NetworkElement):
    """Between two junctions a and b: what flows from a to b follows from their values.

        balance of a += flow,     balance of b -= flow

    A subclass gives `flow`, and `stored` and `lost` for energy and heat. a, b: junctions.
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
        """What flows from a to b, in the flow unit of the domain."""
        raise ModelError(f"{type(self).__name__}: define a method flow(a, b)")

    def lost(self, a: StateMotion, b: StateMotion, flow: Any) -> Any:
        """Power turned into heat [W]; all that goes in and does not come out, by default."""
        return self.power(a, b, flow)

    def supplied(self, a: StateMotion, b: StateMotion, flow: Any) -> Any:
        """Power from outside [W]."""
        return 0.0

    def power(self, a: StateMotion, b: StateMotion, flow: Any) -> Any:
        """What the flow brings in at a and does not take out at b [W]."""
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
        """What is recorded: the flow, and the difference of the values."""
        return [
            Output(self.domain.through, self.domain.flow_unit, flow, description="from a to b"),
            Output(self.domain.difference, self.domain.unit, a.value - b.value, description="of a over b"),
        ]
