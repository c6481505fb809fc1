"""The redundant formulation as a table of verbs (`native.verbs`): predict, iterate, accept; impacts within a step."""

from __future__ import annotations

from typing import Any

from samara.solve.contact.calls import (
    fly_anew,
    has_contacts,
    look_for_impacts,
    note_contacts,
    part_to_impact,
    show_flights,
)
from samara.solve.integrators.coefficients import leave_out_accelerations
from samara.solve.native.codes import NOT_CONVERGED, NOT_FINITE, OK, SHORTER, Counter
from samara.solve.native.kernels import TIME, copy, set_time
from samara.solve.native.outputs import violation
from samara.solve.redundant.carrier import SLIGHT_CHANGE, follow
from samara.solve.redundant.local_error import ERROR_ORDER, local_error
from samara.solve.redundant.newton import BRISK_STEP, evaluate_beforehand, newton
from samara.solve.redundant.projection import ACCELERATION_CORRECTIONS, project
from samara.solve.redundant.renewal import learn
from samara.solve.redundant.restart import accelerate_massless, respond, restart
from samara.solve.redundant.scheme import (
    STEP,
    leave_out_velocities,
    predict_together,
    prepare,
    prepare_restart,
    show_part,
    take_back,
)
from samara.solve.step.turn import largest_spin, turned_too_far
from samara.tracing.driver.driver_cache import inner, routine


@routine
def begin(work, h):
    """Carriers follow what they carry."""
    m = work.machine
    m.contacts.step[1], m.contacts.flights.crossed[0] = work.memory.clock.whole, 0
    if m.carriers.members.shape[0] != 0:
        m.coef[STEP] = work.memory.clock.step
        follow(m, SLIGHT_CHANGE * min(1.0, BRISK_STEP / h) * work.settings.speed_floor)
    return OK


@inner
def converge(work, h, at, alpha):
    """From the present state to the one after h, by coefficients that are set; drives are taken at the time `at`.

    What does not converge is tried once more with new factors and without extrapolating accelerations, which may be
    wild; where it cannot be divided, at last by a formula that looks at no past, without extrapolating velocities
    either. What fails then stays as it is, to be looked at; `undo` takes it back.
    """
    m, settings, memory, counters = work.machine, work.settings, work.memory, work.counters
    status, trials = OK, 2 if settings.parts > 1.0 else 3
    for trial in range(trials):
        predict_together(work, alpha)
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
        memory.trust.factored_for = 0.0
    return status


@routine
def advance(work, h, at):
    """From the present state to the one after h: predict, iterate. What fails stays as it is, to be looked at."""
    m, settings, memory, counters = work.machine, work.settings, work.memory, work.counters
    before = counters[Counter.ITERATIONS]
    if settings.project:  # a projection along constraints of the past would leak into the motion
        memory.trust.factored_for = 0.0
    if has_contacts(m):
        m.contacts.step[0] = m.contacts.step[2] = h
        m.contacts.step[3] = memory.clock.tried
        set_time(m, memory.clock.time)  # whoever looked for jumps has been at the end
        note_contacts(work)
    memory.clock.ratio = prepare(m, settings, memory, h)
    status = converge(work, h, at, memory.clock.ratio)
    if status == OK:
        learn(memory, counters[Counter.ITERATIONS] - before)
    return status


@routine
def accept(work, h):
    """Velocities on the constraints where that is wanted, accelerations of massless nodes, impacts."""
    m, memory = work.machine, work.memory
    if work.settings.project or memory.clock.first:
        project(work, ACCELERATION_CORRECTIONS)
        memory.clock.first = False
    if m.massless.coasting.size != 0:
        accelerate_massless(m, h, memory.clock.ratio, work.counters[Counter.EVENTS] != 0)
    status = look_for_impacts(work) if has_contacts(m) else OK
    return _go_through_impacts(work) if status == SHORTER else status


@inner
def _go_through_impacts(work):
    """What hits in a step that was found: parts fly anew after it, or the step ends there, which is an event."""
    memory = work.memory
    status = fly_anew(work)
    if status != SHORTER:
        return status
    memory.clock.part = part_to_impact(work)
    if memory.clock.part != 1.0:
        return SHORTER
    memory.clock.event = True
    return OK


@routine
def undo(work):
    """Undoes the last prediction, and all after it."""
    take_back(work.machine)
    return OK


@routine
def error(work, h, old, accuracy):
    """Of poses and states, over the accuracy; more than 1 also where something turns too far."""
    m = work.machine
    size = max(local_error(work, h, old), m.contacts.flights.error[0])
    return max(size / accuracy, turned_too_far(largest_spin(m, 0) * h, float(ERROR_ORDER)))


@routine
def check(work):
    """Largest violation of a constraint; notes how far anything turns in a step: polynomials stand for rotations."""
    m, memory = work.machine, work.memory
    memory.clock.turn = max(memory.clock.turn, largest_spin(m, 0) * memory.clock.step)
    return violation(m)


@routine
def show(work, part, h, old):
    """Nodes, states and reactions a part of the way through the last step, or at its end again."""
    m = work.machine
    if part == 1.0:
        copy(m.state, m.scratch.shown)
        return OK
    show_part(m, part, h, old, m.scratch.shown)
    if has_contacts(m):
        m.contacts.step[0] = part
        show_flights(work)
    return OK


@routine
def rehearse(work, h):
    """One iteration from the present state, with the factors at hand."""
    m = work.machine
    prepare(m, work.settings, work.memory, h)
    if not has_contacts(m):
        predict_together(work, 1.0)
    set_time(m, work.memory.clock.time + h)
    evaluate_beforehand(work, h)
    return OK


VERBS: dict[str, Any] = {
    "begin": begin,
    "advance": advance,
    "accept": accept,
    "undo": undo,
    "restart": restart,
    "respond": respond,
    "error": error,
    "check": check,
    "show": show,
    "rehearse": rehearse,
}
