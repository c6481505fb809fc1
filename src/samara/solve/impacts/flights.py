"""Impacts within a step: independent parts that hit fly anew from their own instants, all others go on as they do.

A model of many bodies falls apart into parts that nothing but contacts joins. A step lets all of them fly through each
other; then each part that has hit is put back to the instant of its first impact, velocities jump there
(`solve.impacts.velocity_jump`), and it takes the rest r of the step h anew. All such parts do so at once, each from its
own instant, in one more solution of the step's equations: with the same coefficients, but with other knowns,

    n = r eta(+) + r^2 (2 a(+) + a*) / 6 + c0 (eta - eta*),     eta_dot = a* + (eta - eta*) / c0
    eta* = eta(+) + r (a(+) + a*) / 2

exact for accelerations that change steadily from a(+) to a*: the latter is what a first solution without any finds at
the end, the former follows from the equations at the instant. Impacts that follow, and those of parts whose earlier
impact comes first, are found in the next round. A step with any number of impacts costs as many rounds as one part has
impacts in it. Then the past of a part is written as if it had always flown as it does after its last impact, so that
the scheme goes on without a start.

Where a part that flies anew crosses the way of another before that one's own instant, the step is divided; what does so
in a small part of a step, as in a heap, ends it at its first impact, and the scheme starts anew.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.solve.contact.broad_phase import find_pairs
from samara.solve.contact.calls import MOST_ROUNDS, take_back_books, take_back_flights
from samara.solve.contact.paths import (
    MOTION,
    close_path,
    crosses,
    first_contact,
    gap_along,
    motion_of,
    open_path,
    path_begins,
)
from samara.solve.impacts.detection import UNKNOWN, has_stayed, look
from samara.solve.impacts.velocity_jump import is_at_rest, jump_velocities, note_approach
from samara.solve.integrators.coefficients import leave_out_accelerations
from samara.solve.native.codes import (
    HITTING,
    NOT_CONVERGED,
    OK,
    OPEN,
    PASSED_THROUGH,
    SHORTER,
    SHUT,
    TOO_MANY_PAIRS,
    Counter,
)
from samara.solve.native.kernels import BETWEEN, CORRECT, TIME, call_kernel, clear, set_time, walk
from samara.solve.redundant.local_error import local_error
from samara.solve.redundant.newton import newton
from samara.solve.redundant.projection import ACCELERATION_CORRECTIONS, consistent_accelerations, project
from samara.solve.redundant.scheme import (
    FLIGHT,
    G1,
    G2,
    G3,
    IMPACT,
    OFF,
    PART,
    POSE,
    STEP,
    prepare,
)
from samara.system.memory.aligned_arrays import aligned_zeros
from samara.system.memory.blocks import (
    ACC,
    ACC_1,
    ACC_2,
    ACC_BASE,
    BEFORE,
    CARRIER,
    ETA,
    ETA_1,
    ETA_2,
    INCREMENT,
    INCREMENT_BASE,
    POSITION,
    ROTATION,
    SIZE,
)
from samara.tracing.driver.driver_cache import inner, routine
from samara.tracing.driver.reference import refer

#: Part of a step within which impacts are at one instant, and before its end within which none is.
SAME_INSTANT, LAST_INSTANT = 1e-11, 1e-9
#: Part of c0 by which that of the factors may differ: each round takes two solutions that must converge.
NEARLY_SAME = 1e-3
#: Part of a step back to its beginning over which a jerk that is seen in the rest of it does not tell.
FAR_BACK = 0.6
#: Terms of the series of an exponential: rounding from then on, for angles up to 1 rad.
TERMS = 18
#: Part of a step below which flights that cross, or have no end, are no reason to divide it: its first impact ends it.
SHORT = 0.1
#: In the place of the instant of a part that has no impact.
NEVER = 2.0


class Flights(NamedTuple):
    """Independent parts of a model in redundant coordinates; empty without contacts."""

    part: np.ndarray  # of each node in the order of its block; -1: none
    begins: np.ndarray  # where the nodes of each part begin in `nodes`
    nodes: np.ndarray
    rows: np.ndarray  # the part that each equation belongs to; -1: none
    jointed: np.ndarray  # 1 for a part with joints
    free: np.ndarray  # 1 for a part that may fly anew: masses and joints, no massless nodes, no scalar states
    root: np.ndarray  # another part that this one is in contact with, or itself: those of one root hit together
    instant: np.ndarray  # of the next impact, as a part of the step
    since: np.ndarray  # that from which on a part flies as it does now
    hit: np.ndarray  # 1 for a part that is in an impact now
    flown: np.ndarray  # state as the step was found without impacts
    reactions: np.ndarray  # (2, n): past reactions then
    status: np.ndarray  # of contacts then
    solved: np.ndarray  # the same as the step was solved with: what has opened in it was closed
    present: np.ndarray  # state before an impact; then the state from which Newton's method begins
    block: np.ndarray  # room for a group of nodes
    on: np.ndarray  # what goes on, by `scheme.OFF` and its likes
    landed: np.ndarray  # 1 where parts have flown anew in the last step: who takes it back begins at `flown`
    rounds: np.ndarray  # how many are allowed
    crossed: (
        np.ndarray
    )  # 1 after a short part of a step with flights that crossed, or too many: the next impact ends it
    error: np.ndarray  # local error of a step with impacts, as that of `solve.redundant.local_error`


def flights_of(
    part: np.ndarray, rows: np.ndarray, joints: np.ndarray, free: np.ndarray, width: int, sizes: tuple[int, int, int]
) -> Flights:
    """Of nodes, in the order of their blocks, and equations that belong to these parts. joints: parts that have some.

    sizes: of the state, of the multipliers, and how many contacts.
    """
    parts = len(free)
    nodes = np.argsort(part, kind="stable")[np.count_nonzero(part < 0) :]
    begins = np.searchsorted(part[nodes], np.arange(parts + 1))
    state, multipliers, contacts = sizes
    return refer(
        Flights(
            part=part.astype(np.int64),
            begins=begins.astype(np.int64),
            nodes=nodes.astype(np.int64),
            rows=rows.astype(np.int64),
            jointed=np.isin(np.arange(parts), joints).astype(np.int64),
            free=free.astype(np.int64),
            root=np.zeros(parts, np.int64),
            instant=np.zeros(parts),
            since=np.zeros(parts),
            hit=np.zeros(parts, np.int64),
            flown=np.zeros(state),
            reactions=np.zeros((2, multipliers)),
            status=np.zeros(contacts, np.int64),
            solved=np.zeros(contacts, np.int64),
            present=np.zeros(state),
            block=np.zeros(SIZE * width if parts else 0),
            on=np.zeros(1, np.int64),
            landed=np.zeros(1, np.int64),
            rounds=np.full(1, MOST_ROUNDS),
            crossed=np.zeros(1, np.int64),
            error=np.zeros(1),
        )
    )


def spare_factors(flights: Flights, factors: np.ndarray) -> np.ndarray:
    """Room for factors of impacts beside those of a step, where parts fly anew, and for the step they are for."""
    return aligned_zeros(factors.size + 1 if flights.part.size else 0)


@routine
def fly_anew(work):
    """After a step in which something has hit: impacts at their instants, and the rest of the step.

    The status of the step; where it failed, the state is as it was found. SHORTER: nothing was done.
    """
    m, f, length = work.machine, work.machine.contacts.flights, 1e2 * work.settings.speed_floor
    impacts = work.counters[Counter.IMPACTS]
    if f.part.size == 0 or f.crossed[0] != 0:
        return SHORTER
    h, old = m.contacts.step[0], work.memory.clock.step
    f.error[0] = local_error(work, h, old)
    _keep(m)
    status = OK if _note_instants(m, length) else SHORTER
    for _ in range(f.rounds[0]):
        if status == OK:
            m.paths.round[0] += 1
            status = _round(work)
        if status != OK:
            break
        if not look(m):
            _write_past(m, h, old)
            _forget_flights(m)
            f.landed[0] = 1
            return OK
        status = OK if _note_instants(m, length) else SHORTER
    if h <= SHORT * m.contacts.step[1] and (status == OK or status == PASSED_THROUGH):
        f.crossed[0] = 1
    _forget_flights(m)
    _put_back(m)
    work.counters[Counter.IMPACTS] = impacts
    return status if status != OK else NOT_CONVERGED


@inner
def _forget_flights(m):
    """All nodes fly as since the step began."""
    m.paths.round[0] = 0
    for n in range(m.paths.since.size):
        m.paths.since[n], m.paths.flight[n] = 0.0, 0


@inner
def _keep(m):
    """The step as it was found."""
    f = m.contacts.flights
    for i in range(m.state.size):
        f.flown[i] = m.state[i]
    for k in range(m.layout.multiplier_count):
        f.reactions[0, k], f.reactions[1, k] = m.multipliers.last[k], m.multipliers.before[k]
    for i in range(f.status.size):
        f.status[i], f.solved[i] = m.contacts.status[i], m.contacts.before[i]


@inner
def _put_back(m):
    """What was kept."""
    f = m.contacts.flights
    f.landed[0] = 1
    take_back_flights(m)
    for i in range(f.status.size):
        m.contacts.status[i] = f.status[i]
    take_back_books(m)


# ---- who hits, and when
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
def _note_instants(m, length):
    """Which parts hit first, and when; contacts that hit later are open again. Whether all may fly anew.

    length: of the model [m].
    """
    c, f, sides = m.contacts, m.contacts.flights, m.contacts.problem.islands.sides
    for k in range(f.root.size):
        f.root[k], f.instant[k], f.hit[k] = k, NEVER, 0
    for n in range(c.many[0]):
        i = c.active[n]
        if c.status[i] == OPEN and f.solved[i] == SHUT:
            c.status[i] = SHUT
        if c.status[i] == SHUT or is_at_rest(c.speeds[i, 4], c.speeds[i, 0], length):
            _join(f, i, sides)
    earliest = NEVER
    for n in range(c.many[0]):
        i = c.active[n]
        if c.status[i] == HITTING:
            _note_instant(m, i)
            earliest = min(earliest, c.speeds[i, 7])
            for side in range(2):
                if sides[i, side] >= 0:
                    root = _root(f, sides[i, side])
                    f.instant[root] = min(f.instant[root], c.speeds[i, 7])
    if m.signals.shape[0] == 0:  # else what is prescribed is at one place at a time
        earliest = NEVER
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
    if c.speeds[i, 5] == UNKNOWN:
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
def _crosses(m):
    """Whether a part that flies anew has met another on the way that this one has left at a later instant."""
    c, paths, h = m.contacts, m.paths, m.contacts.step[0]
    for n in range(c.many[0]):
        i = c.active[n]
        a, b = paths.since[paths.pairs[i, 0]], paths.since[paths.pairs[i, 1]]
        if c.status[i] == OPEN and a != b and paths.free[paths.pairs[i, 0]] != 0 and paths.free[paths.pairs[i, 1]] != 0:
            if crosses(m, i, h):
                return True
    return False


# ---- a round
@routine
def _round(work):
    """One impact of each part that hits, and the rest of its step; the status."""
    m, f, memory = work.machine, work.machine.contacts.flights, work.memory
    h, at = m.contacts.step[0], m.coef[TIME]
    for i in range(m.state.size):
        f.present[i] = m.state[i]
    status = _impact(work, h)
    if status != OK:
        set_time(m, at)
        return status
    _show_others(m)
    alpha = prepare(m, work.settings, memory, h)
    leave_out_accelerations(m)
    if abs(memory.trust.factored_for / m.coef[POSE] - 1.0) > NEARLY_SAME:
        memory.trust.factored_for = 0.0
    set_time(m, at)
    _begin_flights(m, h)
    status = _fly(work, h, alpha)
    if status == OK:
        _note_accelerations(work, h, at)
        status = _fly(work, h, alpha)
    if status == OK and not find_pairs(m, h, 1e2 * work.settings.speed_floor, True):
        status = TOO_MANY_PAIRS
    if status == OK:
        _note_gaps(m, h)
        if _crosses(m):
            status = PASSED_THROUGH
    for i in range(f.solved.size):
        f.solved[i] = m.contacts.status[i]
    return status


@routine
def _impact(work, h):
    """Parts that hit at their instants, and velocities after it."""
    m, f, paths = work.machine, work.machine.contacts.flights, work.machine.paths
    for n in range(paths.nodes.size):
        if _hits(m, n):
            paths.old_since[n] = paths.since[n]
            for i in range(MOTION):
                paths.old_begin[n, i] = paths.begin[n, i]
            motion_of(m, n, paths.old_end[n])
    for k in range(f.hit.size):
        if f.hit[k] != 0:
            for e in range(f.begins[k], f.begins[k + 1]):
                _show_instant(m, f.nodes[e], f.instant[k], f.since[k], h)
            f.since[k] = f.instant[k]
            if m.signals.shape[0] != 0:
                set_time(m, work.memory.clock.time + f.instant[k] * h)
    note_approach(m, 1e2 * work.settings.speed_floor)
    status = _jump(work)
    if status == OK:
        _note_motions(m)
    return status


@inner
def _jump(work):
    """Velocities after the impact; the factors of the step are kept meanwhile.

    Inertia of a node by itself does not change, so that the factors of impacts of such parts last as well.
    """
    m, f, memory, spare = work.machine, work.machine.contacts.flights, work.memory, work.spare
    kept = memory.trust.factored_for, memory.trust.contraction, memory.trust.later
    step, last = m.contacts.step[1], spare.size - 1
    if spare.size == 0:  # substructures have no room for both
        return jump_velocities(work, False)
    single = m.turning.program.shape[0] == 0
    for k in range(f.hit.size):
        single = single and (f.hit[k] == 0 or f.begins[k + 1] - f.begins[k] == 1)
    known = single and spare[last] == step
    f.on[0] = IMPACT
    status = jump_velocities(work, known)
    f.on[0] = OFF
    spare[last] = step if single and status == OK else 0.0
    memory.trust.factored_for, memory.trust.contraction, memory.trust.later = kept
    if m.turning.program.shape[0] != 0:  # the room for a part of the factors has served those of the impact
        memory.trust.factored_for = 0.0
    return status


@inner
def _hits(m, n):
    """Whether a node with a path is of a part that hits."""
    part = m.paths.part[n]
    return part >= 0 and m.contacts.flights.hit[part] != 0


@inner
def _note_motions(m):
    """Of nodes as flights begin."""
    paths = m.paths
    for n in range(paths.nodes.size):
        if _hits(m, n):
            motion_of(m, n, paths.begin[n])
            paths.since[n], paths.flight[n] = m.contacts.flights.since[paths.part[n]], paths.round[0]


@inner
def _note_gaps(m, h):
    """Gaps and speeds of contacts as flights begin, also where one side alone flies anew."""
    c, paths = m.contacts, m.paths
    for n in range(c.many[0]):
        i = c.active[n]
        if _hits(m, paths.pairs[i, 0]) or _hits(m, paths.pairs[i, 1]):
            open_path(m, i, h)
            c.speeds[i, 4], speed = gap_along(m, i, path_begins(m, i), False)
            c.speeds[i, 0] = speed / h
            close_path(m, i)


@inner
def _show_instant(m, node, instant, since, h):
    """A node as it is at that part of the step, on its flight from `since` on."""
    f, w, state = m.contacts.flights, m.layout.width, m.state
    base, lane = (node // w) * SIZE * w, node % w
    for i in range(SIZE * w):
        f.block[i] = state[base + i]
    part = (instant - since) / (1.0 - since)
    m.coef[PART], m.coef[STEP] = part, h * (1.0 - since)
    m.coef[G1], m.coef[G2], m.coef[G3] = part, 1.0 - part, 0.0
    first = state.ctypes.data + 8 * base
    call_kernel(m.walks[BETWEEN, 0], 1, first, first, first, m.coef.ctypes.data, first, first, m.x.ctypes.data)
    for i in range(SIZE * w):
        if i % w != lane:
            state[base + i] = f.block[i]
    for i in range(3):  # the pose at the last step is that of the flight, h V since back
        state[base + (POSITION + i) * w + lane] += since * h * state[base + (CARRIER + i) * w + lane]


@inner
def _show_others(m):
    """What is in no impact as before it, and everything but nodes."""
    f, w = m.contacts.flights, m.layout.width
    for g in range(m.layout.free_groups):
        for lane in range(w):
            part = f.part[g * w + lane]
            if part < 0 or f.hit[part] == 0:
                for i in range(g * SIZE * w + lane, (g + 1) * SIZE * w, w):
                    m.state[i] = f.present[i]
    for i in range(m.layout.free_groups * SIZE * w, m.state.size):
        m.state[i] = f.present[i]


@inner
def _begin_flights(m, h):
    """Poses and twists from which parts in an impact fly, and no accelerations yet.

    The pose is one as of the beginning of the step, for a carrier moves in all of it.
    """
    f, s, w = m.contacts.flights, m.state, m.layout.width
    for k in range(f.hit.size):
        if f.hit[k] == 0:
            continue
        for e in range(f.begins[k], f.begins[k + 1]):
            at = (f.nodes[e] // w) * SIZE * w + f.nodes[e] % w
            for i in range(9):
                s[at + (BEFORE + i) * w] = s[at + (ROTATION + i) * w]
            for i in range(3):
                gone = f.since[k] * h * s[at + (CARRIER + i) * w]
                s[at + (BEFORE + 9 + i) * w] = s[at + (POSITION + i) * w] - gone
            for i in range(6):
                s[at + (ETA_1 + i) * w] = s[at + (ETA + i) * w]
                s[at + (ACC_1 + i) * w] = s[at + (ACC_2 + i) * w] = 0.0


@inner
def _fly(work, h, alpha):
    """The rest of the step, for parts in an impact, with accelerations at its beginning and at its end."""
    m, f = work.machine, work.machine.contacts.flights
    s, w, c0 = m.state, m.layout.width, m.coef[POSE]
    for k in range(f.hit.size):
        if f.hit[k] == 0:
            continue
        r = (1.0 - f.since[k]) * h
        for e in range(f.begins[k], f.begins[k + 1]):
            for i in range(6):
                at = (f.nodes[e] // w) * SIZE * w + f.nodes[e] % w + i * w
                eta, a, a_end = s[at + ETA_1 * w], s[at + ACC_1 * w], s[at + ACC_2 * w]
                eta_end = eta + 0.5 * r * (a + a_end)
                s[at + ACC_BASE * w] = eta_end - c0 * a_end
                s[at + INCREMENT_BASE * w] = r * eta + r * r * (2.0 * a + a_end) / 6.0 - c0 * eta_end
                s[at + ETA * w] = eta_end
    clear(m.x)
    walk(m, CORRECT)
    for i in range(m.state.size):
        f.present[i] = m.state[i]
    f.on[0] = FLIGHT
    status = newton(work, h, alpha)
    if status == OK and _has_joints(f):
        project(work, ACCELERATION_CORRECTIONS)
    f.on[0] = OFF
    return status


@routine
def _note_accelerations(work, h, at):
    """Those of parts in an impact at the end of their flight, as it was found, and as it begins: by the equations."""
    m, f = work.machine, work.machine.contacts.flights
    s, w = m.state, m.layout.width
    for k in range(f.hit.size):
        if f.hit[k] == 0:
            continue
        if m.signals.shape[0] != 0:
            set_time(m, work.memory.clock.time + f.since[k] * h)
        for e in range(f.begins[k], f.begins[k + 1]):
            node = (f.nodes[e] // w) * SIZE * w + f.nodes[e] % w
            for i in range(9):
                s[node + (ROTATION + i) * w] = s[node + (BEFORE + i) * w]
            for i in range(3):
                gone = f.since[k] * h * s[node + (CARRIER + i) * w]
                s[node + (POSITION + i) * w] = s[node + (BEFORE + 9 + i) * w] + gone
            for i in range(6):
                s[node + (ACC_2 + i) * w] = s[node + (ACC + i) * w]
                s[node + (ETA + i) * w] = s[node + (ETA_1 + i) * w]
    f.on[0] = FLIGHT
    consistent_accelerations(work, ACCELERATION_CORRECTIONS if _has_joints(f) else 1)
    f.on[0] = OFF
    set_time(m, at)
    for k in range(f.hit.size):
        if f.hit[k] != 0:
            for e in range(f.begins[k], f.begins[k + 1]):
                node = (f.nodes[e] // w) * SIZE * w + f.nodes[e] % w
                for i in range(6):
                    s[node + (ACC_1 + i) * w] = s[node + (ACC + i) * w]


@inner
def _has_joints(f):
    """Whether parts that hit have joints: a step holds these by places, and velocities and accelerations follow."""
    for k in range(f.hit.size):
        if f.hit[k] != 0 and f.jointed[k] != 0:
            return True
    return False


@inner
def _write_past(m, h, old):
    """Of parts that have hit: as if they had flown as they do now since the step began, and since the one before."""
    f, w, s = m.contacts.flights, m.layout.width, m.state
    for k in range(f.since.size):
        back = f.since[k] * h
        if back == 0.0:
            continue
        for e in range(f.begins[k], f.begins[k + 1]):
            at, length = (f.nodes[e] // w) * SIZE * w + f.nodes[e] % w, m.lengths[f.nodes[e]]
            for i in range(6):
                eta, a = s[at + (ETA_1 + i) * w], s[at + (ACC_1 + i) * w]
                change = s[at + (ACC + i) * w] - a
                f.error[0] = max(f.error[0], (h - back) ** 2 * abs(change) / (12.0 * (length if i < 3 else 1.0)))
                jerk = change / (h - back) if back < FAR_BACK * h else 0.0
                s[at + (INCREMENT + i) * w] += back * (eta - back * (0.5 * a - back * jerk / 6.0))
                s[at + (ETA_1 + i) * w] = eta - back * (a - 0.5 * back * jerk)
                s[at + (ACC_1 + i) * w] = a - back * jerk
                s[at + (ETA_2 + i) * w] = eta - (back + old) * (a - 0.5 * (back + old) * jerk)
            _begin_at(m, at, h)


@inner
def _begin_at(m, at, h):
    """The pose before a step h from the one after it, of the node at a place: R exp(-w) and p - h V - R p(n)."""
    s, w = m.state, m.layout.width
    x, y, z = s[at + (INCREMENT + 3) * w], s[at + (INCREMENT + 4) * w], s[at + (INCREMENT + 5) * w]
    for row in range(4):  # those of the rotation, and the displacement
        source = (ROTATION + 3 * row) * w if row < 3 else INCREMENT * w
        a, b, c = s[at + source], s[at + source + w], s[at + source + 2 * w]
        p, q, r = a, b, c
        for k in range(1, TERMS):
            a, b, c = y * c - z * b, z * a - x * c, x * b - y * a
            scale = k if row < 3 else k + 1
            a, b, c = a / scale, b / scale, c / scale
            p, q, r = p + a, q + b, r + c
        target = at + (BEFORE + 3 * row) * w
        s[target], s[target + w], s[target + 2 * w] = p, q, r
    p, q, r = s[at + (BEFORE + 9) * w], s[at + (BEFORE + 10) * w], s[at + (BEFORE + 11) * w]
    for i in range(3):
        turned = at + (BEFORE + 3 * i) * w
        way = h * s[at + (CARRIER + i) * w] + s[turned] * p + s[turned + w] * q + s[turned + 2 * w] * r
        s[at + (BEFORE + 9 + i) * w] = s[at + (POSITION + i) * w] - way


@routine
def show_before_impacts(m):
    """Parts that have hit in the last step, where a part of it (`contacts.step[0]`) is shown that was before it."""
    f, w, part = m.contacts.flights, m.layout.width, m.contacts.step[0]
    for k in range(f.since.size):
        if part >= f.since[k]:
            continue
        for e in range(f.begins[k], f.begins[k + 1]):
            base, lane = (f.nodes[e] // w) * SIZE * w, f.nodes[e] % w
            for i in range(SIZE * w):
                f.block[i] = f.flown[base + i]
            first = f.block.ctypes.data
            call_kernel(m.walks[BETWEEN, 0], 1, first, first, first, m.coef.ctypes.data, first, first, first)
            for i in range(CARRIER):
                m.state[base + i * w + lane] = f.block[i * w + lane]
            for i in range(3):  # against the carrier of now
                total = 0.0
                for j in range(3):
                    change = f.block[(CARRIER + j) * w + lane] - m.state[base + (CARRIER + j) * w + lane]
                    total += m.state[base + (ROTATION + 3 * j + i) * w + lane] * change
                m.state[base + (ETA + i) * w + lane] += total
