"""Threshold Markowitz: choose the pivots of a sparse elimination by sparsity among those that are large enough.

At each step the pivot (i, j) of the active submatrix has the least Markowitz cost (r_i - 1)(c_j - 1), an upper bound of
the fill it makes, among the entries with |a_ij| >= threshold * max_i |a_ij| in every sample of values. Ties go to the
pivot that is largest relative to its column in its worst sample. (Markowitz, Management Science 3, 1957; Duff, Erisman
and Reid, Direct Methods for Sparse Matrices, 1986, ch. 5 and 7.)

The active submatrix is held as crossed doubly linked lists, so that an entry leaves its row and its column at once;
the best candidate of each column is remembered until something in that column or in its rows changes.
"""

import numpy as np
from numba import njit

from .options import OPTIONS

SINGULAR = 1e-14
"""A column whose entries all fall below this, after equilibration to unit size, has no pivot left."""

OFF_DIAGONAL = 1e3

_NONE = -1


@njit(**OPTIONS)
def _new_entry(links, i, j, e, row_head, column_head, row_count, column_count):
    """Put entry e = (i, j) at the head of its row and of its column; `links` is (row, column, left, right, up, down)."""
    row, column, left, right, up, down = links
    row[e], column[e] = i, j
    left[e], right[e], up[e], down[e] = _NONE, row_head[i], _NONE, column_head[j]
    if row_head[i] != _NONE:
        left[row_head[i]] = e
    if column_head[j] != _NONE:
        up[column_head[j]] = e
    row_head[i] = column_head[j] = e
    row_count[i] += 1
    column_count[j] += 1


@njit(**OPTIONS)
def _leave_row(links, e, row_head, row_count):
    row, column, left, right, up, down = links
    if left[e] != _NONE:
        right[left[e]] = right[e]
    else:
        row_head[row[e]] = right[e]
    if right[e] != _NONE:
        left[right[e]] = left[e]
    row_count[row[e]] -= 1


@njit(**OPTIONS)
def _leave_column(links, e, column_head, column_count):
    row, column, left, right, up, down = links
    if up[e] != _NONE:
        down[up[e]] = down[e]
    else:
        column_head[column[e]] = down[e]
    if down[e] != _NONE:
        up[down[e]] = up[e]
    column_count[column[e]] -= 1


@njit(**OPTIONS)
def _best_of_column(j, mate, links, value, column_head, row_count, column_count, threshold):
    """(cost, quality, entry) of the best acceptable pivot of column j; entry is -1 where there is none."""
    row, down = links[0], links[5]
    samples = value.shape[1]
    largest = np.zeros(samples)
    e = column_head[j]
    while e != _NONE:
        for s in range(samples):
            largest[s] = max(largest[s], abs(value[e, s]))
        e = down[e]
    best, best_cost, best_quality = _NONE, np.inf, 0.0
    if largest.min() < SINGULAR:
        return best_cost, best_quality, best
    e = column_head[j]
    while e != _NONE:
        cost = float((row_count[row[e]] - 1) * (column_count[j] - 1))
        if row[e] != mate[j]:
            cost = OFF_DIAGONAL * (cost + 1.0)
        if cost <= best_cost:
            quality = 1.0
            for s in range(samples):
                quality = min(quality, abs(value[e, s]) / largest[s])
            if quality >= threshold and (cost < best_cost or quality > best_quality):
                best, best_cost, best_quality = e, cost, quality
        e = down[e]
    return best_cost, best_quality, best


@njit(**OPTIONS)
def _exchange(mate, mate_of_row, i, j):
    """Pair row i with column j; the two they leave are paired with each other."""
    other_column, other_row = mate_of_row[i], mate[j]
    mate[other_column], mate_of_row[other_row] = other_row, other_column
    mate[j], mate_of_row[i] = i, j


@njit(**OPTIONS)
def _grown(array, size):
    longer = np.empty((size,) + array.shape[1:], array.dtype)
    longer[: array.shape[0]] = array
    return longer


@njit(**OPTIONS)
def _eliminate(pivot, links, value, used, heads, counts, where, stale):
    """Take the pivot's row and column out and update what is left; returns the number of entries used."""
    row, column, left, right, up, down = links
    row_head, column_head = heads
    row_count, column_count = counts
    i, j = row[pivot], column[pivot]
    samples = value.shape[1]
    e = row_head[i]
    while e != _NONE:
        _leave_column(links, e, column_head, column_count)
        e = right[e]
    e = column_head[j]
    while e != _NONE:
        _leave_row(links, e, row_head, row_count)
        e = down[e]
    across = row_head[i]
    while across != _NONE:
        jj = column[across]
        if jj != j:
            stale[jj] = True
            e = column_head[jj]
            while e != _NONE:
                where[row[e]] = e
                e = down[e]
            e = column_head[j]
            while e != _NONE:
                ii = row[e]
                target = where[ii]
                if target == _NONE:
                    target = used
                    used += 1
                    _new_entry(links, ii, jj, target, row_head, column_head, row_count, column_count)
                    value[target] = 0.0
                for s in range(samples):
                    value[target, s] -= value[e, s] * (value[across, s] / value[pivot, s])
                e = down[e]
            e = column_head[jj]
            while e != _NONE:
                where[row[e]] = _NONE
                e = down[e]
        across = right[across]
    e = column_head[j]
    while e != _NONE:
        beside = row_head[row[e]]
        while beside != _NONE:
            stale[column[beside]] = True
            beside = right[beside]
        e = down[e]
    row_head[i] = column_head[j] = _NONE
    return used


@njit(**OPTIONS)
def markowitz(indptr, indices, values, threshold):
    """Pivot rows and columns in order of elimination, for equilibrated `values` of shape (samples, nnz).

    Fewer than n pivots come back when the matrix is singular: those left have no acceptable pivot.
    """
    n, nnz = indptr.size - 1, indices.size
    room = 4 * nnz + 64
    links = (np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.int32),
             np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.int32))
    value = np.empty((room, values.shape[0]))
    value[:nnz] = values.T
    heads = (np.full(n, _NONE, np.int32), np.full(n, _NONE, np.int32))
    counts = (np.zeros(n, np.int64), np.zeros(n, np.int64))
    for i in range(n):
        for e in range(indptr[i], indptr[i + 1]):
            _new_entry(links, i, indices[e], e, heads[0], heads[1], counts[0], counts[1])
    used = nnz
    where = np.full(n, _NONE, np.int32)
    stale, active = np.ones(n, np.bool_), np.ones(n, np.bool_)
    cost, quality, entry = np.empty(n), np.empty(n), np.empty(n, np.int32)
    mate, mate_of_row = np.arange(n), np.arange(n)
    pivot_row, pivot_column = np.empty(n, np.int64), np.empty(n, np.int64)
    for step in range(n):
        best = _NONE
        for j in range(n):
            if active[j]:
                if stale[j]:
                    stale[j] = False
                    cost[j], quality[j], entry[j] = _best_of_column(
                        j, mate, links, value, heads[1], counts[0], counts[1], threshold
                    )
                if entry[j] != _NONE and (
                    best == _NONE or cost[j] < cost[best] or (cost[j] == cost[best] and quality[j] > quality[best])
                ):
                    best = j
        if best == _NONE:
            return pivot_row[:step], pivot_column[:step]
        pivot_row[step], pivot_column[step] = links[0][entry[best]], best
        active[best] = False
        stale[mate_of_row[pivot_row[step]]] = True
        _exchange(mate, mate_of_row, pivot_row[step], best)
        needed = used + np.int64(cost[best])
        if needed > room:
            room = 2 * needed
            links = (_grown(links[0], room), _grown(links[1], room), _grown(links[2], room),
                     _grown(links[3], room), _grown(links[4], room), _grown(links[5], room))
            value = _grown(value, room)
        used = _eliminate(entry[best], links, value, used, heads, counts, where, stale)
    return pivot_row, pivot_column
