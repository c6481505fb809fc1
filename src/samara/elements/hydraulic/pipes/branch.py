"""Base class of liquid flow from one junction to another."""

from __future__ import annotations

from typing import Any

from samara.elements.hydraulic.fluids.filling import fill, unknown
from samara.elements.hydraulic.fluids.fluid import Fluid
from samara.elements.networks.branch import Branch
from samara.model import HYDRAULIC, Doubting, Output, StateMotion, record


class HydraulicBranch(Branch, Doubting):
    """A mass flow from a to b that depends on their pressures; subclasses define `flow` [kg/s].

    fluid: a `Fluid`; its density is evaluated at the mean of the two pressures.
    """

    domain = HYDRAULIC

    fluid: Fluid = record(of=Fluid, such_as="LinearFluid(...)")

    def power(self, a: StateMotion, b: StateMotion, flow: Any) -> Any:
        return flow * self.fluid.enthalpy_drop(a.value, b.value)

    def density(self, a: StateMotion, b: StateMotion) -> Any:
        """At the mean pressure [kg/m^3]."""
        return self.fluid.density(0.5 * (a.value + b.value))

    def join(self, name: str) -> None:
        super().join(name)
        fill(self.junctions(), self.fluid, name)

    def doubts(self, results: Any) -> list[str]:
        return [*super().doubts(results), *unknown(results, self.junctions(), self.fluid, self.name)]

    def report(self, a: StateMotion, b: StateMotion, flow: Any) -> list[Output]:
        volume_flow = flow / self.density(a, b)
        return [*super().report(a, b, flow), Output("volume_flow", "m^3/s", volume_flow, description="from a to b")]
