"""Pump of given speed."""

from __future__ import annotations

from typing import Any

from samara.elements.hydraulic.branch import HydraulicBranch
from samara.model import Connection, Output, Way, driven, number


class Pump(HydraulicBranch):
    """A displacement pump that turns at a given speed, from a (inlet) to b (outlet).

        w = rho(p_a) displacement speed(t) - leakage (p_b - p_a)

    displacement [m^3/rad]; speed: a number, a `Parameter`, a drive or an input [rad/s]; leakage: back through its gaps
    [kg/(s Pa)], the volumetric loss. What drives it gives the power rho(p_a) displacement speed (h(p_b) - h(p_a)); see
    `ShaftPump` for one on a shaft.
    """

    displacement: float = number(unit="m^3/rad", positive=True)
    speed: Any = driven(unit="rad/s")
    leakage: float = number(default=0.0, unit="kg/(s Pa)", nonnegative=True)

    def connections(self) -> list[Connection]:
        return [Connection(Way.CONDUCTS if float(self.leakage) > 0.0 else Way.FLOWS, self.a, self.b)]

    def drawn(self, a):
        """Mass flow without leakage [kg/s]."""
        return self.fluid.density(a.value) * self.displacement * self.speed

    def flow(self, a, b):
        return self.drawn(a) + self.leakage * (a.value - b.value)

    def lost(self, a, b, flow):
        return self.power(a, b, self.leakage * (a.value - b.value))

    def supplied(self, a, b, flow):
        return -self.power(a, b, self.drawn(a))

    def report(self, a, b, flow):
        shaft = Output("shaft_power", "W", -self.power(a, b, self.drawn(a)))
        return [*super().report(a, b, flow), shaft]
