"""One time step, off-line and in real time: from event to event, in parts where it fails.

Knows verbs (`native.verbs`), the clock, jumps, samples and floors, and no formulation.
"""

from __future__ import annotations

from samara.solve.contact.paths import KEEP, PASSED, ask_paths, may_pass
from samara.solve.laws.samples import has_laws, take_samples
from samara.solve.native.clock import set_goal
from samara.solve.native.codes import (
    BELOW_FLOOR,
    GROWTH,
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    PASSED_THROUGH,
    SHORTER,
    SINGULAR,
    Counter,
    Memory,
    Setting,
)
from samara.solve.native.kernels import set_time
from samara.solve.native.verbs import accept, advance, begin_step, publish, restart, undo
from samara.solve.step.events import (
    END_MARGIN,
    JUMP_MARGIN,
    look_at_inputs,
    next_jump,
    note_drives,
    time_of_jump,
)
from samara.tracing.driver.driver_cache import driver, inner, routine

#: Part of a step that is lost in rounding of the time.
TIME_ROUNDING = 1e-9
#: How often a step is tried that must end at an impact.
MOST_TRIES = 5
#: What is left of a step after an event that fails, of what was left before.
CUT_AFTER_EVENT = 0.25


@inner
def fails(status):
    """Whether shorter steps may do what this one did not."""
    return status == NOT_CONVERGED or status == NOT_FINITE or status == SINGULAR or is_too_long(status)


@inner
def is_too_long(status):
    """Whether a step has ended where it must not because it was too long, however it was found."""
    return status == BELOW_FLOOR or status == PASSED_THROUGH


@inner
def is_below_floor(work):
    """Whether a state has fallen below what an element can bear."""
    m = work.machine
    if m.bounded.size != 0:
        publish(work)
    for i in range(m.bounded.size):
        if m.state[m.bounded[i]] < m.floors[i]:
            return True
    return False


@inner
def _where_it_ends(work):
    """Whether a step that was found may end where it does."""
    if is_below_floor(work):
        return BELOW_FLOOR
    if may_pass(work.machine) and ask_paths(work, PASSED) != 0.0:
        return PASSED_THROUGH
    return OK


@inner
def attempt(work, h, at):
    """From the present time on by h, with drives taken at a time that may be a hair before its end."""
    m, memory = work.machine, work.memory
    if may_pass(m):
        set_time(m, memory[Memory.TIME])
        ask_paths(work, KEEP)
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
    work.memory[Memory.TIME] += h
    work.memory[Memory.STEP] = h
    note_drives(work.machine)


@routine
def attempt_to_impact(work, h, at):
    """The same, or as far as to the first impact within h."""
    m, memory, status = work.machine, work.memory, SHORTER
    memory[Memory.TRIED] = h
    for k in range(MOST_TRIES):
        status = attempt(work, h, at)
        if status != SHORTER:
            return status
        if k == MOST_TRIES - 1:  # it is met a little late
            break
        undo(work)
        set_time(m, memory[Memory.TIME])
        if memory[Memory.PART] == 0.0:
            memory[Memory.EVENT] = 1.0
            return OK
        if memory[Memory.PART] > 0.0:
            h *= memory[Memory.PART]
            at = memory[Memory.TIME] + h
    memory[Memory.EVENT] = 1.0
    _arrive(work, h)
    return OK


@routine
def divide(work, h, at):
    """A step that failed, in parts: halves of halves, as short as is allowed; as far as to an impact."""
    settings, memory, counters = work.settings, work.memory, work.counters
    counters[Counter.DIVIDED] += 1
    undo(work)
    part, end, status = 0.5 * h, memory[Memory.TIME] + h, OK
    while end - memory[Memory.TIME] > TIME_ROUNDING * h:
        left = end - memory[Memory.TIME]
        last = part > (1.0 - TIME_ROUNDING) * left
        short = left if last else part
        status = attempt_to_impact(work, short, at if last else memory[Memory.TIME] + short)
        if status == OK:
            if memory[Memory.EVENT] != 0.0:
                return OK
            continue
        part = 0.5 * part
        if status == GROWTH or part * settings[Setting.PARTS] < h:
            return status
        undo(work)
    return OK


@routine
def start_anew(work, h, goal):
    """The scheme after an event; where it fails, by shorter and shorter steps, as short as is allowed."""
    m, settings, memory, counters = work.machine, work.settings, work.memory, work.counters
    left = min(goal, next_jump(m, memory[Memory.TIME])) - memory[Memory.TIME]
    status = restart(work, left, 1.0)
    while status == NOT_CONVERGED or status == NOT_FINITE:
        left *= CUT_AFTER_EVENT
        if left * settings[Setting.PARTS] < h:
            break
        counters[Counter.DIVIDED] += 1
        undo(work)
        status = restart(work, left, 1.0)
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
    before, jump = time_of_jump(m, memory[Memory.TIME], goal)
    if abs(jump - goal) < END_MARGIN * h and not next_jump(m, jump) < goal:
        jump = goal
    return before, jump


@inner
def has_arrived(memory, end, h):
    """Whether the present time is the end of an attempt, but for rounding: one that ends before an impact is not."""
    return end - memory[Memory.TIME] <= JUMP_MARGIN * h + TIME_ROUNDING * h


@inner
def advance_to_next_event(work, h, goal):
    """From the present time to the next jump of a drive, or to the end of the step; in parts where that fails."""
    m, settings, memory = work.machine, work.settings, work.memory
    before, jump = look_ahead(work, goal, h)
    if not jump > 0.0:  # a drive is no number; what it makes of the model is looked at
        advance(work, goal - memory[Memory.TIME], goal)
        return NOT_FINITE
    part, at = (goal - memory[Memory.TIME], goal) if jump > goal else (jump - memory[Memory.TIME], before)
    if part > TIME_ROUNDING * h:
        status = attempt_to_impact(work, part, at)
        if fails(status) and settings[Setting.PARTS] > 1.0 and (m.iterates != 0 or is_too_long(status)):
            status = divide(work, part, at)
        if status != OK or memory[Memory.EVENT] != 0.0:
            return status
    if jump <= goal and has_arrived(memory, jump, h):
        memory[Memory.TIME], memory[Memory.EVENT] = jump, 1.0
    return OK


@inner
def count_step(work):
    """A step is done."""
    work.memory[Memory.STARTED] = 1.0
    work.counters[Counter.STEPS] += 1


@driver
def take_back(work):
    """`undo`, for Python."""
    undo(work)


@driver
def step(work, h):
    """One step of size h, or what is left of one that was interrupted: from event to event."""
    memory = work.memory
    if memory[Memory.GOAL] == 0.0:
        memory[Memory.WHOLE] = h
        status = begin(work, h)
        if status != OK:
            return status
        set_goal(work.machine, memory, h)
    goal = memory[Memory.GOAL]
    while goal - memory[Memory.TIME] > TIME_ROUNDING * h:
        if memory[Memory.EVENT] != 0.0:
            status = start_anew(work, h, goal)
            if status != OK:
                return status
            if memory[Memory.EVENT] != 0.0:  # an impact that has turned nothing is taken again
                continue
        status = advance_to_next_event(work, h, goal)
        if status != OK:
            return status
    memory[Memory.TIME], memory[Memory.GOAL] = goal, 0.0
    count_step(work)
    return OK
