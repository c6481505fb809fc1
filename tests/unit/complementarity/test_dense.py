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
    assert factor(factors, pivots, n) > 1e-6
    solve(factors, pivots, x, n)
    np.testing.assert_allclose(x[:n], expected, rtol=1e-10)
    assert x[n] == b[n] and (factors[n] == A[n]).all()  # what is outside of the corner is left alone


def test_singular_is_told(rng):
    A = rng.normal(size=(4, 2))
    assert factor(A @ A.T, np.zeros(4, np.int64), 4) < 1e-12
    assert factor(np.zeros((2, 2)), np.zeros(2, np.int64), 2) == 0.0
