"""Pivots of matrices that fill much: ordered by structure alone, and by numbers where these ask for it."""

import numpy as np
import pytest
from scipy.sparse import bmat, csr_matrix, diags, identity, kron, random

from samara.solve.linear.lu import SingularMatrix, analyse, analysis, new_storage, refactor, solve

SIDE = 9


def grid(rng, constraints=0):
    """Matrix of a square grid of nodes with three unknowns each, some held by constraints without a diagonal."""
    line = diags([-1.0, 2.5, -1.0], [-1, 0, 1], (SIDE, SIDE))
    stiffness = kron(kron(line, identity(SIDE)) + kron(identity(SIDE), line), np.eye(3) + 0.1)
    if not constraints:
        return csr_matrix(stiffness)
    held = random(constraints, 3 * SIDE**2, 0.02, random_state=rng) + identity(3 * SIDE**2).tocsr()[:constraints]
    return csr_matrix(bmat([[stiffness, held.T], [held, None]]))


def together(n):
    nodes = np.minimum(np.arange(n) // 3, SIDE**2)
    return nodes + np.maximum(np.arange(n) - 3 * SIDE**2, 0)


def solution(lu, A, b):
    v, x = new_storage(lu), np.zeros(b.size)
    v[lu.slot] += A.data
    refactor(lu, v)
    solve(lu, v, b, x)
    return x


@pytest.mark.parametrize("constraints", [0, 20])
def test_by_structure(monkeypatch, rng, constraints):
    """The search is given up at once; the solution is that of LAPACK, to rounding."""
    A = grid(rng, constraints)
    A.sort_indices()
    monkeypatch.setattr(analysis, "BUDGET", 0)
    lu = analyse(A.shape[0], A.indptr, A.indices, A.data, together=together(A.shape[0]))
    assert np.array_equal(lu.row_order, lu.column_order)  # all on the diagonal
    b = rng.normal(size=A.shape[0])
    # condition below 1e4
    np.testing.assert_allclose(solution(lu, A, b), np.linalg.solve(A.toarray(), b), rtol=0, atol=1e-10)


def test_late_unknowns_stay_last(monkeypatch, rng):
    A = grid(rng)
    A.sort_indices()
    late = np.zeros(A.shape[0], bool)
    late[[3, 4, 5, 100]] = True
    monkeypatch.setattr(analysis, "BUDGET", 0)
    lu = analyse(A.shape[0], A.indptr, A.indices, A.data, late=late, together=together(A.shape[0]))
    assert set(lu.column_order[lu.tail.pivots :]) >= {3, 4, 5, 100}
    b = rng.normal(size=A.shape[0])
    np.testing.assert_allclose(solution(lu, A, b), np.linalg.solve(A.toarray(), b), rtol=0, atol=1e-10)


def test_numbers_decide_where_the_diagonal_does_not_serve(monkeypatch, rng):
    """Each unknown in the equation of its neighbour: no order of pivots on the tiny diagonal is accurate."""
    A = grid(rng)
    n = A.shape[0]
    A = csr_matrix(A[np.arange(n) ^ 1 if n % 2 == 0 else np.roll(np.arange(n), 1)] + 1e-13 * identity(n))
    A.sort_indices()
    monkeypatch.setattr(analysis, "BUDGET", 0)
    lu = analyse(n, A.indptr, A.indices, A.data)
    b = rng.normal(size=n)
    np.testing.assert_allclose(solution(lu, A, b), np.linalg.solve(A.toarray(), b), rtol=0, atol=1e-9)


def test_singular_matrices_are_still_named(monkeypatch, rng):
    A = grid(rng).tolil()
    A[:, 7] = 0.0
    A[7, 7] = 0.0
    A[6, 7] = 0.0
    A = csr_matrix(A)
    monkeypatch.setattr(analysis, "BUDGET", 0)
    with pytest.raises(SingularMatrix) as caught:
        analyse(A.shape[0], A.indptr, A.indices, A.data)
    assert 7 in caught.value.columns
