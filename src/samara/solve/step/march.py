"""Many steps in one native call: march at a fixed step, or with the step chosen by the local error."""

from __future__ import annotations

import numpy as np

from samara.solve.contact.calls import MOST_ROUNDS, SHOW, ask_contacts, has_contacts
from samara.solve.laws.samples import next_sample
from samara.solve.native.clock import fraction, instant, jump_at
from samara.solve.native.codes import BELOW_FLOOR, NOT_FINITE, OK, STEP_TOO_SMALL, Counter, Limit, Memory
from samara.solve.native.kernels import TIME, residual, set_time
from samara.solve.native.subnormals import FLUSH, control_word, set_control_word
from samara.solve.step.events import drive_gap, next_jump, note_drives, restart
from samara.solve.step.local_error import local_error
from samara.solve.step.scheme import POSE, show_part, take_back
from samara.solve.step.step import TIME_ROUNDING, accept, attempt_to_impact, begin, fails, has_arrived, look_ahead, step
from samara.solve.tree.machine import FRESH
from samara.solve.tree.outputs import outputs
from samara.solve.tree.stepping import publish, show_between, show_end, tree_error
from samara.system.blocks import (
    ETA,
    SIZE,
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
#: Largest angle that anything turns by in a step [rad]: a dozen steps per turn, or loads that come once per turn are
#: passed over; polynomials that stand for rotations are exact to rounding up to 1 rad (`samara.rotations`).
MOST_TURN = 0.5
#: Part of the largest step in which prescribed motions need not be smooth: one that jumps a little is passed.
NEGLIGIBLE = 1e-6
#: What is left of a step at least that was too inexact, and of one that failed.
LARGEST_CUT, CUT_OF_A_FAILURE = 0.2, 0.25
#: Part of an interval of records that is rounding.
SLIGHTLY = 1e-9
#: Arguments of a run that records nothing: columns, times, rows.
UNRECORDED = (np.zeros(0, np.int64), np.zeros(1), np.zeros((1, 0)))
#: Interval of records, and room for the state meanwhile, where each step is recorded.
EACH_STEP = (0.0, np.zeros(0))


@routine
def _turn(m, h):
    """Largest angle that anything turns by within h [rad]: nodes, also those that are prescribed, joints of a tree."""
    fastest, tree, width = 0.0, m.tree, m.width
    for g in range(m.free_groups if tree.method != 0 else 0, m.states_base // (SIZE * width)):
        for k in range((g * SIZE + ETA + 3) * width, (g * SIZE + ETA + 6) * width):
            fastest = max(fastest, abs(m.state[k]))
    for k in range(tree.moving.shape[0]):
        if tree.moving[k, 2] == 1 and tree.factors[k, 2] == 0.0:
            fastest = max(fastest, abs(tree.block[tree.moving[k, 0]]))
    for k in range(tree.spins.size):
        fastest = max(fastest, abs(m.state[tree.spins[k]]))
    return fastest * h


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
    if m.tree.method == 0:  # polynomials stand for rotations there
        memory[Memory.TURN] = max(memory[Memory.TURN], _turn(m, memory[Memory.STEP]))
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
def _error(work, h, old, limits):
    """Of the last step h, after one of size old, over the accuracy; more than 1 also where something turns too far."""
    m = work.machine
    if m.tree.method != 0:
        error, order = tree_error(m, h), float(m.tree.order)
    else:
        error, order = max(local_error(work, h, old), m.contacts.flights.error[0]), 3.0
    return max(error / limits[ACCURACY], (_turn(m, h) / MOST_TURN) ** order)


@inner
def _record_part(work, time, h, old, now, kept, columns, times, rows, k):
    """Records the state at a time `now` within the last step of size h, begun at `time` after one of old, as row k."""
    m, memory = work.machine, work.memory
    end, part = memory[Memory.TIME], (now - time) / h
    memory[Memory.TIME] = now
    if m.tree.method != 0:
        fresh = m.tree.status[FRESH]
        show_between(m, time, h, part)
        record(m, memory, columns, times, rows, k)
        show_end(m, end, fresh)
    else:
        show_part(m, part, h, old, kept)
        if has_contacts(m):
            m.contacts.step[0] = part
            ask_contacts(work, SHOW)
        set_time(m, now)
        record(m, memory, columns, times, rows, k)
        for i in range(kept.size):
            m.state[i] = kept[i]
        m.coef[TIME] = end
    memory[Memory.TIME] = end


@routine
def record_between(work, time, h, old, limits, interval, kept, columns, times, rows, done):
    """Records at whole intervals to the end of the last step of size h, which began at `time`; how many there are then.

    Of the short steps with which the scheme starts anew after an event nothing is kept: the step after them is extended
    backwards.
    """
    m, memory = work.machine, work.memory
    p, q = fraction(interval)
    k, end = np.floor(limits[RECORDED] / interval + SLIGHTLY) + 1.0, memory[Memory.TIME]
    while instant(0.0, k, p, q) <= end + SLIGHTLY * interval:
        now = instant(0.0, k, p, q)
        if now < end - SLIGHTLY * h:
            _record_part(work, time, h, old, now, kept, columns, times, rows, done)
        else:
            record(m, memory, columns, times, rows, done)
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
    status = restart(work, goal - memory[Memory.TIME])
    memory[Memory.RUSH] = 0.0  # short steps resolve it
    return status, goal


@inner
def _try(work, goal, limits):
    """One attempt towards the goal, as far as to the next jump or impact: its status, whether time went on, its error.

    The error is that of the prescribed motions, over the accuracy: above 1 nothing is done.
    """
    m, memory, time = work.machine, work.memory, work.memory[Memory.TIME]
    before, jump = look_ahead(work, goal, goal - time)
    if not jump > 0.0:
        return NOT_FINITE, True, 0.0
    end, error = min(goal, jump), 0.0
    if not end - time > TIME_ROUNDING * (goal - time):
        memory[Memory.TIME], memory[Memory.EVENT] = end, 1.0
        return OK, False, 0.0
    if m.tree.method == 0:  # the formulas of trees look at them on the way
        if jump <= goal:
            set_time(m, before)
        error = _motion_error(m, end - time) / limits[ACCURACY]
        if error > 1.0 and end - time > NEGLIGIBLE * limits[LARGEST]:
            set_time(m, time)
            return OK, True, error
    status = attempt_to_impact(work, end - time, min(before, end))
    if status == OK and memory[Memory.EVENT] == 0.0 and has_arrived(memory, end, goal - time):
        memory[Memory.TIME] = end
        memory[Memory.EVENT] = 1.0 if jump <= goal else 0.0
    return status, status != OK or memory[Memory.TIME] > time, min(error, 1.0)


@inner
def _refused(work, error, h, limits):
    """Whether a step was too inexact, of an error over the accuracy; tells the next step."""
    m = work.machine
    order = float(m.tree.order) if m.tree.method != 0 else 3.0
    factor = SAFETY * (1.0 / max(error, SMALLEST_ERROR)) ** (1.0 / order)
    # what is cut short by a jump or by the end has no shorter step; anything else asks for more than there is
    if error <= 1.0 or (h <= limits[SMALLEST] and h < limits[NEXT]):
        if factor > SMALLEST_GAIN or factor < 1.0:  # small gains are not worth a new factorisation
            limits[NEXT] = h * min(factor, LARGEST_GAIN)
        return False
    limits[NEXT] = h * max(factor, LARGEST_CUT)
    return True


@inner
def _undo(work, old, time):
    """A step that was refused, which began at that time after another of size old."""
    m, memory = work.machine, work.memory
    take_back(m)
    memory[Memory.TIME], memory[Memory.STEP] = time, old
    set_time(m, time)
    note_drives(m)
    work.counters[Counter.REJECTED] += 1


@inner
def _adapt(work, end, count, limits, interval, kept, columns, times, rows):
    """Up to `count` accepted steps towards `end`, each as large as the accuracy allows; records every one.

    limits: by `codes.Limit`. Returns (status, steps, rows).
    interval: of the records, which are then between the steps, and counted instead of them: there must be room for
    those of a longest step more. 0: each step is recorded. kept: room for the state in redundant coordinates.
    """
    m, memory = work.machine, work.memory
    memory[Memory.GOAL], done = 0.0, 0
    while done < count and end - memory[Memory.TIME] > limits[SMALLEST]:
        status = begin(work, min(limits[NEXT], limits[LARGEST]))
        if status != OK:
            return status, done, done
        goal = _goal(work, end, limits)
        m.contacts.step[1] = limits[AFTER_EVENT]
        if memory[Memory.EVENT] != 0.0:
            status, goal = _restart(work, goal, limits)
            if status == OK and memory[Memory.EVENT] != 0.0:
                continue
        old, time, tried, moved, error = memory[Memory.STEP], memory[Memory.TIME], status == OK, True, 0.0
        impacts = work.counters[Counter.IMPACTS]
        if tried:
            status, moved, error = _try(work, goal, limits)
        if not moved:  # an impact, or a jump, as it begins
            continue
        h = memory[Memory.TIME] - time if memory[Memory.TIME] > time else goal - time
        if error > 1.0:
            _refused(work, error, h, limits)
            continue
        if status == OK:
            if not _refused(work, max(error, _error(work, h, old, limits)), h, limits):
                accept(work)
                if interval == 0.0:
                    record(m, memory, columns, times, rows, done)
                    done += 1
                else:
                    done = record_between(work, time, h, old, limits, interval, kept, columns, times, rows, done)
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
def adapt(work, end, count, limits, interval, kept, columns, times, rows):
    """`_adapt`, with subnormal numbers taken as zero."""
    before = control_word()
    set_control_word(np.uint32(before | FLUSH))
    rounds = work.machine.contacts.flights.rounds
    rounds[0] = 1 if interval != 0.0 else MOST_ROUNDS  # what is shown on the way is known before and after one impact
    result = _adapt(work, end, count, limits, interval, kept, columns, times, rows)
    rounds[0] = MOST_ROUNDS
    set_control_word(before)
    return result


def new_limits(accuracy: float, end: float, first: float, usual: float, start: float = 0.0) -> np.ndarray:
    """The array that `adapt` takes, of a run to `end` whose first step is that [s]; usual: that of one that starts.

    What follows an event is not tested before it is done: its short steps err by their square, so it is shorter by the
    fourth root of the accuracy. More would drown accelerations in rounding.
    """
    return np.array([accuracy, 1e-10 * end, 0.05 * end, first, usual * accuracy**0.25, start])
