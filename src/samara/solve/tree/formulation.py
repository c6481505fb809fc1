"""Trees in minimal coordinates as tables of verbs (`native.verbs`), one for each kind of formula."""

from __future__ import annotations

from typing import Any

from samara.solve.native.codes import OK, Counter
from samara.solve.native.kernels import set_time
from samara.solve.native.outputs import violation
from samara.solve.step.events import note_drives
from samara.solve.step.turn import largest_spin, turned_too_far
from samara.solve.tree import stepping
from samara.solve.tree.jumps import jump, prescribed_jump
from samara.solve.tree.machine import FRESH, IS_VELOCITY, LEVEL, PLACE, SPEED
from samara.solve.tree.newton import keep_past, note_before, rewrite_past, step_implicit
from samara.solve.tree.schemes import EXPLICIT, IMPLICIT, SEMI_IMPLICIT, TIME_STEPPING
from samara.solve.tree.stepping import (
    close_loops,
    derive,
    end_status,
    evaluate,
    note_worst,
    remember,
    show_between,
    show_end,
    step_tree,
    take_back_tree,
    tree_error,
)
from samara.solve.tree.time_stepping import step_through_contacts
from samara.tracing.driver.driver_cache import inner, routine


@inner
def begin_try(work):
    """Derivatives where the step begins, and all that is taken back."""
    m, memory = work.machine, work.memory
    note_worst(memory, 0.0, -1)
    if m.tree.status[FRESH] == 0:
        evaluate(m, memory.clock.time)
    remember(m.tree)


@inner
def end_try(work, status):
    """A try that failed has no past that could be looked at."""
    if status != OK:
        take_back_tree(work.machine)
    return status


@routine
def _explicit(work, h, at):
    begin_try(work)
    return end_try(work, step_tree(work.machine, work.memory, h, at))


@routine
def _implicit(work, h, at):
    m = work.machine
    begin_try(work)
    keep_past(m.tree)
    status = step_implicit(work, h, at)
    if status == OK:
        if m.tree.kernels.project != 0:
            close_loops(m)
        evaluate(m, at)  # the next step begins with it
        m.tree.status[FRESH] = 1
        status = end_status(m, work.memory)
    return end_try(work, status)


@routine
def _time_stepping(work, h, at):
    begin_try(work)
    return end_try(work, step_through_contacts(work, h, at))


@routine
def undo(work):
    """The block as it was at the beginning of the step."""
    take_back_tree(work.machine)
    return OK


@routine
def restart(work, h, relaxes):
    """A formula of one step has no past: derivatives are those of now."""
    m, memory = work.machine, work.memory
    set_time(m, memory.clock.time)
    jumped = prescribed_jump(m)
    if jumped != 0:
        work.counters[Counter.LEAPS] += jumped == 2
        jump(m, jumped == 2)
    m.tree.status[FRESH] = 0
    note_drives(m)
    memory.clock.step = memory.clock.event = 0.0
    work.counters[Counter.EVENTS] += 1
    return OK


@routine
def respond(work, change):
    """Derivatives are evaluated anew; prescribed motions may jump a little."""
    m = work.machine
    m.tree.status[FRESH] = 0
    jumped = prescribed_jump(m) if change > 0.0 else 0
    if jumped != 0:
        jump(m, jumped == 2)
    return OK


@routine
def _respond_implicit(work, change):
    """The same; a formula of two steps sees no jump, for its past is written anew."""
    m, memory = work.machine, work.memory
    if m.tree.status[FRESH] == 0:
        derive(m)  # drives in the block are those of before
    note_before(m.tree)
    respond(work, change)
    evaluate(m, memory.clock.time)
    m.tree.status[FRESH] = 1
    if memory.clock.step > 0.0:
        rewrite_past(m, memory.clock.step)
    return OK


@inner
def _largest_rate(m):
    """Of the joints, of what floats and of prescribed nodes [rad/s]."""
    tree = m.tree
    fastest = largest_spin(m, m.layout.free_groups)
    for k in range(tree.plan.moving.shape[0]):
        if tree.plan.moving[k, LEVEL] == SPEED and tree.plan.factors[k, IS_VELOCITY] == 0.0:
            fastest = max(fastest, abs(tree.block[tree.plan.moving[k, PLACE]]))
    for k in range(tree.plan.spins.size):
        fastest = max(fastest, abs(m.state[tree.plan.spins[k]]))
    return fastest


@routine
def error(work, h, old, accuracy):
    """By the embedded formula, over the accuracy; more than 1 also where something turns too far."""
    m, tree = work.machine, work.machine.tree
    fastest = _largest_rate(m)
    size, row = tree_error(m, h)
    note_worst(work.memory, size, row)
    return max(size / accuracy, turned_too_far(fastest * h, float(tree.plan.order)))


@routine
def publish(work):
    """Nodes and states as the tree has them: status."""
    return stepping.publish(work.machine)


@routine
def check(work):
    """Violation of joints that close loops, all others hold by their coordinates; notes how far anything turns."""
    memory = work.memory
    memory.clock.turn = max(memory.clock.turn, _largest_rate(work.machine) * memory.clock.step)
    return violation(work.machine) if work.machine.tree.kernels.project != 0 else 0.0


@routine
def show(work, part, h, old):
    """The tree a part of the way through the last step, or at its end again."""
    m, end = work.machine, work.memory.clock.time
    if part == 1.0:
        show_end(m, end)
    else:
        show_between(m, end - h, h, part)
    return OK


@routine
def rehearse(work, h):
    """Derivatives at the end of a step that goes nowhere."""
    evaluate(work.machine, work.memory.clock.time + h)
    return OK


#: Verbs that do not depend on the formula.
COMMON: dict[str, Any] = {
    "undo": undo,
    "restart": restart,
    "respond": respond,
    "error": error,
    "publish": publish,
    "check": check,
    "show": show,
    "rehearse": rehearse,
}
#: Tables by the kind of the integrator (`schemes`).
VERBS: dict[int, dict[str, Any]] = {
    EXPLICIT: COMMON | {"advance": _explicit},
    SEMI_IMPLICIT: COMMON | {"advance": _explicit},
    IMPLICIT: COMMON | {"advance": _implicit, "respond": _respond_implicit},
    TIME_STEPPING: COMMON | {"advance": _time_stepping},
}
