"""Forces of closed contacts of a whole model, found in each iteration of a step.

A contact that is closed has a force in the place of a constraint. Newton's method finds a correction x without it; the
factors at hand answer a unit of each force, so that the speeds at contacts after the correction are

    u - G x + W (lam - lam_0),     W = G A^-1 G^T

with A the matrix of the step: a complementarity problem (`solve.contact.impulses`) for all forces at once, island by
island (`solve.contact.islands`). What the factors answer to a force is kept where there are few; else W alone, and
contacts that share no part of the model are answered at once. What A knows of forces that act on two parts is left out
of W then: with it the iteration would be a little faster, and it ends at the same forces.
"""

from __future__ import annotations

from samara.solve.contact.impulses import CLOSED, begin_island, find_island, hand_over, take_bounds
from samara.solve.contact.islands import FAILED, NUMBER, arrange, share
from samara.solve.contact.pool import ISLAND
from samara.solve.impacts.detection import touch
from samara.solve.native.codes import OK, OPEN, SHUT, TOO_MANY_PAIRS
from samara.solve.native.kernels import call_kernel, clear
from samara.solve.redundant.correction import correction
from samara.tracing.driver.driver_cache import inner, routine

#: Part of the gap of a closed contact that a whole step takes back: speeds are held, so curved surfaces drift apart.
#: One that is cut short by an impact takes back less, for a gap over a moment is a high speed; and never faster than
#: what counts as slow, for it stays as momentum.
BACK = 0.1
#: Forces of which all answers are kept, and rounds of contacts without a common part.
FEW_FORCES, MOST_ROUNDS = 24, 62


@routine
def begin_contacts(work, unit):
    """What is closed in this step, its directions, and how the factors answer units of force [N]; returns how many."""
    m, c = work.machine, work.machine.contacts
    p, base, count, forces = c.problem, m.layout.multiplier_base, 0, 0
    for k in range(c.many[0]):
        i = c.active[k]
        if c.status[i] != OPEN:
            p.closed[count] = i
            count += 1
            forces += c.counts_of[i]
        else:
            for a in range(c.counts_of[i]):
                m.state[base + c.multiplier[i] + a] = 0.0
    p.counts[CLOSED] = count
    if count != 0:
        arrange(c.islands, p.closed, count)
        touch(m)
        _directions(m, count)
        if not _rows_of_islands(m):
            c.pool.lacks[0] = ISLAND
            return count
        c.rounds[0] = _rounds(c, count) if forces > FEW_FORCES else 0
        answer_contacts(work, unit)
    return count


@inner
def _directions(m, count):
    """G of the closed contacts, from their equations at unit forces."""
    c, base, row = m.contacts, m.layout.multiplier_base, 0
    kept = 0
    for k in range(c.many[0]):
        i = c.active[k]
        for a in range(c.counts_of[i]):
            c.forces[kept] = m.state[base + c.multiplier[i] + a]
            m.state[base + c.multiplier[i] + a] = 0.0
            kept += 1
    for j in range(count):
        i = c.problem.closed[j]
        c.row[j] = row
        for a in range(c.counts_of[i]):
            at = base + c.multiplier[i] + a
            m.state[at] = 1.0
            for n in range(2):
                for k in range(6):
                    c.scratch[c.nodes[i, n] + k * m.layout.width] = 0.0
            call_kernel(
                c.calls[i, 0], 1, m.state.ctypes.data, c.calls[i, 1], c.calls[i, 2], m.coef.ctypes.data,
                m.tables.ctypes.data, c.scratch.ctypes.data, c.scratch.ctypes.data,
            )  # fmt: skip
            m.state[at] = 0.0
            for n in range(2):
                for k in range(6):
                    c.G[row, 6 * n + k] = -c.scratch[c.nodes[i, n] + k * m.layout.width]
            row += 1
    kept = 0
    for k in range(c.many[0]):
        i = c.active[k]
        for a in range(c.counts_of[i]):
            m.state[base + c.multiplier[i] + a] = c.forces[kept]
            kept += 1


@inner
def _rows_of_islands(m):
    """How many rows of the problem a contact of each island takes; W of what has no tangents, or no part in common.

    Whether there is room for all islands.
    """
    c, p, room = m.contacts, m.contacts.problem, 0
    for k in range(c.islands.counts[NUMBER]):
        first, end, per = c.islands.starts[k], c.islands.starts[k + 1], 1
        for j in range(first, end):
            i = p.closed[j]
            p.mu[j] = m.out[c.out[i] + 1 + c.counts_of[i]] if c.counts_of[i] == 3 else 0.0
            if p.mu[j] > 0.0:
                per = 3
        c.per[k] = per
        size = per * (end - first)
        room = begin_island(p, first, size, room)
        if room < 0 or end - first > p.largest:
            c.islands.counts[FAILED] = k + 1
            return False
        for e in range(p.place[first], room):
            p.W[e] = 0.0
        for j in range(first, end):
            for a in range(c.counts_of[p.closed[j]], per):
                row = per * (j - first) + a
                p.W[p.place[first] + row * size + row] = 1.0
    return True


@inner
def _rounds(c, count):
    """Puts contacts that share no part into rounds, of which the factors answer all at once; how many rounds."""
    p, sides, most = c.problem, c.islands.sides, 0
    for j in range(count):
        for n in range(2):
            if sides[p.closed[j], n] >= 0:
                c.busy[sides[p.closed[j], n]] = 0
    for j in range(count):
        taken = 0
        for n in range(2):
            if sides[p.closed[j], n] >= 0:
                taken |= c.busy[sides[p.closed[j], n]]
        mine = 0
        while mine < MOST_ROUNDS and (taken >> mine) & 1 != 0:
            mine += 1
        if mine == MOST_ROUNDS:  # a part with so many has rounds of its own
            mine = max(most, MOST_ROUNDS)
        else:
            for n in range(2):
                if sides[p.closed[j], n] >= 0:
                    c.busy[sides[p.closed[j], n]] |= 1 << mine
        c.round[j] = mine
        most = max(most, mine + 1)
    return most


@routine
def answer_contacts(work, unit):
    """How unknowns answer a unit of each force of the closed contacts, with the factors at hand, and W.

    Directions are those of now: what the factors know of them may be old.
    """
    m, c = work.machine, work.machine.contacts
    if c.rounds[0] != 0:
        for number in range(c.rounds[0]):
            _answer_round(work, number, unit)
        return
    for k in range(c.islands.counts[NUMBER]):
        for j in range(c.islands.starts[k], c.islands.starts[k + 1]):
            i = c.problem.closed[j]
            for a in range(c.counts_of[i]):
                row = c.row[j] + a
                clear(m.res)
                push_along(m, j, a, unit)
                correction(work)
                for e in range(m.x.size):
                    c.Y[row, e] = m.x[e]
                c.Y[row, m.layout.multiplier_rows + c.multiplier[i] + a] = 1.0
                _column(m, k, j, a)


@inner
def _answer_round(work, number, unit):
    """W of contacts without a common part, by one substitution for each of their forces."""
    m, c = work.machine, work.machine.contacts
    for a in range(3):
        clear(m.res)
        any_force = False
        for j in range(c.problem.counts[CLOSED]):
            if c.round[j] == number and a < c.counts_of[c.problem.closed[j]]:
                push_along(m, j, a, unit)
                any_force = True
        if not any_force:
            continue
        correction(work)
        for k in range(c.islands.counts[NUMBER]):
            for j in range(c.islands.starts[k], c.islands.starts[k + 1]):
                if c.round[j] == number and a < c.counts_of[c.problem.closed[j]]:
                    _column(m, k, j, a)


@inner
def push_along(m, j, a, force):
    """A force of a closed contact, into `res`."""
    c = m.contacts
    i, row = c.problem.closed[j], c.row[j] + a
    for n in range(2):
        for k in range(6):
            m.res[c.nodes[i, n] + k * m.layout.width] += force * c.G[row, 6 * n + k]


@inner
def _column(m, k, j, a):
    """W of an island for the force whose answer is in `x`, at the parts that it acts on."""
    c, p = m.contacts, m.contacts.problem
    first, end, per, i = c.islands.starts[k], c.islands.starts[k + 1], c.per[k], p.closed[j]
    if a >= per:
        return
    size, column = per * (end - first), p.place[first] + per * (j - first) + a
    for l in range(first, end):
        o = p.closed[l]
        if share(c.islands, i, o):
            for b in range(min(per, c.counts_of[o])):
                total = 0.0
                for n in range(2):
                    part = c.islands.sides[o, n]
                    if part >= 0 and (part == c.islands.sides[i, 0] or part == c.islands.sides[i, 1]):
                        for e in range(6):
                            total += c.G[c.row[l] + b, 6 * n + e] * m.x[c.nodes[o, n] + e * m.layout.width]
                p.W[column + (per * (l - first) + b) * size] = total


@inner
def _along(m, row, i, x):
    """G x of one row."""
    c, total = m.contacts, 0.0
    for n in range(2):
        for k in range(6):
            total += c.G[row, 6 * n + k] * x[c.nodes[i, n] + k * m.layout.width]
    return total


@routine
def push_apart(work):
    """Adds to a correction what the forces of closed contacts must change."""
    m, c = work.machine, work.machine.contacts
    p, status = c.problem, OK
    if c.pool.lacks[0] != 0:
        return TOO_MANY_PAIRS
    touch(m)
    take_bounds(p, work.settings)
    c.islands.counts[FAILED] = 0
    for k in range(c.islands.counts[NUMBER]):
        _see_island(m, k, work.settings.speed_floor)
        first, end = c.islands.starts[k], c.islands.starts[k + 1]
        status = find_island(p, first, end - first, c.per[k])
        if status != OK:
            c.islands.counts[FAILED] = k + 1
            break
    hand_over(p, work.counters, work.memory)
    if status == OK:
        _change_forces(work)
    return status


@inner
def _see_island(m, k, slow):
    """Forces as they are, and speeds after the correction if there were no forces.

    slow: speed [m/s] with which an overlap is taken back at most.
    """
    c, p, base = m.contacts, m.contacts.problem, m.layout.multiplier_base
    first, end, per = c.islands.starts[k], c.islands.starts[k + 1], c.per[k]
    begin, size = 3 * first, per * (end - first)
    for j in range(first, end):
        i = p.closed[j]
        p.restitution[j] = 0.0  # impacts have been before (`solve.impacts.velocity_jump`)
        for a in range(per):
            at = begin + per * (j - first) + a
            inside = a < c.counts_of[i]
            p.P[at] = m.state[base + c.multiplier[i] + a] if inside else 0.0
            p.approach[at] = 0.0
    for j in range(first, end):
        i = p.closed[j]
        for a in range(per):
            at = begin + per * (j - first) + a
            if a >= c.counts_of[i]:
                p.u[at] = 0.0
                continue
            speed = m.out[c.out[i] + 1 + a] - _along(m, c.row[j] + a, i, m.x)
            if a == 0 and c.status[i] == SHUT:
                back = BACK * m.out[c.out[i]] / max(c.step[0], c.step[1])
                speed += min(max(back, -slow), slow)
            row = p.place[first] + (at - begin) * size - begin
            for l in range(first, end):
                if share(c.islands, i, p.closed[l]):
                    for e in range(begin + per * (l - first), begin + per * (l - first + 1)):
                        speed -= p.W[row + e] * p.P[e]
            p.u[at] = speed


@inner
def _change_forces(work):
    """The correction with the forces that were found."""
    m, c = work.machine, work.machine.contacts
    p, base = c.problem, m.layout.multiplier_base
    many = c.rounds[0] != 0
    if many:
        clear(m.res)
        for e in range(m.x.size):
            c.kept[e] = m.x[e]
    for k in range(c.islands.counts[NUMBER]):
        first, per = c.islands.starts[k], c.per[k]
        for j in range(first, c.islands.starts[k + 1]):
            i = p.closed[j]
            for a in range(c.counts_of[i]):
                new = p.P[3 * first + per * (j - first) + a] if a < per else 0.0
                change = new - m.state[base + c.multiplier[i] + a]
                c.forces[c.row[j] + a] = change
                if many:
                    push_along(m, j, a, change)
                else:
                    for e in range(m.x.size):
                        m.x[e] -= change * c.Y[c.row[j] + a, e]
    if not many:
        return
    correction(work)
    for e in range(m.x.size):
        m.x[e] = c.kept[e] - m.x[e]
    for j in range(p.counts[CLOSED]):
        i = p.closed[j]
        for a in range(c.counts_of[i]):
            at = m.layout.multiplier_rows + c.multiplier[i] + a
            m.x[at] = c.kept[at] - c.forces[c.row[j] + a]
