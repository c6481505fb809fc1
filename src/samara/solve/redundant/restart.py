"""Restart of the redundant formulation after an event, and its response to a small change of an input.

Two implicit Euler steps come first, each 1/64 of the rest of the step: massless parts find their equilibrium,
    velocities blocked by a lock vanish, rates of states follow; past accelerations are not used;
velocities are projected onto the constraints, and accelerations and multipliers follow from the equations of motion,
    all with the factors of those short steps, in which inertia dominates everything the steps can resolve;
a one-step formula takes the rest of the step.

Massless nodes held back by dampers may still be moving then, faster than anything else, and a formula that uses their
velocity would overshoot. The rest of the step is therefore taken by Euler's formula in growing steps, each twice as
long as the last, and so is the next step; motions faster than a step decay.

If a position prescribed by constraints jumps, nodes are moved along in the first short step, as if in zero time. The
resulting velocities are meaningless, so the nodes keep their previous velocities as far as the constraints allow. In
models with massless nodes this is not done yet: the run warns that velocities include that of the jump.

Each restart adds one second-order error, so a run with jumps remains second order.
"""

from __future__ import annotations

from samara.solve.contact.calls import has_contacts, strike_contacts, strikes_again
from samara.solve.native.codes import OK, Counter
from samara.solve.native.kernels import clear, residual, set_time
from samara.solve.redundant.newton import newton
from samara.solve.redundant.projection import ACCELERATION_CORRECTIONS, correct_accelerations, project
from samara.solve.redundant.renewal import LARGEST_DIFFERENCE, renew
from samara.solve.redundant.scheme import (
    MOVING,
    PER_POSE,
    SHORT_STEP,
    predict,
    prepare_restart,
)
from samara.solve.step.events import JUMP_MARGIN, note_drives
from samara.solve.step.newton import are_for
from samara.system.memory.blocks import (
    ACC,
    ACC_1,
    ETA,
    ETA_1,
    ETA_2,
    INCREMENT,
    RATE_1,
    ROTATION,
    SECOND_1,
    SIZE,
    STATE_SIZE,
    VALUE_1,
)
from samara.tracing.driver.driver_cache import inner, routine

#: Part of its largest value by which an input changes in rounding.
ROUNDING_CHANGE = 1e-14
#: Gap of a constraint [m, of the length of the model if that is less; rad] that tells of a place which has jumped.
SMALLEST_LEAP = 1e-6
#: Acceleration of a node without mass, over the largest of the others, that tells of one on its way to a new balance.
RUSH_RATIO = 30.0
#: Part of itself by which an acceleration at the start misses that of the first step if it was not known.
ACCELERATION_MISS = 0.25


@routine
def respond(work, change):
    """A small change of inputs, by that part of their size: accelerations from now on, of a run that has a past."""
    m, memory = work.machine, work.memory
    if change > ROUNDING_CHANGE and memory.clock.step > 0.0 and are_for(memory, m.coef, LARGEST_DIFFERENCE):
        _answer(work, memory.clock.step)
    return OK


@inner
def _answer(work, h):
    """Accelerations after a change D of forces over masses, constraints held, with the factors of the last step h.

    The past is written anew as if the new forces had acted then, so that the scheme sees no jump,

        a(k-1) += D,   v(k-1) -= h D,   n(k) -= h^2 D / 2
    """
    m = work.machine
    residual(m)
    for k in range(m.layout.multiplier_count):
        m.scratch.res[m.layout.multiplier_rows + k] = 0.0
    per_unknown = work.memory.trust.factored_second  # the matrix at hand is c2 M + ... with the c2 that it was made for
    correct_accelerations(work, per_unknown)
    width, x, state = m.layout.width, m.x, m.state
    for g in range(m.layout.free_groups):
        first, row = g * SIZE * width, 6 * g * width
        for i in range(6 * width):
            change = -x[row + i] * per_unknown
            state[first + ACC_1 * width + i] += change
            state[first + ETA_1 * width + i] -= h * change
            state[first + INCREMENT * width + i] -= 0.5 * h * h * change
    for k in range(m.layout.state_groups * width):
        at = m.layout.states_base + (k // width) * STATE_SIZE * width + k % width
        if m.plan.orders[k] == 2:
            change = -x[m.layout.state_rows + k] * per_unknown
            state[at + SECOND_1 * width] += change
            state[at + RATE_1 * width] -= h * change
            state[at + VALUE_1 * width] += 0.5 * h * h * change
        elif m.plan.orders[k] == 1:
            change = -x[m.layout.state_rows + k]
            state[at + RATE_1 * width] += change
            state[at + VALUE_1 * width] -= h * change


@routine
def _leaps(m, time, length):
    """Whether constraints of places are open at the present poses, after a jump; keeps the velocities.

    Of all rows of multipliers they alone are weighed by `PER_POSE`: those of rates and contacts hold the multipliers.
    """
    set_time(m, time)
    m.coef[MOVING], m.coef[PER_POSE] = 0.0, 0.0
    residual(m)
    first, end = m.layout.multiplier_rows, m.layout.multiplier_rows + m.layout.multiplier_count
    for k in range(first, end):
        m.x[k] = m.scratch.res[k]
    m.coef[PER_POSE] = 1.0
    residual(m)
    gap = 0.0
    for k in range(first, end):
        gap = max(gap, abs(m.scratch.res[k] - m.x[k]))
    if not gap > SMALLEST_LEAP * min(length, 1.0):
        return False
    state, w = m.state, m.layout.width
    for g in range(m.layout.free_groups):
        for lane in range(w):
            at = g * SIZE * w + lane
            for i in range(6):
                row, part = at + (ROTATION + 3 * (i % 3)) * w, at + (ETA + 3 * (i // 3)) * w
                total = 0.0
                for j in range(3):
                    total += state[row + j * w] * state[part + j * w]
                m.massless.kept[i, g * w + lane] = total
    return True


@routine
def _go_on(m):
    """Velocities as they were kept, in the axes that nodes have now."""
    state, w = m.state, m.layout.width
    for g in range(m.layout.free_groups):
        for lane in range(w):
            at = g * SIZE * w + lane
            for i in range(6):
                column, part = at + (ROTATION + i % 3) * w, 3 * (i // 3)
                total = 0.0
                for j in range(3):
                    total += state[column + 3 * j * w] * m.massless.kept[part + j, g * w + lane]
                state[at + (ETA + i) * w] = total


@inner
def _exchange_reactions(m):
    """Those of now for those before two steps, and back."""
    for k in range(m.layout.multiplier_count):
        at = m.layout.multiplier_base + k
        m.state[at], m.multipliers.before[k] = m.multipliers.before[k], m.state[at]


@inner
def _acceleration(m, block, length):
    """Of the node whose block begins there [1/s^2]: lengths count by that of the model."""
    size = 0.0
    for i in range(6):
        a = abs(m.state[block + (ACC + i) * m.layout.width])
        size = max(size, a / length if i < 3 else a)
    return size


@inner
def _euler(work, h):
    """One step of Euler's formula, without extrapolating."""
    m, memory = work.machine, work.memory
    prepare_restart(m, work.settings, h)
    predict(m, 0.0)
    set_time(m, memory.clock.time + h)
    status = newton(work, h, 0.0)
    if status == OK:
        memory.clock.time += h
    return status


@routine
def restart(work, h, relaxes):
    """The scheme anew at the present time, of a step of which h is left; relaxes: see `native.verbs`."""
    return restart_within(work, h, h, relaxes)


@routine
def restart_within(work, part, h, relaxes):
    """The same by short steps as for a first part of what is left."""
    memory, end = work.memory, work.memory.clock.time + h
    status = _start_anew(work, part)
    if status == OK and relaxes != 0.0 and memory.clock.rush and not memory.clock.event:
        status = relax_massless(work, end)
    return status


@routine
def _start_anew(work, h):
    """By two short steps, and consistent velocities and accelerations after them."""
    m, settings, memory, counters = work.machine, work.settings, work.memory, work.counters
    short = SHORT_STEP * h
    memory.trust.factored_for = 0.0
    if work.spare.size != 0:  # masses may have changed
        work.spare[work.spare.size - 1] = 0.0
    if has_contacts(m):  # in no time
        status = strike_contacts(work)
        if status != OK:
            return status
    leaps = m.layout.multiplier_count != 0 and _leaps(m, memory.clock.time, settings.length)
    if has_contacts(m):
        m.contacts.step[0] = h
    for _ in range(2):
        status = _euler(work, short)
        if status != OK:
            return status
    suits = True
    counters[Counter.LEAPS] += leaps
    if leaps and m.massless.nodes.size == 0:  # nodes without mass have no velocity of their own to go on with
        _exchange_reactions(m)
        if renew(work):
            _go_on(m)
        else:  # the order of pivots is of the reactions of the way there: then velocities are as well
            _exchange_reactions(m)
            suits = renew(work)
    again = has_contacts(m) and strikes_again(work)
    memory.clock.rush = _begin_anew(work, suits)
    if again:
        memory.clock.event = True
    counters[Counter.EVENTS] += 1
    return OK


@routine
def _begin_anew(work, suits):
    """Consistent velocities and accelerations after Euler's formula, and no past; whether nodes without mass rush."""
    m, settings, memory = work.machine, work.settings, work.memory
    length = settings.length
    still, others = 0.0, 0.0
    for k in range(m.massless.nodes.size):
        still = max(still, _acceleration(m, m.massless.nodes[k], length))
    clear(m.multipliers.target)
    if suits:
        project(work, ACCELERATION_CORRECTIONS)
    for k in range(m.massless.nodes.size):  # what has no mass has no acceleration that is told by forces
        for i in range(6):
            m.state[m.massless.nodes[k] + (ACC + i) * m.layout.width] = 0.0
    width = m.layout.width
    for k in range(m.layout.free_groups * width):
        others = max(others, _acceleration(m, (k // width) * SIZE * width + k % width, length))
    note_drives(m)
    memory.clock.step, memory.clock.event, memory.trust.factored_for = 0.0, False, 0.0
    return still > RUSH_RATIO * others


@routine
def accelerate_massless(m, h, alpha, jumped):
    """Accelerations of nodes without mass after a step, where the formula of the step does not know them.

    Nothing but their velocities tells them. After the first step, from an event (no ratio of steps alpha) or from a
    start that knew another, they are the change of these, now and before, and the formula goes on from there. One
    without damping would keep what it errs for ever, and add to it: there they follow from the last three velocities,
    in every step. Those that a lock holds stay as they are: its equation is one of accelerations.
    """
    w, state = m.layout.width, m.state
    if alpha != 0.0 and m.plan.rings == 0:
        return
    for k in range(m.massless.coasting.size):
        for i in range(6):
            at = m.massless.coasting[k] + i * w
            now, before = state[at + ETA * w], state[at + ETA_1 * w]
            change = (now - before) / h
            if alpha == 0.0:
                first = state[at + ACC_1 * w]
                if not jumped and abs(change - first) <= ACCELERATION_MISS * (abs(change) + abs(first)):
                    continue
                state[at + ACC_1 * w] = change
            else:
                last = (before - state[at + ETA_2 * w]) * alpha / h
                change += (change - last) * alpha / (1.0 + alpha)
            state[at + ACC * w] = change


@routine
def relax_massless(work, end):
    """From an event to the end of its step by Euler's formula: what has no mass comes to its balance."""
    memory = work.memory
    part, hair = SHORT_STEP * (end - memory.clock.time), JUMP_MARGIN * (end - memory.clock.time)
    while end - memory.clock.time > hair:
        part = min(2.0 * part, end - memory.clock.time)
        status = _euler(work, part)
        if status != OK:
            return status
    _begin_anew(work, True)
    memory.clock.rush = True
    return OK
