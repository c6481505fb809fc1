"""Voltage source."""

from __future__ import annotations

from typing import Any

from samara.elements.networks.flow_branch import FlowBranch
from samara.model import ELECTRIC, driven


class VoltageSource(FlowBranch):
    """v_a - v_b = voltage(t) [V], whatever current flows: a state, from a to b through it, so negative when it feeds.

    voltage: a number, a `Parameter`, a drive or an input.
    """

    domain = ELECTRIC
    order = 0

    voltage: Any = driven(unit="V")

    def difference(self, a, b, flow):
        return self.voltage

    def supplied(self, a, b, flow):
        return -self.voltage * flow
