"""Complementarity problems of one and two unknowns in closed form."""

from __future__ import annotations

import numpy as np

from samara.complementarity.codes import NOT_FINITE, RAY, SOLVED
from samara.tracing.driver.driver_cache import inner

#: The closed form does not apply.
UNDECIDED = -1
#: A determinant that is smaller beside the products of its entries is none.
SINGULAR = 1e-12


@inner
def solve_one(M, q, z, w):
    """w = m z + q: z = 0 if q >= 0, z = -q / m if m > 0; no solution otherwise."""
    m, free = M[0, 0], q[0]
    if not abs(m) + abs(free) < np.inf:
        return NOT_FINITE
    z[0], w[0] = 0.0, max(free, 0.0)
    if free >= 0.0:
        return SOLVED
    if m <= 0.0:
        return RAY
    z[0] = -free / m
    return SOLVED if z[0] < np.inf else NOT_FINITE


@inner
def solve_two(M, q, z, w):
    """Two unknowns where M is a P-matrix: one of four complementary bases is the solution, and the only one."""
    a, b, c, d, p, r = M[0, 0], M[0, 1], M[1, 0], M[1, 1], q[0], q[1]
    if p >= 0.0 and r >= 0.0 and p + r < np.inf:
        z[0], z[1], w[0], w[1] = 0.0, 0.0, p, r
        return SOLVED
    det = a * d - b * c
    if not (a > 0.0 and d > 0.0 and det > SINGULAR * max(a * d, abs(b * c)) and abs(p) + abs(r) + det < np.inf):
        return UNDECIDED
    first, second = b * r - d * p, c * p - a * r  # both z times the determinant
    if first >= 0.0 and second >= 0.0:
        z[0], z[1], w[0], w[1] = first / det, second / det, 0.0, 0.0
        return SOLVED
    if p < 0.0 and second <= 0.0:
        z[0], z[1], w[0], w[1] = -p / a, 0.0, 0.0, -second / a
        return SOLVED
    if r < 0.0 and first <= 0.0:
        z[0], z[1], w[0], w[1] = 0.0, -r / d, -first / d, 0.0
        return SOLVED
    return UNDECIDED
