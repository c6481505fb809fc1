"""Shapes of the inflow over a disk, and how pressure on the disk makes them: numbers of Peters and He's theory.

Pressure and velocity over the disk are sums over harmonics m = 0, 1, ... and n = m + 1, m + 3, ...:

    pressure:  P_n^m(nu) (cos m psi, sin m psi),       nu = sqrt(1 - r^2)
    velocity:  phi_n^m(r) (cos m psi, sin m psi),      phi_n^m = P_n^m(nu) / nu

P: associated Legendre functions normalised such that the integral of their square over nu from 0 to 1 is one. phi is
r^m times a polynomial in r^2: in Cartesian coordinates no more than a polynomial.

Sources: D. A. Peters, D. D. Boyd, C. J. He, Finite-state induced-flow model for rotors in hover and forward flight,
Journal of the American Helicopter Society 34 (1989); C. J. He, Development and application of a generalized dynamic
wake theory for lifting rotors, thesis, Georgia Institute of Technology (1989).
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np


@cache
def radial_polynomial(m: int, n: int) -> tuple[float, ...]:
    """Coefficients c of phi_n^m = r^m (c_0 + c_1 r^2 + ...).

    phi_n^m = sqrt((2 n + 1) H_n^m) sum_q r^q (-1)^((q - m) / 2) (n + q)!! / ((q - m)!! (q + m)!! (n - q - 1)!!),
    q = m, m + 2, ..., n - 1
    """
    size = math.sqrt((2 * n + 1) * weight(m, n))
    found = []
    for q in range(m, n, 2):
        below = double_factorial(q - m) * double_factorial(q + m) * double_factorial(n - q - 1)
        found.append((-1) ** ((q - m) // 2) * size * double_factorial(n + q) / below)
    return tuple(found)


def weight(m: int, n: int) -> float:
    """H_n^m = (n + m - 1)!! (n - m - 1)!! / ((n + m)!! (n - m)!!)."""
    above = double_factorial(n + m - 1) * double_factorial(n - m - 1)
    return above / (double_factorial(n + m) * double_factorial(n - m))


def apparent_mass(m: int, n: int) -> float:
    """K_n^m = (2 / pi) H_n^m."""
    return 2.0 / math.pi * weight(m, n)


def wake_gain(r: int, j: int, m: int, n: int) -> float:
    """Gamma_jn^rm: velocity (r, j) by pressure (m, n), before the powers of the wake's skew."""
    size = math.sqrt(weight(m, n) * weight(r, j))
    root = math.sqrt((2 * n + 1) * (2 * j + 1))
    if (r + m) % 2 == 0:
        sign = -1.0 if ((n + j - 2 * r) // 2) % 2 else 1.0
        return sign * 2.0 * root / (size * (j + n) * (j + n + 2) * ((j - n) ** 2 - 1))
    if abs(j - n) != 1:
        return 0.0
    return math.pi * math.copysign(1.0, r - m) / (2.0 * size * root)


def double_factorial(k: int) -> float:
    """k!! = k (k - 2) (k - 4) ..., 1 for 0 and -1."""
    return float(math.prod(range(k, 0, -2)))


def area_products(m: int, shapes: list[int]) -> np.ndarray:
    """Integrals of phi_j^m phi_n^m r over r from 0 to 1: how velocities of one harmonic make pressure in axial flow."""
    found = np.zeros((len(shapes), len(shapes)))
    for a, j in enumerate(shapes):
        for b, n in enumerate(shapes):
            product = np.polynomial.polynomial.polymul(radial_polynomial(m, j), radial_polynomial(m, n))
            found[a, b] = sum(c / (2 * m + 2 * k + 2) for k, c in enumerate(product))
    return found


def mean_over_disk(n: int) -> float:
    """Integral of phi_n^0 2 r over r from 0 to 1."""
    return sum(c / (k + 1) for k, c in enumerate(radial_polynomial(0, n)))
