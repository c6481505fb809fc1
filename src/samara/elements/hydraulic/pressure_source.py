"""Pressure source."""

from __future__ import annotations

from typing import Any

from samara.elements.hydraulic.fluid import Fluid, check_fluid
from samara.elements.networks.hold import Hold
from samara.model import HYDRAULIC, Constant, driven, record


class PressureSource(Hold):
    """Holds a junction at a pressure, whatever flows: p = pressure(t) [Pa, absolute]. What flows in brings h(p).

    pressure: a number, a `Parameter`, a drive or an input. State ``inflow``: mass flow from the source into the
    junction [kg/s].
    """

    domain = HYDRAULIC

    fluid: Fluid = record()
    pressure: Any = driven(unit="Pa")

    def examine(self) -> None:
        super().examine()
        check_fluid(self.fluid)

    @property
    def steady(self) -> bool:
        """Whether its pressure stays."""
        return isinstance(self.pressure, Constant)

    def given(self):
        return self.pressure

    def brought(self, n, inflow):
        return self.fluid.enthalpy(n.value) * inflow
