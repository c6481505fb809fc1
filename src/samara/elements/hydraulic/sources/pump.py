"""Pump at prescribed speed."""

from __future__ import annotations

from typing import Any

from samara.elements.hydraulic.fluids.filling import pressed
from samara.elements.hydraulic.pipes.branch import HydraulicBranch
from samara.model import Connection, Contribution, Output, Site, Way, number, signal


class Pump(HydraulicBranch):
    """A displacement pump from a (inlet) to b (outlet) at a prescribed speed.

        w = rho(p_a) displacement speed - leakage (p_b - p_a)

    displacement [m^3/rad]; speed [rad/s]: a signal, that is a number, a `Parameter`, a drive, an input or a state;
    leakage: through internal gaps [kg/(s Pa)], the volumetric loss. The drive supplies the power
    rho(p_a) displacement speed (h(p_b) - h(p_a)); see `ShaftPump` for a pump on a shaft.
    """

    displacement: float = number(unit="m^3/rad", positive=True)
    speed: Any = signal(unit="rad/s")
    leakage: float = number(default=0.0, unit="kg/(s Pa)", nonnegative=True)

    def connections(self) -> list[Connection]:
        return [Connection(Way.CONDUCTS if float(self.leakage) > 0.0 else Way.FLOWS, self.a, self.b)]

    def doubts(self, results: Any) -> list[str]:
        return [*super().doubts(results), *pressed(results, self.junctions(), self.fluid)]

    def formulate(self, site: Site) -> Contribution:
        a, b = site.states[:2]
        drawn = self.fluid.density(a.value) * self.displacement * self.received(site, "speed")
        leak, given = self.leakage * (a.value - b.value), -self.power(a, b, drawn)
        flow, weight = drawn + leak, self.domain.weight
        return Contribution(
            wrenches=[],
            balances=[weight * flow, -weight * flow],
            dissipated=self.power(a, b, leak),
            supplied=given,
            outputs=[*self.report(a, b, flow), Output("shaft_power", "W", given, description="that drives it")],
        )
