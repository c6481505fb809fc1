"""Pipe."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.hydraulic.fluids.filling import fill, unknown
from samara.elements.hydraulic.fluids.fluid import Fluid
from samara.elements.networks.flow_branch import FlowBranch
from samara.model import HYDRAULIC, Connection, Doubting, Output, StateMotion, Way, number, record
from samara.tracing import absolute, fmax, fmin

#: Reynolds numbers between which flow in a pipe turns from laminar to turbulent.
LAMINAR, TURBULENT = 2000.0, 4000.0
#: Up to which Blasius' formula holds.
BLASIUS = 1e5


class Pipe(FlowBranch, Doubting):
    """A straight round pipe without inertia or storage, with Hagen-Poiseuille or Blasius friction.

        rho (h(p_a) - h(p_b)) = dp(w),     dp = f L / D rho v |v| / 2,     rho at the mean pressure
        f = 64 / Re below Re = 2000 (dp = 8 mu L Q / (pi r^4)),     f = 0.3164 Re^(-1/4) above 4000

    with a cubic in Re between the two, so that the slope is continuous. The left side is p_a - p_b apart from the
    change of density. w: mass flow from a to b [kg/s], a state; v: its mean speed; Re = rho |v| D / mu.

    fluid: a `Fluid`. length: L [m], radius: r = D / 2 [m]; start: initial mass flow [kg/s], only a guess since
    the pipe has no inertia. Limits: smooth walls, Re < 1e5 (Blasius 1913); developed flow. See `InertialPipe` and
    `add_pipe`.
    """

    domain = HYDRAULIC
    order = 0

    fluid: Fluid = record(of=Fluid, such_as="LinearFluid(...)")
    length: float = number(unit="m", positive=True)
    radius: float = number(unit="m", positive=True)
    start: float = number(default=0.0, unit="kg/s", plain=True)

    def join(self, name: str) -> None:
        super().join(name)
        fill(self.junctions(), self.fluid, name)

    def connections(self) -> list[Connection]:
        return [Connection(Way.CONDUCTS, self.a, self.b)]

    def started(self) -> float:
        return self.start

    def size(self) -> float:
        return 1e3 * np.pi * float(self.radius) ** 2  # about a metre per second

    def area(self) -> Any:
        """Of the bore [m^2]."""
        return np.pi * self.radius**2

    def density(self, a: StateMotion, b: StateMotion) -> Any:
        """At the mean pressure [kg/m^3]."""
        return self.fluid.density(0.5 * (a.value + b.value))

    def reynolds(self, flow: Any) -> Any:
        """With the sign of the flow."""
        return flow * 2.0 * self.radius / (self.area() * self.fluid.shear_viscosity())

    def friction(self, density: Any, flow: Any) -> Any:
        """Friction pressure loss at a mass flow [Pa]."""
        mu, bore = self.fluid.shear_viscosity(), 2.0 * self.radius
        return friction_number(self.reynolds(flow)) * mu**2 * self.length / (2.0 * density * bore**3)

    def difference(self, a, b, flow):
        rho, drop = self.density(a, b), a.value - b.value
        driving = rho * self.fluid.enthalpy_drop(a.value, b.value)
        return self.friction(rho, flow.value) + drop - driving

    def lost(self, a, b, flow):
        rho = self.density(a, b)
        return flow * self.friction(rho, flow) / rho

    def report(self, a, b, flow):
        return [
            *super().report(a, b, flow),
            Output("volume_flow", "m^3/s", flow / self.density(a, b), description="from a to b"),
            Output("reynolds", "1", absolute(self.reynolds(flow))),
        ]

    def doubts(self, results: Any) -> list[str]:
        found, name = unknown(results, self.junctions(), self.fluid, self.name), f"{self.name}.reynolds"
        fastest = float(np.max(results[name])) if name in results.channels else 0.0
        if fastest < BLASIUS:
            return found
        return [*found, f"its Reynolds number was {fastest:.3g}; Blasius' friction is known up to {BLASIUS:g}"]


def friction_number(reynolds: Any) -> Any:
    """f Re |Re|: 64 Re if laminar, 0.3164 |Re|^(3/4) Re if turbulent, blended in between. Odd and increasing."""
    size = absolute(reynolds)
    turbulent = 0.3164 * fmax(size, 1.0) ** 0.75
    part = fmin(fmax((size - LAMINAR) / (TURBULENT - LAMINAR), 0.0), 1.0)
    return reynolds * (64.0 + (turbulent - 64.0) * part * part * (3.0 - 2.0 * part))
