"""Elimination in place with pivots by rows, native and without allocation, of dense matrices and of bands.

P A = L U,  L with unit diagonal (Golub and Van Loan, Matrix Computations, 2013, algorithms 3.4.1 and 4.3.2). Entries
further than `band` from the diagonal are zero; pivots make twice that of U. Multipliers stay where they were made, and
`solve` exchanges its right side along with them.
"""

from __future__ import annotations

from samara.tracing.driver.driver_cache import routine


@routine
def factor(A, pivots, n, band):
    """Factors of the n x n matrix at the corner of A, in its place; returns the smallest pivot over the largest.

    0 where a column has no pivot: the matrix is singular, and its factors are not finished. Of a band A must be zero as
    far as twice its width to the right.
    """
    smallest, largest = 1.0, 0.0
    for k in range(n):
        bottom, end = min(n, k + band + 1), min(n, k + 2 * band + 1)
        best, size = k, abs(A[k, k])
        for i in range(k + 1, bottom):
            if abs(A[i, k]) > size:
                best, size = i, abs(A[i, k])
        pivots[k] = best
        if not size > 0.0:
            return 0.0
        smallest = size if k == 0 else min(smallest, size)
        largest = max(largest, size)
        if best != k:
            for j in range(k, end):
                A[k, j], A[best, j] = A[best, j], A[k, j]
        inverse = 1.0 / A[k, k]
        for i in range(k + 1, bottom):
            if A[i, k] != 0.0:
                A[i, k] *= inverse
                f = A[i, k]
                for j in range(k + 1, end):
                    A[i, j] -= f * A[k, j]
    return smallest / largest if n > 0 else 1.0


@routine
def solve(A, pivots, x, n, band):
    """x = A^-1 x by factors of `factor`."""
    for k in range(n):
        p = pivots[k]
        if p != k:
            x[k], x[p] = x[p], x[k]
        for i in range(k + 1, min(n, k + band + 1)):
            x[i] -= A[i, k] * x[k]
    for i in range(n - 1, -1, -1):
        total = x[i]
        for j in range(i + 1, min(n, i + 2 * band + 1)):
            total -= A[i, j] * x[j]
        x[i] = total / A[i, i]
