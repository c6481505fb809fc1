"""Diode."""

from __future__ import annotations

import numpy as np

from samara.elements.electric.circuits.wright_omega import omega
from samara.elements.networks.branch import Branch
from samara.model import ELECTRIC, number


class Diode(Branch):
    """Conducts from a to b and blocks almost all current in reverse.

        i = saturation (exp((u - resistance i) / thermal) - 1) + leak u [A],     u = v_a - v_b

    saturation: reverse saturation current [A]; thermal: voltage over which the current grows by a factor e, the
    emission coefficient times kT/q, 25.85 mV at 300 K [V]; resistance: in series [ohm]; leak: conductance in parallel
    [S], which defines the potential of whatever the diode disconnects. Shockley's equation with series resistance is
    solved in closed form:

        i = thermal / resistance omega(x) - saturation,     omega + ln omega = x
        x = (u + resistance saturation) / thermal + ln(resistance saturation / thermal)

    (T. C. Banwell and A. Jayakumar, Electronics Letters 36, 2000, 291-292), so it is smooth, and no voltage
    overflows. Reverse breakdown and stored charge are not modelled.
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
