"""Threshold Markowitz: choose the pivots of a sparse elimination by sparsity among those that are large enough.

At each step the pivot (i, j) of the active submatrix has the least cost among the entries with |a_ij| >= threshold *
max_i |a_ij| in every sample of values. Markowitz's cost is (r_i - 1)(c_j - 1), an upper bound of the fill. The factors
are stored with a symmetric structure, so here it is the square of the longer of the two: a long row with a short column
(a rotor's sum of loads) waits as if both were long. Ties go to the pivot that is largest relative to its column in its
worst sample. (Markowitz, Management Science 3, 1957; Duff, Erisman and Reid, Direct Methods for Sparse Matrices, 1986,
ch. 5 and 7.)

Rows and columns marked as late wait until no other pivot is left; what is eliminated from then on is the tail.

Pivots on the diagonal are preferred, at OFF_DIAGONAL times the cost: in a multibody model unknown i and equation i
belong together, and a sequence on the diagonal keeps the structure symmetric, which is what makes supernodes. The zero
diagonal of a multiplier fills as soon as its bodies are eliminated. Where an off-diagonal pivot (i, j) is taken, the
column and the row that lose their mates become mates.

The active submatrix is held as crossed doubly linked lists, so that an entry leaves its row and its column at once;
the best candidate of each column is remembered until something in that column or in its rows changes. Columns compete
in a tree: each inner knot holds the better of the two below it, so that a change costs the height of the tree.
"""

import numpy as np

from samara.tracing.driver_cache import planner

SINGULAR = 1e-14
"""A column whose entries all fall below this, after equilibration to unit size, has no pivot left."""

OFF_DIAGONAL = 1e3
LATE = 1e12

_NONE = -1
_ROW, _COLUMN, _LEFT, _RIGHT, _UP, _DOWN = range(6)


@planner
def _enter(links, e, i, j, head, count):
    """Put entry e = (i, j) at the head of its row (head[0], count[0]) and of its column (head[1], count[1])."""
    links[e, _ROW], links[e, _COLUMN] = i, j
    links[e, _LEFT], links[e, _RIGHT] = _NONE, head[0, i]
    links[e, _UP], links[e, _DOWN] = _NONE, head[1, j]
    if head[0, i] != _NONE:
        links[head[0, i], _LEFT] = e
    if head[1, j] != _NONE:
        links[head[1, j], _UP] = e
    head[0, i] = head[1, j] = e
    count[0, i] += 1
    count[1, j] += 1


@planner
def _leave(links, e, side, head, count):
    """Take entry e out of its row (side 0) or of its column (side 1); its own links stay as they were."""
    before, after, line = links[e, _LEFT + 2 * side], links[e, _RIGHT + 2 * side], links[e, side]
    if before != _NONE:
        links[before, _RIGHT + 2 * side] = after
    else:
        head[side, line] = after
    if after != _NONE:
        links[after, _LEFT + 2 * side] = before
    count[side, line] -= 1


@planner
def _best_of_column(j, mate, late, links, value, head, count, threshold):
    """(cost, quality, entry) of the best acceptable pivot of column j; entry is -1 where there is none."""
    samples = value.shape[1]
    largest = np.zeros(samples)
    e = head[1, j]
    while e != _NONE:
        for s in range(samples):
            largest[s] = max(largest[s], abs(value[e, s]))
        e = links[e, _DOWN]
    best, best_cost, best_quality = _NONE, np.inf, 0.0
    for s in range(samples):
        if largest[s] < SINGULAR:
            return best_cost, best_quality, best
    e = head[1, j]
    while e != _NONE:
        longer = float(max(count[0, links[e, _ROW]], count[1, j]) - 1)
        cost = longer * longer
        if links[e, _ROW] != mate[j]:
            cost = OFF_DIAGONAL * (cost + 1.0)
        if late[j] or late[links[e, _ROW]]:
            cost += LATE
        if cost <= best_cost:
            quality = 1.0
            for s in range(samples):
                quality = min(quality, abs(value[e, s]) / largest[s])
            if quality >= threshold and (cost < best_cost or quality > best_quality):
                best, best_cost, best_quality = e, cost, quality
        e = links[e, _DOWN]
    return best_cost, best_quality, best


@planner
def _subtract(pivot, across, links, value, used, head, count, where):
    """Column of `across` -= column of the pivot * value of `across` / value of the pivot; returns the entries used."""
    jj = links[across, _COLUMN]
    e = head[1, jj]
    while e != _NONE:
        where[links[e, _ROW]] = e
        e = links[e, _DOWN]
    e = head[1, links[pivot, _COLUMN]]
    while e != _NONE:
        ii = links[e, _ROW]
        if ii != links[pivot, _ROW]:
            if where[ii] == _NONE:
                where[ii] = used
                _enter(links, used, ii, jj, head, count)
                for s in range(value.shape[1]):
                    value[used, s] = 0.0
                used += 1
            for s in range(value.shape[1]):
                value[where[ii], s] -= value[e, s] * (value[across, s] / value[pivot, s])
        e = links[e, _DOWN]
    e = head[1, jj]
    while e != _NONE:
        where[links[e, _ROW]] = _NONE
        e = links[e, _DOWN]
    return used


@planner
def _mark(j, stale, waiting, marked):
    """Note once that the candidate of column j has to be looked for anew; returns how many wait for that."""
    if stale[j]:
        return marked
    stale[j], waiting[marked] = True, j
    return marked + 1


@planner
def _better(i, j, cost, quality, entry):
    """The column whose candidate is the better pivot, the first of equals; -1 where neither has one."""
    if j == _NONE or entry[j] == _NONE:
        return i if i != _NONE and entry[i] != _NONE else _NONE
    if i == _NONE or entry[i] == _NONE:
        return j
    if cost[j] < cost[i] or (cost[j] == cost[i] and quality[j] > quality[i]):
        return j
    return i


@planner
def _compete(tree, leaves, j, cost, quality, entry):
    """Bring the knots above column j up to date."""
    knot = (leaves + j) // 2
    while knot:
        tree[knot] = _better(tree[2 * knot], tree[2 * knot + 1], cost, quality, entry)
        knot //= 2


@planner
def _eliminate(pivot, links, value, used, head, count, where, stale, waiting, marked):
    """Take the pivot's row and column out and update what is left.

    Returns the number of entries used, and how many columns wait for a new candidate.
    """
    i, j = links[pivot, _ROW], links[pivot, _COLUMN]
    across = head[0, i]
    while across != _NONE:
        if across != pivot:
            _leave(links, across, 1, head, count)
            used = _subtract(pivot, across, links, value, used, head, count, where)
        across = links[across, _RIGHT]
    down = head[1, j]
    while down != _NONE:
        _leave(links, down, 0, head, count)
        beside = head[0, links[down, _ROW]]
        while beside != _NONE:
            marked = _mark(links[beside, _COLUMN], stale, waiting, marked)
            beside = links[beside, _RIGHT]
        down = links[down, _DOWN]
    return used, marked


@planner
def _exchange(mate, mate_of_row, i, j):
    """Pair row i with column j; the two they leave are paired with each other. Returns the column left."""
    other_column, other_row = mate_of_row[i], mate[j]
    mate[other_column], mate_of_row[other_row] = other_row, other_column
    mate[j], mate_of_row[i] = i, j
    return other_column


@planner
def _grown(array, size):
    longer = np.empty((size, array.shape[1]), array.dtype)
    for e in range(array.shape[0]):
        for s in range(array.shape[1]):
            longer[e, s] = array[e, s]
    return longer


@planner
def markowitz(indptr, indices, values, threshold, late, budget):
    """Pivot rows and columns in order of elimination, for equilibrated `values` of shape (samples, nnz).

    late:   which rows and columns of the same number wait for all others.
    budget: products after which the search is given up.
    Fewer than n pivots come back when the matrix is singular: those left have no acceptable pivot. Third comes whether
    the search was given up.
    """
    n, used = indptr.size - 1, indices.size
    links, value = np.empty((4 * used + 64, 6), np.int32), np.empty((4 * used + 64, values.shape[0]))
    head, count = np.full((2, n), _NONE, np.int32), np.zeros((2, n), np.int64)
    for i in range(n):
        for e in range(indptr[i], indptr[i + 1]):
            _enter(links, e, i, indices[e], head, count)
            for s in range(values.shape[0]):
                value[e, s] = values[s, e]
    where = np.full(n, _NONE, np.int32)
    stale, waiting, marked = np.ones(n, np.bool_), np.arange(n), n
    mate, mate_of_row = np.arange(n), np.arange(n)
    cost, quality, entry = np.empty(n), np.empty(n), np.full(n, _NONE)
    leaves = 1
    while leaves < n:
        leaves *= 2
    tree = np.full(2 * leaves, _NONE)
    tree[leaves : leaves + n] = np.arange(n)
    pivot_row, pivot_column = np.empty(n, np.int64), np.empty(n, np.int64)
    for step in range(n):
        for k in range(marked):
            j = waiting[k]
            stale[j] = False
            if tree[leaves + j] != _NONE:
                cost[j], quality[j], entry[j] = _best_of_column(j, mate, late, links, value, head, count, threshold)
                _compete(tree, leaves, j, cost, quality, entry)
        best, marked = tree[1], 0
        if best == _NONE or entry[best] == _NONE:
            return pivot_row[:step], pivot_column[:step], False
        pivot = entry[best]
        row = links[pivot, _ROW]
        pivot_row[step], pivot_column[step], tree[leaves + best] = row, best, _NONE
        _compete(tree, leaves, best, cost, quality, entry)
        marked = _mark(_exchange(mate, mate_of_row, row, best), stale, waiting, marked)
        products = count[0, row] * count[1, best]
        budget -= products
        if budget < 0:
            return pivot_row[:step], pivot_column[:step], True
        needed = used + products
        if needed > value.shape[0]:
            links, value = _grown(links, 2 * needed), _grown(value, 2 * needed)
        used, marked = _eliminate(pivot, links, value, used, head, count, where, stale, waiting, marked)
    return pivot_row, pivot_column, False
