"""Detection of contact events in a step of a whole model: impacts with their times, and openings.

Gaps and speeds are evaluated at both ends of a step, and in between where they may close (`solve.contact.paths`).
Contacts that close within a step are ignored at first; the time of the first one is found, and the step is repeated up
to that time.
"""

from __future__ import annotations

from samara.solve.contact.calls import CLOSED_GAP_SLACK
from samara.solve.contact.paths import (
    close_path,
    first_contact,
    keep_motions,
    open_path,
    path_begins,
    where_tangents_meet,
)
from samara.solve.contact.pool import release_pairs
from samara.solve.native.codes import HITTING, OPEN, SHUT
from samara.solve.native.kernels import TIME, TOUCH, clear, run_kinds
from samara.tracing.driver.driver_cache import inner, routine

#: Gap, of the size of the model, below which a contact is closed, and speed of its opening [1/s].
CLOSED_GAP, CLOSED_RATE = 1e-9, 1e-9
#: Speed, by what a step makes of it, above which what is found closed as a step begins has come on fast.
FAST_APPROACH = 1.5
#: Part of a step before its end below which it is not worth to find the time of an impact.
SHORTEST_REMAINDER = 1e-6
#: In the place of the part of a step before an impact: it is not looked for yet.
UNKNOWN_PART = 3.0
#: Part of the way into an overlap, as a step begins, that is not yet a way through.
SHALLOW_OVERLAP = 0.25
#: Part of a step within which an impact is one at its beginning.
IMMEDIATE_PART = 1e-6


@inner
def touch(m):
    """Gaps, speeds, friction and restitution of all contacts at the present state."""
    run_kinds(m, m.contacts.program, TOUCH, m.scratch.out.ctypes.data, m.scratch.out.ctypes.data)


@inner
def note_speeds(m):
    """Keeps gaps and speeds of the normals at the beginning of a step, to see what it does to them."""
    c = m.contacts
    c.flights.error[0], c.flights.landed[0] = 0.0, 0
    clear(c.flights.since)
    release_pairs(m)
    touch(m)
    keep_motions(m, m.coef[TIME])
    for k in range(c.many[0]):
        i = c.active[k]
        c.speeds[i, 0], c.speeds[i, 4] = m.scratch.out[c.out[i] + 1], m.scratch.out[c.out[i]]


@routine
def look(m):
    """Contacts after a step: which open, and which hit. Whether any does."""
    c, hit = m.contacts, False
    touch(m)
    for k in range(c.many[0]):
        i = c.active[k]
        gap, speed = m.scratch.out[c.out[i]], m.scratch.out[c.out[i] + 1]
        if c.status[i] == OPEN:
            if _hits(m, i, gap, speed):
                c.status[i] = HITTING
                hit = True
        elif gap > 0.0 and m.state[m.layout.multiplier_base + c.multiplier[i]] <= 0.0:
            c.status[i] = OPEN
    return hit


@inner
def _hits(m, i, gap, speed):
    """Whether an open contact closes in the step that is over; noted is when, where that is known."""
    c, h, left = m.contacts, m.contacts.step[0], 1.0 - path_begins(m, i)
    g_0, u_0, u_1 = c.speeds[i, 4], left * h * c.speeds[i, 0], left * h * speed
    if u_1 < 0.0 and gap <= -CLOSED_GAP_SLACK * speed * max(left * h, c.step[3]):
        c.speeds[i, 5] = UNKNOWN_PART
        return True
    low = where_tangents_meet(0.0, g_0, u_0, 1.0, gap, u_1)[1]
    if g_0 <= 0.0:  # passed in the short steps of another impact, and through in this one
        through = gap > 0.0 and u_0 < 0.0 and u_1 > 0.0 and low < g_0 + SHALLOW_OVERLAP * u_0
        if through:
            c.speeds[i, 5] = 0.0
        return through
    if gap > 0.0 and low > 0.0:
        return False
    open_path(m, i, h)
    part = first_contact(m, i, 0.0, False)
    close_path(m, i)
    if part <= 1.0:
        c.speeds[i, 5] = part
    return part <= 1.0


@inner
def has_stayed(m, i):
    """Whether a contact that was never open in a step has not come on fast: then it was closed as that began."""
    u_0, u_1 = m.contacts.speeds[i, 0], m.scratch.out[m.contacts.out[i] + 1]
    return -u_0 <= FAST_APPROACH * abs(u_1 - u_0)


@inner
def is_inside(m, i):
    """Whether the parts that a contact is between are in an impact now."""
    hit, sides = m.contacts.flights.hit, m.contacts.problem.islands.sides
    a, b = sides[i, 0], sides[i, 1]
    return hit.size == 0 or ((a < 0 or hit[a] != 0) and (b < 0 or hit[b] != 0))


@routine
def part_to_impact(m):
    """Part of the last step after which the first of the contacts that hit was closed; 1 where that is not seen.

    One that was never open in the step has not left at all: it was closed as the step began, and the answer is -1; but
    one that came on fast has been passed in the short steps of another impact, and hits as this one begins. Where the
    first has closed as the step begins, the answer is 0. Both are noted for when the step is taken back.
    """
    c, first, h, stays = m.contacts, 1.0, m.contacts.step[0], False
    for k in range(c.many[0]):
        i = c.active[k]
        if c.status[i] != HITTING:
            continue
        if c.speeds[i, 5] == UNKNOWN_PART:
            open_path(m, i, h)
            c.speeds[i, 5] = first_contact(m, i, 0.0, False)
            close_path(m, i)
        if c.speeds[i, 5] < 0.0:
            if has_stayed(m, i):
                c.before[i] = SHUT
                stays = True
                continue
            c.speeds[i, 5] = 0.0
        first = min(first, c.speeds[i, 5])
    if stays:
        return -1.0
    if first < IMMEDIATE_PART:
        for k in range(c.many[0]):
            i = c.active[k]
            if c.status[i] == HITTING and c.speeds[i, 5] < IMMEDIATE_PART:
                c.before[i] = HITTING
        return 0.0
    return first if first < 1.0 - SHORTEST_REMAINDER else 1.0
