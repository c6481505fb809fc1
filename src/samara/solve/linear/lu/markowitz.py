"""Threshold Markowitz pivoting: among sufficiently large entries, pivots are chosen for sparsity.

At each step the pivot (i, j) of the active submatrix has the least cost among the entries with |a_ij| >= threshold *
max_i |a_ij| in every sample of values. Markowitz's cost is (r_i - 1)(c_j - 1), an upper bound of the fill. The factors
are stored with a symmetric structure, so here it is the square of the longer of the two: a long row with a short column
(a rotor's sum of loads) waits as if both were long. Ties go to the pivot that is largest relative to its column in its
worst sample. (Markowitz, Management Science 3, 1957; Duff, Erisman and Reid, Direct Methods for Sparse Matrices, 1986,
ch. 5 and 7.)

Rows and columns marked as late wait until no other pivot is left; the pivots eliminated from then on are the tail.

Pivots on the diagonal are preferred, at OFF_DIAGONAL times the cost: in a multibody model unknown i and equation i
belong together, and a sequence on the diagonal keeps the structure symmetric, which is what makes supernodes. The zero
diagonal of a multiplier fills as soon as its bodies are eliminated. Where an off-diagonal pivot (i, j) is taken, the
column and the row that lose their mates become mates.

The active submatrix is held as crossed doubly linked lists, so that an entry leaves its row and its column at once;
the best candidate of each column is remembered until something in that column or in its rows changes. Columns compete
in a tree: each inner knot holds the better of the two below it, so that a change costs the height of the tree.
"""

from typing import NamedTuple

import numpy as np

from samara.tracing.driver.driver_cache import driver, linked
from samara.tracing.driver.reference import refer

SINGULAR_PIVOT = 1e-14
"""A column whose entries all fall below this, after equilibration to unit size, has no pivot left."""

OFF_DIAGONAL = 1e3
LATE_COST = 1e12

_NONE = -1
_ROW, _COLUMN, _LEFT, _RIGHT, _UP, _DOWN = range(6)
#: Places of what a search counts: entries used, columns that wait, pivots found, products left, the pivot to eliminate,
#: and the first of the entries that are free again, each of which knows the next in place of its neighbour to the left.
_USED, _MARKED, _FOUND, _BUDGET, _PIVOT, _FREE = range(6)
#: How a search ends, or why it pauses.
_DONE, _SINGULAR, _GIVEN_UP, _NEEDS_ROOM = range(4)


class _Search(NamedTuple):
    """The matrix, the active submatrix and the candidates; all that native code works on."""

    indptr: np.ndarray
    indices: np.ndarray
    given: np.ndarray  # values by samples and entries
    row_scale: np.ndarray  # that equilibrate them
    column_scale: np.ndarray
    late: np.ndarray  # which rows and columns of the same number wait for all others
    links: np.ndarray  # row, column and neighbours of each entry
    value: np.ndarray  # by entries and samples
    head: np.ndarray  # first entry of each row and of each column
    lengths: np.ndarray  # and how many there are
    where: np.ndarray  # entry of each row in the column at hand
    stale: np.ndarray  # columns whose candidate is unknown
    waiting: np.ndarray  # the same as a list
    mate: np.ndarray  # row of each column's diagonal
    mate_of_row: np.ndarray
    cost: np.ndarray  # of each column's candidate
    quality: np.ndarray
    entry: np.ndarray
    tree: np.ndarray  # of the competition
    largest: np.ndarray  # by samples
    pivot_row: np.ndarray
    pivot_column: np.ndarray
    counts: np.ndarray


def markowitz(indptr, indices, values, scales, threshold, late, budget):
    """Pivot rows and columns in order of elimination, for `values` of shape (samples, nnz).

    scales: of rows and of columns, that equilibrate them.
    late:   which rows and columns of the same number wait for all others.
    budget: products after which the search is given up.
    Fewer than n pivots come back when the matrix is singular: those left have no acceptable pivot. Third comes whether
    the search was given up.
    """
    indptr, indices = np.asarray(indptr, np.int32), np.asarray(indices, np.int32)
    n, samples, room = indptr.size - 1, values.shape[0], 4 * indices.size + 64
    tree = np.full(2 << max(n - 1, 0).bit_length(), _NONE)
    tree[tree.size // 2 :][:n] = np.arange(n)
    search = _Search(
        indptr, indices, values, scales[0], scales[1], late, np.empty((room, 6), np.int32), np.empty((room, samples)),
        np.full((2, n), _NONE, np.int32), np.zeros((2, n), np.int64), np.full(n, _NONE, np.int32),
        np.ones(n, bool), np.arange(n), np.arange(n), np.arange(n), np.empty(n), np.empty(n), np.full(n, _NONE), tree,
        np.empty(samples), np.empty(n, np.int64), np.empty(n, np.int64), np.array([0, n, 0, budget, _NONE, _NONE]),
    )  # fmt: skip
    while (status := _search(refer(search), threshold)) == _NEEDS_ROOM:
        more = search.value.shape[0]
        links, value = np.empty((more, 6), np.int32), np.empty((more, samples))
        search = search._replace(links=np.vstack([search.links, links]), value=np.vstack([search.value, value]))
    found = search.counts[_FOUND]
    return search.pivot_row[:found], search.pivot_column[:found], status == _GIVEN_UP


@driver
def _search(search, threshold):
    """Finds pivots until there are no more, or something is missing; goes on where it paused."""
    counts, links, tree, n = search.counts, search.links, search.tree, search.mate.size
    if counts[_USED] == 0:
        _take_in(search)
    while counts[_FOUND] < n:
        if counts[_PIVOT] == _NONE:
            _look_at_waiting(search, threshold)
            best = tree[1]
            if best == _NONE or search.entry[best] == _NONE:
                return _SINGULAR
            _choose(search, best)
        pivot = counts[_PIVOT]
        products = search.lengths[0, links[pivot, _ROW]] * search.lengths[1, links[pivot, _COLUMN]]
        if products > counts[_BUDGET]:
            return _GIVEN_UP
        if counts[_USED] + products > links.shape[0]:
            return _NEEDS_ROOM
        _eliminate(search, pivot)
        counts[_BUDGET] -= products
        counts[_FOUND] += 1
        counts[_PIVOT] = _NONE
    return _DONE


@linked
def _take_in(search):
    """All entries of the matrix."""
    indptr, indices, given, value = search.indptr, search.indices, search.given, search.value
    for i in range(search.mate.size):
        for e in range(indptr[i], indptr[i + 1]):
            _enter(search, e, i, indices[e])
            for s in range(given.shape[0]):
                value[e, s] = given[s, e] * (search.row_scale[i] * search.column_scale[indices[e]])
    search.counts[_USED] = indices.size


@linked
def _look_at_waiting(search, threshold):
    """New candidates of the columns that something has changed in."""
    tree, waiting, cost = search.tree, search.waiting, search.cost
    for k in range(search.counts[_MARKED]):
        j = waiting[k]
        search.stale[j] = False
        if tree[tree.size // 2 + j] != _NONE:
            cost[j], search.quality[j], search.entry[j] = _best_of_column(search, j, threshold)
            _compete(search, j)
    search.counts[_MARKED] = 0


@linked
def _choose(search, best):
    """The candidate of the column that won is the next pivot."""
    counts, pivot = search.counts, search.entry[best]
    row, found = search.links[pivot, _ROW], counts[_FOUND]
    counts[_PIVOT], search.pivot_row[found], search.pivot_column[found] = pivot, row, best
    search.tree[search.tree.size // 2 + best] = _NONE
    _compete(search, best)
    _mark(search, _exchange(search.mate, search.mate_of_row, row, best))


@linked
def _enter(search, e, i, j):
    """Put entry e = (i, j) at the head of its row (head[0], count[0]) and of its column (head[1], count[1])."""
    links, head, count = search.links, search.head, search.lengths
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


@linked
def _leave(search, e, side):
    """Take entry e out of its row (side 0) or of its column (side 1); its own links stay as they were."""
    links, head = search.links, search.head
    before, after, line = links[e, _LEFT + 2 * side], links[e, _RIGHT + 2 * side], links[e, side]
    if before != _NONE:
        links[before, _RIGHT + 2 * side] = after
    else:
        head[side, line] = after
    if after != _NONE:
        links[after, _LEFT + 2 * side] = before
    search.lengths[side, line] -= 1


@linked
def _best_of_column(search, j, threshold):
    """(cost, quality, entry) of the best acceptable pivot of column j; entry is -1 where there is none."""
    links, value, count, late, largest = search.links, search.value, search.lengths, search.late, search.largest
    for s in range(largest.size):
        largest[s] = 0.0
    e = search.head[1, j]
    while e != _NONE:
        for s in range(largest.size):
            largest[s] = max(largest[s], abs(value[e, s]))
        e = links[e, _DOWN]
    best, best_cost, best_quality = _NONE, np.inf, 0.0
    for s in range(largest.size):
        if largest[s] < SINGULAR_PIVOT:
            return best_cost, best_quality, best
    e = search.head[1, j]
    while e != _NONE:
        longer = float(max(count[0, links[e, _ROW]], count[1, j]) - 1)
        cost = longer * longer
        if links[e, _ROW] != search.mate[j]:
            cost = OFF_DIAGONAL * (cost + 1.0)
        if late[j] or late[links[e, _ROW]]:
            cost += LATE_COST
        if cost <= best_cost:
            quality = 1.0
            for s in range(largest.size):
                quality = min(quality, abs(value[e, s]) / largest[s])
            if quality >= threshold and (cost < best_cost or quality > best_quality):
                best, best_cost, best_quality = e, cost, quality
        e = links[e, _DOWN]
    return best_cost, best_quality, best


@linked
def _new_entry(links, counts):
    """An entry that is free again, or else one that was never used."""
    entry = counts[_FREE]
    if entry == _NONE:
        entry = counts[_USED]
        counts[_USED] += 1
    else:
        counts[_FREE] = links[entry, _LEFT]
    return entry


@linked
def _set_free(search, i, j):
    """Entries of a row and a column that were taken out; their pivot is in both."""
    links, counts = search.links, search.counts
    for start, following in ((search.head[0, i], _RIGHT), (search.head[1, j], _DOWN)):
        e = np.int64(start)
        while e != _NONE:
            if following == _RIGHT or links[e, _ROW] != i:
                links[e, _LEFT] = counts[_FREE]
                counts[_FREE] = e
            e = np.int64(links[e, following])


@linked
def _subtract(search, pivot, across):
    """Column of `across` -= column of the pivot * value of `across` / value of the pivot."""
    links, value, head, where, counts = search.links, search.value, search.head, search.where, search.counts
    jj = np.int64(links[across, _COLUMN])
    e = head[1, jj]
    while e != _NONE:
        where[links[e, _ROW]] = e
        e = links[e, _DOWN]
    e = head[1, links[pivot, _COLUMN]]
    while e != _NONE:
        ii = np.int64(links[e, _ROW])
        if ii != links[pivot, _ROW]:
            if where[ii] == _NONE:
                where[ii] = new = _new_entry(links, counts)
                _enter(search, new, ii, jj)
                for s in range(value.shape[1]):
                    value[new, s] = 0.0
            for s in range(value.shape[1]):
                value[where[ii], s] -= value[e, s] * (value[across, s] / value[pivot, s])
        e = links[e, _DOWN]
    e = head[1, jj]
    while e != _NONE:
        where[links[e, _ROW]] = _NONE
        e = links[e, _DOWN]


@linked
def _mark(search, j):
    """Note once that the candidate of column j has to be looked for anew."""
    if not search.stale[j]:
        search.stale[j], search.waiting[search.counts[_MARKED]] = True, j
        search.counts[_MARKED] += 1


@linked
def _better(search, i, j):
    """The column whose candidate is the better pivot, the first of equals; -1 where neither has one."""
    cost, quality, entry = search.cost, search.quality, search.entry
    if j == _NONE or entry[j] == _NONE:
        return i if i != _NONE and entry[i] != _NONE else _NONE
    if i == _NONE or entry[i] == _NONE:
        return j
    if cost[j] < cost[i] or (cost[j] == cost[i] and quality[j] > quality[i]):
        return j
    return i


@linked
def _compete(search, j):
    """Bring the knots above column j up to date."""
    tree = search.tree
    knot = (tree.size // 2 + j) // 2
    while knot:
        tree[knot] = _better(search, tree[2 * knot], tree[2 * knot + 1])
        knot //= 2


@linked
def _eliminate(search, pivot):
    """Take the pivot's row and column out and update what is left."""
    links, head = search.links, search.head
    i, j = links[pivot, _ROW], links[pivot, _COLUMN]
    across = head[0, i]
    while across != _NONE:
        if across != pivot:
            _leave(search, across, 1)
            _subtract(search, pivot, across)
        across = links[across, _RIGHT]
    down = head[1, j]
    while down != _NONE:
        _leave(search, down, 0)
        beside = head[0, links[down, _ROW]]
        while beside != _NONE:
            _mark(search, np.int64(links[beside, _COLUMN]))
            beside = links[beside, _RIGHT]
        down = links[down, _DOWN]
    _set_free(search, i, j)


@linked
def _exchange(mate, mate_of_row, i, j):
    """Pair row i with column j; the two they leave are paired with each other. Returns the column left."""
    other_column, other_row = mate_of_row[i], mate[j]
    mate[other_column], mate_of_row[other_row] = other_row, other_column
    mate[j], mate_of_row[i] = i, j
    return other_column
