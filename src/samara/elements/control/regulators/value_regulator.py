"""Regulator of a scalar state."""

from __future__ import annotations

from samara.elements.control.regulators.regulator import Regulator
from samara.model import Output, State, reads


class ValueRegulator(Regulator):
    """Holds the value of a scalar state: the thrust of a rotor, a pressure, a current.

        measured = x

    x: the state, as ``model.state(...)`` or ``rotor.owned["force_z"]`` gives it. Target in its unit; see `Regulator`
    for the rest.
    """

    x: State = reads(kw_only=False)

    def measured(self, site):
        return self.received(site, "x")

    def unit_of(self, output: Output) -> str:
        return self.x.unit
