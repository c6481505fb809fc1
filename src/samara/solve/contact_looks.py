"""What contacts of a whole model do in a step: who hits and when, who opens, who bounces.

Gaps and speeds are looked at as a step begins and as it ends. One that closes within it is let through; the time of the
first is found from cubics of the gaps, and the step is taken again as far as that.
"""

from __future__ import annotations

from samara.solve.kernels import TOUCH, run_kinds
from samara.tracing.driver_cache import inner

#: What a contact is: open, closed, or closing at this moment, with restitution.
OPEN, SHUT, HITTING = range(3)
#: Gap, of the size of the model, below which a contact is closed, and speed of its opening [1/s].
CLOSED_GAP, CLOSED_RATE = 1e-9, 1e-9
#: Impact speed, by what smooth forces make of it in a step, below which nothing bounces: flights of a fifth of a step.
BOUNCE = 0.2
#: Part of the approach that is left after an impact which has not turned it: what gave way had no mass.
UNTURNED = 0.5
#: Instead of a part of the step before an impact: it has bounced, and what cannot bounce.
BOUNCED, DEAD = -1.0, -3.0
#: Least part of a step over which a rate of speeds is told.
BRIEF = 1e-3
#: Part of a step's way within which a gap counts as closed.
SLACK = 1e-4
#: Speed, by what a step makes of it, above which what is found closed as a step begins has come on fast.
FAST = 1.5
#: Places within a step that are looked at, bisections that find the time of an impact between two of them, and part of
#: a step before its end below which that is not worth it.
LOOKS, BISECTIONS, WORTH = 16, 40, 1e-3
#: Part of a step within which an impact is one at its beginning.
SOON = 1e-2


@inner
def touch(m):
    """Gaps, speeds, friction and restitution of all contacts at the present state."""
    run_kinds(m, m.contacts.program, TOUCH, m.out.ctypes.data, m.out.ctypes.data)


@inner
def note_speeds(m):
    """Keeps gaps and speeds of the normals at the beginning of a step, to see what it does to them."""
    c = m.contacts
    touch(m)
    for i in range(c.status.size):
        c.speeds[i, 0], c.speeds[i, 4] = m.out[c.out[i] + 1], m.out[c.out[i]]


@inner
def note_approach(m, length):
    """Keeps the speeds that contacts hit with; those that touch, and rest, pass the impact of others on."""
    c, hit = m.contacts, False
    touch(m)
    for i in range(c.status.size):
        hit = hit or c.status[i] == HITTING
        for a in range(c.counts_of[i]):
            c.speeds[i, 1 + a] = m.out[c.out[i] + 1 + a]
    for i in range(c.status.size):
        if hit and c.status[i] == OPEN:
            gap, speed = m.out[c.out[i]], m.out[c.out[i] + 1]
            if gap <= CLOSED_GAP * length and abs(speed) <= CLOSED_RATE * length:
                c.status[i], c.speeds[i, 0] = HITTING, speed


@inner
def look(m):
    """Contacts after a step: which open, and which hit. Whether any does."""
    c, hit, h = m.contacts, False, m.contacts.step[0]
    touch(m)
    for i in range(c.status.size):
        gap, speed = m.out[c.out[i]], m.out[c.out[i] + 1]
        if c.status[i] == OPEN:
            if speed < 0.0 and gap <= -SLACK * h * speed:
                c.status[i] = HITTING
                hit = True
        elif gap > 0.0 and m.state[m.multiplier_base + c.multiplier[i]] <= 0.0:
            c.status[i] = OPEN
    return hit


@inner
def _gap_within(g0, u0, g1, u1, s):
    """A gap a part s of the way through a step, from values and ways at both ends."""
    gap = (1.0 + 2.0 * s) * (1.0 - s) ** 2 * g0 + s * (1.0 - s) ** 2 * u0
    return gap + s * s * (3.0 - 2.0 * s) * g1 - s * s * (1.0 - s) * u1


@inner
def part_to_impact(m):
    """Part of the last step after which the first of the contacts that hit was closed; 1 where that is not seen.

    Gaps are cubics of time. One that was never open in the step has not left at all: it was closed as the step began,
    and the answer is -1; but one that came on fast has been passed in the short steps of another impact, and hits as
    this one begins. Where the first has closed as the step begins, the answer is 0. Both are noted for when the step is
    taken back.
    """
    c, first, h, stays = m.contacts, 1.0, m.contacts.step[0], False
    for i in range(c.status.size):
        if c.status[i] != HITTING:
            continue
        g0, g1 = c.speeds[i, 4], m.out[c.out[i]]
        u0, u1 = h * c.speeds[i, 0], h * m.out[c.out[i] + 1]
        low, high = -1.0, 1.0
        for k in range(LOOKS):
            s = k / LOOKS
            if _gap_within(g0, u0, g1, u1, s) > 0.0:
                low = s
            elif low >= 0.0:
                high = s
                break
        if low < 0.0 and -u0 > FAST * abs(u1 - u0):
            c.speeds[i, 5] = first = 0.0
            continue
        if low < 0.0:
            c.before[i] = SHUT
            stays = True
            continue
        for _ in range(BISECTIONS):
            s = 0.5 * (low + high)
            if _gap_within(g0, u0, g1, u1, s) > 0.0:
                low = s
            else:
                high = s
        c.speeds[i, 5] = high
        first = min(first, high)
    if stays:
        return -1.0
    if first < SOON:
        for i in range(c.status.size):
            if c.status[i] == HITTING and c.speeds[i, 5] < SOON:
                c.before[i] = HITTING
        return 0.0
    return first if first < 1.0 - WORTH else 1.0


@inner
def settle(m):
    """After the short step of an impact: what leaves is open, what stays is closed; how many have hit."""
    c, count = m.contacts, 0
    touch(m)
    for i in range(c.status.size):
        if c.status[i] == HITTING:
            held = m.state[m.multiplier_base + c.multiplier[i]] > 0.0
            bounced = bounces(m, i)
            c.status[i] = SHUT if held and not bounced else OPEN
            c.speeds[i, 5] = BOUNCED if bounced else 0.0
            count += 1
    return count


@inner
def check_bounces(m):
    """Whether an impact has turned nothing: a node without mass gave way instead. It is taken again, as plastic."""
    c, failed = m.contacts, False
    touch(m)
    for i in range(c.status.size):
        if c.speeds[i, 5] == BOUNCED:
            back = c.status[i] == OPEN and m.out[c.out[i] + 1] < UNTURNED * c.speeds[i, 1]
            c.speeds[i, 5] = DEAD if back else 0.0
            if back:
                c.status[i] = HITTING
                failed = True
    return failed


@inner
def bounces(m, i):
    """Whether restitution acts: on what is faster than smooth forces make it within a part of a step."""
    c = m.contacts
    if c.speeds[i, 5] == DEAD or m.out[c.out[i] + c.counts_of[i] + 2] <= 0.0:
        return False
    return -c.speeds[i, 1] > BOUNCE * abs(speeding(c, i)) * c.step[1]


@inner
def speeding(c, i):
    """Acceleration of a gap before an impact [m/s^2]; none where there was no time to tell it."""
    if c.step[2] <= BRIEF * c.step[1]:
        return 0.0
    return (c.speeds[i, 1] - c.speeds[i, 0]) / c.step[2]
