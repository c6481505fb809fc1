"""A branch whose flow is a state."""

from __future__ import annotations

from typing import Any, ClassVar

from samara.elements.networks.branch import Branch
from samara.model import Connection, Contribution, ModelError, Output, Site, State, StateMotion, Way


class FlowBranch(Branch):
    """A branch whose flow is a state of its own: it has inertia, or follows from a prescribed difference.

        value of a - value of b = difference(flow, its rate)

    Subclasses define `difference`, and `stored` for the energy. start: initial flow; order: 1 if the rate of the
    flow matters, 0 if not.
    """

    order: ClassVar[int] = 1

    def own_states(self) -> dict[str, State]:
        unit = self.domain.flow_unit
        return {self.domain.through: State(self.order, value=self.started(), unit=unit, scale=self.size())}  # type: ignore[arg-type]

    def started(self) -> float:
        """Initial flow."""
        return 0.0

    def size(self) -> float:
        """Typical magnitude of the flow: an ampere for volts, a milliampere for millivolts."""
        return min(self.a.scale, self.b.scale) / self.domain.scale

    def connections(self) -> list[Connection]:
        return [Connection(Way.FLOWS if self.order else Way.DIFFERS, self.a, self.b)]

    def difference(self, a: StateMotion, b: StateMotion, flow: StateMotion) -> Any:
        """Value of a minus value of b at that flow."""
        raise ModelError(f"{type(self).__name__}: define a method difference(a, b, flow)")

    def stored(self, flow: StateMotion) -> Any:
        """Energy of the flow [J]."""
        return 0.0

    def lost(self, a: StateMotion, b: StateMotion, flow: Any) -> Any:
        return 0.0

    def formulate(self, site: Site) -> Contribution:
        a, b, flow = *site.states[:2], site.states[-1]
        weight = self.domain.weight * flow.value
        return Contribution(
            wrenches=[],
            balances=[weight, -weight, self.difference(a, b, flow) - (a.value - b.value)],
            potential=self.stored(flow),
            dissipated=self.lost(a, b, flow.value),
            supplied=self.supplied(a, b, flow.value),
            outputs=self.report(a, b, flow.value),
        )

    def report(self, a: StateMotion, b: StateMotion, flow: Any) -> list[Output]:
        return super().report(a, b, flow)[1:]  # the flow is recorded as a state
