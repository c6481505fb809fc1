"""Diode."""

from __future__ import annotations

import numpy as np

from samara.elements.electric.circuits.wright_omega import omega
from samara.elements.networks.branch import Branch
from samara.model import ELECTRIC, number


class Diode(Branch):
    """Lets current through from a to b, and hardly any back.

        i = saturation (exp((u - resistance i) / thermal) - 1) + leak u [A],     u = v_a - v_b

    saturation: current that flows backwards [A]; thermal: voltage over which the current grows e times, the emission
    coefficient times kT/q, 25.85 mV at 300 K [V]; resistance: in series [ohm]; leak: conductance beside it [S], by
    which what hangs behind it has a potential. Shockley's equation with its series resistance is solved in closed form:

        i = thermal / resistance omega(x) - saturation,     omega + ln omega = x
        x = (u + resistance saturation) / thermal + ln(resistance saturation / thermal)

    (T. C. Banwell and A. Jayakumar, Electronics Letters 36, 2000, 291-292), so that it is smooth, and no voltage
    overflows. It does not break down in reverse, and stores no charge.
    """

    domain = ELECTRIC

    saturation: float = number(default=1e-12, unit="A", positive=True)
    thermal: float = number(default=0.02585, unit="V", positive=True)
    resistance: float = number(default=0.01, unit="ohm", positive=True)
    leak: float = number(default=1e-12, unit="S", nonnegative=True)

    def flow(self, a, b):
        u, knee = a.value - b.value, self.resistance * self.saturation
        x = (u + knee) / self.thermal + np.log(knee / self.thermal)
        return self.thermal / self.resistance * omega(x) - self.saturation + self.leak * u
