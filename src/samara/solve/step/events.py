"""Events: drives, inputs and parameters that jump, and how the scheme starts anew after them.

A two-step formula leans on past accelerations. Where a force jumps, those are wrong by a finite amount, and what a kept
factorisation was made for has changed. So the time of the jump is looked for, the step ends just before it, and after
it begins a new one:

    two steps of Euler's implicit formula, each 1/64 of what is left: parts without mass find their balance, velocities
        that a lock takes are taken, rates of states follow; no past acceleration is looked at;
    velocities are put on the constraints, accelerations and multipliers follow from the equations of motion, all with
        the factors of those short steps, in which inertia outweighs everything that the steps can resolve;
    a one-step formula takes the rest of the step.

Nodes without mass that dampers slow down may still be on their way then, faster than anything else: a formula that
leans on their velocity would throw them. So the rest of the step is taken by Euler's formula in steps that grow, each
twice as long as the last, and so is the step after it: what is faster than a step dies out.

Where a place jumps that constraints hold, nodes are moved along in the first short step, as if in no time: what that
makes of their velocities means nothing, so they go on with those from before, as far as the constraints allow. In
models with nodes without mass they do not yet: the run says that velocities are those of the way.

One such start costs an error of second order, once, so a run with jumps remains one of second order.
"""

from __future__ import annotations

import numpy as np

from samara.solve.contact.calls import CHECK, IMPACT, ask_contacts, has_contacts
from samara.solve.native.codes import OK, Counter, Memory, Setting
from samara.solve.native.kernels import clear, residual, set_time
from samara.solve.step.newton import newton
from samara.solve.step.projection import ACCELERATION_CORRECTIONS, correct_accelerations, project
from samara.solve.step.renewal import are_for, renew
from samara.solve.step.scheme import ACCELERATION, B1, B2, MOVING, PER_POSE, POSE, SHORT_STEP, predict, prepare_restart
from samara.solve.tree.machine import FRESH
from samara.solve.tree.stepping import jump, prescribed_jump
from samara.system.blocks import (
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
from samara.tracing.driver_cache import driver, inner, routine

#: A drive has jumped when it moved by more than this part of its largest value beyond what its rates tell.
SMALLEST_JUMP = 0.02
#: Part of its largest value by which an input changes in rounding, and from which on its change is an event.
ROUNDING_CHANGE, SMALLEST_INPUT_JUMP = 1e-14, 0.5
#: Bisections that find its time, 1e-9 of a step; what is left of it after some, at 1e-4 of a step, shows that it jumps.
BISECTIONS, STEEP_BISECTIONS, JUMP_LEFT = 30, 13, 0.5
#: Part of a step before and after a known jump.
JUMP_MARGIN = 1e-9
#: Part of a step that is left after a jump below which the jump counts as one at the end: shorter steps drown in
#: rounding.
END_MARGIN = 1e-4
#: Gap of a constraint [m, of the length of the model if that is less; rad] that tells of a place which has jumped.
SMALLEST_LEAP = 1e-6
#: Acceleration of a node without mass, over the largest of the others, that tells of one on its way to a new balance.
RUSH_RATIO = 30.0
#: Sum of the weights of velocities with alternating signs, of the first, below which a formula does not damp that.
RINGING = 1e-9
#: Part of itself by which an acceleration at the start misses that of the first step if it was not known.
UNLIKE = 0.25
#: Columns of `Machine.known`.
KNOWN_VALUE, KNOWN_RATE, KNOWN_LARGEST = range(3)


@inner
def drive_gap(m, k, h):
    """What drive k moved by within h, beyond what its rates at both ends tell."""
    at = m.watched[k]
    return abs(m.state[at] - m.known[k, KNOWN_VALUE] - 0.5 * h * (m.known[k, KNOWN_RATE] + m.state[at + 1]))


@inner
def note_drives(m):
    """Remembers values and rates of the drives as they are at the present time."""
    for k in range(m.watched.size):
        at = m.watched[k]
        m.known[k, KNOWN_VALUE], m.known[k, KNOWN_RATE] = m.state[at], m.state[at + 1]
        m.known[k, KNOWN_LARGEST] = max(m.known[k, KNOWN_LARGEST], abs(m.state[at]))


@inner
def _jumped(m, h):
    """The drive that jumped most within h, of its largest value; -1 for none, -2 where one is no number."""
    worst, which = 0.0, -1
    for k in range(m.watched.size):
        size = max(m.known[k, KNOWN_LARGEST], abs(m.state[m.watched[k]]))
        gap = drive_gap(m, k, h)
        if not gap < np.inf:
            return -2
        if gap > SMALLEST_JUMP * size and gap > worst * size:
            worst, which = gap / size, k
    return which


@routine
def _bisect(m, start, end, which):
    """The last time before and the first after the jump of a drive, inf where it is only steep; the end is set."""
    at, gap = m.watched[which], drive_gap(m, which, end - start)
    low, high = start, end
    x_low, r_low, x_high, r_high = m.known[which, KNOWN_VALUE], m.known[which, KNOWN_RATE], m.state[at], m.state[at + 1]
    for k in range(BISECTIONS):
        middle = 0.5 * (low + high)
        set_time(m, middle)
        x, r = m.state[at], m.state[at + 1]
        left = abs(x - x_low - 0.5 * (middle - low) * (r_low + r))
        right = abs(x_high - x - 0.5 * (high - middle) * (r + r_high))
        if left >= right:
            high, x_high, r_high = middle, x, r
        else:
            low, x_low, r_low = middle, x, r
        if max(left, right) < JUMP_LEFT * gap:
            if k < STEEP_BISECTIONS:
                low = high = np.inf
            break
    set_time(m, end)
    return low, high


@inner
def time_of_jump(m, start, end):
    """When the first drive jumps after `start`, to `end`: the last time before and the first after it, inf for none.

    Jumps that are known come first: two of them within a step may cancel. nan where a drive is no number. Leaves drives
    and prescribed nodes as at the end of the step.
    """
    set_time(m, end)
    hair = JUMP_MARGIN * (end - start)
    for k in range(m.jumps.size):
        if m.jumps[k] > start + hair and m.jumps[k] <= end:
            return m.jumps[k] - hair, min(m.jumps[k] + hair, end)
    which = _jumped(m, end - start)
    if which < 0:
        none = np.inf if which == -1 else np.nan
        return none, none
    return _bisect(m, start, end, which)


@inner
def next_jump(m, start):
    """Time of the first known jump after another one at `start`, inf for none."""
    for k in range(m.jumps.size):
        if m.jumps[k] > start:
            return m.jumps[k]
    return np.inf


@inner
def _answer(work, h):
    """Accelerations after a change D of forces over masses, constraints held, with the factors of the last step h.

    The past is written anew as if the new forces had acted then, so that the scheme sees no jump,

        a(k-1) += D,   v(k-1) -= h D,   n(k) -= h^2 D / 2
    """
    m = work.machine
    residual(m)
    for k in range(m.multiplier_count):
        m.res[m.multiplier_rows + k] = 0.0
    correct_accelerations(work)
    width, x, state, per_unknown = m.width, m.x, m.state, m.coef[ACCELERATION]
    for g in range(m.free_groups):
        first, row = g * SIZE * width, 6 * g * width
        for i in range(6 * width):
            change = -x[row + i] * per_unknown
            state[first + ACC_1 * width + i] += change
            state[first + ETA_1 * width + i] -= h * change
            state[first + INCREMENT * width + i] -= 0.5 * h * h * change
    for k in range(m.state_groups * width):
        at = m.states_base + (k // width) * STATE_SIZE * width + k % width
        if m.orders[k] == 2:
            change = -x[m.state_rows + k] * per_unknown
            state[at + SECOND_1 * width] += change
            state[at + RATE_1 * width] -= h * change
            state[at + VALUE_1 * width] += 0.5 * h * h * change
        elif m.orders[k] == 1:
            change = -x[m.state_rows + k]
            state[at + RATE_1 * width] += change
            state[at + VALUE_1 * width] -= h * change


@inner
def look_at_inputs(work):
    """Parameters and inputs that were changed since the last step."""
    m, memory = work.machine, work.memory
    if m.input_count != 0 or m.parameter_changes[0] != memory[Memory.CHANGES]:
        _take_in(work)


@routine
def _take_in(work):
    """What has changed since the last step, at the present time: parameters, inputs, and what inputs drive.

    A parameter that changed or an input that jumped is an event. A smaller change, such as that of a sampled command,
    moves accelerations only: a held input acts from its sample on, not half a step later.
    """
    m, memory = work.machine, work.memory
    if m.parameter_changes[0] != memory[Memory.CHANGES]:
        memory[Memory.CHANGES] = m.parameter_changes[0]
        memory[Memory.EVENT] = 1.0
    set_time(m, memory[Memory.TIME])
    largest = 0.0
    for k in range(m.watched.size):
        x = m.state[m.watched[k]]
        size = max(abs(x), m.known[k, KNOWN_LARGEST])
        if size > 0.0:
            largest = max(largest, abs(x - m.known[k, KNOWN_VALUE]) / size)
    if largest > 0.0:
        m.tree.status[FRESH] = 0
    if largest > SMALLEST_INPUT_JUMP:
        memory[Memory.EVENT] = 1.0
    elif m.tree.method != 0:  # a tree evaluates its derivatives anew
        if largest > 0.0 and prescribed_jump(m) != 0:
            jump(m)
    elif largest > ROUNDING_CHANGE and memory[Memory.STEP] > 0.0 and are_for(memory, m.coef[POSE]):
        _answer(work, memory[Memory.STEP])
    note_drives(m)


@routine
def _leaps(m, time, length):
    """Whether constraints of places are open at the present poses, after a jump; keeps the velocities.

    Of all rows of multipliers they alone are weighed by `PER_POSE`: those of rates and contacts hold the multipliers.
    """
    set_time(m, time)
    m.coef[MOVING], m.coef[PER_POSE] = 0.0, 0.0
    residual(m)
    first, end = m.multiplier_rows, m.multiplier_rows + m.multiplier_count
    for k in range(first, end):
        m.x[k] = m.res[k]
    m.coef[PER_POSE] = 1.0
    residual(m)
    gap = 0.0
    for k in range(first, end):
        gap = max(gap, abs(m.res[k] - m.x[k]))
    if not gap > SMALLEST_LEAP * min(length, 1.0):
        return False
    state, w = m.state, m.width
    for g in range(m.free_groups):
        for lane in range(w):
            at = g * SIZE * w + lane
            for i in range(6):
                row, part = at + (ROTATION + 3 * (i % 3)) * w, at + (ETA + 3 * (i // 3)) * w
                total = 0.0
                for j in range(3):
                    total += state[row + j * w] * state[part + j * w]
                m.kept[i, g * w + lane] = total
    return True


@routine
def _go_on(m):
    """Velocities as they were kept, in the axes that nodes have now."""
    state, w = m.state, m.width
    for g in range(m.free_groups):
        for lane in range(w):
            at = g * SIZE * w + lane
            for i in range(6):
                column, part = at + (ROTATION + i % 3) * w, 3 * (i // 3)
                total = 0.0
                for j in range(3):
                    total += state[column + 3 * j * w] * m.kept[part + j, g * w + lane]
                state[at + (ETA + i) * w] = total


@inner
def _exchange_reactions(m):
    """Those of now for those before two steps, and back."""
    for k in range(m.multiplier_count):
        at = m.multiplier_base + k
        m.state[at], m.lam_2[k] = m.lam_2[k], m.state[at]


@inner
def _acceleration(m, block, length):
    """Of the node whose block begins there [1/s^2]: lengths count by that of the model."""
    size = 0.0
    for i in range(6):
        a = abs(m.state[block + (ACC + i) * m.width])
        size = max(size, a / length if i < 3 else a)
    return size


@inner
def _euler(work, h):
    """One step of Euler's formula, without extrapolating."""
    m, memory = work.machine, work.memory
    prepare_restart(m, work.settings, h)
    predict(m, 0.0)
    set_time(m, memory[Memory.TIME] + h)
    status = newton(work, h, 0.0)
    if status == OK:
        memory[Memory.TIME] += h
    return status


@inner
def _restart_tree(work):
    """A formula of one step has no past: derivatives are those of now."""
    m, memory = work.machine, work.memory
    set_time(m, memory[Memory.TIME])
    jumped = prescribed_jump(m)
    if jumped != 0:
        work.counters[Counter.LEAPS] += jumped == 2
        jump(m)
    m.tree.status[FRESH] = 0
    note_drives(m)
    memory[Memory.STEP] = memory[Memory.EVENT] = 0.0
    work.counters[Counter.EVENTS] += 1
    return OK


@driver
def restart(work, h):
    """The scheme anew at the present time, of a step of which h is left."""
    m, settings, memory, counters = work.machine, work.settings, work.memory, work.counters
    if m.tree.method != 0:
        return _restart_tree(work)
    short = SHORT_STEP * h
    memory[Memory.FACTORED_FOR] = 0.0
    if work.spare.size != 0:  # masses may have changed
        work.spare[work.spare.size - 1] = 0.0
    if has_contacts(m):  # in no time
        status = int(ask_contacts(work, IMPACT))
        if status != OK:
            return status
    leaps = m.multiplier_count != 0 and _leaps(m, memory[Memory.TIME], 1e2 * settings[Setting.SPEED_FLOOR])
    if has_contacts(m):
        m.contacts.step[0] = h
    for _ in range(2):
        status = _euler(work, short)
        if status != OK:
            return status
    suits = True
    counters[Counter.LEAPS] += leaps
    if leaps and m.still.size == 0:  # nodes without mass have no velocity of their own to go on with
        _exchange_reactions(m)
        if renew(work):
            _go_on(m)
        else:  # the order of pivots is of the reactions of the way there: then velocities are as well
            _exchange_reactions(m)
            suits = renew(work)
    again = has_contacts(m) and ask_contacts(work, CHECK) != 0.0
    memory[Memory.RUSH] = _begin_anew(work, suits)
    if again:
        memory[Memory.EVENT] = 1.0
    counters[Counter.EVENTS] += 1
    return OK


@routine
def _begin_anew(work, suits):
    """Consistent velocities and accelerations after Euler's formula, and no past; whether nodes without mass rush."""
    m, settings, memory = work.machine, work.settings, work.memory
    length = 1e2 * settings[Setting.SPEED_FLOOR]
    still, others = 0.0, 0.0
    for k in range(m.still.size):
        still = max(still, _acceleration(m, m.still[k], length))
    clear(m.target)
    if suits:
        project(work, ACCELERATION_CORRECTIONS)
    for k in range(m.still.size):  # what has no mass has no acceleration that is told by forces
        for i in range(6):
            m.state[m.still[k] + (ACC + i) * m.width] = 0.0
    for k in range(m.free_groups * m.width):
        others = max(others, _acceleration(m, (k // m.width) * SIZE * m.width + k % m.width, length))
    note_drives(m)
    memory[Memory.STEP] = memory[Memory.EVENT] = memory[Memory.FACTORED_FOR] = 0.0
    return still > RUSH_RATIO * others


@routine
def accelerate_massless(m, h, alpha, jumped):
    """Accelerations of nodes without mass after a step, where the formula of the step does not know them.

    Nothing but their velocities tells them. After the first step, from an event (no ratio of steps alpha) or from a
    start that knew another, they are the change of these, now and before, and the formula goes on from there. One
    without damping would keep what it errs for ever, and add to it: there they follow from the last three velocities,
    in every step. Those that a lock holds stay as they are: its equation is one of accelerations.
    """
    w, state = m.width, m.state
    rings = abs(m.coef[POSE] - m.coef[B1] + m.coef[B2]) < RINGING * m.coef[POSE]
    if alpha != 0.0 and not rings:
        return
    for k in range(m.coasting.size):
        for i in range(6):
            at = m.coasting[k] + i * w
            now, before = state[at + ETA * w], state[at + ETA_1 * w]
            change = (now - before) / h
            if alpha == 0.0:
                first = state[at + ACC_1 * w]
                if not jumped and abs(change - first) <= UNLIKE * (abs(change) + abs(first)):
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
    part, hair = SHORT_STEP * (end - memory[Memory.TIME]), JUMP_MARGIN * (end - memory[Memory.TIME])
    while end - memory[Memory.TIME] > hair:
        part = min(2.0 * part, end - memory[Memory.TIME])
        status = _euler(work, part)
        if status != OK:
            return status
    _begin_anew(work, True)
    memory[Memory.RUSH] = 1.0
    return OK
