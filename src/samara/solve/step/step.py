"""One time step, off line and in real time: from event to event, with sub-steps if it fails.

It uses verbs (`native.verbs`), the clock, jumps, samples and floors, and is independent of the formulation.
"""

from __future__ import annotations

import numpy as np

from samara.solve.contact.paths import keep_paths, may_pass, was_passed
from samara.solve.laws.samples import has_laws, take_samples
from samara.solve.native.clock import set_goal
from samara.solve.native.codes import (
    BELOW_FLOOR,
    GROWTH,
    INEXACT,
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    PASSED_THROUGH,
    SHORTER,
    STEP_TOO_SMALL,
    Counter,
)
from samara.solve.native.kernels import TIME, set_time
from samara.solve.native.verbs import accept, advance, begin_step, error, publish, restart, undo
from samara.solve.step.events import (
    END_MARGIN,
    JUMP_MARGIN,
    look_at_inputs,
    next_jump,
    note_drives,
    time_of_jump,
)
from samara.solve.step.step_size import (
    JUMP_PART,
    WHOLE_PART,
    fails,
    free_goal,
    is_exact,
    motion_error,
    shorter_free_step,
    shorter_part,
)
from samara.tracing.driver.driver_cache import driver, inner, routine

#: Part of a step that is lost in rounding of the time.
TIME_ROUNDING = 1e-9
#: How often a step is tried that must end at an impact.
MOST_TRIES = 5
#: What is left of a step after an event that fails, of what was left before.
CUT_AFTER_EVENT = 0.25


@inner
def is_below_floor(work):
    """Whether a state has fallen below what an element can bear."""
    m = work.machine
    if m.floors.places.size != 0:
        publish(work)
    for i in range(m.floors.places.size):
        if m.state[m.floors.places[i]] < m.floors.values[i]:
            return True
    return False


@inner
def _where_it_ends(work):
    """Whether a step that was found may end where it does."""
    if is_below_floor(work):
        return BELOW_FLOOR
    if may_pass(work.machine) and was_passed(work):
        return PASSED_THROUGH
    return OK


@inner
def attempt(work, h, at):
    """From the present time on by h, with drives taken at a time that may be a hair before its end."""
    m, memory = work.machine, work.memory
    if may_pass(m):
        set_time(m, memory.clock.time)
        keep_paths(work)
    status = advance(work, h, at)
    if status == OK:
        status = _where_it_ends(work)
    if status == OK:
        status = accept(work, h)
    if status == OK:
        _arrive(work, h)
    return status


@inner
def _arrive(work, h):
    """A step h has been found, and is taken."""
    work.memory.clock.time += h
    work.memory.clock.step = h
    note_drives(work.machine)


@routine
def attempt_to_impact(work, h, at):
    """The same, or as far as to the first impact within h."""
    m, memory, status = work.machine, work.memory, SHORTER
    memory.clock.tried = h
    for k in range(MOST_TRIES):
        status = attempt(work, h, at)
        if status != SHORTER:
            return status
        if k == MOST_TRIES - 1:  # it is met a little late
            break
        undo(work)
        set_time(m, memory.clock.time)
        if memory.clock.part == 0.0:
            memory.clock.event = True
            return OK
        if memory.clock.part > 0.0:
            h *= memory.clock.part
            at = memory.clock.time + h
    memory.clock.event = True
    _arrive(work, h)
    return OK


@routine
def start_anew(work, h, goal):
    """The scheme after an event; where it fails, by shorter and shorter steps, as short as is allowed.

    At a free size (h = 0) nodes without mass that rush to a new balance are left to short steps.
    """
    m, settings, memory, counters = work.machine, work.settings, work.memory, work.counters
    left = min(goal, next_jump(m, memory.clock.time)) - memory.clock.time
    least = h / settings.parts if h != 0.0 else work.limits.smallest
    status = restart(work, left, 1.0 if h != 0.0 else 0.0)
    while status == NOT_CONVERGED or status == NOT_FINITE:
        left *= CUT_AFTER_EVENT
        if left < least:
            break
        counters[Counter.DIVIDED] += 1
        undo(work)
        status = restart(work, left, 0.0)
    if h == 0.0:  # short steps resolve it
        memory.clock.rush = False
    return status


@inner
def begin(work, h):
    """What is done once in a step, before it may be taken in parts: discrete laws, inputs."""
    if has_laws(work.machine):
        status = take_samples(work)
        if status != OK:
            return status
    begin_step(work, h)
    look_at_inputs(work)
    return OK


@inner
def look_ahead(work, goal, h):
    """What there is to the goal: the last time before the first jump and the first after it, inf for none.

    Where next to nothing of the step h is left after the jump, it is at the goal. nan where a drive is no number.
    """
    m, memory = work.machine, work.memory
    before, jump = time_of_jump(m, memory.clock.time, goal)
    if abs(jump - goal) < END_MARGIN * h and not next_jump(m, jump) < goal:
        jump = goal
    return before, jump


@inner
def has_arrived(memory, end, h):
    """Whether the present time is the end of an attempt, but for rounding: one that ends before an impact is not."""
    return end - memory.clock.time <= JUMP_MARGIN * h + TIME_ROUNDING * h


@inner
def _set_goal(work, h):
    """Where the step ends that begins now."""
    memory = work.memory
    if h != 0.0:
        set_goal(work.machine, memory, h)
    else:
        memory.clock.goal = free_goal(work)
    memory.clock.longest = np.inf


@inner
def _take_back(work, impacts):
    """To where a part began that is not taken."""
    m, memory = work.machine, work.memory
    undo(work)
    memory.clock.time, memory.clock.step, memory.clock.event = memory.clock.began, memory.clock.before, False
    set_time(m, memory.clock.time)
    note_drives(m)
    work.counters[Counter.IMPACTS] = impacts


@inner
def _part(work, h, end, at):
    """From the present time to `end` or to an impact, drives at a time that may be a hair before: status.

    Where steps follow an accuracy (h = 0), INEXACT if the error is larger: prescribed motions tell before, all else
    after it.
    """
    m, memory, limits, size = work.machine, work.memory, work.limits, 0.0
    time, old, impacts = memory.clock.time, memory.clock.step, work.counters[Counter.IMPACTS]
    memory.clock.began, memory.clock.before = time, old
    if h == 0.0:
        if m.coef[TIME] != at:
            set_time(m, at)
        size = motion_error(m, end - time) / limits.accuracy
        if size > 1.0 and end - time > JUMP_PART * limits.largest and not is_exact(work, size, end - time):
            set_time(m, time)
            return INEXACT
    status = attempt_to_impact(work, end - time, at)
    if status != OK or h != 0.0 or memory.clock.time == time:
        return status
    taken = memory.clock.time - time
    if is_exact(work, max(min(size, 1.0), error(work, taken, old, limits.accuracy)), taken):
        return OK
    _take_back(work, impacts)
    return INEXACT


@inner
def _shorten(work, h, status, tried):
    """After a part of that size which was not taken: whether a shorter one is to be."""
    memory, counters = work.memory, work.counters
    if h == 0.0:
        short = shorter_free_step(work, status, tried)
        counters[Counter.REJECTED] += 1
    else:
        short = shorter_part(work, status, tried, h)
        counters[Counter.DIVIDED] += short > 0.0 and memory.clock.longest == np.inf
        memory.clock.longest = short if short > 0.0 else memory.clock.longest
    return short > 0.0


@inner
def _go_on(work, h, goal):
    """One part towards the goal, as far as to the next jump of a drive or to an impact; a shorter one if it fails."""
    memory = work.memory
    whole = h if h != 0.0 else goal - memory.clock.time
    before, jump = look_ahead(work, goal, whole)
    if not jump > 0.0:  # a drive is no number; what it makes of the model is looked at
        advance(work, goal - memory.clock.time, goal)
        return NOT_FINITE
    end, at = (goal, goal) if jump > goal else (jump, before)
    if end - memory.clock.time > TIME_ROUNDING * whole:
        impacts, part = work.counters[Counter.IMPACTS], memory.clock.longest
        if part < WHOLE_PART * (end - memory.clock.time):  # no sliver is left that rounding of the time makes
            end = at = memory.clock.time + part
        tried = end - memory.clock.time
        status = _part(work, h, end, at)
        if status == GROWTH:
            return status
        if status != OK:
            if _shorten(work, h, status, tried):
                if status != INEXACT:  # else it is back already
                    _take_back(work, impacts)
                memory.clock.goal = goal if h != 0.0 else free_goal(work)
                return OK
            if h == 0.0 and fails(status) and status != BELOW_FLOOR:  # which is looked at
                _take_back(work, impacts)
                status = INEXACT
            return STEP_TOO_SMALL if status == INEXACT else status
        if memory.clock.event:
            return OK
    if jump <= goal and has_arrived(memory, jump, whole):
        memory.clock.time, memory.clock.event = jump, True
    return OK


@inner
def count_step(work):
    """A step is done."""
    work.memory.clock.started = True
    work.counters[Counter.STEPS] += 1


@driver
def undo_attempt(work):
    """`undo`, for Python."""
    undo(work)


@driver
def step(work, h):
    """One step of size h, or what is left of one that was interrupted: from event to event.

    h = 0: one that follows an accuracy (`step_size`); each part of it that is taken is a step.
    """
    memory, limits = work.memory, work.limits
    if memory.clock.goal == 0.0:
        memory.clock.whole = h if h != 0.0 else limits.after_event
        status = begin(work, h if h != 0.0 else min(limits.next, limits.largest))
        if status != OK:
            return status
        _set_goal(work, h)
    begun = memory.clock.time
    while memory.clock.goal - memory.clock.time > TIME_ROUNDING * h:
        if memory.clock.event:
            if h == 0.0:  # what was short enough before need not be so after it
                memory.clock.goal = min(memory.clock.goal, memory.clock.time + limits.after_event)
            status = start_anew(work, h, memory.clock.goal)
            if status != OK:
                return status
            if memory.clock.event:  # an impact that has turned nothing is taken again
                continue
            begun = memory.clock.time
        status = _go_on(work, h, memory.clock.goal)
        if status != OK:
            return status
        if h == 0.0 and memory.clock.time > begun and memory.clock.began >= begun:  # a part, not a jump at once
            break
    if h != 0.0:
        memory.clock.time = memory.clock.goal
    memory.clock.goal = 0.0
    count_step(work)
    return OK
