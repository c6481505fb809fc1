"""First impacts of the independent parts of a model in a step, with their times; crossing paths."""

from __future__ import annotations

from samara.solve.contact.paths import close_path, crosses, first_contact, open_path, path_begins
from samara.solve.impacts.detection import UNKNOWN_PART, has_stayed
from samara.solve.impacts.velocity_jump import is_at_rest
from samara.solve.native.codes import HITTING, OPEN, SHUT
from samara.tracing.driver.driver_cache import inner, routine

#: Part of a step within which impacts are at one instant, and before its end within which none is.
SAME_INSTANT, LAST_INSTANT = 1e-11, 1e-9
#: In the place of the instant of a part that has no impact.
NO_IMPACT = 2.0


@inner
def _root(f, part):
    """The part that stands for all that are in contact with this one."""
    while f.root[part] != part:
        part = f.root[part]
    return part


@inner
def _join(f, i, sides):
    """The parts of a contact have one root."""
    a, b = sides[i, 0], sides[i, 1]
    if a >= 0 and b >= 0:
        a, b = _root(f, a), _root(f, b)
        first = min(f.instant[a], f.instant[b])
        f.root[max(a, b)] = min(a, b)
        f.instant[min(a, b)] = first


@routine
def note_instants(m, length):
    """Which parts hit first, and when; contacts that hit later are open again. Whether all may fly anew.

    length: of the model [m].
    """
    c, f, sides = m.contacts, m.contacts.flights, m.contacts.problem.islands.sides
    for k in range(f.root.size):
        f.root[k], f.instant[k], f.hit[k] = k, NO_IMPACT, 0
    for n in range(c.many[0]):
        i = c.active[n]
        if c.status[i] == OPEN and f.solved[i] == SHUT:
            c.status[i] = SHUT
        if c.status[i] == SHUT or is_at_rest(c.speeds[i, 4], c.speeds[i, 0], length):
            _join(f, i, sides)
    earliest = NO_IMPACT
    for n in range(c.many[0]):
        i = c.active[n]
        if c.status[i] == HITTING:
            _note_instant(m, i)
            earliest = min(earliest, c.speeds[i, 7])
            for side in range(2):
                if sides[i, side] >= 0:
                    root = _root(f, sides[i, side])
                    f.instant[root] = min(f.instant[root], c.speeds[i, 7])
    if m.plan.signals.shape[0] == 0:  # else what is prescribed is at one place at a time
        earliest = NO_IMPACT
    for n in range(c.many[0]):
        i = c.active[n]
        if c.status[i] == HITTING and not _is_first(m, i, earliest):
            c.status[i] = OPEN
    for n in range(c.many[0]):
        i = c.active[n]
        if c.status[i] == HITTING:
            _join(f, i, sides)
    for n in range(c.many[0]):
        i = c.active[n]
        if c.status[i] == HITTING:
            for side in range(2):
                if sides[i, side] >= 0:
                    f.hit[_root(f, sides[i, side])] = 1
            if c.speeds[i, 5] < 0.0 and has_stayed(m, i):
                c.status[i] = SHUT
    for k in range(f.root.size):
        root = _root(f, k)
        f.hit[k], f.instant[k] = f.hit[root], f.instant[root]
        if f.hit[k] != 0 and f.free[k] == 0:
            return False
    return True


@inner
def _note_instant(m, i):
    """When a contact hits, as a part of the step. What was never open in its flight hits, or closes, as that begins."""
    c, h, since = m.contacts, m.contacts.step[0], path_begins(m, i)
    if c.speeds[i, 5] == UNKNOWN_PART:
        open_path(m, i, h)
        c.speeds[i, 5] = first_contact(m, i, 0.0, False)
        close_path(m, i)
    c.speeds[i, 7] = min(max(c.speeds[i, 5], since), 1.0 - LAST_INSTANT)
    c.speeds[i, 6] = (c.speeds[i, 7] - since) * h


@inner
def _is_first(m, i, earliest):
    """Whether nothing else hits before on either side of a contact, or at all."""
    c, f = m.contacts, m.contacts.flights
    when = c.speeds[i, 7] - SAME_INSTANT
    for side in range(2):
        part = c.problem.islands.sides[i, side]
        if part >= 0 and when > f.instant[_root(f, part)]:
            return False
    return when <= earliest


@routine
def crosses_flights(m):
    """Whether a part that flies anew has met another on the way that this one has left at a later instant."""
    c, paths, h = m.contacts, m.paths, m.contacts.step[0]
    for n in range(c.many[0]):
        i = c.active[n]
        a, b = paths.since[paths.pairs[i, 0]], paths.since[paths.pairs[i, 1]]
        if c.status[i] == OPEN and a != b and paths.free[paths.pairs[i, 0]] != 0 and paths.free[paths.pairs[i, 1]] != 0:
            if crosses(m, i, h):
                return True
    return False
