"""A branch whose difference is a state."""

from __future__ import annotations

from typing import Any, ClassVar

from samara.elements.networks.branch import Branch
from samara.model import Connection, Contribution, ModelError, Output, Site, State, StateMotion, Way


class DifferenceBranch(Branch):
    """A branch whose difference is a state of its own, such as a capacitor between two junctions.

        u = value of a - value of b,     the flow is a function of u and its rate

    Subclasses define `flow_of`, and `stored` for the energy.
    """

    #: name of the state
    kept: ClassVar[str] = "voltage"

    def own_states(self) -> dict[str, State]:
        size = min(self.a.scale, self.b.scale)
        return {self.kept: State(1, value=self.started(), unit=self.domain.unit, scale=size)}

    def started(self) -> float:
        """Initial difference."""
        return 0.0

    def connections(self) -> list[Connection]:
        return [Connection(Way.DIFFERS, self.a, self.b)]

    def flow_of(self, u: StateMotion) -> Any:
        """Flow from a to b."""
        raise ModelError(f"{type(self).__name__}: define a method flow_of(u)")

    def stored(self, u: StateMotion) -> Any:
        """Energy [J]."""
        return 0.0

    def lost(self, a: StateMotion, b: StateMotion, flow: Any) -> Any:
        return 0.0

    def formulate(self, site: Site) -> Contribution:
        a, b, u = *site.states[:2], site.states[-1]
        flow = self.flow_of(u)
        weight = self.domain.weight * flow
        return Contribution(
            wrenches=[],
            balances=[weight, -weight, u.value - (a.value - b.value)],
            potential=self.stored(u),
            dissipated=self.lost(a, b, flow),
            outputs=[Output(self.domain.through, self.domain.flow_unit, flow, description="from a to b")],
        )
