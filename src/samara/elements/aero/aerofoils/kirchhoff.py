"""Analytical aerofoil: attached flow, trailing-edge separation, flat plate."""

from __future__ import annotations

import numpy as np

from samara.elements.aero.aerofoils.aerofoil import Aerofoil, flat_plate
from samara.elements.aero.aerofoils.stall import StallConstants, kirchhoff
from samara.model import record
from samara.rotations import wrapped
from samara.tracing import absolute, fmax, fmin

#: share of the leading-edge suction that a real flow recovers
RECOVERY = 0.95
#: the plate takes over between these angles [rad]
PLATE = np.radians(25.0), np.radians(45.0)


class KirchhoffAerofoil(Aerofoil):
    """An analytical section, smooth in alpha and Mach number: the steady part of the Leishman-Beddoes model.

        cn = slope ((1 + sqrt f) / 2)^2 alpha,   cc = 0.95 slope alpha^2 sqrt f,   cm = (k_0 + ...) cn
        cl = cn cos(alpha) + cc sin(alpha),   cd = cd_0 + cn sin(alpha) - cc cos(alpha)

    with the separation point f(alpha, Mach) of `constants`, a `StallConstants`, by default those of the NACA 0012; for
    symmetric sections. Between 25 and 45 degrees it blends into a flat plate in separated flow, also in reversed flow.

    Compared with the C81 table of the NACA 0012 at Mach 0.3 to 0.7: within 0.03 (cl), 0.01 (cd) and 0.05 (cm) up to
    3 degrees below alpha_1; errors of up to 0.4, 0.2 and 0.13 in and beyond stall.
    """

    constants: StallConstants = record(default=None)

    def __post_init__(self) -> None:
        if self.constants is None:
            self.constants = StallConstants.naca0012()

    def coefficients(self, alpha, mach):
        a, k = wrapped(alpha), self.constants
        f, slope = k.separation(a, mach), k.slope(mach)
        low = fmin(fmax(a, -PLATE[1]), PLATE[1])  # beyond, the formulas below do not count
        normal, chord = slope * kirchhoff(f) * low, RECOVERY * slope * low * low * np.sqrt(f)
        lift, drag, moment = flat_plate(a)
        s = fmin(fmax((absolute(a) - PLATE[0]) / (PLATE[1] - PLATE[0]), 0.0), 1.0)
        plate = s * s * (3.0 - 2.0 * s)
        return (
            (1.0 - plate) * (normal * np.cos(a) + chord * np.sin(a)) + plate * lift,
            k.cd_0(mach) + (1.0 - plate) * (normal * np.sin(a) - chord * np.cos(a)) + plate * drag,
            (1.0 - plate) * k.centre(f, mach) * normal + plate * moment,
        )
