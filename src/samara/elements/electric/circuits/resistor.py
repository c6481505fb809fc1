"""Resistor."""

from __future__ import annotations

from samara.elements.networks.branch import Branch
from samara.model import ELECTRIC, number


class Resistor(Branch):
    """i = (v_a - v_b) / resistance, from a to b [A]; resistance [ohm]. It dissipates u i."""

    domain = ELECTRIC

    resistance: float = number(unit="ohm", positive=True)

    def flow(self, a, b):
        return (a.value - b.value) / self.resistance
