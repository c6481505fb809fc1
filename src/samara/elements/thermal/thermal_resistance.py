"""Thermal resistance."""

from __future__ import annotations

from samara.elements.networks.branch import Branch
from samara.model import THERMAL, number


class ThermalResistance(Branch):
    """Heat from a to b = (T_a - T_b) / resistance [W]; resistance [K/W].

    Of a wall it is thickness / (conductivity area), of a surface 1 / (coefficient area). Heat is energy: none
    is lost in it.
    """

    domain = THERMAL

    resistance: float = number(unit="K/W", positive=True)

    def flow(self, a, b):
        return (a.value - b.value) / self.resistance

    def lost(self, a, b, flow):
        return 0.0
