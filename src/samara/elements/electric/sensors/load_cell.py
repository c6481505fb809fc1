"""Load cell."""

from __future__ import annotations

import dataclasses

from samara.elements.electric.motors.machine import check_terminals, weighed
from samara.elements.springs.spring import Spring
from samara.model import Connection, Contribution, Junction, Networked, Output, Site, Way, number, state


class LoadCell(Spring, Networked):
    """A stiff spring between two points whose force is measured as a voltage, as by strain gauges.

        v_p - v_n = sensitivity F + resistance i,     F = preload + stiffness (|p_PQ| - length), tension positive

    p, n: electric junctions. i: current from p to n through it [A], negative when it delivers power. sensitivity [V/N];
    resistance: output resistance [ohm]. F excludes the damping: gauges measure the strain only. The electric power it
    delivers counts as external power. See `Spring`.
    """

    p: Junction = state(kw_only=False)
    n: Junction = state(kw_only=False)
    sensitivity: float = number(unit="V/N")
    resistance: float = number(default=1e3, unit="ohm", positive=True)

    def examine(self) -> None:
        super().examine()
        check_terminals(self.p, self.n)

    def connections(self) -> list[Connection]:
        return [Connection(Way.CONDUCTS, self.p, self.n)]

    def formulate(self, site: Site) -> Contribution:
        a, b = site.frames
        p, n = site.states
        stretched = self.coordinates(a.at(self.place_a), b.at(self.place_b))[0] - self.length
        inner = self.sensitivity * (self.preload + self.stiffness * stretched)
        i = (p.value - n.value - inner) / self.resistance
        spring = super().formulate(site)
        return dataclasses.replace(
            spring,
            balances=weighed(i, -i),
            dissipated=spring.dissipated + self.resistance * i**2,
            supplied=spring.supplied - inner * i,
            outputs=[*spring.outputs, Output("voltage", "V", p.value - n.value, description="of p over n")],
        )
