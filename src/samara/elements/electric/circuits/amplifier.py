"""Amplifier."""

from __future__ import annotations

from typing import Any

from samara.blocks.corners import check_limits, clamped
from samara.elements.networks.branch import Branch
from samara.model import ELECTRIC, Contribution, Output, Site, number, signal


class Amplifier(Branch):
    """Amplifies a signal to drive the load between a and b, within the limits of its supply.

        v_a - v_b = u + resistance i,     u = gain input within -limit .. limit

    i: current from a to b through the amplifier [A], negative when it delivers power. input: a signal: a drive, an
    input, or a state such as the output of a regulator or a potential; it draws no current. gain: [V per unit of the
    input]; limit: of u [V]; resistance: output resistance [ohm]; corner: width of the parabola that rounds the
    transition of u into its limits, as a fraction of `limit`.
    """

    domain = ELECTRIC

    input: Any = signal()
    gain: float = number(default=1.0, unit="V")
    limit: float = number(unit="V", positive=True)
    resistance: float = number(unit="ohm", positive=True)
    corner: float = number(default=0.01, positive=True)

    def examine(self) -> None:
        super().examine()
        check_limits(-float(self.limit), float(self.limit), float(self.corner) * float(self.limit))

    def formulate(self, site: Site) -> Contribution:
        a, b = site.states[:2]
        asked = self.gain * self.received(site, "input")
        u = clamped(asked, -self.limit, self.limit, self.corner * self.limit)
        i = (a.value - b.value - u) / self.resistance
        return Contribution(
            wrenches=[],
            balances=[self.domain.weight * i, -self.domain.weight * i],
            dissipated=self.resistance * i**2,
            supplied=-u * i,
            outputs=[*self.report(a, b, i), Output("inner", "V", u, description="voltage before the resistance")],
        )
