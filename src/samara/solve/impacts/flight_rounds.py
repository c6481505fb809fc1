"""One round of impacts within a step: one impact of each colliding part, at its instant, and the rest of its step."""

from __future__ import annotations

from samara.solve.contact.broad_phase import find_pairs
from samara.solve.contact.paths import MOTION, close_path, gap_along, motion_of, open_path, path_begins
from samara.solve.impacts.instants import crosses_flights
from samara.solve.impacts.velocity_jump import jump_velocities, note_approach
from samara.solve.integrators.coefficients import leave_out_accelerations
from samara.solve.native.codes import OK, PASSED_THROUGH, TOO_MANY_PAIRS
from samara.solve.native.kernels import BETWEEN, CORRECT, TIME, call_native, clear, copy, set_time, walk
from samara.solve.redundant.newton import newton
from samara.solve.redundant.projection import ACCELERATION_CORRECTIONS, consistent_accelerations, project
from samara.solve.redundant.scheme import FLIGHT, G1, G2, G3, IMPACT, OFF, PART, PER_ACCELERATION, POSE, STEP, prepare
from samara.solve.step.newton import are_for
from samara.system.memory.blocks import (
    ACC,
    ACC_1,
    ACC_2,
    ACC_BASE,
    BEFORE,
    CARRIER,
    ETA,
    ETA_1,
    INCREMENT_BASE,
    POSITION,
    ROTATION,
    SIZE,
)
from samara.tracing.driver.driver_cache import inner, routine

#: Part of c0 by which that of the factors may differ: each round takes two solutions that must converge.
NEARLY_SAME = 1e-3


@routine
def take_round(work):
    """One impact of each part that hits, and the rest of its step; the status."""
    m, f, memory = work.machine, work.machine.contacts.flights, work.memory
    h, at = m.contacts.step[0], m.coef[TIME]
    copy(f.present, m.state)
    status = _impact(work, h)
    if status != OK:
        set_time(m, at)
        return status
    _show_others(m)
    alpha = prepare(m, work.settings, memory, h)
    leave_out_accelerations(m)
    if not are_for(memory, m.coef, NEARLY_SAME):
        memory.trust.factored_for = 0.0
    set_time(m, at)
    count = _gather_nodes(f)
    _begin_flights(m, h, count)
    status = _fly(work, h, alpha, count)
    if status == OK:
        _note_accelerations(work, h, at, count)
        status = _fly(work, h, alpha, count)
    if status == OK and not find_pairs(m, h, work.settings.length, True):
        status = TOO_MANY_PAIRS
    if status == OK:
        _note_gaps(m, h)
        if crosses_flights(m):
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
    count = _gather_nodes(f)
    for e in range(count):
        part = f.part[f.flying[e]]
        _show_instant(m, f.flying[e], f.instant[part], f.since[part], h)
    for k in range(f.hit.size):
        if f.hit[k] != 0:
            f.since[k] = f.instant[k]
    _set_instant(work, h, count)
    note_approach(m, work.settings.length)
    status = _jump(work)
    if status == OK:
        _note_motions(m)
    return status


@inner
def _gather_nodes(f):
    """Nodes of the parts that hit, in `flying`; how many they are."""
    count = 0
    for k in range(f.hit.size):
        if f.hit[k] != 0:
            for e in range(f.begins[k], f.begins[k + 1]):
                f.flying[count] = f.nodes[e]
                count += 1
    return count


@inner
def _place(node, w):
    """Where the first number of a node lies in the state."""
    return (node // w) * SIZE * w + node % w


@inner
def _set_instant(work, h, count):
    """What is prescribed as at the instant of the impact: then all parts that hit do so at one (`note_instants`)."""
    m, f = work.machine, work.machine.contacts.flights
    if m.plan.signals.shape[0] != 0 and count != 0:
        set_time(m, work.memory.clock.time + f.since[f.part[f.flying[count - 1]]] * h)


@inner
def _jump(work):
    """Velocities after the impact; the factors of the step are kept meanwhile.

    Inertia of a node by itself does not change, so that the factors of impacts of such parts last as well.
    """
    m, f, memory, spare = work.machine, work.machine.contacts.flights, work.memory, work.spare
    kept = memory.trust.factored_for, memory.trust.factored_second, memory.trust.contraction, memory.trust.later
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
    memory.trust.factored_for, memory.trust.factored_second, memory.trust.contraction, memory.trust.later = kept
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
    call_native(m.plan.walks[BETWEEN, 0], 1, first, first, first, m.coef.ctypes.data, first, first, m.x.ctypes.data)
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
def _begin_flights(m, h, count):
    """Poses and twists from which parts in an impact fly, and no accelerations yet.

    The pose is one as of the beginning of the step, for a carrier moves in all of it.
    """
    f, s, w = m.contacts.flights, m.state, m.layout.width
    for e in range(count):
        at, since = _place(f.flying[e], w), f.since[f.part[f.flying[e]]]
        for i in range(9):
            s[at + (BEFORE + i) * w] = s[at + (ROTATION + i) * w]
        for i in range(3):
            gone = since * h * s[at + (CARRIER + i) * w]
            s[at + (BEFORE + 9 + i) * w] = s[at + (POSITION + i) * w] - gone
        for i in range(6):
            s[at + (ETA_1 + i) * w] = s[at + (ETA + i) * w]
            s[at + (ACC_1 + i) * w] = s[at + (ACC_2 + i) * w] = 0.0


@inner
def _fly(work, h, alpha, count):
    """The rest of the step, for parts in an impact, with accelerations at its beginning and at its end."""
    m, f = work.machine, work.machine.contacts.flights
    s, w, c0, per_acceleration = m.state, m.layout.width, m.coef[POSE], m.coef[PER_ACCELERATION]
    for e in range(count):
        first, r = _place(f.flying[e], w), (1.0 - f.since[f.part[f.flying[e]]]) * h
        for i in range(6):
            at = first + i * w
            eta, a, a_end = s[at + ETA_1 * w], s[at + ACC_1 * w], s[at + ACC_2 * w]
            eta_end = eta + 0.5 * r * (a + a_end)
            s[at + ACC_BASE * w] = eta_end - per_acceleration * a_end
            s[at + INCREMENT_BASE * w] = r * eta + r * r * (2.0 * a + a_end) / 6.0 - c0 * eta_end
            s[at + ETA * w] = eta_end
    clear(m.x)
    walk(m, CORRECT)
    copy(f.present, m.state)
    f.on[0] = FLIGHT
    status = newton(work, h, alpha)
    if status == OK and _has_joints(f):
        project(work, ACCELERATION_CORRECTIONS)
    f.on[0] = OFF
    return status


@routine
def _note_accelerations(work, h, at, count):
    """Those of parts in an impact at the end of their flight, as it was found, and as it begins: by the equations."""
    m, f = work.machine, work.machine.contacts.flights
    s, w = m.state, m.layout.width
    _set_instant(work, h, count)
    for e in range(count):
        node, since = _place(f.flying[e], w), f.since[f.part[f.flying[e]]]
        for i in range(9):
            s[node + (ROTATION + i) * w] = s[node + (BEFORE + i) * w]
        for i in range(3):
            gone = since * h * s[node + (CARRIER + i) * w]
            s[node + (POSITION + i) * w] = s[node + (BEFORE + 9 + i) * w] + gone
        for i in range(6):
            s[node + (ACC_2 + i) * w] = s[node + (ACC + i) * w]
            s[node + (ETA + i) * w] = s[node + (ETA_1 + i) * w]
    f.on[0] = FLIGHT
    consistent_accelerations(work, ACCELERATION_CORRECTIONS if _has_joints(f) else 1)
    f.on[0] = OFF
    set_time(m, at)
    for e in range(count):
        node = _place(f.flying[e], w)
        for i in range(6):
            s[node + (ACC_1 + i) * w] = s[node + (ACC + i) * w]


@inner
def _has_joints(f):
    """Whether parts that hit have joints: a step holds these by places, and velocities and accelerations follow."""
    for k in range(f.hit.size):
        if f.hit[k] != 0 and f.jointed[k] != 0:
            return True
    return False
