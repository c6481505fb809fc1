"""Thin aerofoil in unsteady incompressible flow: Theodorsen's loads with Wagner's lag as two states."""

from __future__ import annotations

from typing import Any

import numpy as np

#: R. T. Jones's two exponentials of Wagner's function: shares and poles, in semi-chords travelled
SHARES = 0.165, 0.335
POLES = 0.0455, 0.3


def wagner(s):
    """Wagner's function: circulatory lift after a step in angle, relative to its final value; s: semi-chords travelled.

        phi(s) = 1 - 0.165 exp(-0.0455 s) - 0.335 exp(-0.3 s)

    Source: R. T. Jones, The unsteady lift of a wing of finite aspect ratio, NACA Report 681 (1940). Within 0.007 of
    Wagner's exact function, with the exact initial value 1/2.
    """
    return 1.0 - sum(a * np.exp(-b * s) for a, b in zip(SHARES, POLES))


def lagged_downwash(lags, downwash, speed, chord) -> tuple[np.ndarray, Any]:
    """Rates of the two lag states, and the effective downwash for the circulation.

        dy_i/dt = b_i (2 V / c) (w - y_i),     w_e = (1 - A_1 - A_2) w + A_1 y_1 + A_2 y_2

    w: velocity of the air normal to the chord at three quarters of it [m/s], from below positive; V: speed [m/s];
    c: chord [m]. In steady flow y_i = w. For harmonic motion w_e / w is Jones's approximation of Theodorsen's function
    C(k), with an error of at most 0.0146 (at k = 0.41).
    """
    pace = 2.0 * speed / chord
    rates = np.array([b * pace * (downwash - y) for b, y in zip(POLES, lags)])
    effective = (1.0 - sum(SHARES)) * downwash + sum(a * y for a, y in zip(SHARES, lags))
    return rates, effective


def gust_points() -> np.ndarray:
    """Where along the chord `met_gust` wants the gust: -1 at the leading edge, 0 in the middle, 1 at the trailing edge.

    Those of Gauss and Chebyshev, four: e^(-i k x) is integrated to 1e-4 for k = 2, to 4e-3 for k = 4.
    """
    return np.cos((2 * np.arange(4, 0, -1) - 1) * np.pi / 8)


def met_gust(upwash) -> tuple[Any, Any]:
    """Circulatory and other downwash of a thin section in a gust that travels over it [m/s], from values on the chord.

        w_c = 1/pi int w(x) (1 + x) / sqrt(1 - x^2) dx,     w_n = -1/pi int w(x) x / sqrt(1 - x^2) dx,   x in -1 .. 1
        cl = slope (C w_c + w_n) / V,  at the quarter chord

    upwash: of the gust at `gust_points`, as a flow from below. C: the lag of `lagged_downwash`. A harmonic gust that is
    frozen in the air, w = exp(-i k x), gives w_c = J_0 - i J_1 and w_n = i J_1, hence Sears's function
    S = (J_0 - i J_1) C + i J_1 of the gust in the middle; a step gives Kuessner's. The integrals hold for any gust but
    for w_n, the apparent mass, which takes it as frozen; a uniform one gives w_c = w and w_n = 0.
    Sources: Th. von Karman, W. R. Sears, Airfoil theory for non-uniform motion, J. Aeronautical Sciences 5 (1938);
    W. R. Sears, Some aspects of non-stationary airfoil theory, J. Aeronautical Sciences 8 (1941).
    """
    x = gust_points()
    mean, first = sum(upwash) / len(x), sum(a * w for a, w in zip(x, upwash, strict=True)) / len(x)
    return mean + first, -first


def apparent_mass(density, chord, middle_acceleration, pitch_rate, pitch_acceleration, speed) -> tuple[Any, Any]:
    """Apparent-mass loads of a thin section: force normal to the chord [N/m], moment, nose up [N].

        N = pi rho b^2 w_m',     M = -pi rho b^3 (w_m' + V q) / 2 - pi rho b^4 q' / 8     about the quarter chord

    Symbols as in `theodorsen`; these are its non-circulatory terms.
    """
    b = 0.5 * chord
    normal = np.pi * density * b * b * middle_acceleration
    turning = 0.5 * np.pi * density * b**3 * speed * pitch_rate
    return normal, -0.5 * b * normal - turning - 0.125 * np.pi * density * b**4 * pitch_acceleration


def theodorsen(
    lags, downwash, middle_acceleration, pitch_rate, pitch_acceleration, speed, chord, slope=2.0 * np.pi
) -> tuple[np.ndarray, Any, Any]:
    """Theodorsen's unsteady thin aerofoil: rates of the two lag states, cl, and cm about the quarter chord (nose up).

        cl = slope w_e / V + pi b w_m' / V^2
        cm = -pi b w_m' / (4 V^2) - pi b q / (4 V) - pi b^2 q' / (16 V^2)

    with b = c / 2. The first term of cl is circulatory and acts at the quarter chord; the others are those of the
    apparent mass.

    lags:                two states, see `lagged_downwash`.
    downwash:            w_3/4, velocity of the air normal to the chord at three quarters of it, from below [m/s].
    middle_acceleration: w_m', time derivative of the same at mid-chord [m/s^2]: h'' + V q for a section that goes down
                         with h and pitches with q about mid-chord.
    pitch_rate, pitch_acceleration: q [rad/s], q' [rad/s^2], nose up.
    speed, chord:        V [m/s] > 0, c [m]. slope: of the steady lift [1/rad].

    For pitch alpha about a point a semi-chords behind mid-chord, and plunge h downward: w_3/4 = h' + V alpha +
    b (1/2 - a) alpha', w_m = h' + V alpha - b a alpha'. Small angles, incompressible. Source: T. Theodorsen, General
    theory of aerodynamic instability and the mechanism of flutter, NACA Report 496 (1935), equations XX and XXI.
    """
    b = 0.5 * chord
    rates, effective = lagged_downwash(lags, downwash, speed, chord)
    inertial = np.pi * b * middle_acceleration / (speed * speed)
    cl = slope * effective / speed + inertial
    turning = np.pi * b * pitch_rate / (4.0 * speed)
    cm = -0.25 * inertial - turning - np.pi * b * b * pitch_acceleration / (16.0 * speed * speed)
    return rates, cl, cm
