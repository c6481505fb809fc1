"""Projected Gauss-Seidel: one unknown after the other, each with the others as they are.

    z_i <- max(0, z_i - omega (M z + q)_i / M_ii)

It converges for symmetric positive definite M with 0 < omega < 2, for semidefinite M where there is a solution, and
for others where the diagonal dominates. Where the sweeps grow instead of shrinking, omega is halved.

Sources: Cryer, SIAM J. Control 9, 1971; Cottle, Pang and Stone, The Linear Complementarity Problem, 1992, section 5.2;
Murty, Linear Complementarity, Linear and Nonlinear Programming, 1988, chapter 9.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.complementarity.codes import NOT_FINITE, SOLVED, STUCK, TOO_MANY
from samara.complementarity.scaling import drive, multiply, natural_residual
from samara.tracing.driver.driver_cache import routine
from samara.tracing.driver.reference import refer

#: Sweeps after which the corrections must have become smaller, by this; the smallest omega.
TRIAL = 64
STALLED = 0.999
SMALLEST_RELAXATION = 1e-3


class SweepWork(NamedTuple):
    """Work arrays of projected Gauss-Seidel; n unknowns."""

    scale: np.ndarray  # (n,)
    counts: np.ndarray  # (1,): sweeps of the last solution


def sweep_work(n: int) -> SweepWork:
    """Work arrays for problems of n unknowns, made once."""
    return refer(SweepWork(np.ones(n), np.zeros(1, np.int64)))


@routine
def gauss_seidel(M, q, z, w, work, most_sweeps, tolerance, relaxation):
    """Solves w = M z + q, w >= 0, z >= 0, w.z = 0 from the z that it finds; SOLVED, TOO_MANY, NOT_FINITE or STUCK.

    tolerance   of max |min(z, w)| without units, see `scaling`
    relaxation  omega, between 0 and 2

    STUCK: an entry of the diagonal is not positive.
    """
    n, scale, counts = q.size, work.scale, work.counts
    counts[0] = 0
    for i in range(n):
        if not abs(M[i, i]) < np.inf:
            return NOT_FINITE
        if M[i, i] <= 0.0:
            return STUCK
        scale[i] = 1.0 / np.sqrt(M[i, i])
        z[i] = max(z[i], 0.0)
    top = drive(q, scale)
    if not top < np.inf:
        return NOT_FINITE
    if top == 0.0:
        for i in range(n):
            z[i], w[i] = 0.0, q[i]
        return SOLVED
    before, worst, omega = np.inf, 0.0, relaxation
    while counts[0] < most_sweeps:
        change = _sweep(M, q, z, scale, omega) / top
        counts[0] += 1
        worst = max(worst, change)
        if not change < np.inf:
            return NOT_FINITE
        if change <= tolerance:
            multiply(M, q, z, w)
            if natural_residual(z, w, scale, top) <= tolerance:
                return _settle(z, w, scale)
        if counts[0] % TRIAL == 0:
            if worst > STALLED * before and omega > SMALLEST_RELAXATION:
                omega, before, worst = 0.5 * omega, np.inf, 0.0
            else:
                before, worst = worst, 0.0
    multiply(M, q, z, w)
    return TOO_MANY


@routine
def _sweep(M, q, z, scale, omega):
    """One sweep; returns the largest |min(z, w)| that it has met, scaled."""
    largest = 0.0
    for i in range(q.size):
        total = q[i]
        for j in range(q.size):
            total += M[i, j] * z[j]
        wanted = total * scale[i] * scale[i]
        largest = max(largest, abs(min(z[i], wanted)) / scale[i])
        if not abs(total) < np.inf:
            return np.nan
        z[i] = max(z[i] - omega * wanted, 0.0)
    return largest


@routine
def _settle(z, w, scale):
    """Of a pair the smaller one becomes zero."""
    for i in range(z.size):
        if z[i] >= w[i] * scale[i] * scale[i]:
            w[i] = 0.0
        else:
            z[i] = 0.0
    return SOLVED
