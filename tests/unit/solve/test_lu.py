"""The sparse LU against dense linear algebra, on random matrices and on matrices of multibody models."""

from itertools import pairwise

import matrices
import numpy as np
import pytest

from samara.solve.linear.lu import GROWTH_LIMIT, LU, analyse, new_storage, refactor, solve, symbolic

BACKWARD = 1e-12
"""Accepted max |Ax - b| / max (|A| |x| + |b|): ten times what the analysis asks of its own test solution."""


def assembled(lu, values):
    v = new_storage(lu)
    v[lu.slot] = values
    return v


def factored(sample, **options):
    lu = analyse(*sample, **options)
    v = assembled(lu, sample.values)
    return lu, v, refactor(lu, v)


def backward_error(sample, lu, v, seed=1):
    b, x = np.random.default_rng(seed).normal(size=sample.n), np.zeros(sample.n)
    solve(lu, v, b, x)
    full = sample.dense()
    return np.max(np.abs(full @ x - b)) / np.max(np.abs(full) @ np.abs(x) + np.abs(b))


def random_sparse(n, density, seed):
    """Unsymmetric, with a hidden permutation for a diagonal so that it is not singular."""
    rng = np.random.default_rng(seed)
    full = np.where(rng.random((n, n)) < density, rng.normal(size=(n, n)), 0.0)
    full[rng.permutation(n), np.arange(n)] += rng.choice([-2.0, 2.0], n)
    return matrices.from_dense(full)


def random_kkt(n, m, seed):
    """[K G^T; G 0] with K sparse and possibly singular on its own."""
    rng = np.random.default_rng(seed)
    stiffness = np.diag(rng.uniform(0.5, 2, n) * 10.0 ** rng.integers(-3, 6, n))
    for _ in range(n):
        i, j = rng.integers(0, n, 2)
        stiffness[i, j] += rng.normal()
    jacobian = np.where(rng.random((m, n)) < 0.2, rng.normal(size=(m, n)), 0.0)
    jacobian[np.arange(m), rng.permutation(n)[:m]] += 2
    return matrices.from_dense(np.block([[stiffness, jacobian.T], [jacobian, np.zeros((m, m))]]))


MATRICES = {
    **{f"sparse {n}": random_sparse(n, 3 / n, n) for n in (2, 7, 30, 120)},
    "dense 40": random_sparse(40, 1.0, 5),
    "dense 70": random_sparse(70, 1.0, 5),
    **{f"kkt {n}": random_kkt(n, n // 3, n) for n in (3, 20, 90)},
    "chain": matrices.chain(13),
    "rotor": matrices.rotor(3),
    "one": matrices.from_dense(np.array([[-4.0]])),
}


@pytest.mark.parametrize("ordering", ["markowitz", "superlu"])
@pytest.mark.parametrize("name", MATRICES)
def test_solution(name, ordering):
    sample = MATRICES[name]
    lu, v, health = factored(sample, ordering=ordering)
    assert health == pytest.approx(1.0)
    assert backward_error(sample, lu, v) < BACKWARD


@pytest.mark.parametrize("name", MATRICES)
def test_other_values_on_the_same_sequence(name):
    sample = MATRICES[name]
    lu = analyse(*sample)
    for seed in range(3):
        other = sample.varied(seed, 0.1)
        v = assembled(lu, other.values)
        health = refactor(lu, v)
        assert health < GROWTH_LIMIT
        assert backward_error(other, lu, v) < BACKWARD * max(health, 1.0)


def test_zero_diagonal_everywhere():
    rng = np.random.default_rng(0)
    block = rng.normal(size=(6, 6))
    sample = matrices.from_dense(np.block([[np.zeros((6, 6)), block], [block.T, np.zeros((6, 6))]]))
    lu, v, _ = factored(sample)
    assert backward_error(sample, lu, v) < BACKWARD


def test_permuted_identity_has_no_fill_and_an_exact_solution():
    order = np.random.default_rng(3).permutation(50)
    sample = matrices.from_dense(np.eye(50)[order])
    lu, v, _ = factored(sample)
    x = np.zeros(50)
    solve(lu, v, np.arange(50.0), x)
    assert np.array_equal(x[order], np.arange(50.0))


def test_slots_are_distinct_and_leave_the_last_place_free():
    sample = MATRICES["rotor"]
    lu = analyse(*sample)
    assert lu._fields == LU._fields and lu.slot.dtype == np.uint32
    assert np.unique(lu.slot).size == sample.values.size
    assert new_storage(lu).size == lu.size + 1 and lu.slot.max() < lu.size


def test_pivot_order_is_a_permutation():
    lu = analyse(*MATRICES["kkt 90"])
    for order in (lu.row_order, lu.column_order):
        assert np.array_equal(np.sort(order), np.arange(lu.n))


def test_the_trash_place_does_not_matter():
    sample = MATRICES["chain"]
    lu = analyse(*sample)
    v = assembled(lu, sample.values)
    v[-1] = np.nan
    refactor(lu, v)
    assert backward_error(sample, lu, v) < BACKWARD


def test_the_same_matrix_gives_the_same_bits():
    sample = MATRICES["rotor"]
    lu = analyse(*sample)
    first, second = assembled(lu, sample.values), assembled(lu, sample.values)
    assert refactor(lu, first) == refactor(lu, second)
    assert np.array_equal(first, second)
    x, y, b = np.zeros(lu.n), np.zeros(lu.n), np.arange(lu.n, dtype=float)
    solve(lu, first, b, x)
    solve(lu, second, b, y)
    assert np.array_equal(x, y)


def test_analysis_is_repeatable():
    a, b = (analyse(*MATRICES["kkt 90"]) for _ in range(2))
    assert all(np.array_equal(x, y) for x, y in zip(a, b))


def test_longer_vectors_and_solution_in_place():
    sample = MATRICES["sparse 30"]
    lu, v, _ = factored(sample)
    b = np.arange(sample.n + 5, dtype=float)
    x = np.full(sample.n + 2, 7.0)
    solve(lu, v, b, x)
    assert (x[sample.n :] == 7).all()
    solve(lu, v, b, b)
    assert np.array_equal(b[: sample.n], x[: sample.n])
    assert np.array_equal(b[sample.n :], sample.n + np.arange(5.0))


def test_pivots_hold_in_every_sample():
    """Each of these needs the entry that vanishes in the other off the pivot sequence."""
    a = np.array([[1.0, 2.0, 0.5], [2.0, 1.0, 0.3], [0.4, 0.7, 3.0]])
    first, second = a.copy(), a.copy()
    first[0, 0], second[1, 1] = 1e-12, 1e-12
    pattern = np.ones((3, 3), bool)
    one, two = matrices.from_dense(first, pattern), matrices.from_dense(second, pattern)
    lu = analyse(3, one.indptr, one.indices, np.array([one.values, two.values]))
    for sample in (one, two):
        v = assembled(lu, sample.values)
        assert refactor(lu, v) <= 1.0 + 1e-12
        assert backward_error(sample, lu, v) < 1e-14


def test_units_do_not_matter():
    """Rows and columns in other units by powers of two: the same pivots and the same digits."""
    sample = MATRICES["kkt 20"]
    rng = np.random.default_rng(8)
    rows = np.repeat(np.arange(sample.n), np.diff(sample.indptr))
    scale = 2.0 ** rng.integers(-20, 20, sample.n)
    other = sample._replace(values=sample.values * scale[rows] / scale[sample.indices])
    lu, v, _ = factored(other)
    assert backward_error(other, lu, v) < BACKWARD


@pytest.mark.parametrize("large", [symbolic.LARGE, 0])
def test_positions_of_a_grid_are_those_of_its_entries(monkeypatch, large):
    """Looked up by the first of each supernode, they are the same as one by one."""
    monkeypatch.setattr(symbolic, "LARGE", large)
    i, j = np.nonzero(np.random.default_rng(3).random((40, 40)) < 0.08)
    shape = symbolic.structure(i, j, np.array([0, 3, 4, 9, 14, 15, 22, 30, 40]))
    find = symbolic.Finder(shape, symbolic.layout(shape, heads=6))
    compared = 0
    for rows, columns in zip(shape.below, shape.beside, strict=True):
        if rows.size and columns.size:
            np.testing.assert_array_equal(find.grid(rows, columns), find(rows[:, None], columns))
            compared += rows.size * columns.size
    assert compared > 100


@pytest.mark.parametrize("name", ["sparse 30", "dense 70", "kkt 90", "chain", "rotor"])
def test_large_factors_with_their_parts_apart_are_the_same(monkeypatch, name):
    """Blocks below the diagonal apart from those on it: the same factors elsewhere, those of the tail at the end."""
    sample, late = MATRICES[name], np.arange(MATRICES[name].n) % 7 == 0
    together, _, healthy = factored(sample, late=late)
    monkeypatch.setattr(symbolic, "LARGE", 0)
    apart, v, health = factored(sample, late=late)
    assert health == pytest.approx(healthy)
    assert apart.tail.pivots == together.tail.pivots
    assert backward_error(sample, apart, v) < BACKWARD
    rows = np.repeat(np.arange(sample.n), np.diff(sample.indptr))
    inside = np.isin(rows, apart.row_order[apart.tail.pivots :])
    inside &= np.isin(sample.indices, apart.column_order[apart.tail.pivots :])
    np.testing.assert_array_equal((apart.slot >= apart.tail.start) & (apart.slot < apart.tail.stop), inside)


def test_large_factors_are_read_once_by_a_solution(monkeypatch):
    """On the way forward and on the way back, each in the order of storage: no block is read twice or out of turn."""
    monkeypatch.setattr(symbolic, "LARGE", 0)
    lu = analyse(*matrices.chain(30))
    at, lows = 0, []
    while at < lu.forward_program.size:
        pivots, low, stride, _, below = (int(x) for x in lu.forward_program[at : at + 5])
        lows += [(low, low + stride * pivots)] if below else []
        at += 5 + below
    at, back = 0, []
    while at < lu.backward_program.size:
        pivots, panel, stride, wing, _, beside = (int(x) for x in lu.backward_program[at : at + 6])
        back += [(wing, wing + stride * beside), (panel, panel + stride * pivots)]
        at += 6 + beside
    for blocks in (lows, back):
        assert all(end <= start for (_, end), (start, _) in pairwise(blocks))
    assert lows[-1][1] <= back[0][0]
