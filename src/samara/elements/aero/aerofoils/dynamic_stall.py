"""Leishman and Beddoes' model of unsteady flow and dynamic stall, as state equations."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from samara.elements.aero.aerofoils.kirchhoff import RECOVERY
from samara.elements.aero.aerofoils.stall import StallConstants, kirchhoff
from samara.model import Record, record
from samara.tracing import absolute, fmax, fmin, sign

#: indicial functions: shares and poles of circulation, moment impulses, circulatory moment of pitch
A1, A2, B1, B2 = 0.3, 0.7, 0.14, 0.53
A3, A4, B3, B4 = 1.5, -0.5, 0.25, 0.1
B5 = 0.5
#: the impulsive lags are shortened to this, to fit tests
SHORTER = 0.75
#: range of Mach numbers of the formulas
MACH = 0.02, 0.85
#: range of the separation point
POINT = 1e-3, 1.0
#: centre of pressure of the vortex at mid-way and at the trailing edge: this times 1 - cos
VORTEX = 0.20
#: the published switches are ramps here: over this normal force beyond cn_1, over these semi-chords
ONSET, END = 0.05, 0.5


class LeishmanBeddoes(Record):
    """Leishman-Beddoes model of unsteady airloads and dynamic stall of a section, with twelve states.

    States (all zero in calm, symmetric flow but for the separation point, 1; see `steady`):
        0, 1    circulatory lags of the angle at three quarters of the chord [rad]
        2, 3    lags of the impulsive normal force by angle [rad] and by pitch rate
        4 .. 7  lags of the moment: impulsive by angle (two), circulatory and impulsive by pitch rate
        8       normal force with the lag of the leading-edge pressure, C'
        9       separation point f with the lag of the boundary layer
        10      normal force of the vortex
        11      time since the vortex left the leading edge, in semi-chords travelled, tau

    Attached flow, with q the pitch rate times c / V, alpha_3/4 = alpha + q / 2, pace 2 V / c, T = c / sound:
        y_0' = pace b_1 beta^2 (alpha_3/4 - y_0), ...,   alpha_e = 0.3 y_0 + 0.7 y_1
        cn = slope alpha_e + 4 (alpha - y_2) / M + (q - y_3) / M
    Separation and vortex:
        C'' t_p / pace + C' = cn,   f' t_f / pace + f = f_steady(C' / slope),   K = ((1 + sqrt f) / 2)^2
        cn = slope K alpha_e + impulses + cn_v,   cn_v' = (slope alpha_e (1 - K))' - pace cn_v / t_v
    where the vortex is fed while |C'| > cn_1 and tau < t_vl, and the feed only strengthens it; tau grows at the rate
    `pace` while |C'| > cn_1 (up to 2 t_vl) and otherwise returns to zero within a semi-chord. The vortex's centre of
    pressure moves aft by 0.2 (1 - cos(pi tau / t_vl)) chords. These switches are ramps, over 0.05 of normal force and
    half a semi-chord, so that the rates are continuous: Newton's method could cycle about a jump.

    Omitted from the published model, which switches between time steps: the changes of the time constants in phases of
    the vortex, the shift of alpha_1 for decreasing angle, and secondary vortices. For symmetric sections,
    angles up to about 30 degrees, Mach numbers up to 0.85.

    constants: a `StallConstants`, by default those of the NACA 0012.

    Sources: J. G. Leishman and T. S. Beddoes, J. American Helicopter Society 34(3) (1989) 3-17; J. G. Leishman and
    K. Q. Nguyen, State-space representation of unsteady airfoil behavior, AIAA J. 28(5) (1990) 836-844; J. G. Leishman
    and G. L. Crouse, State-space model for unsteady airfoil behavior and dynamic stall, AIAA 89-1319 (1989).
    """

    #: number of states
    count: ClassVar[int] = 12

    constants: StallConstants = record(default=None)

    def __post_init__(self) -> None:
        if self.constants is None:
            self.constants = StallConstants.naca0012()

    def steady(self, alpha, pitch_rate, speed, chord, sound) -> np.ndarray:
        """The states at rest: those whose rates vanish without a vortex."""
        mach = fmin(fmax(speed / sound, MACH[0]), MACH[1])
        q, slope = pitch_rate * chord / speed, self.constants.slope(mach)
        three_quarters = alpha + 0.5 * q
        normal = slope * three_quarters
        point = self.constants.separation(normal / slope, mach)
        zero = 0.0 * alpha
        return np.array([three_quarters, three_quarters, alpha, q, alpha, alpha, q, q, normal, point, zero, zero])

    def __call__(self, states, alpha, pitch_rate, speed, chord, sound) -> tuple[np.ndarray, Any, Any, Any]:
        """Rates of the states, cl, cd, cm.

        alpha: angle of attack at the quarter chord, plunge included [rad]; pitch_rate [rad/s]; speed [m/s] > 0;
        chord [m]; sound: its speed [m/s].
        """
        y, k = states, self.constants
        mach = fmin(fmax(speed / sound, MACH[0]), MACH[1])
        q, pace, slope = pitch_rate * chord / speed, 2.0 * speed / chord, k.slope(mach)

        attached, (angle, angle_rate, impulse, moment) = self._attached(y, alpha, q, mach, pace, chord / sound)
        circulatory = slope * angle
        lagged = y[8]
        lagged_rate = pace / k.t_p(mach) * (circulatory + impulse - lagged)

        point = fmin(fmax(y[9], POINT[0]), POINT[1])
        point_rate = pace / k.t_f(mach) * (k.separation(lagged / slope, mach) - y[9])
        kept = kirchhoff(point)

        vortex, tau = y[10], fmin(fmax(y[11], 0.0), 2.0 * k.t_vl(mach))
        beyond = absolute(lagged) - k.cn_1(mach)
        stalled = _ramp(beyond / ONSET)
        root = np.sqrt(point)
        fed = slope * angle_rate * (1.0 - kept) - circulatory * 0.25 * (1.0 + root) / root * point_rate
        side = sign(circulatory)
        on_chord = _ramp((k.t_vl(mach) - tau) / END)
        vortex_rate = stalled * on_chord * side * fmax(side * fed, 0.0) - pace / k.t_v(mach) * vortex
        runs = _ramp((2.0 * k.t_vl(mach) - y[11]) / END)
        tau_rate = pace * (stalled * runs - (1.0 - stalled) * y[11])

        normal = kept * circulatory
        loss = np.exp(k.d_f(mach) * fmax(beyond, 0.0) * np.log(point))
        suction = RECOVERY * slope * angle * angle * root * loss
        back = VORTEX * (1.0 - np.cos(np.pi * tau / k.t_vl(mach)))
        cn = normal + impulse + vortex
        cl = cn * np.cos(alpha) + suction * np.sin(alpha)
        cd = k.cd_0(mach) + cn * np.sin(alpha) - suction * np.cos(alpha)
        cm = k.centre(point, mach) * normal + moment - back * vortex
        rates = np.array([*attached, lagged_rate, point_rate, vortex_rate, tau_rate])
        return rates, cl, cd, cm

    def _attached(self, y, alpha, q, mach, pace, transit):
        """Rates of the first eight states; effective angle with its rate, impulsive normal force, unsteady moment."""
        beta2 = 1.0 - mach * mach
        beta = np.sqrt(beta2)
        three_quarters = alpha + 0.5 * q
        lags = [pace * b * beta2 * (three_quarters - y[i]) for i, b in ((0, B1), (1, B2))]

        growth = np.pi * beta * mach * mach * (A1 * B1 + A2 * B2)
        by_angle = SHORTER / ((1.0 - mach) + growth) * transit
        by_rate = SHORTER / ((1.0 - mach) + 2.0 * growth) * transit
        moment_angle = transit / (1.0 - mach)
        moment_rate = 7.0 / (15.0 * (1.0 - mach) + 3.0 * np.pi * beta * mach * mach * B5) * transit
        rates = [
            *lags,
            (alpha - y[2]) / by_angle,
            (q - y[3]) / by_rate,
            (alpha - y[4]) / (B3 * moment_angle),
            (alpha - y[5]) / (B4 * moment_angle),
            pace * B5 * beta2 * (q - y[6]),
            (q - y[7]) / moment_rate,
        ]
        angle, angle_rate = A1 * y[0] + A2 * y[1], A1 * lags[0] + A2 * lags[1]
        impulse = (4.0 * (alpha - y[2]) + (q - y[3])) / mach
        moment = -(A3 * (alpha - y[4]) + A4 * (alpha - y[5]) + 7.0 / 12.0 * (q - y[7])) / mach
        moment = moment - np.pi / (8.0 * beta) * y[6]
        return rates, (angle, angle_rate, impulse, moment)


def _ramp(x):
    """0 below 0, 1 above 1, straight between."""
    return fmin(fmax(x, 0.0), 1.0)
