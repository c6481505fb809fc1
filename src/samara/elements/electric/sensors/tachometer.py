"""Tachometer."""

from __future__ import annotations

import numpy as np

from samara.elements.electric.motors.machine import ShaftElement, weighed
from samara.model import Connection, Contribution, Networked, Output, Site, Way, number


class Tachometer(ShaftElement, Networked):
    """A voltage between p and n proportional to the speed of b relative to a about the common z axis of their frames.

        v_p - v_n = constant dq/dt + resistance i

    i: current from p to n through it [A], negative when it delivers power; q: angle of b relative to a [rad].
    constant [V s/rad]; resistance: output resistance [ohm]. It exerts no torque on the shaft: the power it delivers
    counts as external power. A tachometer that brakes its shaft is a `Motor`.
    """

    constant: float = number(unit="V s/rad")
    resistance: float = number(default=1e3, unit="ohm", positive=True)

    def connections(self) -> list[Connection]:
        return [Connection(Way.CONDUCTS, self.p, self.n)]

    def formulate(self, site: Site) -> Contribution:
        p, n = site.states
        rate = self.hinge(site).rate[0]
        inner = self.constant * rate
        i = (p.value - n.value - inner) / self.resistance
        return Contribution(
            wrenches=[np.zeros(6) for _ in site.frames],
            balances=weighed(i, -i),
            dissipated=self.resistance * i**2,
            supplied=-inner * i,
            outputs=[
                Output("angle_rate", "rad/s", rate),
                Output("current", "A", i, description="from p to n"),
                Output("voltage", "V", p.value - n.value, description="of p over n"),
            ],
        )
