"""Pressure-actuated valves."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.blocks.corners import clamped
from samara.elements.hydraulic.pipes.branch import HydraulicBranch
from samara.elements.hydraulic.pipes.throttle import throttle, transition_drop
from samara.model import Contribution, Output, Site, State, StateMotion, number
from samara.tracing import fmax


class PressedValve(HydraulicBranch):
    """A spring-loaded poppet that the pressure drop opens with a lag: base class of check and relief valves.

        time ds/dt + s = clamp((p_a - p_b - opening) / (full - opening), 0, 1)
        w: an orifice of area (leak + (1 - leak) s) area, laminar below the Reynolds number `transition`

    s: opening, a state, 0 closed and 1 open; the clamp is rounded over a tenth at its limits. A closed valve leaks the
    fraction `leak` of its open flow, so liquid is never completely trapped.

    opening, full: pressure drops at which it starts to open and is fully open [Pa]; area [m^2]; time: time constant of
    the lag [s]; discharge: Cd of its edge; start: initial s, from 0 to 1.
    """

    opening: float = number(unit="Pa")
    full: float = number(unit="Pa")
    area: float = number(unit="m^2", positive=True)
    time: float = number(default=1e-3, unit="s", positive=True)
    leak: float = number(default=1e-6, positive=True)
    discharge: float = number(default=0.7, positive=True)
    transition: float = number(default=10.0, positive=True)
    start: float = number(default=0.0, plain=True)

    def examine(self) -> None:
        super().examine()
        if not float(self.opening) < float(self.full):
            raise ValueError(f"opening ({float(self.opening):g} Pa) must be less than full ({float(self.full):g} Pa)")
        if not float(self.leak) < 1.0:
            raise ValueError(f"leak is a part of the area, below 1, got {float(self.leak):g}")
        if not 0.0 <= float(self.start) <= 1.0:
            raise ValueError(f"start is an opening, from 0, shut, to 1, open, got {float(self.start):g}")

    def own_states(self) -> dict[str, State]:
        return {"opening": State(1, value=self.start, description="0 shut, 1 open")}

    def asked(self, a: StateMotion, b: StateMotion) -> Any:
        """The steady opening at these pressures."""
        lift = (a.value - b.value - self.opening) / (self.full - self.opening)
        return unit_clamp(lift)

    def passed(self, a: StateMotion, b: StateMotion, opening: Any) -> Any:
        """Mass flow at an opening [kg/s]."""
        rho, mu = self.density(a, b), self.fluid.shear_viscosity()
        bore = np.sqrt(4.0 * self.area / np.pi)
        limit = transition_drop(self.transition, bore, self.discharge, rho, mu)
        open_area = (self.leak + (1.0 - self.leak) * opening) * self.area
        return throttle(a.value - b.value, open_area, self.discharge, rho, limit)

    def formulate(self, site: Site) -> Contribution:
        a, b, s = site.states[:3]
        flow = self.passed(a, b, fmax(s.value, 0.0))
        weight = self.domain.weight * flow
        return Contribution(
            wrenches=[],
            balances=[weight, -weight, self.time * s.rate + s.value - self.asked(a, b)],
            dissipated=self.power(a, b, flow),
            outputs=self.report(a, b, flow),
        )

    def report(self, a: StateMotion, b: StateMotion, flow: Any) -> list[Output]:
        return [*super().report(a, b, flow), Output("asked", "1", self.asked(a, b), description="opening at rest")]


#: Over which part of its travel a valve bends into its seat.
BEND = 0.1


def unit_clamp(x: Any) -> Any:
    """x between 0 and 1, with corners rounded over a tenth."""
    return clamped(x, 0.0, 1.0, BEND)
