"""Forces of closed contacts of a whole model, found in each iteration of a step.

A closed contact has a force in place of a constraint. Newton's method finds a correction x without it; the current
factors give the response to a unit of each force, so the speeds at contacts after the correction are

    u - G x + W (lam - lam_0),     W = G A^-1 G^T

with A the matrix of the step: a problem of closed contacts (`solve.contact.problem`) for all forces at once. The
responses to the forces are stored if there are few; otherwise only W is, and contacts that share no part of the model
are solved for at once. W then omits the coupling in A by forces that act between parts: including it would make the
iteration slightly faster, but it converges to the same forces.
"""

from __future__ import annotations

from samara.solve.contact.impulses import CLOSED, hand_over, take_bounds
from samara.solve.contact.islands import NUMBER, share
from samara.solve.contact.pool import ISLAND
from samara.solve.contact.problem import close, find_impulses, lay_out, rows_of, set_column
from samara.solve.impacts.detection import is_inside, touch
from samara.solve.native.codes import OK, OPEN, SHUT, TOO_MANY_PAIRS
from samara.solve.native.kernels import call_native, clear, copy
from samara.solve.redundant.correction import correction
from samara.tracing.driver.driver_cache import inner, routine

#: Part of the gap of a closed contact that a whole step takes back: speeds are held, so curved surfaces drift apart.
#: One that is cut short by an impact takes back less, for a gap over a moment is a high speed; and never faster than
#: what counts as slow, for it stays as momentum.
GAP_RECOVERY = 0.1
#: Forces of which all answers are kept, and rounds of contacts without a common part.
FEW_FORCES, MOST_ROUNDS = 24, 62


@routine
def begin_contacts(work, unit, hit):
    """What is closed in this step, its directions, and how the factors answer units of force [N]; returns how many.

    hit: only on parts that are in an impact now; all others have no force in it.
    """
    m, c = work.machine, work.machine.contacts
    p, count = c.problem, 0
    for k in range(c.many[0]):
        i = c.active[k]
        if c.status[i] != OPEN and (not hit or is_inside(m, i)):
            p.closed[count] = i
            count += 1
        else:
            _forget_forces(m, i, 0)
    close(p, count)
    if count != 0:
        touch(m)
        for j in range(count):
            i = p.closed[j]
            p.mu[j] = m.scratch.out[c.out[i] + 4] if p.dimension[i] == 3 else 0.0
            p.restitution[j] = 0.0
        if not lay_out(p):
            c.pool.lacks[0] = ISLAND
            return count
        _directions(m)
        c.rounds[0] = _rounds(c, count) if p.row[count] > FEW_FORCES else 0
        answer_contacts(work, unit)
    return count


@inner
def _forget_forces(m, i, first):
    """A contact has no forces from a first one on."""
    c = m.contacts
    for a in range(first, c.problem.dimension[i]):
        m.state[m.layout.multiplier_base + c.multiplier[i] + a] = 0.0


@inner
def _directions(m):
    """G of the closed contacts, from their equations at unit forces; those of which they have none vanish."""
    c, p, base = m.contacts, m.contacts.problem, m.layout.multiplier_base
    for j in range(p.counts[CLOSED]):
        i, rows = p.closed[j], rows_of(p, j)
        _forget_forces(m, i, rows)
        for a in range(rows):
            c.forces[p.row[j] + a] = m.state[base + c.multiplier[i] + a]
        _forget_forces(m, i, 0)
    for j in range(p.counts[CLOSED]):
        i = p.closed[j]
        for a in range(rows_of(p, j)):
            at, row = base + c.multiplier[i] + a, p.row[j] + a
            m.state[at] = 1.0
            for n in range(2):
                for k in range(6):
                    c.scratch[c.nodes[i, n] + k * m.layout.width] = 0.0
            call_native(
                c.calls[i, 0], 1, m.state.ctypes.data, c.calls[i, 1], c.calls[i, 2], m.coef.ctypes.data,
                m.plan.tables.ctypes.data, c.scratch.ctypes.data, c.scratch.ctypes.data,
            )  # fmt: skip
            m.state[at] = 0.0
            for n in range(2):
                for k in range(6):
                    c.G[row, 6 * n + k] = -c.scratch[c.nodes[i, n] + k * m.layout.width]
    for j in range(p.counts[CLOSED]):
        for a in range(rows_of(p, j)):
            m.state[base + c.multiplier[p.closed[j]] + a] = c.forces[p.row[j] + a]


@inner
def _rounds(c, count):
    """Puts contacts that share no part into rounds, of which the factors answer all at once; how many rounds."""
    p, sides, most = c.problem, c.problem.islands.sides, 0
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
    p = c.problem
    if c.rounds[0] != 0:
        for number in range(c.rounds[0]):
            _answer_round(work, number, unit)
        return
    for k in range(p.islands.counts[NUMBER]):
        for j in range(p.islands.starts[k], p.islands.starts[k + 1]):
            for a in range(rows_of(p, j)):
                row = p.row[j] + a
                clear(m.scratch.res)
                push_along(m, j, a, unit)
                correction(work)
                for e in range(m.x.size):
                    c.Y[row, e] = m.x[e]
                c.Y[row, m.layout.multiplier_rows + c.multiplier[p.closed[j]] + a] = 1.0
                set_column(p, k, j, a, _speed_by, m)


@inner
def _answer_round(work, number, unit):
    """W of contacts without a common part, by one substitution for each of their forces."""
    m, c, p = work.machine, work.machine.contacts, work.machine.contacts.problem
    for a in range(3):
        clear(m.scratch.res)
        any_force = False
        for j in range(p.counts[CLOSED]):
            if c.round[j] == number and a < rows_of(p, j):
                push_along(m, j, a, unit)
                any_force = True
        if not any_force:
            continue
        correction(work)
        for k in range(p.islands.counts[NUMBER]):
            for j in range(p.islands.starts[k], p.islands.starts[k + 1]):
                if c.round[j] == number and a < rows_of(p, j):
                    set_column(p, k, j, a, _speed_by, m)


@inner
def push_along(m, j, a, force):
    """A force of a closed contact, into `res`."""
    c = m.contacts
    i, row = c.problem.closed[j], c.problem.row[j] + a
    for n in range(2):
        for k in range(6):
            m.scratch.res[c.nodes[i, n] + k * m.layout.width] += force * c.G[row, 6 * n + k]


@inner
def _speed_by(m, l, b, j, a):
    """What the answer in `x` to a force of one contact does to speed b of another, at the parts that they share."""
    c, p, total = m.contacts, m.contacts.problem, 0.0
    i, o, sides = p.closed[j], p.closed[l], p.islands.sides
    for n in range(2):
        part = sides[o, n]
        if part >= 0 and (part == sides[i, 0] or part == sides[i, 1]):
            for e in range(6):
                total += c.G[p.row[l] + b, 6 * n + e] * m.x[c.nodes[o, n] + e * m.layout.width]
    return total


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
    if c.pool.lacks[0] != 0:
        return TOO_MANY_PAIRS
    touch(m)
    take_bounds(c.problem, work.settings)
    for k in range(c.problem.islands.counts[NUMBER]):
        _see_island(m, k, work.settings.speed_floor)
    status = find_impulses(c.problem)
    hand_over(c.problem, work.counters, work.memory)
    if status == OK:
        _change_forces(work)
    return status


@inner
def _see_island(m, k, slow):
    """Forces as they are, and speeds after the correction if there were no forces.

    slow: speed [m/s] with which an overlap is taken back at most.
    """
    c, p, base = m.contacts, m.contacts.problem, m.layout.multiplier_base
    first, end = p.islands.starts[k], p.islands.starts[k + 1]
    begin, size = p.row[first], p.row[end] - p.row[first]
    for j in range(first, end):
        for a in range(rows_of(p, j)):
            p.P[p.row[j] + a] = m.state[base + c.multiplier[p.closed[j]] + a]
    for j in range(first, end):
        i = p.closed[j]
        for a in range(rows_of(p, j)):
            at = p.row[j] + a
            speed = m.scratch.out[c.out[i] + 1 + a] - _along(m, at, i, m.x)
            if a == 0 and c.status[i] == SHUT:
                back = GAP_RECOVERY * m.scratch.out[c.out[i]] / max(c.step[0], c.step[1])
                speed += min(max(back, -slow), slow)
            row = p.place[k] + (at - begin) * size - begin
            for l in range(first, end):
                if share(p.islands, i, p.closed[l]):
                    for e in range(p.row[l], p.row[l + 1]):
                        speed -= p.W[row + e] * p.P[e]
            p.u[at] = speed


@inner
def _change_forces(work):
    """The correction with the forces that were found."""
    m, c = work.machine, work.machine.contacts
    p, base = c.problem, m.layout.multiplier_base
    many = c.rounds[0] != 0
    if many:
        clear(m.scratch.res)
        copy(c.kept, m.x)
    for j in range(p.counts[CLOSED]):
        for a in range(rows_of(p, j)):
            row = p.row[j] + a
            change = p.P[row] - m.state[base + c.multiplier[p.closed[j]] + a]
            c.forces[row] = change
            if many:
                push_along(m, j, a, change)
            else:
                for e in range(m.x.size):
                    m.x[e] -= change * c.Y[row, e]
    if not many:
        return
    correction(work)
    for e in range(m.x.size):
        m.x[e] = c.kept[e] - m.x[e]
    for j in range(p.counts[CLOSED]):
        for a in range(rows_of(p, j)):
            at = m.layout.multiplier_rows + c.multiplier[p.closed[j]] + a
            m.x[at] = c.kept[at] - c.forces[p.row[j] + a]
