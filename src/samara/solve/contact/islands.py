"""Islands of closed contacts: groups of coupled contacts, each a separate problem.

A contact has two sides, each on an independent part of the model: bodies that move together or are connected by
anything but contacts. Two contacts are directly coupled only if they share a part. Contacts that are coupled directly
or through others form an island; islands are solved separately. Within an island, contacts are ordered so that those
sharing a part are close together (Cuthill and McKee, ACM National Conference, 1969).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.tracing.driver.driver_cache import inner, routine
from samara.tracing.driver.reference import refer

#: Words of `counts`: islands, searches so far, and the island whose impulses were not found, from 1 on; 0: none.
NUMBER, SEARCHES, FAILED = range(3)
#: Contacts of an island from which on it is worth to look for a good end to begin the order with.
MANY = 8


class Islands(NamedTuple):
    """n contacts and the parts they act between."""

    sides: np.ndarray  # (n, 2): numbers of the parts; -1 for what does not move by forces
    head: np.ndarray  # of each part, its first closed contact: twice its number, and the side that is of the part
    next: np.ndarray  # (2 n,): the one after that, or -1
    waits: np.ndarray  # (n,): 1 for a closed contact that is in no island yet
    visited: np.ndarray  # of each part, the number of the search that has been there
    queue: np.ndarray  # (n,)
    starts: np.ndarray  # (n + 1,): where each island begins among the closed contacts, and where the last one ends
    counts: np.ndarray  # by the names below


def islands_of(sides: np.ndarray, parts: int = 0) -> Islands:
    """Of contacts between these parts, (n, 2). parts: how many there are, if more than contacts are between now."""
    n, parts = len(sides), max(parts, int(sides.max(initial=-1)) + 1)
    return refer(
        Islands(
            np.ascontiguousarray(sides, np.int64), np.zeros(parts, np.int64), np.zeros(2 * n, np.int64),
            np.zeros(n, np.int64), np.zeros(parts, np.int64), np.zeros(n, np.int64), np.zeros(n + 1, np.int64),
            np.zeros(3, np.int64),
        )
    )  # fmt: skip


@inner
def share(islands, i, j):
    """Whether two contacts have a part in common; a contact has itself."""
    s = islands.sides
    first = s[i, 0] >= 0 and (s[i, 0] == s[j, 0] or s[i, 0] == s[j, 1])
    return first or i == j or (s[i, 1] >= 0 and (s[i, 1] == s[j, 0] or s[i, 1] == s[j, 1]))


@routine
def arrange(islands, closed, count):
    """Orders the first `count` of the closed contacts by islands."""
    starts = islands.starts
    starts[0], starts[1], islands.counts[NUMBER] = 0, count, 1
    if count <= 1:
        islands.counts[NUMBER] = count
        return
    waits, queue, begin, number = islands.waits, islands.queue, 0, 0
    _link(islands, closed, count)
    for j in range(count):
        waits[closed[j]] = 1
    for j in range(count):
        if waits[closed[j]] == 0:
            continue
        end = _search(islands, closed[j], begin)
        if end - begin > MANY:  # once more from its far end
            last = queue[end - 1]
            for k in range(begin, end):
                waits[queue[k]] = 1
            end = _search(islands, last, begin)
            for k in range((end - begin) // 2):  # and in reverse: from what carries to what stands on it
                queue[begin + k], queue[end - 1 - k] = queue[end - 1 - k], queue[begin + k]
        number, begin = number + 1, end
        starts[number] = begin
    islands.counts[NUMBER] = number
    for j in range(count):
        closed[j] = queue[j]


@inner
def _link(islands, closed, count):
    """Chains the closed contacts of each part, in their order."""
    sides, head, following = islands.sides, islands.head, islands.next
    for j in range(count):
        for k in range(2):
            if sides[closed[j], k] >= 0:
                head[sides[closed[j], k]] = -1
    for j in range(count - 1, -1, -1):
        for k in range(2):
            part = sides[closed[j], k]
            if part >= 0:
                following[2 * closed[j] + k] = head[part]
                head[part] = 2 * closed[j] + k


@inner
def _search(islands, first, at):
    """Queues all that wait and know the first one through others, in breadth, from a place on; where it ends."""
    waits, queue, sides = islands.waits, islands.queue, islands.sides
    islands.counts[SEARCHES] += 1
    search = islands.counts[SEARCHES]
    queue[at], waits[first] = first, 0
    end = at + 1
    while at < end:
        for k in range(2):
            part = sides[queue[at], k]
            if part < 0 or islands.visited[part] == search:
                continue
            islands.visited[part] = search
            e = islands.head[part]
            while e >= 0:
                other = e // 2
                if waits[other] != 0:
                    queue[end], waits[other] = other, 0
                    end += 1
                e = islands.next[e]
        at += 1
    return end
