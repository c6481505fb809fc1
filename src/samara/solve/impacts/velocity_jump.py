"""Impacts of a whole model: velocities jump at fixed poses, in zero time.

    M (v(+) - v(-)) = G^T P + G_j^T mu,     G_j (v(+) - v(-)) = 0,     u = G v

with the contact law for P (`solve.contact.impulses`) and joint impulses mu. Normals, the Delassus operator W and the
approach speeds are all evaluated at that instant, so an elastic impact conserves energy, and any impact momentum, to
rounding error for any step length. M is the matrix of a step with inertia and joints only; massless nodes yield, and
their contacts are then treated as plastic (`check_bounces`).
"""

from __future__ import annotations

from samara.solve.contact.impulses import CLOSED, hand_over, take_bounds
from samara.solve.contact.pool import enter, is_pooled
from samara.solve.contact.problem import find_impulses, rows_of
from samara.solve.impacts.detection import CLOSED_GAP, CLOSED_RATE, is_inside, touch
from samara.solve.impacts.forces import begin_contacts, push_along
from samara.solve.native.codes import GROWTH, HITTING, OK, OPEN, SHUT, TOO_MANY_PAIRS, Counter
from samara.solve.native.kernels import clear, set_time
from samara.solve.redundant.carrier import SLIGHT_CHANGE, follow
from samara.solve.redundant.correction import correction
from samara.solve.redundant.renewal import renew
from samara.solve.redundant.scheme import ACCELERATION, POSE, SHORT_STEP, STEP, TWIST, predict, prepare_restart
from samara.system.memory.blocks import ETA, INCREMENT, RATE, SIZE, STATE_SIZE
from samara.tracing.driver.driver_cache import inner, routine

#: Parts of a short step that stand for no time: damping and spin take that much of what they would take in one. Rows
#: without inertia, of nodes and of algebraic states, fade with the square of it: the second keeps their pivots within
#: `lu.GROWTH_LIMIT` of what they are in a step.
INSTANT_STEPS = (1e-12, 1e-2, 1.0)
#: Impact speed, by what smooth forces make of it in a step, below which nothing bounces: flights of a fifth of a step.
BOUNCE_SPEED = 0.2
#: Part of the approach that is left after an impact which has not turned it: what gave way had no mass.
UNTURNED_APPROACH = 0.5
#: Instead of a part of the step before an impact: it has bounced, and what cannot bounce.
BOUNCED_MARK, DEAD_MARK = -1.0, -3.0
#: Least part of a step over which a rate of speeds is told.
BRIEF_PART = 1e-3


@routine
def strike(work):
    """The impact of all contacts that hit at the present time; what leaves is open then, what stays is closed."""
    m = work.machine
    set_time(m, work.memory.clock.time)
    for k in range(m.contacts.many[0]):
        m.contacts.speeds[m.contacts.active[k], 6] = m.contacts.step[2]
    for k in range(m.contacts.flights.hit.size):  # all parts are there
        m.contacts.flights.hit[k] = 1
    if not note_approach(m, work.settings.length):
        return OK
    status = jump_velocities(work, False)
    if status != OK:  # whoever takes a step back that failed finds one
        predict(m, 0.0)
    return status


@routine
def jump_velocities(work, known):
    """Those after the impact of parts that hit, from the speeds of approach that were noted.

    known: whether the factors are of that matrix.
    """
    m, memory = work.machine, work.memory
    status = _factors(work, known)
    if status == OK:
        begin_contacts(work, m.coef[ACCELERATION], True)
        status = _find_impulses(work) if m.contacts.pool.lacks[0] == 0 else TOO_MANY_PAIRS
    if status != OK:
        return status
    _change_velocities(work)
    work.counters[Counter.IMPACTS] += _settle(m)
    memory.trust.factored_for = 0.0
    if m.carriers.members.shape[0] != 0:
        m.coef[STEP] = memory.clock.step
        follow(m, SLIGHT_CHANGE * work.settings.speed_floor)
    return OK


@inner
def _factors(work, known):
    """Of the matrix of the shortest step whose pivots suit: in it rates and places do not count."""
    m, memory = work.machine, work.memory
    for g in range(m.layout.free_groups):  # unknowns are twists: there is no past, and no increment yet
        first = (g * SIZE + INCREMENT) * m.layout.width
        for i in range(6 * m.layout.width):
            m.state[first + i] = 0.0
    for instant in INSTANT_STEPS:
        prepare_restart(m, work.settings, SHORT_STEP * m.contacts.step[1])
        m.coef[POSE] *= instant * instant
        m.coef[TWIST] *= instant
        suits = known or renew(work)
        memory.trust.factored_for = 0.0
        if suits:
            return OK
    return GROWTH


@inner
def is_at_rest(gap, speed, length):
    """Whether a contact with that gap and speed of its opening touches and stays, in a model of that length."""
    return gap <= CLOSED_GAP * length and abs(speed) <= CLOSED_RATE * length


@routine
def note_approach(m, length):
    """Keeps the speeds that contacts hit with, whether any does; those that touch, and rest, pass the impact on."""
    c, hit = m.contacts, False
    touch(m)
    for k in range(c.many[0]):
        i = c.active[k]
        hit = hit or c.status[i] == HITTING
        for a in range(c.problem.dimension[i]):
            c.speeds[i, 1 + a] = m.scratch.out[c.out[i] + 1 + a]
    for k in range(c.many[0]):
        i = c.active[k]
        if hit and c.status[i] == OPEN and is_inside(m, i):
            gap, speed = m.scratch.out[c.out[i]], m.scratch.out[c.out[i] + 1]
            if is_at_rest(gap, speed, length):
                c.status[i], c.speeds[i, 0] = HITTING, speed
    return hit


@inner
def _find_impulses(work):
    """Of all contacts that are closed, from the speeds before the impact."""
    m, c, p = work.machine, work.machine.contacts, work.machine.contacts.problem
    take_bounds(p, work.settings)
    for j in range(p.counts[CLOSED]):
        i = p.closed[j]
        if c.status[i] == HITTING and _bounces(m, i):
            p.restitution[j] = m.scratch.out[c.out[i] + 2 + p.dimension[i]]
        for a in range(rows_of(p, j)):
            p.u[p.row[j] + a] = p.approach[p.row[j] + a] = c.speeds[i, 1 + a]
    status = find_impulses(p)
    hand_over(p, work.counters, work.memory)
    return status


@inner
def _change_velocities(work):
    """By the impulses of contacts, and of joints that must hold."""
    m, p = work.machine, work.machine.contacts.problem
    clear(m.scratch.res)
    for j in range(p.counts[CLOSED]):
        for a in range(rows_of(p, j)):
            push_along(m, j, a, m.coef[ACCELERATION] * p.P[p.row[j] + a])
    correction(work)
    state, x, w = m.state, m.x, m.layout.width
    for g in range(m.layout.free_groups):
        at, row = (g * SIZE + ETA) * w, 6 * g * w
        for i in range(6 * w):
            state[at + i] += x[row + i]
    for k in range(m.layout.state_groups * w):
        if m.plan.orders[k] == 2:
            state[m.layout.states_base + ((k // w) * STATE_SIZE + RATE) * w + k % w] += x[m.layout.state_rows + k]


@inner
def _settle(m):
    """After an impact: what leaves is open, what stays is closed; how many have hit."""
    c, p, count = m.contacts, m.contacts.problem, 0
    for j in range(p.counts[CLOSED]):
        i, first, end = p.closed[j], p.row[j], p.row[j + 1]
        if c.status[i] == HITTING:
            bounced = _bounces(m, i)
            c.status[i] = SHUT if p.P[first] > 0.0 and not bounced else OPEN
            c.speeds[i, 5] = BOUNCED_MARK if bounced else 0.0
            count += 1
            if is_pooled(c, i):
                enter(c, i, p.P[first:end], p.approach[first:end], p.v[first:end])
    return count


@inner
def check_bounces(m):
    """Whether an impact has turned nothing: a node without mass gave way instead. It is taken again, as plastic."""
    c, failed = m.contacts, False
    touch(m)
    for k in range(c.many[0]):
        i = c.active[k]
        if c.speeds[i, 5] == BOUNCED_MARK:
            back = c.status[i] == OPEN and m.scratch.out[c.out[i] + 1] < UNTURNED_APPROACH * c.speeds[i, 1]
            c.speeds[i, 5] = DEAD_MARK if back else 0.0
            if back:
                c.status[i] = HITTING
                failed = True
    return failed


@inner
def _bounces(m, i):
    """Whether restitution acts: on what is faster than smooth forces make it within a part of a step."""
    c = m.contacts
    if c.speeds[i, 5] == DEAD_MARK or m.scratch.out[c.out[i] + c.problem.dimension[i] + 2] <= 0.0:
        return False
    return -c.speeds[i, 1] > BOUNCE_SPEED * _pull(c, i) * c.step[1]


@inner
def _pull(c, i):
    """Acceleration that closes a gap before an impact [m/s^2]; none where there was no time to tell it.

    What opens it, as the curvature of things that graze each other does, brings nothing back to rest.
    """
    if c.speeds[i, 6] <= BRIEF_PART * c.step[1]:
        return 0.0
    return max(c.speeds[i, 0] - c.speeds[i, 1], 0.0) / c.speeds[i, 6]
