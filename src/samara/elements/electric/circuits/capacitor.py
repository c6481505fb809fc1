"""Capacitor."""

from __future__ import annotations

from samara.elements.networks.difference_branch import DifferenceBranch
from samara.model import ELECTRIC, number


class Capacitor(DifferenceBranch):
    """i = capacitance du/dt, u = v_a - v_b, a state; W = capacitance u^2 / 2.

    capacitance [F]; start: initial voltage [V].
    """

    domain = ELECTRIC

    capacitance: float = number(unit="F", positive=True)
    start: float = number(default=0.0, unit="V", plain=True)

    def started(self):
        return self.start

    def flow_of(self, u):
        return self.capacitance * u.rate

    def stored(self, u):
        return 0.5 * self.capacitance * u.value**2
