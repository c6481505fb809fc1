"""Potentiometer."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.blocks.corners import check_limits, clamped
from samara.elements.electric.motors.machine import check_terminals, weighed
from samara.elements.families import Placed
from samara.elements.geometry.alignment import hinge_angle
from samara.model import Connection, Contribution, Frame, Junction, Networked, Output, Site, Way, number, option, state
from samara.rotations import dot
from samara.tracing import fmax


class Potentiometer(Placed, Networked):
    """A resistance from p to n with a wiper that moves with b relative to a: measures an angle or a distance.

        i_pw = (v_p - v_w) / (resistance (1 - x) + contact),     i_wn = (v_w - v_n) / (resistance x + contact)
        x = (s - lower) / (upper - lower), limited to 0..1

    p, w, n: electric junctions of the ends and the wiper. s: depending on `of`, the angle of b relative to a about the
    common z axis of their frames [rad], or the distance between their origins [m]. lower, upper: s with the wiper at n
    and at p. resistance: of the track [ohm]; contact: at its ends [ohm]; corner: fraction of the track over which a
    parabola rounds x into its limits. Angles lie in (-pi, pi].
    """

    p: Junction = state(kw_only=False)
    w: Junction = state(kw_only=False)
    n: Junction = state(kw_only=False)
    of: str = option(default="angle", choices=("angle", "distance"))
    lower: float = number(unit="rad or m")
    upper: float = number(unit="rad or m")
    resistance: float = number(default=1e4, unit="ohm", positive=True)
    contact: float = number(default=1.0, unit="ohm", positive=True)
    corner: float = number(default=1e-3, positive=True)

    def examine(self) -> None:
        super().examine()
        for pair in ((self.p, self.n), (self.p, self.w), (self.w, self.n)):
            check_terminals(*pair)
        if float(self.lower) == float(self.upper):
            raise ValueError("lower and upper must differ: the wiper would not know where it is")
        if self.of == "angle" and max(abs(float(self.lower)), abs(float(self.upper))) > np.pi:
            raise ValueError("lower and upper of an angle must be within -pi and pi, where it jumps")
        check_limits(0.0, 1.0, self.corner)

    def connections(self) -> list[Connection]:
        return [Connection(Way.CONDUCTS, self.p, self.w), Connection(Way.CONDUCTS, self.w, self.n)]

    def coordinate(self, a: Frame, b: Frame) -> Any:
        """Angle or distance."""
        a, b = a.at(self.place_a), b.at(self.place_b)
        if self.of == "angle":
            return hinge_angle(a, b)
        return np.sqrt(fmax(dot(b.p - a.p, b.p - a.p), 1e-18))

    def formulate(self, site: Site) -> Contribution:
        p, w, n = (s.value for s in site.states)
        s = self.coordinate(*site.frames)
        x = clamped((s - self.lower) / (self.upper - self.lower), 0.0, 1.0, self.corner)
        above = (p - w) / (self.resistance * (1.0 - x) + self.contact)
        below = (w - n) / (self.resistance * x + self.contact)
        return Contribution(
            wrenches=[np.zeros(6) for _ in site.frames],
            balances=weighed(above, below - above, -below),
            dissipated=(p - w) * above + (w - n) * below,
            outputs=[
                Output("position", "1", x, description="of the wiper: 0 at n, 1 at p"),
                Output("voltage", "V", w - n, description="of the wiper over n"),
            ],
        )
