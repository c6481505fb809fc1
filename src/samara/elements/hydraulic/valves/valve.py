"""Valves that the pressures open."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.blocks.corners import clamped
from samara.elements.hydraulic.pipes.branch import HydraulicBranch
from samara.elements.hydraulic.pipes.throttle import throttle, transition_drop
from samara.model import Contribution, Output, Site, State, StateMotion, number
from samara.tracing import fmax


class PressedValve(HydraulicBranch):
    """A poppet on a spring that the pressure drop opens, with a lag: what check and relief valves have in common.

        time ds/dt + s = clamp((p_a - p_b - opening) / (full - opening), 0, 1)
        w: an orifice of the area (leak + (1 - leak) s) area, laminar below the Reynolds number `transition`

    s: opening, a state, 0 shut and 1 open; the clamp bends into its limits over a tenth. A valve that is shut leaks the
    part `leak` of what it passes when open: nothing is ever without any way out.

    opening, full: drops at which it begins to open and is fully open [Pa]; area [m^2]; time: of the lag [s]; discharge:
    Cd of its edge; start: s at the start, from 0 to 1.
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
        """The opening at rest with these pressures."""
        lift = (a.value - b.value - self.opening) / (self.full - self.opening)
        return unit_clamp(lift)

    def passed(self, a: StateMotion, b: StateMotion, opening: Any) -> Any:
        """Mass flow with an opening [kg/s]."""
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
