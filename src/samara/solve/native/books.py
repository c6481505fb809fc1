"""Statistics of contact pools: pairs, forces, impacts, impulses, energy."""

from __future__ import annotations

from samara.solve.native.codes import SHUT
from samara.tracing.driver.driver_cache import inner

#: Words of `books`: pairs near, closed, their forces [N], impacts, their impulses [N s], energy that they took [J].
NEAR, CLOSED_PAIRS, FORCE, HITS, IMPULSE, LOST = range(6)


@inner
def show_books(m):
    """What pools record: pairs that are near and closed, forces, and what was entered."""
    c, pool = m.contacts, m.contacts.pool
    for o in range(pool.channels.size):
        for e in range(FORCE + 1):
            pool.books[0, o, e] = 0.0
    if pool.channels.size != 0:
        for e in range(pool.first, c.many[0]):
            i = c.active[e]
            o = pool.owner[i - pool.first]
            pool.books[0, o, NEAR] += 1.0
            if c.status[i] == SHUT:
                pool.books[0, o, CLOSED_PAIRS] += 1.0
                pool.books[0, o, FORCE] += m.state[m.layout.multiplier_base + c.multiplier[i]]
    for o in range(pool.channels.size):
        for e in range(pool.books.shape[2]):
            m.scratch.out[pool.channels[o] + e] = pool.books[0, o, e]
