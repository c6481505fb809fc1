"""Three solvers, ten thousand P-matrices, and what LAPACK and SciPy say."""

import numpy as np
import pytest
from scipy.optimize import nnls

from samara.complementarity import SOLVED, gauss_seidel, lcp_work, lemke, newton_work, semismooth, sweep_work
from samara.tracing.driver.driver_cache import driver

CASES = 417  # of each size and kind: 10 008 in all
SIZES = range(1, 13)
LARGEST_ENUMERATED = 8


@driver
def _by_lemke(M, q, z, w, status, work):
    for k in range(status.size):
        status[k] = lemke(M[k], q[k], z[k], w[k], work, 1000)


@driver
def _by_gauss_seidel(M, q, z, w, status, work):
    for k in range(status.size):
        status[k] = gauss_seidel(M[k], q[k], z[k], w[k], work, 100_000, 1e-12, 1.0)


@driver
def _by_semismooth(M, q, z, w, status, work):
    for k in range(status.size):
        status[k] = semismooth(M[k], q[k], z[k], w[k], work, 100, 1e-12)


#: Solver, work arrays, and the error of z that its residual allows: digits are lost by the condition, below 1e4 here.
SOLVERS = {
    "lemke": (_by_lemke, lcp_work, 1e-11),
    "gauss-seidel": (_by_gauss_seidel, sweep_work, 1e-8),
    "semismooth": (_by_semismooth, newton_work, 1e-11),
}


def problems(n, kind):
    """Positive definite matrices, symmetric or not, in units that differ by up to six decades; the units too."""
    rng = np.random.default_rng([20260, n, kind == "symmetric"])
    A, B = rng.normal(size=(2, CASES, n, n))
    M = A @ A.transpose(0, 2, 1) + 0.05 * np.eye(n)
    if kind != "symmetric":
        M += B - B.transpose(0, 2, 1) + np.eye(n) * rng.uniform(0.0, 1.0, (CASES, 1, n))
    units = 10.0 ** rng.uniform(-3.0, 3.0, (CASES, n))
    return M * units[:, :, None] * units[:, None, :], rng.normal(size=(CASES, n)) * units, units


def enumerated(M, q):
    """The one complementary basis of 2^n whose solution is not negative, by LAPACK."""
    cases, n = q.shape
    best, z = np.full(cases, -np.inf), np.zeros((cases, n))
    for mask in range(2**n):
        inside = np.array([mask >> i & 1 for i in range(n)], bool)
        basis = np.where(inside[None, None, :], -M, np.eye(n))  # w outside, z inside: basis x = q
        x = np.linalg.solve(basis, q[:, :, None])[:, :, 0]
        least = x.min(axis=1)
        better = least > best
        best[better], z[better] = least[better], np.where(inside, x, 0.0)[better]
    return z


def by_least_squares(M, q):
    """argmin z.M z / 2 + q.z for z >= 0, M = L L^T: the least squares of L^T z + L^-1 q."""
    L = np.linalg.cholesky(M)
    return np.stack([nnls(L[k].T, -np.linalg.solve(L[k], q[k]))[0] for k in range(len(q))])


@pytest.mark.parametrize("kind", ["symmetric", "other"])
@pytest.mark.parametrize("n", SIZES)
def test_solvers_agree_with_each_other_and_with_others(n, kind):
    M, q, units = problems(n, kind)
    plain, free = M / units[:, :, None] / units[:, None, :], q / units
    found = {}
    for name, (solve, work, error) in SOLVERS.items():
        z, w, status = np.zeros_like(q), np.zeros_like(q), np.full(CASES, -1)
        solve(M, q, z, w, status, work(n))
        assert (status == SOLVED).all(), name
        assert (z >= 0.0).all() and (w >= 0.0).all() and (z * w == 0.0).all()
        found[name] = z * units
        left = np.einsum("kij,kj->ki", plain, found[name]) + free - w / units
        assert np.abs(left).max() < max(error, 1e-10)
    size = 1.0 + np.abs(found["lemke"]).max(axis=1, keepdims=True)
    outside = []
    if n <= LARGEST_ENUMERATED:
        outside.append(enumerated(plain, free))
    if kind == "symmetric":
        outside.append(by_least_squares(plain, free))
    for name, (_, _, error) in SOLVERS.items():
        for other in [found["lemke"], *outside]:
            assert (np.abs(found[name] - other) / size).max() < max(error, 1e-10), name
