"""Many steps in one native call: march at a fixed step, or with the step chosen by the local error."""

from __future__ import annotations

import numpy as np

from samara.solve.codes import BELOW_FLOOR, NOT_FINITE, OK, STEP_TOO_SMALL, Counter, Memory
from samara.solve.contact_calls import has_contacts
from samara.solve.events import next_jump, note_drives, restart, time_of_jump
from samara.solve.kernels import residual, set_time
from samara.solve.outputs import outputs
from samara.solve.samples import has_laws, next_sample, take_samples
from samara.solve.scheme import POSE, C, prepare_estimate, take_back
from samara.solve.step import accept, attempt_to_impact, begin, fails, step
from samara.solve.subnormals import FLUSH, control_word, set_control_word
from samara.solve.tree.machine import FRESH
from samara.solve.tree.stepping import publish, show_between, show_end, tree_error
from samara.system.blocks import (
    ACC_1,
    ETA_1,
    ETA_2,
    INCREMENT,
    RATE_1,
    RATE_2,
    SECOND_1,
    SIZE,
    STATE_SIZE,
    VALUE,
    VALUE_1,
)
from samara.tracing.driver_cache import driver, inner, routine

G1, G2, G3, IMPLICIT, EXPLICIT, LASTING = (C[k] for k in ("G1", "G2", "G3", "IMPLICIT", "EXPLICIT", "LASTING"))
# ---- a variable step
#: Part of the step that the error allows which is taken, and the smallest error that counts, over the accuracy.
SAFETY, SMALLEST_ERROR = 0.9, 1e-6
#: Growth of a step from which on it is worth a new factorisation, and the largest in one step.
SMALLEST_GAIN, LARGEST_GAIN = 1.3, 2.0
#: What is left of a step at least that was too inexact, and of one that failed.
LARGEST_CUT, CUT_OF_A_FAILURE = 0.2, 0.25
#: Part of an interval of records that is rounding.
SLIGHTLY = 1e-9
#: Arguments of a run that records nothing: columns, times, rows.
UNRECORDED = (np.zeros(0, np.int64), np.zeros(1), np.zeros((1, 0)))


@driver
def record(m, memory, columns, times, rows, k):
    """Writes the chosen measures at the present state as row k. The last of `out` is the constraint violation."""
    outputs(m)
    worst = 0.0
    if m.tree.method == 0 or m.tree.project != 0:  # the joints of a tree hold by what its coordinates are
        residual(m)
        for i in range(m.multiplier_count):
            worst = max(worst, abs(m.res[m.multiplier_rows + i]))
    m.out[m.out.size - 1] = worst * m.coef[POSE]
    times[k] = memory[Memory.TIME]
    for i in range(columns.size):
        rows[k, i] = m.out[columns[i]]


@inner
def _march(work, h, count, every, phase, columns, times, rows):
    """Up to `count` steps of size h; records every `every`-th. Returns (status, steps done, rows written)."""
    m, memory = work.machine, work.memory
    written = 0
    for k in range(count):
        status = step(work, h)
        if status != OK:
            return status, k, written
        phase += 1
        if phase == every:
            record(m, memory, columns, times, rows, written)
            written, phase = written + 1, 0
    if count != 0 and m.tree.method != 0:
        publish(m)
    return OK, count, written


@routine
def local_error(work, h, old):
    """Local error of the last step h after one of size old: poses (m by the size of their part, rad), states (by size).

    What the integrator found is compared with an explicit formula of the same order, whose error it knows.
    """
    m = work.machine
    prepare_estimate(m, work.settings, h, old)
    coef, s, width = m.coef, m.state, m.width
    e1, e2, f1 = coef[G1], coef[G2], coef[G3]
    worst = 0.0
    for g in range(m.free_groups):
        first = g * SIZE * width
        for c in range(6):
            for lane in range(width):
                scale = 1.0 / m.lengths[g * width + lane] if c < 3 else 1.0
                at = first + c * width + lane
                guess = e1 * s[at + ETA_1 * width] + e2 * s[at + ETA_2 * width] + f1 * s[at + ACC_1 * width]
                worst = max(worst, abs(s[at + INCREMENT * width] - guess) * scale)
    for k in range(m.state_groups * width):
        if m.orders[k] == 0:  # it follows from the others, and its rate means nothing
            continue
        at = m.states_base + (k // width) * STATE_SIZE * width + k % width
        guess = e1 * s[at + RATE_1 * width] + e2 * s[at + RATE_2 * width] + f1 * s[at + SECOND_1 * width]
        value, before = s[at + VALUE * width], s[at + VALUE_1 * width]
        worst = max(worst, abs(value - before - guess) / (abs(value) + m.scale[k]))
    return worst * coef[LASTING] * coef[IMPLICIT] / (coef[IMPLICIT] + coef[EXPLICIT])


@routine
def record_between(work, time, h, interval, columns, times, rows, done):
    """Records at whole intervals within the last step of size h, which began at `time`; how many there are then."""
    m, memory = work.machine, work.memory
    end, fresh = memory[Memory.TIME], m.tree.status[FRESH]
    k = int(np.floor((time + SLIGHTLY * interval) / interval)) + 1
    while k * interval <= end + SLIGHTLY * interval:
        part = (k * interval - time) / h
        if part < 1.0 - SLIGHTLY:
            show_between(m, time, h, part)
            memory[Memory.TIME] = k * interval
            record(m, memory, columns, times, rows, done)
            memory[Memory.TIME] = end
            show_end(m, end, fresh)
        else:
            record(m, memory, columns, times, rows, done)
        done, k = done + 1, k + 1
    return done


@inner
def _adapt(work, end, count, limits, interval, columns, times, rows):
    """Up to `count` accepted steps towards `end`, each as large as the accuracy allows; records every one.

    limits: [accuracy, smallest step, largest step, next step, step after an event]. Returns (status, steps, rows).
    interval: of the records, which are then between the steps, and counted instead of them; 0: each step is recorded.
    """
    m, memory, counters = work.machine, work.memory, work.counters
    accuracy, smallest, largest = limits[0], limits[1], limits[2]
    done = 0
    while done < count and memory[Memory.TIME] < end * (1.0 - 1e-14):
        h = min(limits[3], largest)
        if interval != 0.0:
            h = min(h, (count - done) * interval)
        status = take_samples(work) if has_laws(m) else OK
        if status != OK:
            return status, done, done
        left = min(end, next_sample(m)) - memory[Memory.TIME]
        if h > 0.999 * left:
            h = left
        elif h > 0.5 * left:
            h = 0.5 * left
        begin(work, h)
        m.contacts.step[1] = min(h, limits[4])
        memory[Memory.GOAL] = 0.0
        if memory[Memory.EVENT] != 0.0:  # what was long enough before need not be so after it
            h = min(h, limits[4], next_jump(m, memory[Memory.TIME]) - memory[Memory.TIME])
            goal = memory[Memory.TIME] + h
            status = restart(work, h)
            memory[Memory.RUSH] = 0.0  # short steps resolve it
            if status == OK and memory[Memory.EVENT] != 0.0:
                continue
            h = goal - memory[Memory.TIME]
        old, time = memory[Memory.STEP], memory[Memory.TIME]
        before, jump, tried = np.inf, np.inf, status == OK
        if status == OK:
            before, jump = time_of_jump(m, time, h)
            if jump - time < smallest:
                memory[Memory.TIME], memory[Memory.EVENT] = jump, 1.0
                continue
            if jump < time + h:
                h = jump - time
            status = attempt_to_impact(work, h, min(before, time + h))
            if status == OK and memory[Memory.EVENT] != 0.0 and memory[Memory.TIME] == time:
                continue  # an impact as it begins: nothing was done
            h = memory[Memory.TIME] - time if memory[Memory.TIME] > time else h
            if not jump > 0.0:  # a drive is no number
                status, memory[Memory.TIME] = NOT_FINITE, time
        if status == OK:
            order = 3.0
            if m.tree.method != 0:
                error, order = tree_error(m, h) / accuracy, float(m.tree.order)
            else:
                error = local_error(work, h, old) / accuracy
            factor = SAFETY * (1.0 / max(error, SMALLEST_ERROR)) ** (1.0 / order)
            # what is cut short by a jump or by the end has no shorter step; anything else asks for more than there is
            if error <= 1.0 or (h <= smallest and h < limits[3]):
                if factor > SMALLEST_GAIN or factor < 1.0:  # small gains are not worth a new factorisation
                    limits[3] = h * min(factor, LARGEST_GAIN)
                if jump < np.inf and memory[Memory.EVENT] == 0.0:  # no impact has come before it
                    memory[Memory.TIME], memory[Memory.EVENT] = jump, 1.0
                accept(work)
                if interval == 0.0:
                    record(m, memory, columns, times, rows, done)
                    done += 1
                else:
                    done = record_between(work, time, h, interval, columns, times, rows, done)
                continue
            memory[Memory.TIME] = time
            shrink = max(factor, LARGEST_CUT)
        elif status == BELOW_FLOOR and CUT_OF_A_FAILURE * h < smallest:  # the state stays, to be looked at
            return status, done, done
        elif fails(status):
            shrink = CUT_OF_A_FAILURE
        else:
            return status, done, done
        take_back(m)
        if tried and has_contacts(m):  # else what has happened before is not passed yet
            memory[Memory.EVENT] = 0.0
        set_time(m, memory[Memory.TIME])
        note_drives(m)
        counters[Counter.REJECTED] += 1
        memory[Memory.STEP] = old
        limits[3] = h * shrink
        if limits[3] < smallest:
            return STEP_TOO_SMALL, done, done
    if done != 0 and m.tree.method != 0:
        publish(m)
    return OK, done, done


@driver
def march(work, h, count, every, phase, columns, times, rows):
    """`_march`, with subnormal numbers taken as zero."""
    before = control_word()
    set_control_word(np.uint32(before | FLUSH))
    result = _march(work, h, count, every, phase, columns, times, rows)
    set_control_word(before)
    return result


@driver
def adapt(work, end, count, limits, interval, columns, times, rows):
    """`_adapt`, with subnormal numbers taken as zero."""
    before = control_word()
    set_control_word(np.uint32(before | FLUSH))
    result = _adapt(work, end, count, limits, interval, columns, times, rows)
    set_control_word(before)
    return result


def new_limits(accuracy: float, end: float, first: float, usual: float) -> np.ndarray:
    """The array that `adapt` takes, of a run to `end` whose first step is that [s]; usual: that of one that starts.

    What follows an event is not tested before it is done: its short steps err by their square, so it is shorter by the
    fourth root of the accuracy. More would drown accelerations in rounding.
    """
    return np.array([accuracy, 1e-10 * end, 0.05 * end, first, usual * accuracy**0.25])
