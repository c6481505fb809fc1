"""One step of an implicit formula of a tree, native: predict, iterate, accept."""

from __future__ import annotations

import numpy as np

from samara.complementarity.dense import factor, solve
from samara.solve.integrators.coefficients import leans_on_accelerations, leave_out_accelerations, set_coefficients
from samara.solve.native.codes import NOT_FINITE, OK, SINGULAR, Counter
from samara.solve.native.kernels import call_native, copy
from samara.solve.step.newton import ALL_OLD, NEW, are_for, heads, newton_for, note_factors, tossed
from samara.solve.tree.implicit import (
    CHANGE_AT,
    NONE,
    OF_RATE,
    OF_VALUE,
    RATE_ALONG,
    RATE_AT,
    SECOND_AT,
    VALUE_ALONG,
    VALUE_AT,
)
from samara.solve.tree.kernels import call_tree_into
from samara.solve.tree.stepping import drive, evaluate, note_worst, take_back_tree, turn_ball
from samara.system.memory.blocks import RATE, RATE_1, SECOND, SECOND_1, VALUE, VALUE_1, Coefficient
from samara.tracing.driver.bits import largest_of
from samara.tracing.driver.driver_cache import inner, routine

POSE, PER_ACCELERATION = int(Coefficient.POSE), int(Coefficient.PER_ACCELERATION)
#: Part of c0 by which steps of one size differ: what is left of time.
SAME_STEP = 1e-9
#: Addresses of kernels.
ALONG, PREDICT, CORRECT = range(3)


# ---- numbers and their past
@inner
def _highest(tree, i):
    """The highest derivative of number i, as it was evaluated."""
    own = tree.implicit
    if own.numbers[i, SECOND_AT] != NONE:
        return tree.block[own.numbers[i, SECOND_AT]]
    return own.factors[i] * tree.block[own.numbers[i, RATE_AT]]


@inner
def _note_present(tree, has_past):
    """Numbers and derivatives as the step begins; the second derivative of one of first order is that of the formula.

    Where there is no past it is taken to be none: an error of second order, once.
    """
    own, past = tree.implicit, tree.slopes
    for i in range(own.numbers.shape[0]):
        if own.numbers[i, VALUE_AT] != NONE:
            past[i, VALUE] = tree.block[own.numbers[i, VALUE_AT]]
        if own.numbers[i, SECOND_AT] != NONE:
            past[i, RATE], past[i, SECOND] = tree.block[own.numbers[i, RATE_AT]], _highest(tree, i)
        else:
            past[i, RATE] = _highest(tree, i)
            if not has_past:
                past[i, SECOND] = 0.0


@inner
def _put(tree):
    """Values and rates of the formulas, into the block."""
    own, past = tree.implicit, tree.slopes
    for i in range(own.numbers.shape[0]):
        value = own.numbers[i, VALUE_AT]
        if value != NONE:
            tree.block[value] = past[i, VALUE]
        else:
            tree.scratch.turning[own.numbers[i, VALUE_ALONG] - tree.plan.moving.shape[0]] = past[i, VALUE]
        if own.numbers[i, SECOND_AT] != NONE:
            tree.block[own.numbers[i, RATE_AT]] = past[i, RATE]
    for ball in range(tree.plan.balls.shape[0]):
        vector = tree.scratch.turning[3 * ball : 3 * ball + 3]
        turn_ball(tree, ball, vector[0], vector[1], vector[2])


@inner
def _walk(m, which):
    """PREDICT or CORRECT of all numbers, and into the block."""
    own, past = m.tree.implicit, m.tree.slopes.ctypes.data
    call_native(
        own.address[which], own.numbers.shape[0], past, past, past, m.coef.ctypes.data, past, past, own.x.ctypes.data
    )  # fmt: skip
    _put(m.tree)


# ---- Newton's method
@inner
def _jacobian(m):
    """Newton's matrix at the numbers in the block; the first number whose derivatives are not finite, NONE for none."""
    tree, own = m.tree, m.tree.implicit
    count, first, changes = own.numbers.shape[0], own.direction[0], own.direction[1]
    c0, per_second, bad = m.coef[POSE], m.coef[PER_ACCELERATION], NONE
    copy(own.block, tree.block)
    for k in range(first, own.block.size):
        own.block[k] = 0.0
    data = own.block.ctypes.data
    for j in range(count):
        value, rate = own.numbers[j, VALUE_ALONG], own.numbers[j, RATE_ALONG]
        own.block[first + value] = c0
        if rate != NONE:
            own.block[first + rate] = 1.0
        call_tree_into(m, own.address[ALONG], data, data)
        own.block[first + value] = 0.0
        if rate != NONE:
            own.block[first + rate] = 0.0
        for i in range(count):
            slope = own.block[changes + own.numbers[i, CHANGE_AT]] if own.numbers[i, CHANGE_AT] != NONE else 0.0
            slope *= per_second if own.numbers[i, SECOND_AT] != NONE else own.factors[i]
            own.matrix[i, j] = (1.0 if i == j else 0.0) - slope
            if bad == NONE and not abs(slope) < np.inf:
                bad = i
    return bad


@routine
def _renew(work):
    """Newton's matrix and its factors: status."""
    m, own = work.machine, work.machine.tree.implicit
    work.counters[Counter.JACOBIANS] += 1
    bad = _jacobian(m)
    if bad != NONE:
        note_worst(work.memory, np.nan, own.numbers[bad, VALUE_ALONG])
        return NOT_FINITE
    if not factor(own.matrix, own.pivots, own.x.size, own.x.size) > 0.0:
        return SINGULAR
    note_factors(work.memory, m.coef)
    return OK


@inner
def _ready(work, h, at):
    if are_for(work.memory, work.machine.coef, SAME_STEP):
        return OK, ALL_OLD
    drive(work.machine, at)
    return _renew(work), NEW


@inner
def _improve(work, at, scales, age, wild):
    return _renew(work), NEW


@inner
def _improve_part(work, age):
    return OK, False


@inner
def _scales(work, h):
    c0 = work.machine.coef[POSE]
    return (c0,), 0.0, c0, True


@inner
def _evaluate(work, at, scales):
    """What the rates are off by, with the sign of a correction, and the correction."""
    m, tree, own, past = work.machine, work.machine.tree, work.machine.tree.implicit, work.machine.tree.slopes
    evaluate(m, at)
    bad = NONE
    for i in range(own.x.size):
        if own.numbers[i, SECOND_AT] != NONE:
            own.x[i] = (past[i, SECOND] - _highest(tree, i)) * m.coef[PER_ACCELERATION]
        else:
            own.x[i] = past[i, RATE] - _highest(tree, i)
        if bad == NONE and not abs(own.x[i]) < np.inf:
            bad = i
    if bad != NONE:
        note_worst(work.memory, np.nan, own.numbers[bad, VALUE_ALONG])
        return NOT_FINITE
    solve(own.matrix, own.pivots, own.x, own.x.size, own.x.size)
    return OK


@inner
def _size_of(own, past, i, c0):
    """Correction of a rate, or of the value behind it, of itself and its size."""
    change = abs(own.x[i])
    of_value = change * c0 / (abs(past[i, VALUE]) + own.sizes[i, OF_VALUE])
    return max(of_value, change / (abs(past[i, RATE]) + own.sizes[i, OF_RATE]))


@inner
def _measure(work, scales):
    """The largest of them."""
    own, past = work.machine.tree.implicit, work.machine.tree.slopes
    worst = 0.0
    for i in range(own.x.size):
        worst = largest_of(worst, _size_of(own, past, i, scales[0]))
    return worst, worst, 0.0, 0.0


@inner
def _worst(work, scales):
    """Which number it is of."""
    own, past = work.machine.tree.implicit, work.machine.tree.slopes
    worst, where = 0.0, NONE
    for i in range(own.x.size):
        size = _size_of(own, past, i, scales[0])
        if not size <= worst:
            worst, where = size, own.numbers[i, VALUE_ALONG]
    return where


@inner
def _accelerate(work, scales, first):
    own = work.machine.tree.implicit
    for i in range(own.x.size):
        own.found[i] = own.taken[i] = own.x[i]


@inner
def _vectors(work):
    own = work.machine.tree.implicit
    return own.x, own.found, own.taken


@inner
def _shake(work, part):
    """Coordinates, states and attitudes of balls; back by what is known of the formulas."""
    tree, toss = work.machine.tree, 1
    if part < 0.0:
        _put(tree)
        return
    for i in range(tree.implicit.numbers.shape[0]):
        toss, value = tossed(toss), tree.implicit.numbers[i, VALUE_AT]
        if heads(toss) and value != NONE:
            tree.block[value] += part * tree.block[value]
    for ball in range(tree.plan.balls.shape[0]):
        for i in range(4):
            toss = tossed(toss)
            if heads(toss):
                tree.block[tree.plan.balls[ball, 0] + i] += part * tree.block[tree.plan.balls[ball, 0] + i]


@inner
def _move(work):
    _walk(work.machine, CORRECT)


@inner
def _predict(work):
    _note_present(work.machine.tree, work.memory.clock.ratio != 0.0)
    _walk(work.machine, PREDICT)


@inner
def _begin_again(work, at):
    take_back_tree(work.machine)
    _predict(work)


newton = newton_for(
    __name__, ready=_ready, scales=_scales, evaluate=_evaluate, measure=_measure, worst=_worst, accelerate=_accelerate,
    vectors=_vectors, shake=_shake, move=_move, begin_again=_begin_again, improve=_improve, improve_part=_improve_part,
)  # fmt: skip


# ---- a step
@inner
def keep_past(tree):
    """What formulas know of the steps before, as the step begins."""
    for i in range(tree.implicit.kept.shape[0]):
        for c in range(tree.implicit.kept.shape[1]):
            tree.implicit.kept[i, c] = tree.slopes[i, c]


@routine
def step_implicit(work, h, at):
    """From the present time on by h; the block holds the state at its beginning, with its derivatives.

    What does not converge is tried once more with a new matrix, and without extrapolating accelerations.
    """
    m, memory = work.machine, work.memory
    memory.clock.ratio = set_coefficients(m, work.settings, h, memory.clock.step)
    status = OK
    for trial in range(2):
        _predict(work)
        status = newton(work, h, at)
        if status == OK:
            return OK
        memory.trust.factored_for = 0.0
        if trial == 1 or not leans_on_accelerations(m):
            break
        work.counters[Counter.RETRIED] += 1
        take_back_tree(m)
        leave_out_accelerations(m)
    return status


# ---- inputs that change
@inner
def note_before(tree):
    """Numbers and derivatives before inputs change."""
    own = tree.implicit
    for i in range(own.present.shape[0]):
        value = own.numbers[i, VALUE_AT]
        own.present[i, VALUE] = tree.block[value] if value != NONE else 0.0
        own.present[i, RATE] = tree.block[own.numbers[i, RATE_AT]]
        own.present[i, SECOND] = _highest(tree, i)


@routine
def rewrite_past(m, h):
    """The past of the last step h as if what has changed since `note_before` had acted then: formulas see no jump.

    With a change D of the highest derivative, and V of a rate and X of a value where prescribed motions have jumped,

        x''(k-1) += D,   x'(k-1) += V - h D,   x(k-1) += X - h V + h^2 D / 2,     n(k) -= -h V + h^2 D / 2 of a ball
        x'(k-1) += D,    x(k-1) += X - h D                                        of a number of first order
    """
    tree, own, past = m.tree, m.tree.implicit, m.tree.slopes
    for i in range(own.present.shape[0]):
        D = _highest(tree, i) - own.present[i, SECOND]
        value = own.numbers[i, VALUE_AT]
        X = tree.block[value] - own.present[i, VALUE] if value != NONE else 0.0
        if own.numbers[i, SECOND_AT] == NONE:
            past[i, RATE_1] += D
            past[i, VALUE_1] += X - h * D
            continue
        V = tree.block[own.numbers[i, RATE_AT]] - own.present[i, RATE]
        past[i, SECOND_1] += D
        past[i, RATE_1] += V - h * D
        if value != NONE:
            past[i, VALUE_1] += X - h * V + 0.5 * h * h * D
        else:
            past[i, VALUE] -= 0.5 * h * h * D - h * V
