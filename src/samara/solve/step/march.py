"""Many steps in one native call: one loop, with a fixed or adaptive step."""

from __future__ import annotations

import numpy as np

from samara.solve.native.clock import fraction, instant
from samara.solve.native.codes import OK
from samara.solve.native.kernels import TIME, set_time
from samara.solve.native.outputs import outputs
from samara.solve.native.subnormals import FLUSH, control_word, set_control_word
from samara.solve.native.verbs import check, publish, show
from samara.solve.step.step import step
from samara.tracing.driver.driver_cache import driver, inner, routine

#: Part of an interval of records that is rounding.
RECORD_ROUNDING = 1e-9
#: Arguments of a run that records nothing: columns, times, rows.
UNRECORDED = (np.zeros(0, np.int64), np.zeros(1), np.zeros((1, 0)))


@driver
def record(work, columns, times, rows, k):
    """Writes the chosen measures at the present state as row k: status.

    The last of `out` is the constraint violation.
    """
    m = work.machine
    status = outputs(work)
    m.scratch.out[m.scratch.out.size - 1] = check(work)
    times[k] = work.memory.clock.time
    for i in range(columns.size):
        rows[k, i] = m.scratch.out[columns[i]]
    return status


@inner
def _record_part(work, time, h, old, now, columns, times, rows, k):
    """Records the state at a time `now` within the last step of size h, begun at `time` after one of old, as row k."""
    m, memory = work.machine, work.memory
    end = memory.clock.time
    show(work, (now - time) / h, h, old)
    set_time(m, now)
    memory.clock.time = now
    record(work, columns, times, rows, k)
    memory.clock.time = end
    show(work, 1.0, h, old)
    m.coef[TIME] = end


@routine
def record_between(work, columns, times, rows, done):
    """Records at whole intervals to the end of the last step; how many rows there are then.

    Of the short steps with which the scheme starts anew after an event nothing is kept: the step after them is extended
    backwards.
    """
    memory, limits = work.memory, work.limits
    time, old, interval = memory.clock.began, memory.clock.before, limits.interval
    h = memory.clock.time - time
    p, q = fraction(interval)
    k, end = np.floor(limits.recorded / interval + RECORD_ROUNDING) + 1.0, memory.clock.time
    while instant(0.0, k, p, q) <= end + RECORD_ROUNDING * interval:
        now = instant(0.0, k, p, q)
        if now < end - RECORD_ROUNDING * h:
            _record_part(work, time, h, old, now, columns, times, rows, done)
        else:
            record(work, columns, times, rows, done)
            times[done] = now
        done, k = done + 1, k + 1.0
    limits.recorded = end
    return done


@inner
def _march(work, h, count, every, phase, columns, times, rows):
    """As `march`."""
    memory, limits, written, done, status = work.memory, work.limits, 0, 0, OK
    between = h == 0.0 and limits.interval != 0.0
    if h == 0.0:
        memory.clock.goal = 0.0
    while (written if between else done) < count:
        if h == 0.0 and not limits.end - memory.clock.time > limits.smallest:
            break
        status = step(work, h)
        if status != OK:
            break
        done += 1
        phase += 1
        if between:
            written = record_between(work, columns, times, rows, written)
        elif phase == every:
            status = record(work, columns, times, rows, written)
            written, phase = written + 1, 0
            if status != OK:
                break
    if done != 0 and status == OK:
        status = publish(work)
    return status, done, written


@driver
def march(work, h, count, every, phase, columns, times, rows):
    """Up to `count` steps of size h; records every `every`-th. Returns (status, steps done, rows written).

    h = 0: steps follow an accuracy, by `StepLimits`, to the end that is set there. If it has an interval of records,
    these are between the steps, and counted instead of them: there must be room for those of a longest step more.
    Subnormal numbers are taken as zero.
    """
    before = control_word()
    set_control_word(np.uint32(before | FLUSH))
    result = _march(work, h, count, every, phase, columns, times, rows)
    set_control_word(before)
    return result
