"""One time step, off-line and in real time: predict, iterate, accept; through events; in parts where it fails."""

from __future__ import annotations

from samara.solve.contact.calls import (
    FLY,
    LOOK,
    NOTE,
    PART,
    UNSUITED,
    ask_contacts,
    has_contacts,
    step_tree_through_contacts,
)
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
    Counter,
    Memory,
    Setting,
)
from samara.solve.native.kernels import TIME, set_time
from samara.solve.step.carrier import SLIGHT, follow
from samara.solve.step.events import (
    END_MARGIN,
    JUMP_MARGIN,
    accelerate_massless,
    look_at_inputs,
    next_jump,
    note_drives,
    relax_massless,
    restart,
    time_of_jump,
)
from samara.solve.step.newton import BRISK_STEP, newton
from samara.solve.step.projection import ACCELERATION_CORRECTIONS, project
from samara.solve.step.renewal import learn
from samara.solve.step.scheme import (
    STEP,
    leave_out_accelerations,
    leave_out_velocities,
    predict,
    prepare,
    prepare_restart,
    take_back,
)
from samara.solve.tree.machine import FRESH
from samara.solve.tree.newton import step_implicit
from samara.solve.tree.schemes import IMPLICIT as _IMPLICIT
from samara.solve.tree.schemes import TIME_STEPPING as _TIME_STEPPING
from samara.solve.tree.stepping import close_loops, copy_drives, evaluate, publish, remember, step_tree
from samara.tracing.driver_cache import driver, inner, routine

IMPLICIT = int(_IMPLICIT)
TIME_STEPPING = int(_TIME_STEPPING)
#: Part of a step that is lost in rounding of the time.
TIME_ROUNDING = 1e-9
#: How often an impact is looked for at most.
MOST_TRIES = 4
#: What is left of a step after an event that fails, of what was left before.
SHORTER = 0.25


@inner
def fails(status):
    """Whether shorter steps may do what this one did not."""
    return status == NOT_CONVERGED or status == NOT_FINITE or is_too_long(status)


@inner
def is_too_long(status):
    """Whether a step has ended where it must not because it was too long, however it was found."""
    return status == BELOW_FLOOR or status == PASSED_THROUGH


@inner
def is_below_floor(m):
    """Whether a state has fallen below what an element can bear."""
    if m.bounded.size != 0 and m.tree.method != 0:
        publish(m)
    for i in range(m.bounded.size):
        if m.state[m.bounded[i]] < m.floors[i]:
            return True
    return False


@inner
def _where_it_ends(work):
    """Whether a step that was found may end where it does."""
    if is_below_floor(work.machine):
        return BELOW_FLOOR
    if may_pass(work.machine) and ask_paths(work, PASSED) != 0.0:
        return PASSED_THROUGH
    return OK


@inner
def converge(work, h, at, alpha):
    """From the present state to the one after h, by coefficients that are set; drives are taken at the time `at`.

    What does not converge is tried once more with new factors and without extrapolating accelerations, which may be
    wild; where it cannot be divided, at last by a formula that looks at no past, without extrapolating velocities
    either. What fails then stays as it is, to be looked at; `take_back` undoes it.
    """
    m, settings, memory, counters = work.machine, work.settings, work.memory, work.counters
    status, trials = OK, 2 if settings[Setting.PARTS] > 1.0 else 3
    for trial in range(trials):
        predict(m, alpha)
        if m.coef[TIME] != at:  # else whoever looked for jumps has set it
            set_time(m, at)
        status = newton(work, h, alpha)
        if trial == trials - 1 or (status != NOT_CONVERGED and status != NOT_FINITE):
            break
        counters[Counter.RETRIED] += 1
        take_back(m)
        if trial == 1:
            prepare_restart(m, settings, h)
            leave_out_velocities(m)
        leave_out_accelerations(m)
        memory[Memory.FACTORED_FOR] = 0.0
    return status


@inner
def _attempt_implicit(work, h, at):
    """Of a tree, by an implicit formula."""
    m, memory = work.machine, work.memory
    if m.tree.status[FRESH] == 0:
        evaluate(m, memory[Memory.TIME])
    remember(m.tree)
    status = step_implicit(m, work.settings, memory, work.counters, h, at)
    if m.tree.project != 0:
        close_loops(m)
    if m.tree.prescribed.shape[0] != 0:
        copy_drives(m)
    m.tree.status[FRESH] = 0
    return status


@inner
def _attempt_tree(work, h, at):
    """The same of a model in minimal coordinates."""
    m, memory = work.machine, work.memory
    if may_pass(m):
        ask_paths(work, KEEP)
    if m.tree.method == IMPLICIT:
        status = _attempt_implicit(work, h, at)
    elif m.tree.method == TIME_STEPPING:
        status = step_tree_through_contacts(work, h, at)
    else:
        status = step_tree(m, memory, h, at)
    if status == OK:
        status = _where_it_ends(work)
    if status == OK:
        memory[Memory.TIME] += h
        memory[Memory.STEP] = h
        note_drives(m)
    else:  # it has no past that could be looked at
        take_back(m)
    return status


@routine
def attempt(work, h, at):
    """From the present time on by h, with drives taken at a time that may be a hair before its end."""
    m, settings, memory, counters = work.machine, work.settings, work.memory, work.counters
    if m.tree.method != 0:
        return _attempt_tree(work, h, at)
    before = counters[Counter.ITERATIONS]
    if settings[Setting.PROJECT] != 0.0:  # a projection along constraints of the past would leak into the motion
        memory[Memory.FACTORED_FOR] = 0.0
    if has_contacts(m):
        m.contacts.step[0] = m.contacts.step[2] = h
        set_time(m, memory[Memory.TIME])  # whoever looked for jumps has been at the end
        ask_contacts(work, NOTE)
    if may_pass(m):
        set_time(m, memory[Memory.TIME])
        ask_paths(work, KEEP)
    alpha = prepare(m, settings, memory, h)
    status = converge(work, h, at, alpha)
    if status == OK:
        status = _where_it_ends(work)
    if status == OK:
        if settings[Setting.PROJECT] != 0.0 or memory[Memory.FIRST] != 0.0:
            project(work, ACCELERATION_CORRECTIONS)
            memory[Memory.FIRST] = 0.0
        if m.coasting.size != 0:
            accelerate_massless(m, h, alpha, counters[Counter.EVENTS] != 0)
        learn(memory, counters[Counter.ITERATIONS] - before)
        status = _go_through_impacts(work)
    if status == OK:
        memory[Memory.TIME] += h
        memory[Memory.STEP] = h
        note_drives(m)
    return status


@inner
def _go_through_impacts(work):
    """What hits in a step that was found: parts fly anew after it, or it is an event."""
    if not has_contacts(work.machine) or ask_contacts(work, LOOK) == 0.0:
        return OK
    status = int(ask_contacts(work, FLY))
    if status != UNSUITED:
        return status
    work.memory[Memory.EVENT] = 1.0
    return OK


@routine
def attempt_to_impact(work, h, at):
    """The same, or as far as to the first impact within h."""
    m, memory = work.machine, work.memory
    old, time = memory[Memory.STEP], memory[Memory.TIME]
    if has_contacts(m):
        m.contacts.step[3] = h
    status = attempt(work, h, at)
    if not has_contacts(m):
        return status
    for _ in range(MOST_TRIES):
        if status != OK or memory[Memory.EVENT] == 0.0:
            return status
        part = ask_contacts(work, PART)
        if part == 1.0:
            return OK
        take_back(m)
        memory[Memory.TIME], memory[Memory.STEP], memory[Memory.EVENT] = time, old, 0.0
        set_time(m, time)
        note_drives(m)
        if part == 0.0:
            memory[Memory.EVENT] = 1.0
            return OK
        if part > 0.0:
            h *= part
            at = time + h
        status = attempt(work, h, at)
    return status


@routine
def divide(work, h, at):
    """A step that failed, in parts: halves of halves, as short as is allowed; as far as to an impact."""
    m, settings, memory, counters = work.machine, work.settings, work.memory, work.counters
    counters[Counter.DIVIDED] += 1
    take_back(m)
    part, end, status = 0.5 * h, memory[Memory.TIME] + h, OK
    while end - memory[Memory.TIME] > TIME_ROUNDING * h:
        left = end - memory[Memory.TIME]
        last = part > (1.0 - TIME_ROUNDING) * left
        short = left if last else part
        status = attempt_to_impact(work, short, at if last else memory[Memory.TIME] + short)
        if status == OK:
            if has_contacts(m) and memory[Memory.EVENT] != 0.0:
                return OK
            continue
        part = 0.5 * part
        if status == GROWTH or part * settings[Setting.PARTS] < h:
            return status
        take_back(m)
    return OK


@routine
def start_anew(work, h, goal):
    """The scheme after an event; where it fails, by shorter and shorter steps, as short as is allowed."""
    m, settings, memory, counters = work.machine, work.settings, work.memory, work.counters
    left = min(goal, next_jump(m, memory[Memory.TIME])) - memory[Memory.TIME]
    end = memory[Memory.TIME] + left
    status = restart(work, left)
    if status == OK and memory[Memory.RUSH] != 0.0 and memory[Memory.EVENT] == 0.0:
        status = relax_massless(work, end)
    while status == NOT_CONVERGED or status == NOT_FINITE:
        left *= SHORTER
        if left * settings[Setting.PARTS] < h:
            break
        counters[Counter.DIVIDED] += 1
        take_back(m)
        status = restart(work, left)
    return status


@inner
def iterates(tree):
    """Whether a step is found by iteration: what an explicit formula makes infinite has grown over many steps."""
    return tree.method == 0 or tree.method == IMPLICIT or tree.method == TIME_STEPPING


@inner
def begin(work, h):
    """What is done once in a step, before it may be taken in parts: discrete laws, inputs, carriers."""
    m, settings, memory, status = work.machine, work.settings, work.memory, OK
    if has_laws(m):
        status = take_samples(work)
        if status != OK:
            return status
    if m.members.shape[0] != 0:
        m.coef[STEP] = memory[Memory.STEP]
        follow(m, SLIGHT * min(1.0, BRISK_STEP / h) * settings[Setting.SPEED_FLOOR])
    look_at_inputs(work)
    m.contacts.step[1] = h
    return status


@inner
def look_ahead(work, goal, h):
    """What there is to the goal: the last time before the first jump and the first after it, inf for none.

    Where next to nothing of the step h is left after the jump, it is at the goal. nan where a drive is no number.
    """
    m, memory = work.machine, work.memory
    before, jump = time_of_jump(m, memory[Memory.TIME], goal)
    if abs(jump - goal) < END_MARGIN * h and not next_jump(m, jump) < goal:
        jump = goal
    if not jump > 0.0:  # what it makes of the model is looked at
        if m.tree.method == 0:
            predict(m, prepare(m, work.settings, memory, goal - memory[Memory.TIME]))
        else:
            remember(m.tree)
    return before, jump


@inner
def has_arrived(memory, end, h):
    """Whether the present time is the end of an attempt, but for rounding: one that ends before an impact is not."""
    return end - memory[Memory.TIME] <= JUMP_MARGIN * h + TIME_ROUNDING * h


@inner
def go_on(work, h, goal):
    """From the present time to the next jump of a drive, or to the end of the step; in parts where that fails."""
    m, settings, memory = work.machine, work.settings, work.memory
    before, jump = look_ahead(work, goal, h)
    if not jump > 0.0:
        return NOT_FINITE
    part, at = (goal - memory[Memory.TIME], goal) if jump > goal else (jump - memory[Memory.TIME], before)
    if part > TIME_ROUNDING * h:
        status = attempt_to_impact(work, part, at)
        if fails(status) and settings[Setting.PARTS] > 1.0 and (iterates(m.tree) or is_too_long(status)):
            status = divide(work, part, at)
        if status != OK or memory[Memory.EVENT] != 0.0:
            return status
    if jump <= goal and has_arrived(memory, jump, h):
        memory[Memory.TIME], memory[Memory.EVENT] = jump, 1.0
    return OK


@inner
def accept(work):
    """A step is done."""
    work.memory[Memory.STARTED] = 1.0
    work.counters[Counter.STEPS] += 1


@driver
def step(work, h):
    """One step of size h, or what is left of one that was interrupted: from event to event."""
    memory = work.memory
    if memory[Memory.GOAL] == 0.0:
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
        status = go_on(work, h, goal)
        if status != OK:
            return status
    memory[Memory.TIME], memory[Memory.GOAL] = goal, 0.0
    accept(work)
    return OK
