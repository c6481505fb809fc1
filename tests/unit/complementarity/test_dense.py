"""Elimination with pivots against LAPACK."""

import numpy as np
import pytest

from samara.complementarity.dense import factor, solve


@pytest.mark.parametrize("n", [1, 2, 3, 7, 20])
def test_solves_as_lapack(n, rng):
    A, b = rng.normal(size=(n + 1, n + 1)), rng.normal(size=n + 1)
    A[0, 0] = 0.0 if n > 1 else 2.0  # a pivot must be looked for
    expected = np.linalg.solve(A[:n, :n], b[:n])
    factors, x, pivots = A.copy(), b.copy(), np.zeros(n, np.int64)
    assert factor(factors, pivots, n, n) > 1e-6
    solve(factors, pivots, x, n, n)
    np.testing.assert_allclose(x[:n], expected, rtol=1e-10)
    assert x[n] == b[n] and (factors[n] == A[n]).all()  # what is outside of the corner is left alone


def test_singular_is_told(rng):
    A = rng.normal(size=(4, 2))
    assert factor(A @ A.T, np.zeros(4, np.int64), 4, 4) < 1e-12
    assert factor(np.zeros((2, 2)), np.zeros(2, np.int64), 2, 2) == 0.0


@pytest.mark.parametrize("band", [0, 1, 4, 19])
def test_a_band_is_solved_as_lapack_does(band, rng):
    """Nothing further than twice the band to the right is looked at: there are numbers that would be noticed."""
    n = 20
    far = np.subtract.outer(np.arange(n), np.arange(n))
    A = np.where(np.abs(far) <= band, rng.normal(size=(n, n)), 0.0)
    A[0, 0] = 0.0 if band else 1.0  # a pivot must be looked for
    b = rng.normal(size=n)
    factors = np.where((far <= band) & (-far <= 2 * band), A, np.nan)
    x, pivots = b.copy(), np.zeros(n, np.int64)
    assert factor(factors, pivots, n, band) > 1e-8
    solve(factors, pivots, x, n, band)
    np.testing.assert_allclose(x, np.linalg.solve(A, b), rtol=1e-7)
