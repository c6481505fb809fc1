"""Voltage source."""

from __future__ import annotations

from typing import Any

from samara.elements.networks.flow_branch import FlowBranch
from samara.model import ELECTRIC, Contribution, Site, signal


class VoltageSource(FlowBranch):
    """v_a - v_b = voltage(t) [V] at any current from a to b, which is a state, negative when the source delivers power.

    voltage: a number, a `Parameter`, a drive, an input or a state, such as the output of a regulator.
    """

    domain = ELECTRIC
    order = 0

    voltage: Any = signal(unit="V")

    def formulate(self, site: Site) -> Contribution:
        a, b, i = *site.states[:2], site.states[-1].value
        u, weight = self.received(site, "voltage"), self.domain.weight
        return Contribution(
            wrenches=[],
            balances=[weight * i, -weight * i, u - (a.value - b.value)],
            supplied=-u * i,
            outputs=self.report(a, b, i),
        )
