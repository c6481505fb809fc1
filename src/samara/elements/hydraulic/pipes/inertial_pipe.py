"""Pipe with inertance."""

from __future__ import annotations

from samara.elements.hydraulic.pipes.pipe import Pipe
from samara.model import Connection, Contribution, Site, Way


class InertialPipe(Pipe):
    """A pipe whose liquid has inertia.

        rho (h(p_a) - h(p_b)) = (L / A) dw/dt + dp(w),     energy L w^2 / (2 A rho_0)

    L / A: inertance for mass flow [1/m]; w, dp as in `Pipe`. rho_0: density at the reference pressure; the error in
    kinetic energy at another density, (L / A) w dw/dt (1 / rho_0 - 1 / rho), counts as supplied power. The liquid
    column moves as a whole; for pressure waves see `add_pipe`. fluid: a `Fluid`; start: initial mass flow [kg/s].
    """

    order = 1

    def connections(self) -> list[Connection]:
        return [Connection(Way.FLOWS, self.a, self.b)]

    def difference(self, a, b, flow):
        return super().difference(a, b, flow) + self.length / self.area() * flow.rate

    def stored(self, flow):
        rest = self.fluid.density(self.fluid.reference_pressure)
        return 0.5 * self.length / (self.area() * rest) * flow.value**2

    def formulate(self, site: Site) -> Contribution:
        made = super().formulate(site)
        a, b, flow = *site.states[:2], site.states[-1]
        apart = 1.0 / self.fluid.density(self.fluid.reference_pressure) - 1.0 / self.density(a, b)
        made.supplied = made.supplied + self.length / self.area() * flow.value * flow.rate * apart
        return made
