"""Nondimensional form of a linear complementarity problem, so that tolerances have no units.

With a diagonal S > 0 and a number t > 0 the problem w = M z + q becomes one of the same solutions,

    w' = S M S z' + S q / t,   z = t S z',   w = t S^-1 w'

and stays symmetric, positive (semi)definite, a P-matrix or copositive where M is. S makes the diagonal 1 where there is
one; t is the size of the most negative entry of S q, the only thing that drives z away from zero.
"""

from __future__ import annotations

import numpy as np

from samara.tracing.driver.driver_cache import routine

#: Entries of the scaled matrix that are larger are worth another sweep.
LARGE = 4.0
MOST_SWEEPS = 8


@routine
def equilibrate(M, scale):
    """Writes the diagonal of S; returns whether M is finite.

    scale_i = |M_ii|^-1/2; rows without a diagonal follow from their neighbours. In a positive semidefinite matrix no
    scaled entry is then larger than 1; other matrices are balanced by sweeps over their rows (Ruiz's iteration).
    """
    n = scale.size
    bare = 0
    for i in range(n):
        size = abs(M[i, i])
        scale[i] = 1.0 / np.sqrt(size) if size > 0.0 else 0.0
        if size == 0.0:
            bare += 1
    if bare > 0:
        for i in range(n):
            if scale[i] == 0.0:
                scale[i] = -_of_neighbours(M, scale, i)
        for i in range(n):
            scale[i] = abs(scale[i])
    for _ in range(MOST_SWEEPS):
        worst, total = 0.0, 0.0
        for i in range(n):
            largest = 0.0
            for j in range(n):
                size = abs(M[i, j]) * scale[j]
                largest = max(largest, size)
                total += size
            largest *= scale[i]
            worst = max(worst, largest)
            if largest > LARGE:
                scale[i] /= np.sqrt(largest)
        if not total < np.inf:
            return False
        if worst <= LARGE:
            break
    return True


@routine
def _of_neighbours(M, scale, i):
    """Scale of a row without a diagonal: its largest entry becomes 1, if its neighbours have scales."""
    largest, bare = 0.0, 0.0
    for j in range(scale.size):
        size = max(abs(M[i, j]), abs(M[j, i]))
        bare = max(bare, size)
        if scale[j] > 0.0:  # those that are found here themselves are negative as yet
            largest = max(largest, size * scale[j])
    if largest > 0.0:
        return 1.0 / largest
    return 1.0 / np.sqrt(bare) if bare > 0.0 else 1.0


@routine
def drive(q, scale):
    """t, the largest of -S q; 0 where no entry of q is negative, NaN where one is not finite."""
    largest, total = 0.0, 0.0
    for i in range(q.size):
        largest = max(largest, -q[i] * scale[i])
        total += abs(q[i])
    return largest if total < np.inf else np.nan


@routine
def multiply(M, q, z, w):
    """w = M z + q."""
    for i in range(q.size):
        total = q[i]
        for j in range(q.size):
            total += M[i, j] * z[j]
        w[i] = total


@routine
def natural_residual(z, w, scale, top):
    """The largest |min(z'_i, w'_i)|, without units: how far z and w are from being complementary."""
    worst = 0.0
    for i in range(z.size):
        worst = max(worst, abs(min(z[i] / scale[i], w[i] * scale[i])))
    return worst / top if top > 0.0 else worst
