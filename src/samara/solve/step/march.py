"""Many steps in one native call: march at a fixed step, or with the step chosen by the local error."""

from __future__ import annotations

import numpy as np

from samara.solve.laws.samples import next_sample
from samara.solve.native.clock import fraction, instant, jump_at
from samara.solve.native.codes import BELOW_FLOOR, NOT_FINITE, OK, STEP_TOO_SMALL, Counter, Limit, Memory
from samara.solve.native.kernels import TIME, set_time
from samara.solve.native.outputs import outputs
from samara.solve.native.subnormals import FLUSH, control_word, set_control_word
from samara.solve.native.verbs import advance, check, error, publish, restart, show, undo
from samara.solve.step.events import drive_gap, next_jump, note_drives
from samara.solve.step.step import (
    TIME_ROUNDING,
    attempt_to_impact,
    begin,
    count_step,
    fails,
    has_arrived,
    look_ahead,
    step,
)
from samara.tracing.driver_cache import driver, inner, routine

ACCURACY, SMALLEST, LARGEST, NEXT, AFTER_EVENT, RECORDED = (int(limit) for limit in Limit)
# ---- a variable step
#: Part of what is left to a sample or to the end from which on a step goes all the way.
NEARLY = 0.999
#: Part of the step that the error allows which is taken, and the smallest error that counts, over the accuracy.
SAFETY, SMALLEST_ERROR = 0.9, 1e-6
#: Growth of a step from which on it is worth a new factorisation, and the largest in one step.
SMALLEST_GAIN, LARGEST_GAIN = 1.3, 2.0
#: Part of the largest step in which prescribed motions need not be smooth: one that jumps a little is passed.
NEGLIGIBLE = 1e-6
#: What is left of a step at least that was too inexact, and of one that failed.
LARGEST_CUT, CUT_OF_A_FAILURE = 0.2, 0.25
#: Part of an interval of records that is rounding.
SLIGHTLY = 1e-9
#: Arguments of a run that records nothing: columns, times, rows.
UNRECORDED = (np.zeros(0, np.int64), np.zeros(1), np.zeros((1, 0)))
#: Interval of records where each step is recorded.
EACH_STEP = 0.0


@driver
def record(work, columns, times, rows, k):
    """Writes the chosen measures at the present state as row k. The last of `out` is the constraint violation."""
    m = work.machine
    outputs(work)
    m.out[m.out.size - 1] = check(work)
    times[k] = work.memory[Memory.TIME]
    for i in range(columns.size):
        rows[k, i] = m.out[columns[i]]


@inner
def _march(work, h, count, every, phase, columns, times, rows):
    """Up to `count` steps of size h; records every `every`-th. Returns (status, steps done, rows written)."""
    written = 0
    for k in range(count):
        status = step(work, h)
        if status != OK:
            return status, k, written
        phase += 1
        if phase == every:
            record(work, columns, times, rows, written)
            written, phase = written + 1, 0
    if count != 0:
        publish(work)
    return OK, count, written


@routine
def _motion_error(m, h):
    """What drives that prescribe nodes move by within h, beyond what their rates at both ends tell.

    That is h^3 / 12 times a third derivative, as large as the error of a free node that moves like that: contacts and
    all else know prescribed nodes at the ends of a step. Lengths and angles count as in `local_error`.
    """
    worst = 0.0
    for k in range(m.watched.size):
        if m.motions[k] != 0.0:
            worst = max(worst, m.motions[k] * drive_gap(m, k, h))
    return worst


@inner
def _record_part(work, time, h, old, now, columns, times, rows, k):
    """Records the state at a time `now` within the last step of size h, begun at `time` after one of old, as row k."""
    m, memory = work.machine, work.memory
    end = memory[Memory.TIME]
    show(work, (now - time) / h, h, old)
    set_time(m, now)
    memory[Memory.TIME] = now
    record(work, columns, times, rows, k)
    memory[Memory.TIME] = end
    show(work, 1.0, h, old)
    m.coef[TIME] = end


@routine
def record_between(work, time, h, old, limits, interval, columns, times, rows, done):
    """Records at whole intervals to the end of the last step of size h, which began at `time`; how many there are then.

    Of the short steps with which the scheme starts anew after an event nothing is kept: the step after them is extended
    backwards.
    """
    memory = work.memory
    p, q = fraction(interval)
    k, end = np.floor(limits[RECORDED] / interval + SLIGHTLY) + 1.0, memory[Memory.TIME]
    while instant(0.0, k, p, q) <= end + SLIGHTLY * interval:
        now = instant(0.0, k, p, q)
        if now < end - SLIGHTLY * h:
            _record_part(work, time, h, old, now, columns, times, rows, done)
        else:
            record(work, columns, times, rows, done)
            times[done] = now
        done, k = done + 1, k + 1.0
    limits[RECORDED] = end
    return done


@inner
def _goal(work, end, limits):
    """Time that the next step is to end at: as the accuracy allows; a sample and the end of the run are met as numbers.

    What is left to them is shared out evenly. A jump that is known within their rounding is where they are.
    """
    m, time = work.machine, work.memory[Memory.TIME]
    target = jump_at(m, min(end, next_sample(m)), limits[SMALLEST])
    h, left = min(limits[NEXT], limits[LARGEST]), target - time
    if h > NEARLY * left:
        return target
    return time + (0.5 * left if h > 0.5 * left else h)


@inner
def _restart(work, goal, limits):
    """The scheme after an event, and how far it is to go: what was short enough before need not be so after it."""
    m, memory = work.machine, work.memory
    goal = min(goal, memory[Memory.TIME] + limits[AFTER_EVENT], next_jump(m, memory[Memory.TIME]))
    return restart(work, goal - memory[Memory.TIME], 0.0), goal


@inner
def _try(work, goal, limits):
    """One attempt towards the goal, as far as to the next jump or impact: its status, whether time went on, its error.

    The error is that of the prescribed motions, over the accuracy: above 1 nothing is done.
    """
    m, memory, time = work.machine, work.memory, work.memory[Memory.TIME]
    before, jump = look_ahead(work, goal, goal - time)
    if not jump > 0.0:
        advance(work, goal - time, goal)  # a drive is no number; what it makes of the model is looked at
        return NOT_FINITE, True, 0.0
    end = min(goal, jump)
    if not end - time > TIME_ROUNDING * (goal - time):
        memory[Memory.TIME], memory[Memory.EVENT] = end, 1.0
        return OK, False, 0.0
    if jump <= goal:
        set_time(m, before)
    size = _motion_error(m, end - time) / limits[ACCURACY]
    if size > 1.0 and end - time > NEGLIGIBLE * limits[LARGEST]:
        set_time(m, time)
        return OK, True, size
    status = attempt_to_impact(work, end - time, min(before, end))
    if status == OK and memory[Memory.EVENT] == 0.0 and has_arrived(memory, end, goal - time):
        memory[Memory.TIME] = end
        memory[Memory.EVENT] = 1.0 if jump <= goal else 0.0
    return status, status != OK or memory[Memory.TIME] > time, min(size, 1.0)


@inner
def _refused(work, size, h, limits):
    """Whether a step was too inexact, of an error over the accuracy; tells the next step."""
    factor = SAFETY * (1.0 / max(size, SMALLEST_ERROR)) ** (1.0 / work.machine.error_order)
    # what is cut short by a jump or by the end has no shorter step; anything else asks for more than there is
    if size <= 1.0 or (h <= limits[SMALLEST] and h < limits[NEXT]):
        if factor > SMALLEST_GAIN or factor < 1.0:  # small gains are not worth a new factorisation
            limits[NEXT] = h * min(factor, LARGEST_GAIN)
        return False
    limits[NEXT] = h * max(factor, LARGEST_CUT)
    return True


@inner
def _undo(work, old, time):
    """A step that was refused, which began at that time after another of size old."""
    m, memory = work.machine, work.memory
    undo(work)
    memory[Memory.TIME], memory[Memory.STEP] = time, old
    set_time(m, time)
    note_drives(m)
    work.counters[Counter.REJECTED] += 1


@inner
def _adapt(work, end, count, limits, interval, columns, times, rows):
    """Up to `count` accepted steps towards `end`, each as large as the accuracy allows; records every one.

    limits: by `codes.Limit`. Returns (status, steps, rows).
    interval: of the records, which are then between the steps, and counted instead of them: there must be room for
    those of a longest step more. 0: each step is recorded.
    """
    memory = work.memory
    memory[Memory.GOAL], done = 0.0, 0
    while done < count and end - memory[Memory.TIME] > limits[SMALLEST]:
        memory[Memory.WHOLE] = limits[AFTER_EVENT]
        status = begin(work, min(limits[NEXT], limits[LARGEST]))
        if status != OK:
            return status, done, done
        goal = _goal(work, end, limits)
        if memory[Memory.EVENT] != 0.0:
            status, goal = _restart(work, goal, limits)
            if status == OK and memory[Memory.EVENT] != 0.0:
                continue
        old, time, tried, moved, size = memory[Memory.STEP], memory[Memory.TIME], status == OK, True, 0.0
        impacts = work.counters[Counter.IMPACTS]
        if tried:
            status, moved, size = _try(work, goal, limits)
        if not moved:  # an impact, or a jump, as it begins
            continue
        h = memory[Memory.TIME] - time if memory[Memory.TIME] > time else goal - time
        if size > 1.0:
            _refused(work, size, h, limits)
            continue
        if status == OK:
            if not _refused(work, max(size, error(work, h, old, limits[ACCURACY])), h, limits):
                count_step(work)
                if interval == 0.0:
                    record(work, columns, times, rows, done)
                    done += 1
                else:
                    done = record_between(work, time, h, old, limits, interval, columns, times, rows, done)
                continue
        elif status == BELOW_FLOOR and CUT_OF_A_FAILURE * h < limits[SMALLEST]:  # the state stays, to be looked at
            return status, done, done
        elif fails(status):
            limits[NEXT] = CUT_OF_A_FAILURE * h
        else:
            return status, done, done
        _undo(work, old, time)
        work.counters[Counter.IMPACTS] = impacts
        if tried:  # else what has happened before is not passed yet
            memory[Memory.EVENT] = 0.0
        if limits[NEXT] < limits[SMALLEST]:
            return STEP_TOO_SMALL, done, done
    if done != 0:
        publish(work)
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


def new_limits(accuracy: float, end: float, first: float, usual: float, start: float = 0.0) -> np.ndarray:
    """The array that `adapt` takes, of a run to `end` whose first step is that [s]; usual: that of one that starts.

    What follows an event is not tested before it is done: its short steps err by their square, so it is shorter by the
    fourth root of the accuracy. More would drown accelerations in rounding.
    """
    return np.array([accuracy, 1e-10 * end, 0.05 * end, first, usual * accuracy**0.25, start])
