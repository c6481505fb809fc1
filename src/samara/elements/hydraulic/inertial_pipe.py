"""Pipe with inertance."""

from __future__ import annotations

from samara.elements.hydraulic.pipe import Pipe
from samara.model import Connection, Way


class InertialPipe(Pipe):
    """A pipe whose liquid has inertia: the flow goes on when the pressures change.

        rho (h(p_a) - h(p_b)) = (rho / rho_0) (L / A) dw/dt + dp(w),     energy L w^2 / (2 A rho_0)

    L / A: inertance of a mass flow [1/m]; rho_0: density at the reference pressure; w, dp as of a `Pipe`. One column of
    liquid that moves as a whole: for waves in it see `add_pipe`. fluid: a `Fluid`; start: mass flow at the start
    [kg/s].
    """

    order = 1

    def connections(self) -> list[Connection]:
        return [Connection(Way.FLOWS, self.a, self.b)]

    def difference(self, a, b, flow):
        inertance = self.length / self.area()
        rest = self.fluid.density(self.fluid.reference_pressure)
        return super().difference(a, b, flow) + self.density(a, b) / rest * inertance * flow.rate

    def stored(self, flow):
        rest = self.fluid.density(self.fluid.reference_pressure)
        return 0.5 * self.length / (self.area() * rest) * flow.value**2
