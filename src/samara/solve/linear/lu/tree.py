"""The elimination tree and its supernodes: which pivots are eliminated together, as one dense block.

With the pivots on the diagonal, pivot k's parent in the elimination tree is the first pivot that its elimination
touches; pivots in different branches are independent, so any order with children before parents gives the same
arithmetic (Liu, SIAM J. Matrix Anal. 11, 1990). Here pivots are merged with their parents as long as a model of the
running time predicts that one larger dense block is faster than two smaller ones, explicit zeros included. The pivots
are then renumbered so that each supernode is consecutive.
"""

from typing import NamedTuple

import numpy as np

from samara.tracing.driver.driver_cache import driver, linked
from samara.tracing.driver.reference import refer

from .lanes import WIDTH

_NONE = -1
#: Times of a supernode [ns]: to begin it, of a pivot, of a vector in its sweep; to begin its update, of a row below,
#: and of a vector of a product.
_NODE_TIME, _PIVOT_TIME, _SWEEP_TIME, _UPDATE_TIME, _ROW_TIME, _PRODUCT_TIME = 10.0, 8.0, 0.24, 20.0, 2.5, 0.1


class _Plan(NamedTuple):
    """The lower triangle of a symmetric pattern by rows, what is found of it, and room, all by pivots.

    parent, below   in the elimination tree (-1 for a root); entries below the diagonal of the factor's column
    node_of         supernode, named by its highest pivot
    order           of the pivots, with every supernode consecutive
    """

    indptr: np.ndarray
    indices: np.ndarray
    parent: np.ndarray
    below: np.ndarray
    node_of: np.ndarray
    order: np.ndarray
    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    d: np.ndarray
    e: np.ndarray


def in_supernodes(indptr, indices, tail):
    """Order of the pivots with every supernode consecutive and after its descendants, and where supernodes start.

    indptr, indices: the lower triangle of the symmetric pattern by rows. Pivots from `tail` on stay apart from those
    before.
    """
    n = indptr.size - 1
    plan = _Plan(indptr, indices, *(np.full(n, _NONE) for _ in range(len(_Plan._fields) - 2)))
    _find_supernodes(refer(plan), tail)
    starts = np.flatnonzero(np.diff(plan.node_of[plan.order], prepend=_NONE))
    return plan.order, np.append(starts, n)


@driver
def _find_supernodes(plan, tail):
    _elimination_tree(plan)
    _column_counts(plan)
    _merge(plan, tail)
    _postorder(plan)


@linked
def _elimination_tree(plan):
    """Parent of each pivot (Liu)."""
    indptr, indices, parent, ancestor = plan.indptr, plan.indices, plan.parent, plan.a
    for k in range(parent.size):
        for e in range(indptr[k], indptr[k + 1]):
            i = np.int64(indices[e])
            while i != _NONE and i < k:
                following = ancestor[i]
                ancestor[i] = k
                if following == _NONE:
                    parent[i] = k
                i = following


@linked
def _column_counts(plan):
    """Entries below the diagonal in each column of the symmetric factor, by walking every row's subtree."""
    indptr, indices, parent, count, seen = plan.indptr, plan.indices, plan.parent, plan.below, plan.a
    for k in range(parent.size):
        seen[k], count[k] = _NONE, 0
    for k in range(parent.size):
        seen[k] = k
        for e in range(indptr[k], indptr[k + 1]):
            i = np.int64(indices[e])
            while i < k and seen[i] != k:
                count[i] += 1
                seen[i] = k
                i = parent[i]


@linked
def _time(pivots, below):
    """Nanoseconds that refactoring a supernode costs, as measured; only the ratios matter.

    Larger supernodes than this model makes do not speed up the solution.
    """
    tall, low = -(-(pivots + below) // WIDTH), -(-below // WIDTH)
    sweep = pivots * (_PIVOT_TIME + _SWEEP_TIME * pivots * tall)
    update = _UPDATE_TIME + _ROW_TIME * below + _PRODUCT_TIME * below * low * pivots if below else 0.0
    return _NODE_TIME + sweep + update


@linked
def _find(merged, k):
    while merged[k] != k:
        k = merged[k]
    return k


@linked
def _merge(plan, tail):
    """The supernode of each pivot. Those from `tail` on stay apart from those before."""
    parent, below, merged = plan.parent, plan.below, plan.node_of
    pivots, last_child, sibling = plan.c, plan.b, plan.d
    for k in range(parent.size):
        merged[k], pivots[k] = k, 1
        if parent[k] != _NONE:
            sibling[k] = last_child[parent[k]]
            last_child[parent[k]] = k
    for k in range(parent.size):
        while True:
            best, best_gain = _NONE, 0.0
            child = last_child[k]
            while child != _NONE:
                if merged[child] == child and (child >= tail or k < tail):
                    apart = _time(pivots[child], below[child]) + _time(pivots[k], below[k])
                    gain = apart - _time(pivots[child] + pivots[k], below[k])
                    if gain > best_gain:
                        best, best_gain = child, gain
                child = sibling[child]
            if best == _NONE:
                break
            merged[best] = k
            pivots[k] += pivots[best]
            end = last_child[best]
            if end != _NONE:
                while sibling[end] != _NONE:
                    end = sibling[end]
                sibling[end] = last_child[k]
                last_child[k] = last_child[best]
    for k in range(parent.size):
        merged[k] = _find(merged, k)


@linked
def _postorder(plan):
    """Every supernode consecutive and after its descendants."""
    parent, node_of, order = plan.parent, plan.node_of, plan.order
    up, members, size, place, room = plan.a, plan.b, plan.c, plan.d, plan.e
    n = parent.size
    for k in range(n):
        up[k], members[k] = _NONE, 0
    for k in range(n):
        members[node_of[k]] += 1
        if node_of[k] == k and parent[k] != _NONE:
            up[k] = node_of[parent[k]]
    for k in range(n):
        size[k] = members[k]
    for k in range(n):
        if node_of[k] == k and up[k] != _NONE:
            size[up[k]] += size[k]
    end = 0
    for k in range(n):
        if node_of[k] == k and up[k] == _NONE:
            end += size[k]
            place[k] = end
    for k in range(n - 1, -1, -1):
        if node_of[k] == k:
            if up[k] != _NONE:
                place[k] = room[up[k]]
                room[up[k]] -= size[k]
            place[k] -= members[k]
            room[k] = place[k]
    for k in range(n):
        order[place[node_of[k]]] = k
        place[node_of[k]] += 1


def heads_first(order, first, tail):
    """The same supernodes, with those that hold pivots from `tail` on at the end; and how many come before them.

    Ancestors of a pivot come after it, so the supernodes of the tail only have ancestors in the tail.
    """
    late = order[first[:-1]] >= tail
    ranked = np.argsort(late, kind="stable")
    pieces = [order[first[s] : first[s + 1]] for s in ranked]
    lengths = np.diff(first)[ranked]
    return np.concatenate([*pieces, order[:0]]), np.concatenate([[0], np.cumsum(lengths)]), int(np.sum(~late))
