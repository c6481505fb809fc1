"""From the pattern and sample values of a matrix to its pivot sequence and the layout of its factors."""

import numpy as np

from samara.system.memory.aligned_arrays import aligned_zeros
from samara.system.memory.distinct import distinct, distinct_sorted
from samara.tracing.driver.driver_cache import driver
from samara.tracing.driver.reference import refer

from . import programs, symbolic, tree
from .degree import by_degree
from .dense import sweeps_for
from .factors import LU, SingularMatrix, Tail, new_storage
from .kernels import refactor, solve
from .lanes import WIDTH
from .markowitz import markowitz

ACCURATE_RESIDUAL = 1e-13
"""Backward error of a test solution below which a pivot sequence is accepted."""

ROWS_AT_ONCE = 2**13
"""Rows that a test solution is looked at by: each takes some kilobytes meanwhile."""

BUDGET, UNLIMITED = 20_000_000, 2**62
"""Products of Markowitz's search, a second or two, after which an order by structure alone is tried before it."""


def analyse(n, indptr, indices, values, *, ordering="markowitz", threshold=1e-3, late=None, together=None):
    """Pivot sequence and storage of the LU factors of an n x n matrix given by rows (CSR).

    values      shape (nnz,), or (samples, nnz): pivots are acceptable in every sample
    ordering    "markowitz", or "superlu" for the permutations of SciPy's SuperLU (COLAMD)
    threshold   least size of a pivot relative to its column, after equilibration; it is raised, tenfold at a time, as
                long as a test solution is not accurate: small thresholds keep the structure symmetric and the fill low
    late        which unknowns, of shape (n,), are eliminated last: entries in their rows and columns can then change
                without a factorisation of all the rest, see `refactor_tail`; by default none
    together    a number for each unknown, of shape (n,), the same for those of a node: where the matrix fills much,
                they are ordered as one

    Raises SingularMatrix, naming the rows and columns without a pivot.
    """
    indptr, indices = np.asarray(indptr, np.int32), np.asarray(indices, np.int32)
    values = np.atleast_2d(np.asarray(values, float))
    rows = _checked_rows(n, indptr, indices, values)
    late = np.zeros(n, bool) if late is None else np.asarray(late, bool)
    together = np.arange(n) if together is None else np.asarray(together, np.int64)
    row_scale, column_scale = equilibrate(n, rows, indices, values)
    best, least, by_diagonal, budget = None, np.inf, False, BUDGET
    while best is None or (least > ACCURATE_RESIDUAL and threshold < 0.5):
        scales = row_scale, column_scale
        try:
            pivot_rows, pivot_columns = order_pivots(
                ordering, n, indptr, indices, values, scales, threshold, late, budget
            )
        except FillError:
            pivot_rows = pivot_columns = by_degree(n, rows, indices, values, late, together)
        except SingularMatrix:
            if best is not None:
                break  # too strict for the samples together
            if by_diagonal:
                raise
            # bodies of 1e-14 kg are lost beside constraints of size one, unless they set the scale
            by_diagonal = True
            row_scale, column_scale = equilibrate(n, rows, indices, values, by_diagonal=True)
            continue
        waiting = np.flatnonzero(late[pivot_rows] | late[pivot_columns])
        tail = int(waiting[0]) if waiting.size else n
        order, first, sequence, heads = supernodes(n, rows, indices, pivot_rows, pivot_columns, tail)
        lu = lay_out(n, rows, indices, row_scale, pivot_rows[order], pivot_columns[order], first, sequence, heads)
        with np.errstate(all="ignore"):
            lu, error = _tried(lu, indptr, indices, values)
        if pivot_rows is pivot_columns and not error <= ACCURATE_RESIDUAL:
            budget = UNLIMITED  # numbers decide after all
            continue
        if best is None or error < least:
            best, least = lu, error
        threshold *= 10
    return best


def _checked_rows(n, indptr, indices, values):
    if indptr.size != n + 1 or indices.size != indptr[-1] or values.shape[1] != indices.size:
        sizes = f"{indptr.size - 1} row pointers, {indices.size} columns and {values.shape} values"
        raise ValueError(f"{n} rows: {sizes} do not fit")
    if indices.size and not (0 <= indices.min() and indices.max() < n):
        raise ValueError("column index outside the matrix")
    rows = np.repeat(np.arange(n, dtype=np.int32), np.diff(indptr))
    if _has_duplicates(n, rows, indices):
        raise ValueError("the pattern has duplicate entries")
    if not np.isfinite(values).all():
        raise ValueError("values are not finite")
    return rows


def _has_duplicates(n, rows, columns):
    """Whether entries by rows, and mostly in order there, are given twice."""
    if ((np.diff(columns) > 0) | (np.diff(rows) > 0)).all():
        return False
    return distinct(rows * np.int64(n) + columns).size != columns.size


def equilibrate(n, rows, columns, values, sweeps=5, by_diagonal=False):
    """Row and column factors that bring the largest entry of every row and column near 1 (Ruiz's iteration).

    by_diagonal: begin with the diagonal at 1 where there is one; rows without, those of constraints, follow.
    """
    rows, columns = np.asarray(rows, np.int32), np.asarray(columns, np.int32)
    row_scale, column_scale = np.ones(n), np.ones(n)
    if by_diagonal:
        size = np.abs(values).max(axis=0)
        diagonal, largest, on = np.zeros(n), np.zeros(n), rows == columns
        diagonal[rows[on]] = size[on]
        has = diagonal > 0.0
        row_scale[has] = 1.0 / np.sqrt(diagonal[has])
        np.maximum.at(largest, rows, np.where(has[columns], size * row_scale[columns], 0.0))
        alone = ~has & (largest > 0.0)
        row_scale[alone] = 1.0 / largest[alone]
        column_scale[:] = row_scale
    for _ in range(sweeps):
        row_max, column_max = np.zeros(n), np.zeros(n)
        _find_largest(rows, columns, values, row_scale, column_scale, row_max, column_max)
        row_scale /= np.sqrt(np.where(row_max > 0, row_max, 1))
        column_scale /= np.sqrt(np.where(column_max > 0, column_max, 1))
    return row_scale, column_scale


@driver
def _find_largest(rows, columns, values, row_scale, column_scale, row_max, column_max):
    """Largest scaled entry of every row and column; native, for arrays as long as all entries add up."""
    for e in range(rows.size):
        i, j, size = rows[e], columns[e], 0.0
        for s in range(values.shape[0]):
            size = max(size, abs(values[s, e]))
        size = size * row_scale[i] * column_scale[j]
        row_max[i], column_max[j] = max(row_max[i], size), max(column_max[j], size)


class FillError(Exception):
    """The matrix has so much fill-in that the pivot search was abandoned."""


def order_pivots(ordering, n, indptr, indices, values, scales, threshold, late, budget):
    """Rows and columns of the pivots in order of elimination; scales: of rows and columns, that equilibrate."""
    if ordering not in ("markowitz", "superlu"):
        raise ValueError(f'ordering is "markowitz" or "superlu", not {ordering!r}')
    if ordering == "superlu":
        from scipy.sparse import csr_matrix  # a fifth of a second that the usual start does not need
        from scipy.sparse.linalg import splu

        scaled = values[0] * (np.repeat(scales[0], np.diff(indptr)) * scales[1][indices])
        matrix = csr_matrix((scaled, indices, indptr), (n, n)).tocsc()
        try:
            factors = splu(matrix, diag_pivot_thresh=threshold)
            return np.argsort(factors.perm_r), np.argsort(factors.perm_c)
        except RuntimeError:
            pass  # singular: let Markowitz name the culprits
    rows, columns, given_up = markowitz(indptr, indices, values, scales, threshold, late, budget)
    if given_up:
        raise FillError
    if rows.size < n:
        raise SingularMatrix(np.setdiff1d(np.arange(n), rows), np.setdiff1d(np.arange(n), columns))
    return rows, columns


def supernodes(n, rows, columns, pivot_rows, pivot_columns, tail):
    """Order of storage of the pivots by supernodes, where each starts, the sequence of pivots in each, and how many
    supernodes come before the tail.

    Inside a supernode the order of storage is free: the original one keeps together the unknowns of a body, so that
    the updates from other supernodes go to consecutive places.
    """
    row_place, column_place = (np.argsort(x).astype(np.int32) for x in (pivot_rows, pivot_columns))
    i, j = row_place[rows], column_place[columns]
    keys = np.maximum(i, j) * np.int64(n)
    keys += np.minimum(i, j)
    del i, j
    keys.sort()
    keys = distinct_sorted(keys)  # the lower triangle by rows, each entry once
    indptr, indices = np.searchsorted(keys, np.arange(n + 1) * n).astype(np.int32), (keys % n).astype(np.int32)
    del keys
    order, first = tree.in_supernodes(indptr, indices, tail)
    order, first, heads = tree.heads_first(order, first, tail)
    node_of = np.repeat(np.arange(first.size - 1), np.diff(first))
    stored = np.lexsort((pivot_columns[order], node_of))
    return order[stored], first, np.argsort(stored) - first[node_of], heads


def lay_out(n, rows, columns, row_scale, row_order, column_order, first, sequence, heads, pad=WIDTH):
    """The LU without its references; columns are padded to vectors, or not at all (pad = 1)."""
    row_rank, column_rank = (np.argsort(x).astype(np.int32) for x in (row_order, column_order))
    i, j = row_rank[rows], column_rank[columns]
    shape = symbolic.structure(i, j, first)
    place = symbolic.layout(shape, heads, pad)
    find = symbolic.Finder(shape, place)
    slot = find.many(i, j)
    del i, j
    work_place, scratch = programs.work_places(shape, pad)
    nodes, padded = first.size - 1, -(-n // WIDTH) * WIDTH
    strides = place.strides
    tallest = int(strides.max())
    inverse = place.size + WIDTH
    program, starts = programs.factor_program(shape, place, find, sequence, pad)
    tail = Tail(starts[heads], int(first[heads]), heads, 2 * int(strides[:heads].sum()), place.tail, place.size)
    forward, backward = programs.solve_programs(shape, place, work_place)
    return refer(
        LU(
            n=n,
            size=inverse + padded + nodes,
            slot=slot,
            row_order=row_order.astype(np.uint32),
            column_order=column_order.astype(np.uint32),
            row_place=work_place[row_rank].astype(np.uint32),
            column_place=work_place[column_rank].astype(np.uint32),
            factor_program=program,
            passages=programs.passages(shape, place, starts)[: None if heads == nodes else 0],
            sweeps=sweeps_for(zip(*place.heights()) if pad == WIDTH else ()),
            tail=tail,
            kept=np.zeros(tail.stop - tail.start),
            forward_program=forward,
            backward_program=backward,
            inverse=inverse,
            growth=inverse + padded,
            pivot_reference=np.zeros(padded),
            growth_reference=np.ones(nodes),
            weight=_weights(shape, place, row_scale[row_order]),
            work=aligned_zeros(scratch + tallest),
            scratch=scratch,
        )
    )


def _weights(shape, place, row_scale):
    """Row scales of every panel, padded with zeros as its columns are, each list followed by that of their inverses."""
    pivots, strides = np.diff(shape.first), place.strides
    start = np.concatenate([[0], 2 * np.cumsum(strides)])
    weight = aligned_zeros(int(start[-1]))
    below = np.concatenate([*shape.below, shape.first[:0]])
    lengths = np.array([rows.size for rows in shape.below])
    offsets = start[:-1] + np.where(place.apart, place.panel_stride, pivots)
    for size, first, rows in ((pivots, start[:-1], np.arange(row_scale.size)), (lengths, offsets, below)):
        at = np.repeat(first - np.cumsum(size) + size, size) + np.arange(rows.size)
        weight[at] = row_scale[rows]
        weight[at + np.repeat(strides, size)] = 1 / row_scale[rows]
    return weight


def _tried(lu, indptr, columns, values):
    """The LU with the pivots and growths that are normal for the samples, and the worst backward error it makes."""
    pivots, growths, errors = [], [], []
    b, x = np.random.default_rng(0).normal(size=lu.n), np.zeros(lu.n)
    for sample in values:
        v = new_storage(lu)
        v[lu.slot] = sample
        refactor(lu, v)
        solve(lu, v, b, x)
        pivots.append(1 / np.abs(v[lu.inverse : lu.inverse + lu.n]))
        growths.append(v[lu.growth : -1].copy())
        del v
        errors.append(_backward_error(indptr, columns, sample, x, b))
    error = np.nan_to_num(np.max(errors), nan=np.inf)
    lu.pivot_reference[: lu.n] = np.min(pivots, axis=0)
    lu.growth_reference[:] = np.max(growths, axis=0)
    return lu, error


def _backward_error(indptr, columns, sample, x, b):
    """Of a solution x, relative to the largest terms."""
    residual, size = b.copy(), np.abs(b)
    for first in range(0, b.size, ROWS_AT_ONCE):
        ends = indptr[first : min(first + ROWS_AT_ONCE, b.size) + 1]
        count, some = ends.size - 1, slice(ends[0], ends[-1])
        rows, terms = np.repeat(np.arange(count), np.diff(ends)), x[columns[some]] * sample[some]
        residual[first : first + count] -= np.bincount(rows, terms, count)
        size[first : first + count] += np.bincount(rows, np.abs(terms), count)
    return np.max(np.abs(residual)) / np.max(size)
