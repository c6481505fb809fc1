"""Broad phase: the pairs of bodies that may collide in a step, in a time proportional to the number of bodies.

The origin of a node follows a cubic during a step (`solve.contact.paths`), which stays inside the bounding box of its
four Bezier points p, p + h v / 3, p' - h v' / 3, p'. Enlarged by the reach of the body around its node, this box
contains the body throughout the step; for parts that are re-integrated after an impact, it bounds all their paths. Two
bodies may collide if both their boxes and the spheres around the boxes overlap.

Boxes are sorted into a hierarchical grid: each box is stored on the level whose cells, 2^level wide, are just large
enough for it, in the cell of its centre. Its possible partners on the same level or a coarser one lie in 27 cells of
that level, so large and small, fast and slow bodies can be mixed.

Walls on the ground are tested by distance, which changes by no more than a point moves; moving walls always count as
near.

Sources: M. Teschner et al., Optimized spatial hashing for collision detection of deformable objects, VMV 2003 (the
hashed grid); B. Mirtich, Impulse-based dynamic simulation, 1996, chapter 2 (boxes along a step, levels by size).
"""

from __future__ import annotations

import numpy as np

from samara.solve.contact.calls import CLOSED_GAP_SLACK
from samara.solve.contact.paths import close_path, gap_along, keep_motions, motion_of, open_path, path_begins
from samara.solve.contact.pool import (
    BODIES,
    CYLINDER,
    END,
    MOVING,
    PLANE,
    WALLS,
    bind,
    release_pairs,
    run_used_lanes,
    scatter,
    slot_of,
)
from samara.solve.native.kernels import TIME
from samara.system.memory.blocks import ETA, POSITION
from samara.tracing.driver.driver_cache import driver, inner, routine

#: What is added to the slack of gaps that count as closed, of it, and to a gap that is none, of the model's length.
EXTRA_SLACK, TOUCHING_GAP = 0.01, 1e-8
#: Lowest level: cells of 2^-20 m; and how many there are.
LOWEST, LEVELS = -20, 64


@routine
def find_pairs(m, h, length, again):
    """Binds all pairs that may have met in the step h that is over; whether there was room for all.

    length: of the model [m]. again: whether parts have flown anew; then boxes grow, and gaps are noted by whoever asks.
    """
    c, pool = m.contacts, m.contacts.pool
    if pool.pair.shape[0] == 0:
        return True
    bound = c.many[0]
    for o in range(pool.owners.shape[0]):
        for a in range(pool.owners[o, BODIES], pool.owners[o, WALLS]):
            _box(m, a, h, length, again)
        if not _meet_bodies(m, o) or not _meet_walls(m, o):
            run_used_lanes(m)
            return False
    run_used_lanes(m)
    if not again and h > 0.0:
        for e in range(bound, c.many[0]):
            i = c.active[e]
            open_path(m, i, h)
            c.speeds[i, 4], speed = gap_along(m, i, path_begins(m, i), False)
            c.speeds[i, 0] = speed / h
            close_path(m, i)
    return True


@inner
def _box(m, a, h, length, again):
    """The box around the way of a body's node; the reach of the body goes in."""
    pool, paths = m.contacts.pool, m.paths
    n, end = pool.node[a], pool.motion
    part = paths.part[n]
    if again and (part < 0 or m.contacts.flights.hit[part] == 0):
        return
    motion_of(m, n, end)
    begin, rest, size = paths.begin[n], h * (1.0 - paths.since[n]) / 3.0, 0.0
    for k in range(3):
        size += end[ETA + k] ** 2
    more = pool.reach[a] + TOUCHING_GAP * length
    more += (1.0 + EXTRA_SLACK) * CLOSED_GAP_SLACK * np.sqrt(size) * max(h, m.contacts.step[3])
    for k in range(3):
        p, q = begin[POSITION + k], end[POSITION + k]
        r, s = p + rest * begin[ETA + k], q - rest * end[ETA + k]
        low, high = min(min(p, q), min(r, s)) - more, max(max(p, q), max(r, s)) + more
        pool.low[a, k] = min(low, pool.low[a, k]) if again else low
        pool.high[a, k] = max(high, pool.high[a, k]) if again else high


@inner
def _bucket(pool, level, x, y, z):
    """Hash of a cell."""
    return scatter(scatter(scatter(level + x) + y) + z) & (pool.heads.size - 1)


@inner
def _fill_grid(pool, first, end):
    """Boxes into their cells."""
    for k in range(LEVELS):
        pool.levels[k] = 0
    for k in range(pool.heads.size):
        pool.heads[k] = -1
    for a in range(first, end):
        width = 0.0
        for k in range(3):
            width = max(width, pool.high[a, k] - pool.low[a, k])
        level, size = 0, 2.0**LOWEST
        while size < width and level < LEVELS - 1:
            size *= 2.0
            level += 1
        pool.level[a] = level
        pool.levels[level] += 1
        for k in range(3):
            pool.cell[a, k] = int(np.floor(0.5 * (pool.low[a, k] + pool.high[a, k]) / size))
        at = _bucket(pool, level, pool.cell[a, 0], pool.cell[a, 1], pool.cell[a, 2])
        pool.next[a], pool.heads[at] = pool.heads[at], a


@routine
def _meet_bodies(m, o):
    """Binds the bodies of an element that may have met; whether there was room."""
    pool = m.contacts.pool
    first, end = pool.owners[o, BODIES], pool.owners[o, WALLS]
    _fill_grid(pool, first, end)
    for a in range(first, end):
        size = 2.0**LOWEST
        for level in range(LEVELS):
            if level >= pool.level[a] and pool.levels[level] != 0:
                if not _meet_level(m, o, a, level, size):
                    return False
            size *= 2.0
    return True


@inner
def _meet_level(m, o, a, level, size):
    """The same with those of a level, whose cells have that size."""
    pool = m.contacts.pool
    x = int(np.floor(0.5 * (pool.low[a, 0] + pool.high[a, 0]) / size))
    y = int(np.floor(0.5 * (pool.low[a, 1] + pool.high[a, 1]) / size))
    z = int(np.floor(0.5 * (pool.low[a, 2] + pool.high[a, 2]) / size))
    own = level == pool.level[a]  # then half of the cells: those behind look at this one
    for i in range(x if own else x - 1, x + 2):
        for j in range(y if own and i == x else y - 1, y + 2):
            for k in range(z if own and i == x and j == y else z - 1, z + 2):
                same = own and i == x and j == y and k == z
                b = pool.heads[_bucket(pool, level, i, j, k)]
                while b >= 0:
                    here = pool.level[b] == level and pool.cell[b, 0] == i and pool.cell[b, 1] == j
                    if here and pool.cell[b, 2] == k and (b > a or not same):
                        if _overlap(pool, a, b) and not _note(m, o, min(a, b), max(a, b)):
                            return False
                    b = pool.next[b]
    return True


@inner
def _overlap(pool, a, b):
    """Whether two boxes do, and the balls around the ways of two bodies; a node does not touch itself."""
    apart, r_a, r_b = 0.0, 0.0, 0.0
    for k in range(3):
        if pool.low[a, k] > pool.high[b, k] or pool.low[b, k] > pool.high[a, k]:
            return False
    # the corner of a box of ways is as far from its centre as half its diagonal, without the reach
    for k in range(3):
        apart += (0.5 * (pool.low[a, k] + pool.high[a, k] - pool.low[b, k] - pool.high[b, k])) ** 2
        r_a += max(0.5 * (pool.high[a, k] - pool.low[a, k]) - pool.reach[a], 0.0) ** 2
        r_b += max(0.5 * (pool.high[b, k] - pool.low[b, k]) - pool.reach[b], 0.0) ** 2
    reach = pool.reach[a] + pool.reach[b] + np.sqrt(r_a) + np.sqrt(r_b)
    return apart <= reach * reach and pool.node[a] != pool.node[b]


@inner
def _note(m, o, a, b):
    """Binds a pair that is not bound yet; the side of the surface first. Whether there was room."""
    pool = m.contacts.pool
    if pool.surface[a] < 0 or pool.shape[b] < 0:
        a, b = b, a
    if pool.table[slot_of(pool, a, b)] != 0:
        return True
    return bind(m, pool.kind_of[o, pool.surface[a], pool.shape[b]], a, b) >= 0


@routine
def _meet_walls(m, o):
    """Binds the bodies of an element that may have met its walls; whether there was room."""
    pool = m.contacts.pool
    for wall in range(pool.owners[o, WALLS], pool.owners[o, END]):
        for a in range(pool.owners[o, BODIES], pool.owners[o, WALLS]):
            if _is_at_wall(pool, a, wall) and not _note(m, o, wall, a):
                return False
    return True


@inner
def _is_at_wall(pool, a, wall):
    """Whether the way of a body comes so near that it may touch a wall."""
    if pool.wall[wall] == MOVING:
        return pool.node[a] != pool.node[wall]
    way, x, y, z, frame = 0.0, 0.0, 0.0, 0.0, pool.frame[wall]
    for k in range(3):
        centre = 0.5 * (pool.low[a, k] + pool.high[a, k]) - frame[9 + k]
        way += max(0.5 * (pool.high[a, k] - pool.low[a, k]) - pool.reach[a], 0.0) ** 2
        x, y, z = x + frame[3 * k] * centre, y + frame[3 * k + 1] * centre, z + frame[3 * k + 2] * centre
    if pool.wall[wall] == PLANE:
        distance = z
    else:
        away = np.sqrt(x * x + y * y) if pool.wall[wall] == CYLINDER else np.sqrt(x * x + y * y + z * z)
        radius = pool.radius[wall]
        distance = away - radius if radius > 0.0 else -radius - away
    return distance <= pool.reach[a] + np.sqrt(way)


@driver
def find_pairs_at_rest(m, length):
    """Those that are near where a run starts."""
    release_pairs(m)
    keep_motions(m, m.coef[TIME])
    return find_pairs(m, 0.0, length, False)
