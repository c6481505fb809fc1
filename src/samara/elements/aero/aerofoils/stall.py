"""Constants of the stall of a section over the Mach number, and its separation point."""

from __future__ import annotations

import numpy as np

from samara.model import Record, table
from samara.tracing import Curve, absolute, fmax, fmin, select


class StallConstants(Record):
    """Parameters of the Leishman-Beddoes model of a section, each a `Curve` over the Mach number (constant outside).

    slope:          of the normal force, attached [1/rad].
    alpha_1:        angle at which the separation point is at 0.7 chord [rad].
    s_1, s_2:       rates of movement of the separation point below and above that angle [rad].
    k_0, k_1, k_2:  centre of pressure: cm = (k_0 + k_1 (1 - f) + k_2 sin(pi f^2)) cn.
    cd_0:           drag at zero lift.
    cn_1:           normal-force coefficient of leading-edge stall.
    t_p, t_f:       time constants of leading-edge pressure and separation, t_v: of the decay of the vortex, t_vl: time
                    of its passage over the chord; all in semi-chords travelled.
    d_f:            loss of chord force beyond cn_1.

    Source: J. G. Leishman and T. S. Beddoes, A semi-empirical model for dynamic stall, J. American Helicopter Society
    34(3) (1989) 3-17.
    """

    slope: Curve = table(unit="1/rad")
    alpha_1: Curve = table(unit="rad")
    s_1: Curve = table(unit="rad")
    s_2: Curve = table(unit="rad")
    k_0: Curve = table()
    k_1: Curve = table()
    k_2: Curve = table()
    cd_0: Curve = table()
    cn_1: Curve = table()
    t_p: Curve = table()
    t_f: Curve = table()
    t_v: Curve = table()
    t_vl: Curve = table()
    d_f: Curve = table()

    @classmethod
    def naca0012(cls) -> StallConstants:
        """Of the NACA 0012, Mach 0.3 to 0.8: stall and lags by the source's table, slope and cd_0 by the C81 table."""
        mach = [0.30, 0.40, 0.50, 0.60, 0.70, 0.75, 0.80]
        per_degree, degree = np.degrees(1.0), np.radians(1.0)
        rows = [
            per_degree * np.array([0.110, 0.114, 0.1235, 0.136, 0.1565, 0.175, 0.1975]),  # cl(2 degrees) / 2 degrees
            degree * np.array([15.25, 12.5, 10.5, 8.5, 5.6, 3.5, 0.7]),
            degree * np.array([3.0, 3.25, 3.5, 4.0, 4.5, 3.5, 0.70]),
            degree * np.array([2.3, 1.6, 1.2, 0.7, 0.5, 0.8, 0.18]),
            [0.0025, 0.006, 0.02, 0.038, 0.03, 0.001, -0.01],
            [-0.135, -0.135, -0.125, -0.12, -0.09, -0.13, 0.02],
            [0.04, 0.05, 0.04, 0.04, 0.15, -0.02, -0.01],
            [0.008, 0.008, 0.008, 0.008, 0.008, 0.008, 0.0137],
            [1.45, 1.2, 1.05, 0.92, 0.68, 0.5, 0.18],
            [1.7, 1.8, 2.0, 2.5, 3.0, 3.3, 4.3],
            [3.0, 2.5, 2.2, 2.0, 2.0, 2.0, 2.0],
            [6.0, 6.0, 6.0, 6.0, 6.0, 6.0, 4.0],
            [7.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0],
            [8.0, 7.75, 6.2, 6.0, 5.9, 5.5, 4.0],
        ]
        return cls(*(Curve(mach, row) for row in rows))

    def separation(self, alpha, mach):
        """Where the flow leaves the upper side, f in chords from the leading edge, in steady flow.

        f = 1 - 0.3 exp((|alpha| - alpha_1) / s_1)           |alpha| <= alpha_1
        f = 0.04 + 0.66 exp((alpha_1 - |alpha|) / s_2)       beyond
        """
        beyond = absolute(alpha) - self.alpha_1(mach)
        before = 1.0 - 0.3 * np.exp(fmin(beyond, 0.0) / self.s_1(mach))
        after = 0.04 + 0.66 * np.exp(-fmax(beyond, 0.0) / self.s_2(mach))
        return select(np.real(beyond) <= 0.0, before, after)

    def centre(self, f, mach):
        """Moment about the quarter chord over normal force."""
        return self.k_0(mach) + self.k_1(mach) * (1.0 - f) + self.k_2(mach) * np.sin(np.pi * f * f)


def kirchhoff(f):
    """What is left of the normal force when the flow leaves at f: ((1 + sqrt(f)) / 2)^2 (Kirchhoff and Helmholtz)."""
    return 0.25 * (1.0 + np.sqrt(f)) ** 2
