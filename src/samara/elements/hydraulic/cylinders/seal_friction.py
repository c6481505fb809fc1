"""Seal friction with memory."""

from __future__ import annotations

import numpy as np

from samara.elements.springs.line import Line
from samara.model import Contribution, Output, Site, State, number


class SealFriction(Line):
    """Friction along a line by seal lips that deflect before they slide (Dahl's model): it sticks without creep.

        F = static z / critical + viscous dl/dt,     dz/dt = v - |v| z / critical,     v = dl/dt

    z: deflection of the lips [m], a state; it reaches `critical` after sliding a few times that distance, and F is then
    static plus viscous. |v| is taken as sqrt(v^2 + slow^2) - slow, which is smooth at rest. The energy of the lips,
    static z^2 / (2 critical), and the heat static |v| (z / critical)^2 add up to the work done on them.

    static: force at slow sliding [N]; critical: displacement at which the lips break away [m]; viscous [N s/m]; slow:
    speed below which |v| is rounded [m/s]. Source: Dahl, A Solid Friction Model, Aerospace Corp.,
    TOR-0158(3107-18)-1, 1968. Add it in parallel with a `LinearActuator`, with the same points.
    """

    static: float = number(unit="N", nonnegative=True)
    critical: float = number(unit="m", positive=True)
    viscous: float = number(default=0.0, unit="N s/m", nonnegative=True)
    slow: float = number(default=1e-6, unit="m/s", positive=True)

    def own_states(self) -> dict[str, State]:
        return {"deflection": State(1, unit="m", scale=float(self.critical), description="of the lips")}

    def formulate(self, site: Site) -> Contribution:
        z = site.states[0]
        q = site.measure(lambda a, b: self.coordinates(a.at(self.place_a), b.at(self.place_b)))
        v = q.rate[0]
        speed = np.sqrt(v * v + self.slow**2) - self.slow
        bent = z.value / self.critical
        effort = self.static * bent + self.viscous * v
        return Contribution(
            wrenches=q.wrenches([effort]),
            balances=[z.rate - v + speed * bent],
            potential=0.5 * self.static * self.critical * bent**2,
            dissipated=self.static * speed * bent**2 + self.viscous * v**2,
            outputs=[
                Output("effort", "N", effort, description="against the motion"),
                Output("length_rate", "m/s", v),
            ],
        )
