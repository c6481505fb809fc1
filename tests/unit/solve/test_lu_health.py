"""What the sparse LU says when a matrix is singular, wrong, or no longer fits its pivot sequence."""

import matrices
import numpy as np
import pytest

from samara.solve.linear.lu import GROWTH_LIMIT, SingularMatrix, analyse, new_storage, refactor, worst_pivot


def health(lu, values):
    v = new_storage(lu)
    v[lu.slot] = values
    return refactor(lu, v), v


def test_an_empty_row_and_column_are_named():
    full = np.diag(np.arange(1.0, 8))
    full[0, 5], full[3, 1] = 2, 1
    full[4, 4] = 0
    with pytest.raises(SingularMatrix) as raised:
        analyse(*matrices.from_dense(full))
    assert list(raised.value.rows) == [4] and list(raised.value.columns) == [4]
    assert isinstance(raised.value, ValueError)


def test_structural_singularity_names_the_competing_rows():
    """Rows 1, 2 and 4 have entries in two columns only."""
    full = np.diag([3.0, 0, 0, 3, 0])
    full[[1, 2, 4], 1] = full[[1, 2, 4], 2] = [1.0, 2.0, 5.0]
    full[0, 4] = 1
    with pytest.raises(SingularMatrix) as raised:
        analyse(*matrices.from_dense(full))
    assert len(raised.value.rows) == 2 and set(raised.value.rows) < {1, 2, 4}
    assert set(raised.value.columns) <= {1, 2, 4}


def test_redundant_constraints_are_named():
    """Two equal constraint rows: a multiplier of the pair is left without a pivot."""
    stiffness, row = np.diag([2.0, 3, 4]), np.array([[1.0, -1, 0]])
    jacobian = np.vstack([row, [[0, 1, 2]], row])
    full = np.block([[stiffness, jacobian.T], [jacobian, np.zeros((3, 3))]])
    with pytest.raises(SingularMatrix) as raised:
        analyse(*matrices.from_dense(full))
    assert raised.value.rows.size == 1 and raised.value.rows[0] in (3, 5)


@pytest.mark.parametrize("ordering", ["markowitz", "superlu"])
def test_nothing_at_all_is_singular(ordering):
    with pytest.raises(SingularMatrix):
        analyse(2, [0, 1, 2], [0, 0], [1.0, 1.0], ordering=ordering)


def test_a_pivot_that_vanishes_is_noticed_and_named():
    """The last diagonal entry is set so that the last pivot, its Schur complement, is zero."""
    full = np.array([[4.0, 1, 0], [1, 4, 1], [0, 1, 4]])
    sample = matrices.from_dense(full)
    lu = analyse(*sample)
    assert health(lu, sample.values)[0] == pytest.approx(1.0)
    last = 2
    singular = full.copy()
    singular[last, last] = full[last, :2] @ np.linalg.solve(full[:2, :2], full[:2, last])
    worst, v = health(lu, matrices.from_dense(singular, full != 0).values)
    assert not worst < GROWTH_LIMIT
    assert worst_pivot(lu, v) == lu.column_order[np.nanargmax(np.abs(v[lu.inverse :][:3]) * lu.pivot_reference[:3])]


def test_values_that_break_the_sequence_are_noticed():
    """The matrix stays regular, but the pivots chosen for the first values are wrong for the others."""
    rng = np.random.default_rng(2)
    full = rng.uniform(0.1, 0.3, (12, 12)) + 5 * np.eye(12)
    sample = matrices.from_dense(full)
    lu = analyse(*sample)
    turned = np.roll(full, 1, axis=0)
    np.fill_diagonal(turned, 1e-14)
    assert np.linalg.cond(turned) < 1e3
    worst, _ = health(lu, turned.ravel())
    assert not worst < GROWTH_LIMIT
    assert health(analyse(12, sample.indptr, sample.indices, turned.ravel()), turned.ravel())[0] == pytest.approx(1.0)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_values_that_are_not_finite_are_noticed(bad):
    sample = matrices.chain(4)
    lu = analyse(*sample)
    for entry in (0, sample.values.size // 2, sample.values.size - 1):
        values = sample.values.copy()
        values[entry] = bad
        assert not health(lu, values)[0] < GROWTH_LIMIT
        with pytest.raises(ValueError, match="finite"):
            analyse(sample.n, sample.indptr, sample.indices, values)


def test_moderate_changes_are_healthy():
    sample = matrices.rotor(3)
    lu = analyse(*sample)
    for seed in range(5):
        assert health(lu, sample.varied(seed, 0.2).values)[0] < 1e3


def test_wrong_patterns_say_so():
    with pytest.raises(ValueError, match="duplicate"):
        analyse(2, [0, 2, 3], [0, 0, 1], [1.0, 1.0, 1.0])
    with pytest.raises(ValueError, match="do not fit"):
        analyse(2, [0, 1], [0], [1.0])
    with pytest.raises(ValueError, match="outside"):
        analyse(2, [0, 1, 2], [0, 2], [1.0, 1.0])
    with pytest.raises(ValueError, match="ordering"):
        analyse(1, [0, 1], [0], [1.0], ordering="natural")
