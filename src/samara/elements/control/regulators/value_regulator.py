"""Regulator of a scalar state."""

from __future__ import annotations

from samara.elements.control.regulators.regulator import Regulator
from samara.model import Output, State, reads


class ValueRegulator(Regulator):
    """Regulates a scalar state: the thrust of a rotor, a pressure, a current.

        measured = x

    x: the state, from ``model.state(...)`` or ``rotor.owned["force_z"]``. Target in its unit; see `Regulator` for the
    other arguments.
    """

    x: State = reads(kw_only=False)

    def measured(self, site):
        return self.received(site, "x")

    def unit_of(self, output: Output) -> str:
        return self.x.unit
