"""Problems with ties, without a unique solution, or without any."""

import numpy as np
import pytest

from samara.complementarity import LCPStatus, NoSolution, lcp_work, lemke, solve_lcp

TABLE = np.array([[1.0, 1.0, 1.0], [1.0, 1.0, -1.0], [1.0, -1.0, 1.0], [1.0, -1.0, -1.0]])  # legs: lift, pitch, roll
KOSTREVA = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 2.0], [2.0, 0.0, 1.0]])  # Bard's method cycles: Math. Prog. 16, 1979
#: A skew problem is the pair of a linear programme: min x_1 + x_2, x_1 + x_2 >= 1, of which all of an edge is optimal.
PROGRAMME = np.array([[0.0, 0.0, -1.0], [0.0, 0.0, -1.0], [1.0, 1.0, 0.0]])


def murty(n):
    """Lower triangle 2, diagonal 1, q = -1: Lemke's path visits 2^n bases (Murty, Math. Prog. Study 7, 1978)."""
    return np.eye(n) + 2.0 * np.tril(np.ones((n, n)), -1)


def is_solution(M, q, z, w):
    size = max(np.abs(q).max(initial=0.0), 1e-300)
    left = np.abs(M @ z + q - w).max(initial=0.0)
    return left < 1e-11 * size and (z >= 0.0).all() and (w >= 0.0).all() and (z * w == 0.0).all()


SOLVABLE = {
    "nothing": (np.zeros((0, 0)), []),
    "free": (TABLE @ TABLE.T, [1.0, 0.0, 2.0, 0.0]),
    "zero": (np.zeros((3, 3)), [0.0, 1.0, 0.0]),
    "all tie": (np.eye(5), [-1.0] * 5),
    "zeros in q": (np.diag([2.0, 1.0, 1.0, 3.0]) - 0.3, [0.0, -1.0, 0.0, -1.0]),
    "repeated": (np.ones((6, 6)), [-1.0] * 6),
    "repeated, other q": (np.ones((3, 3)), [-1.0, -2.0, -2.0]),
    "table": (TABLE @ TABLE.T, TABLE @ [-1.0, 0.0, 0.0]),
    "table tilts": (TABLE @ TABLE.T, TABLE @ [-1.0, 0.5, 0.3]),
    "table on two legs": (TABLE @ TABLE.T, TABLE @ [-1.0, 1.0, 0.0]),
    "table on one leg": (TABLE @ TABLE.T, TABLE @ [-1.0, 2.0, 1.5]),
    "opposite planes that touch": ([[1.0, -1.0], [-1.0, 1.0]], [-1.0, 1.0]),
    "zero blocks": ([[0.0, 1.0], [-1.0, 0.0]], [-1.0, 1.0]),
    "linear programme": (PROGRAMME, [1.0, 1.0, -1.0]),
    "Kostreva": (KOSTREVA, [-1.0, -1.0, -1.0]),
    "Kostreva with a zero": (KOSTREVA, [-1.0, -1.0, 0.0]),
    "Murty": (murty(9), [-1.0] * 9),
    "Murty, other triangle": (murty(9).T, [-1.0] * 9),
    "not P": ([[1.0, 2.0], [2.0, 1.0]], [-1.0, -1.0]),
}


@pytest.mark.parametrize("name", SOLVABLE)
@pytest.mark.parametrize("size", [1.0, 1e-9, 1e9])
def test_lemke_solves(name, size):
    M, q = np.array(SOLVABLE[name][0]) / size, np.array(SOLVABLE[name][1]) * size
    found = solve_lcp(M, q)
    assert found.status == LCPStatus.SOLVED and found.residual < 1e-14
    assert is_solution(M, q, found.z, found.w)


@pytest.mark.parametrize("name", [name for name in SOLVABLE if name != "not P"])
def test_newton_solves(name):
    M, q = (np.array(part) for part in SOLVABLE[name])
    found = solve_lcp(M, q, "semismooth")
    assert found.residual < 1e-12 and is_solution(M, q, found.z, found.w)


@pytest.mark.parametrize("twist", [[-1.0, 0.0, 0.0], [-1.0, 0.5, 0.3], [-1.0, 1.0, 0.0], [-1.0, 2.0, 1.5]])
def test_velocities_of_a_table_are_unique(twist):
    """M = G G^T has rank 3 of 4: the loads of the legs are not determined, w and G^T z are."""
    M, q = TABLE @ TABLE.T, TABLE @ twist
    found = [solve_lcp(M, q, method) for method in ("lemke", "gauss-seidel", "semismooth")]
    for other in found[1:]:
        np.testing.assert_allclose(other.w, found[0].w, atol=1e-10)
        np.testing.assert_allclose(TABLE.T @ other.z, TABLE.T @ found[0].z, atol=1e-10)


def test_degenerate_problems_do_not_cycle(rng):
    """Small integers: q full of ties and zeros, M = G G^T of low rank with repeated rows. All solvable: q = G u."""
    for _ in range(2000):
        n, rank = rng.integers(2, 10), rng.integers(1, 4)
        G = rng.integers(-1, 2, (n, rank)).astype(float)
        M, q = G @ G.T, G @ rng.integers(-2, 3, rank)
        found = solve_lcp(M, q, most=200)
        assert found.residual < 1e-13 and is_solution(M, q, found.z, found.w)


def test_pivots_of_murty_grow_exponentially():
    pivots = [solve_lcp(murty(n), -np.ones(n)).iterations for n in range(3, 9)]
    assert pivots == [2**n for n in range(3, 9)]
    assert solve_lcp(murty(9), -np.ones(9), most=100, check=False).status == LCPStatus.TOO_MANY


UNSOLVABLE = {
    "minus one": (-np.eye(3), [-1.0, -1.0, -1.0]),
    "minus one, alone": ([[-1.0]], [-1.0]),
    "zero": (np.zeros((3, 3)), [0.0, -1.0, 0.0]),
    "zero, alone": ([[0.0]], [-1.0]),
    "planes that contradict": ([[1.0, -1.0], [-1.0, 1.0]], [-1.0, -1.0]),
    "planes that contradict a little": ([[1.0, -1.0], [-1.0, 1.0]], [-1.0, 1.0 - 1e-6]),
    "planes that contradict beside others": (
        [[1.0, -1.0, 0.5], [-1.0, 1.0, -0.5], [0.5, -0.5, 1.0]],
        [-1.0, 0.5, -1.0],
    ),
    "infeasible programme": ([[0.0, 1.0], [-1.0, 0.0]], [1.0, -1.0]),
}


@pytest.mark.parametrize("name", UNSOLVABLE)
@pytest.mark.parametrize("size", [1.0, 1e-9, 1e9])
def test_what_has_no_solution_is_told(name, size):
    M, q = np.array(UNSOLVABLE[name][0]) / size, np.array(UNSOLVABLE[name][1]) * size
    with pytest.raises(NoSolution, match=r"no solution; .* positive semidefinite then the constraints contradict"):
        solve_lcp(M, q)
    assert solve_lcp(M, q, check=False).status == LCPStatus.RAY
    for method in ("gauss-seidel", "semismooth"):
        assert solve_lcp(M, q, method, most=500, check=False).status in (LCPStatus.STUCK, LCPStatus.TOO_MANY)


def test_infeasible_contacts_are_always_found(rng):
    """G G^T z >= -q with y >= 0, G^T y = 0, q.y < 0 has no solution (Farkas); with q.y >= 0 for all such y it has."""
    for _ in range(500):
        n = rng.integers(2, 7)
        G = rng.normal(size=(n, n))
        y = rng.uniform(0.1, 1.0, n + 1)
        G = np.vstack([G, -(y[:n] @ G) / y[n]])
        q = rng.normal(size=n + 1)
        q -= y * (q @ y + rng.uniform(0.1, 1.0)) / (y @ y)
        assert solve_lcp(G @ G.T, q, check=False).status == LCPStatus.RAY


@pytest.mark.parametrize("n", [1, 2, 3])
def test_not_finite_is_told(n):
    z, w = np.zeros(n), np.zeros(n)
    assert lemke(np.eye(n), np.full(n, np.nan), z, w, lcp_work(n), 10) == LCPStatus.NOT_FINITE
    assert lemke(np.full((n, n), np.inf), -np.ones(n), z, w, lcp_work(n), 10) == LCPStatus.NOT_FINITE
