"""The elimination tree and its supernodes: which pivots are eliminated together, as one dense block.

With the pivots on the diagonal, pivot k's parent in the elimination tree is the first pivot that its elimination
touches; pivots in different branches do not see each other, so any order with children before parents does the same
arithmetic (Liu, SIAM J. Matrix Anal. 11, 1990). Here pivots are merged with their parents as long as a model of the
running time says that one larger dense block beats two smaller ones, explicit zeros included, and the pivots are then
renumbered so that each supernode is consecutive.
"""

import numpy as np

from samara.tracing.driver_cache import planner

from .lanes import WIDTH


@planner
def elimination_tree(indptr, indices):
    """Parent of each pivot (-1 for a root), for the lower triangle of a symmetric pattern by rows (Liu)."""
    n = indptr.size - 1
    parent, ancestor = np.full(n, -1, np.int64), np.full(n, -1, np.int64)
    for k in range(n):
        for e in range(indptr[k], indptr[k + 1]):
            i = np.int64(indices[e])
            while i != -1 and i < k:
                following = ancestor[i]
                ancestor[i] = k
                if following == -1:
                    parent[i] = k
                i = following
    return parent


@planner
def column_counts(indptr, indices, parent):
    """Entries below the diagonal in each column of the symmetric factor, by walking every row's subtree."""
    n = indptr.size - 1
    count, seen = np.zeros(n, np.int64), np.full(n, -1, np.int64)
    for k in range(n):
        seen[k] = k
        for e in range(indptr[k], indptr[k + 1]):
            i = np.int64(indices[e])
            while i < k and seen[i] != k:
                count[i] += 1
                seen[i] = k
                i = parent[i]
    return count


@planner
def _time(pivots, below):
    """Nanoseconds that refactoring a supernode costs, as measured; only the ratios matter.

    Larger supernodes than this model makes do not speed up the solution.
    """
    tall, low = -(-(pivots + below) // WIDTH), -(-below // WIDTH)
    sweep = pivots * (8.0 + 0.24 * pivots * tall)
    update = 20.0 + 2.5 * below + 0.1 * below * low * pivots if below else 0.0
    return 10.0 + sweep + update


@planner
def _find(merged, k):
    while merged[k] != k:
        k = merged[k]
    return k


@planner
def supernodes(parent, below, tail):
    """The supernode of each pivot, named by its highest pivot. Those from `tail` on stay apart from those before."""
    n = parent.size
    merged, pivots = np.arange(n), np.ones(n, np.int64)
    last_child, sibling = np.full(n, -1, np.int64), np.full(n, -1, np.int64)
    for k in range(n):
        if parent[k] != -1:
            sibling[k] = last_child[parent[k]]
            last_child[parent[k]] = k
    for k in range(n):
        while True:
            best, best_gain = -1, 0.0
            child = last_child[k]
            while child != -1:
                if merged[child] == child and (child >= tail or k < tail):
                    apart = _time(pivots[child], below[child]) + _time(pivots[k], below[k])
                    gain = apart - _time(pivots[child] + pivots[k], below[k])
                    if gain > best_gain:
                        best, best_gain = child, gain
                child = sibling[child]
            if best == -1:
                break
            merged[best] = k
            pivots[k] += pivots[best]
            end = last_child[best]
            if end != -1:
                while sibling[end] != -1:
                    end = sibling[end]
                sibling[end] = last_child[k]
                last_child[k] = last_child[best]
    for k in range(n):
        merged[k] = _find(merged, k)
    return merged


@planner
def postorder(parent, node_of):
    """Order of the pivots with every supernode consecutive and after its descendants, and where supernodes start."""
    n = parent.size
    up, members = np.full(n, -1, np.int64), np.zeros(n, np.int64)
    for k in range(n):
        members[node_of[k]] += 1
        if node_of[k] == k and parent[k] != -1:
            up[k] = node_of[parent[k]]
    size = members.copy()
    for k in range(n):
        if node_of[k] == k and up[k] != -1:
            size[up[k]] += size[k]
    end, place = np.zeros(n, np.int64), np.zeros(n, np.int64)
    total = 0
    for k in range(n):
        if node_of[k] == k and up[k] == -1:
            total += size[k]
            end[k] = total
    room = np.zeros(n, np.int64)
    for k in range(n - 1, -1, -1):
        if node_of[k] == k:
            if up[k] != -1:
                end[k] = room[up[k]]
                room[up[k]] -= size[k]
            place[k] = room[k] = end[k] - members[k]
    order, first = np.empty(n, np.int64), []
    for k in range(n):
        node = node_of[k]
        order[place[node]] = k
        place[node] += 1
    for k in range(n):
        if k == 0 or node_of[order[k]] != node_of[order[k - 1]]:
            first.append(k)
    first.append(n)
    return order, np.array(first)


def heads_first(order, first, tail):
    """The same supernodes, with those that hold pivots from `tail` on at the end; and how many come before them.

    Ancestors of a pivot come after it, so the supernodes of the tail only have ancestors in the tail.
    """
    late = order[first[:-1]] >= tail
    ranked = np.argsort(late, kind="stable")
    pieces = [order[first[s] : first[s + 1]] for s in ranked]
    lengths = np.diff(first)[ranked]
    return np.concatenate([*pieces, order[:0]]), np.concatenate([[0], np.cumsum(lengths)]), int(np.sum(~late))
