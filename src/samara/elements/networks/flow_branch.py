"""A branch whose flow is a state."""

from __future__ import annotations

from typing import Any, ClassVar

from samara.elements.networks.branch import Branch
from samara.model import Connection, Contribution, ModelError, Output, Site, State, StateMotion, Way


class FlowBranch(Branch):
    """A branch whose flow is a state of its own: it has inertia, or is whatever a given difference takes.

        value of a - value of b = difference(flow, its rate)

    A subclass gives `difference`, and `stored` for its energy. start: flow at the start; order: 1 where the rate of the
    flow counts, 0 where it does not.
    """

    order: ClassVar[int] = 1

    def own_states(self) -> dict[str, State]:
        unit = self.domain.flow_unit
        return {self.domain.through: State(self.order, value=self.started(), unit=unit, scale=self.size())}  # type: ignore[arg-type]

    def started(self) -> float:
        """The flow at the start."""
        return 0.0

    def size(self) -> float:
        """A size of the flow that matters: an ampere where volts matter, a milliampere where millivolts do."""
        return min(self.a.scale, self.b.scale) / self.domain.scale

    def connections(self) -> list[Connection]:
        return [Connection(Way.FLOWS if self.order else Way.DIFFERS, self.a, self.b)]

    def difference(self, a: StateMotion, b: StateMotion, flow: StateMotion) -> Any:
        """Of the value of a over that of b, with that flow."""
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
