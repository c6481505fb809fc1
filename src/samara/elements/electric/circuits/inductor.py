"""Inductor."""

from __future__ import annotations

from samara.elements.networks.flow_branch import FlowBranch
from samara.model import ELECTRIC, number


class Inductor(FlowBranch):
    """v_a - v_b = inductance di/dt, i from a to b, a state; W = inductance i^2 / 2.

    inductance [H]; start: initial current [A].
    """

    domain = ELECTRIC

    inductance: float = number(unit="H", positive=True)
    start: float = number(default=0.0, unit="A", plain=True)

    def started(self):
        return self.start

    def difference(self, a, b, flow):
        return self.inductance * flow.rate

    def stored(self, flow):
        return 0.5 * self.inductance * flow.value**2
