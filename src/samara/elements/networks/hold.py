"""Prescribed value of a junction."""

from __future__ import annotations

from typing import Any

from samara.elements.networks.element import NetworkElement
from samara.model import Connection, Contribution, Junction, ModelError, Site, State, StateMotion, Way, state


class Hold(NetworkElement):
    """Prescribes the value of one junction by an external inflow.

        value of n = given

    Subclasses define `given`. n: the junction. State ``inflow``: external flow into the junction.
    """

    n: Junction = state(kw_only=False)

    def junctions(self) -> list[Junction]:
        return [self.n]

    def join(self, name: str) -> None:
        super().join(name)
        self.n.note_source(name)

    def connections(self) -> list[Connection]:
        return [Connection(Way.HOLDS, self.n)]

    def own_states(self) -> dict[str, State]:
        size = self.n.scale / self.domain.scale  # an ampere where volts matter, a milliampere where millivolts do
        return {"inflow": State(0, unit=self.domain.flow_unit, scale=size, description="from outside")}

    @property
    def steady(self) -> bool:
        """Whether the value is constant: stores at the junction then take up no flow."""
        return False

    def given(self) -> Any:
        """The value of the junction."""
        raise ModelError(f"{type(self).__name__}: define a method given()")

    def brought(self, n: StateMotion, inflow: Any) -> Any:
        """Power of the inflow [W]."""
        return n.value * inflow

    def formulate(self, site: Site) -> Contribution:
        n, inflow = site.states[0], site.states[-1]
        return Contribution(
            wrenches=[],
            balances=[-self.domain.weight * inflow.value, n.value - self.given()],
            supplied=self.brought(n, inflow.value),
        )
