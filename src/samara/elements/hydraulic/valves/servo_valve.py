"""Servo valve."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.blocks.corners import beyond, clamped
from samara.elements.hydraulic.fluids.filling import fill, unknown
from samara.elements.hydraulic.fluids.fluid import Fluid
from samara.elements.hydraulic.pipes.throttle import throttle, transition_drop
from samara.elements.networks.element import NetworkElement
from samara.model import (
    HYDRAULIC,
    Connection,
    Contribution,
    Doubting,
    Junction,
    Output,
    Site,
    State,
    Way,
    number,
    record,
    signal,
    state,
)

#: Command above which the spool bends into its limit of 1.
BEND = 0.1


class ServoValve(NetworkElement, Doubting):
    """A four-edge spool between supply, return and the ports a and b that follows a command.

        y'' / w_n^2 + 2 damping y' / w_n + y = clamp(command, -1, 1),     w_n = frequency
        y > 0: supply -> a and b -> return open,     y < 0: supply -> b and a -> return

    y: position of the spool, a state, 1 fully open. Each edge is an orifice of area
    area (leak + (1 - leak) max(y - overlap, 0) / (1 - overlap)); the maximum is rounded over `corner` on both sides.
    The clamp is rounded over the last tenth before its limits.

    supply, back, a, b: junctions. fluid: a `Fluid`. area: of an open edge [m^2]; frequency: of the spool [rad/s];
    damping: damping ratio; command: a signal, that is a number, a `Parameter`, a drive, an input or a state such as
    ``regulator.output``. overlap: of the lands, as a fraction of the stroke, negative for underlap; leak: as a fraction
    of the area. discharge, transition: as in `Orifice`. start: initial y, from -1 to 1. The spool draws no power
    from the liquid.
    """

    domain = HYDRAULIC

    supply: Junction = state(kw_only=False)
    back: Junction = state(kw_only=False)
    a: Junction = state(kw_only=False)
    b: Junction = state(kw_only=False)
    fluid: Fluid = record(of=Fluid, such_as="LinearFluid(...)")
    area: float = number(unit="m^2", positive=True)
    frequency: float = number(unit="rad/s", positive=True)
    damping: float = number(default=0.7, nonnegative=True)
    command: Any = signal(default=0.0)
    overlap: float = number(default=0.0)
    corner: float = number(default=0.01, positive=True)
    leak: float = number(default=1e-4, positive=True)
    discharge: float = number(default=0.6, positive=True)
    transition: float = number(default=10.0, positive=True)
    start: float = number(default=0.0, plain=True)

    def examine(self) -> None:
        super().examine()
        for k, one in enumerate(self.junctions()):
            if one in self.junctions()[:k]:
                raise ValueError(f"two of its ports are at junction {one.name!r}")
        if not -1.0 < float(self.overlap) < 1.0:
            raise ValueError(f"overlap is a part of the stroke, between -1 and 1, got {float(self.overlap):g}")
        if not float(self.leak) < 1.0:
            raise ValueError(f"leak is a part of the area, below 1, got {float(self.leak):g}")
        if not -1.0 <= float(self.start) <= 1.0:
            raise ValueError(f"start is a position of the spool, from -1 to 1, got {float(self.start):g}")

    def junctions(self) -> list[Junction]:
        return [self.supply, self.back, self.a, self.b]

    def join(self, name: str) -> None:
        super().join(name)
        fill(self.junctions(), self.fluid, name)

    def doubts(self, results: Any) -> list[str]:
        return [*super().doubts(results), *unknown(results, self.junctions(), self.fluid, self.name)]

    def edges(self) -> list[tuple[int, int, int]]:
        """(from, to, sign of the spool motion that opens it), with indices of the junctions."""
        return [(0, 2, 1), (0, 3, -1), (2, 1, -1), (3, 1, 1)]

    def connections(self) -> list[Connection]:
        ends = self.junctions()
        return [Connection(Way.CONDUCTS, ends[i], ends[j]) for i, j, _ in self.edges()]

    def own_states(self) -> dict[str, State]:
        return {"spool": State(2, value=self.start, description="position, 1 fully open")}

    def opening(self, y: Any) -> Any:
        """Open fraction of an edge's area with the spool at y towards it."""
        return self.leak + (1.0 - self.leak) * beyond(y - self.overlap, self.corner) / (1.0 - self.overlap)

    def passed(self, p: Any, q: Any, opening: Any) -> Any:
        """Mass flow through an edge from p to q [kg/s]."""
        rho = self.fluid.density(0.5 * (p + q))
        bore = np.sqrt(4.0 * self.area / np.pi)
        limit = transition_drop(self.transition, bore, self.discharge, rho, self.fluid.shear_viscosity())
        return throttle(p - q, opening * self.area, self.discharge, rho, limit)

    def formulate(self, site: Site) -> Contribution:
        y, p = site.states[-1], [port.value for port in site.states[:4]]
        asked = self.received(site, "command")
        within = clamped(asked, -1.0, 1.0, BEND)
        out, lost = [0.0, 0.0, 0.0, 0.0], 0.0
        for i, j, side in self.edges():
            flow = self.passed(p[i], p[j], self.opening(side * y.value))
            out[i], out[j] = out[i] + flow, out[j] - flow
            lost = lost + flow * self.fluid.enthalpy_drop(p[i], p[j])
        follow = y.acceleration / self.frequency**2 + 2.0 * self.damping * y.rate / self.frequency + y.value - within
        return Contribution(
            wrenches=[],
            balances=[*(self.domain.weight * flow for flow in out), follow],
            dissipated=lost,
            outputs=[
                Output("command", "1", asked, description="what is asked for, before the limits"),
                *(
                    Output(f"mass_flow_{name}", "kg/s", flow, description=f"from {name} into the valve")
                    for name, flow in zip(("supply", "back", "a", "b"), out, strict=True)
                ),
            ],
        )
