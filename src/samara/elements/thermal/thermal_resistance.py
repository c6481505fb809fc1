"""Thermal resistance."""

from __future__ import annotations

from samara.elements.networks.branch import Branch
from samara.model import THERMAL, number


class ThermalResistance(Branch):
    """Heat from a to b = (T_a - T_b) / resistance [W]; resistance [K/W].

    For a wall it is thickness / (conductivity area), for a surface 1 / (coefficient area). Heat is energy, so none
    is lost here.
    """

    domain = THERMAL

    resistance: float = number(unit="K/W", positive=True)

    def flow(self, a, b):
        return (a.value - b.value) / self.resistance

    def lost(self, a, b, flow):
        return 0.0
