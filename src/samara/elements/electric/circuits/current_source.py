"""Current source."""

from __future__ import annotations

from typing import Any

from samara.elements.networks.branch import Branch
from samara.model import ELECTRIC, Connection, Contribution, Site, Way, signal


class CurrentSource(Branch):
    """i = current(t), from a to b through the source [A], at whatever voltage is required.

    current: a number, a `Parameter`, a drive, an input or a state, such as the output of a regulator.
    """

    domain = ELECTRIC

    current: Any = signal(unit="A")

    def connections(self) -> list[Connection]:
        return [Connection(Way.FLOWS, self.a, self.b)]

    def formulate(self, site: Site) -> Contribution:
        a, b = site.states[:2]
        i = self.received(site, "current")
        return Contribution(
            wrenches=[],
            balances=[self.domain.weight * i, -self.domain.weight * i],
            supplied=-self.power(a, b, i),
            outputs=self.report(a, b, i),
        )
