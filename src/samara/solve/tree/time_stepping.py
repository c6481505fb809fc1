"""A step of Moreau and Jean: velocities and impulses at once, see `schemes.MoreauJean`."""

from __future__ import annotations

import numpy as np

from samara.rotations.scalars import LEAST_DIVISOR
from samara.solve.contact.impulses import hand_over, take_bounds
from samara.solve.native.codes import NOT_CONVERGED, NOT_FINITE, OK, Counter
from samara.solve.native.kernels import clear, set_time
from samara.solve.tree.contacts import (
    answer_contacts,
    begin_with_last,
    count_impacts,
    is_any_near,
    look_at_contacts,
    push_speeds,
    solve_contacts,
    touch_now,
    turns_within,
)
from samara.solve.tree.machine import COORDINATE, ERROR_WEIGHT, FRESH, LEVEL, PLACE, STATE
from samara.solve.tree.stepping import copy_drives, end_status, evaluate, note_worst, slope_of, turn_ball
from samara.tracing.driver.driver_cache import inner, routine

#: Evaluations of the end of a step at most, and the change of speeds and states, as a part of them, that is left then.
MOST_EVALUATIONS, CHANGE_LEFT = 12, 1e-10
#: What may be left after all of them: more is taken in shorter steps.
WORST_CHANGE = 1e-6
#: What may be left where impulses are held from then on: those that are not unique may change from one evaluation to
#: the next for ever. And evaluations with such.
HELD_CHANGE, HELD_EVALUATIONS = 1e-3, 4


@inner
def _speeds_and_states(tree, h, theta):
    """From slopes at both ends; impulses come on top."""
    for k in range(tree.plan.moving.shape[0]):
        if tree.plan.moving[k, LEVEL] != COORDINATE:
            at = tree.plan.moving[k, PLACE]
            tree.block[at] = tree.scratch.before[at] + h * (
                (1.0 - theta) * tree.slopes[0, k] + theta * tree.slopes[1, k]
            )


@inner
def _coordinates(tree, h, theta):
    """With the speeds of both ends."""
    for k in range(tree.plan.moving.shape[0]):
        if tree.plan.moving[k, LEVEL] == COORDINATE:
            at, rate = tree.plan.moving[k, PLACE], slope_of(tree, k)
            tree.block[at] = tree.scratch.before[at] + h * ((1.0 - theta) * tree.slopes[0, k] + theta * rate)
    for k in range(tree.plan.balls.shape[0]):
        at = tree.plan.balls[k, 1]
        x = h * ((1.0 - theta) * tree.scratch.before[at] + theta * tree.block[at])
        y = h * ((1.0 - theta) * tree.scratch.before[at + 1] + theta * tree.block[at + 1])
        z = h * ((1.0 - theta) * tree.scratch.before[at + 2] + theta * tree.block[at + 2])
        turn_ball(tree, k, x, y, z)


@inner
def _begin_slopes(tree):
    """Of all numbers as a step begins, those at its end are the same at first; the largest of speeds."""
    largest = LEAST_DIVISOR
    for k in range(tree.plan.moving.shape[0]):
        slope = slope_of(tree, k)
        tree.slopes[0, k] = tree.slopes[1, k] = slope
        if tree.plan.moving[k, LEVEL] != COORDINATE:
            largest = max(largest, abs(slope) * tree.plan.factors[k, ERROR_WEIGHT])
    return largest


@inner
def _note_slopes(tree, memory, h, size):
    """Of all numbers at the end of a step; what their change makes of speeds and states in h, as a part of them.

    A speed counts by the largest of all, which is `size` or more; a state by its scale and its own value.
    """
    change, row, of_states, state_row = 0.0, -1, 0.0, -1
    for k in range(tree.plan.moving.shape[0]):
        slope, weight = slope_of(tree, k), tree.plan.factors[k, ERROR_WEIGHT]
        moved = abs(slope - tree.slopes[1, k]) * weight
        tree.slopes[1, k] = slope
        if not moved < np.inf:
            note_worst(memory, np.nan, k)
            return np.nan
        if tree.plan.moving[k, LEVEL] == COORDINATE:
            continue
        value = abs(tree.block[tree.plan.moving[k, PLACE]]) * weight
        size = max(size, value)
        if tree.plan.moving[k, LEVEL] == STATE:
            moved /= 1.0 + value
            if moved > of_states:
                of_states, state_row = moved, k
        elif moved > change:
            change, row = moved, k
    if h * of_states > h * change / size:
        note_worst(memory, h * of_states, state_row)
    else:
        note_worst(memory, h * change / size, row)
    return memory.trust.correction


@inner
def _evaluate_end(work, h, at, theta, pace):
    """Coordinates with the speeds that were found, and the slopes there."""
    _coordinates(work.machine.tree, h, theta)
    evaluate(work.machine, at)
    return _note_slopes(work.machine.tree, work.memory, h * theta, pace)


@routine
def _hold_impulses(work, h, at, theta, pace):
    """Some more evaluations with the last impulses."""
    change = 0.0
    work.counters[Counter.CONTACTS_UNCONVERGED] += 1
    for _ in range(HELD_EVALUATIONS):
        _speeds_and_states(work.machine.tree, h, theta)
        push_speeds(work.machine.tree)
        change = _evaluate_end(work, h, at, theta, pace)
    return change


@inner
def step_through_contacts(work, h, at):
    """From the present time on by a step, with drives at its end taken at a time that may be a hair before it."""
    m, tree = work.machine, work.machine.tree
    c = tree.contacts
    clear(c.impulses)
    closed = look_at_contacts(m, h) if tree.kernels.touch != 0 else 0
    theta = tree.plan.table[2, 1]
    pace = h * _begin_slopes(tree)  # what rests has speeds that are rounding errors: those that forces would give it
    if is_any_near(c):  # directions, and speeds of surfaces, as at the end: no overlap adds up
        _coordinates(tree, h, 0.0)
        set_time(m, at)
        copy_drives(m)
        touch_now(m)
        if turns_within(tree) and 2.0 * work.memory.clock.whole < work.settings.parts * h:
            return NOT_CONVERGED
    if closed != 0:
        answer_contacts(m)
        begin_with_last(tree, h)
        take_bounds(c.problem, work.settings)
    change = 0.0
    for _ in range(MOST_EVALUATIONS):
        _speeds_and_states(tree, h, theta)
        if closed != 0:
            status = solve_contacts(m)
            if status != OK:
                hand_over(c.problem, work.counters, work.memory)
                return status
            push_speeds(tree)
        change = _evaluate_end(work, h, at, theta, pace)
        if not change > CHANGE_LEFT:
            break
    if closed != 0 and WORST_CHANGE < change <= HELD_CHANGE:
        change = _hold_impulses(work, h, at, theta, pace)
    if closed != 0:
        count_impacts(tree)
        hand_over(c.problem, work.counters, work.memory)
    if not change < np.inf:
        return NOT_FINITE
    if change > WORST_CHANGE:
        return NOT_CONVERGED
    for k in range(c.pushes.shape[0]):
        tree.block[c.pushes[k, 0]] = c.impulses[k] / h
    tree.status[FRESH] = 1
    return end_status(m, work.memory)
