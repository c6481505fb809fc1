"""One step of a tree, native: derivatives, stages, the new state; and publishing it to the rest of the program."""

from __future__ import annotations

import numpy as np

from samara.solve.native.codes import NOT_FINITE, OK
from samara.solve.native.kernels import TIME, clear, copy, set_time
from samara.solve.tree.kernels import call_tree
from samara.solve.tree.long import evaluate_long, publish_long
from samara.solve.tree.machine import (
    COORDINATE,
    DERIVATIVE,
    ERROR_WEIGHT,
    FACTOR,
    FRESH,
    IS_VELOCITY,
    LEVEL,
    PLACE,
    QUATERNION,
    SHOWN,
    SPEED,
    STATE,
)
from samara.solve.tree.schemes import SEMI_IMPLICIT as _SEMI_IMPLICIT
from samara.tracing.driver.driver_cache import driver, inner, routine

SEMI_IMPLICIT = int(_SEMI_IMPLICIT)
#: Squared angle [rad^2] below which series stand for the functions of it, to the last digit.
SMALL_ANGLE_2 = 1e-2
#: Coordinate or speed that is no motion any more: its square is not finite.
LARGEST_NUMBER = 1e150
#: Speed [lengths of the mechanism or rad per second] below which nothing moves fast.
SLOW_SPEED = 1e-2
#: Corrections of coordinates after a step, each of which squares what is left of an open loop; then one of speeds.
POSITION_CORRECTIONS = 2


@inner
def drive(m, t):
    """Time and drives of the block as at the time t."""
    tree = m.tree
    if m.coef[TIME] != t or tree.status[FRESH] == 0:
        set_time(m, t)
    copy_drives(m)
    tree.block[0] = t


@inner
def evaluate(m, t):
    """Derivatives at the numbers in the block, with drives as at the time t."""
    drive(m, t)
    derive(m)


@inner
def derive(m):
    """Derivatives at the numbers in the block, with drives as they are there."""
    tree = m.tree
    if tree.kernels.forward == 0:
        evaluate_long(m)
        return
    call_tree(m, tree.kernels.forward)


@inner
def _push(tree):
    """Adds to the accelerations what contacts made of them in the last step; those without go to `total`."""
    c, first, without = tree.contacts, tree.plan.results_at, tree.scratch.total
    for row in range(c.pushes.shape[0]):
        for e in range(c.answer_rows[row], c.answer_rows[row + 1]):
            without[c.answers[e, 0]] = tree.block[first + c.answers[e, 0]]
    for row in range(c.pushes.shape[0]):
        force = tree.block[c.pushes[row, 0]]
        for e in range(c.answer_rows[row], c.answer_rows[row + 1]):
            tree.block[first + c.answers[e, 0]] += force * c.values[c.answers[e, 1]]


@inner
def _take_push_back(tree):
    """To the last bit: steps go on with these accelerations, whether they were shown or not."""
    c, first, without = tree.contacts, tree.plan.results_at, tree.scratch.total
    for row in range(c.pushes.shape[0]):
        for e in range(c.answer_rows[row], c.answer_rows[row + 1]):
            tree.block[first + c.answers[e, 0]] = without[c.answers[e, 0]]


@inner
def publish(m):
    """Nodes and states as the tree has them, in the memory of the system: what outputs and pictures look at. Status."""
    tree = m.tree
    if tree.status[FRESH] == 0:
        evaluate(m, m.coef[TIME])
        tree.status[FRESH] = 1
    if tree.kernels.place == 0:
        return publish_long(m)
    if tree.kernels.touch != 0:
        _push(tree)
        for k in range(tree.contacts.pushes.shape[0]):
            m.state[tree.contacts.pushes[k, 1]] = tree.block[tree.contacts.pushes[k, 0]]
    call_tree(m, tree.kernels.place)
    if tree.kernels.reactions != 0:
        call_tree(m, tree.kernels.reactions)
    if tree.kernels.touch != 0:
        _take_push_back(tree)
    return OK


@driver
def show(m):
    """`publish`, for Python."""
    publish(m)


@inner
def turn_ball(tree, k, x, y, z):
    """Quaternion of a ball: that of the beginning of the step, then turned by a rotation vector in outer axes."""
    angle_2 = x * x + y * y + z * z
    if angle_2 < SMALL_ANGLE_2:
        c = 1.0 - angle_2 / 8.0 * (1.0 - angle_2 / 48.0 * (1.0 - angle_2 / 120.0 * (1.0 - angle_2 / 224.0)))
        s = 0.5 * (1.0 - angle_2 / 24.0 * (1.0 - angle_2 / 80.0 * (1.0 - angle_2 / 168.0 * (1.0 - angle_2 / 288.0))))
    else:
        angle = np.sqrt(angle_2)
        c, s = np.cos(0.5 * angle), np.sin(0.5 * angle) / angle
    x, y, z = s * x, s * y, s * z
    was = tree.scratch.turned[k]
    w0, x0, y0, z0 = was[0], was[1], was[2], was[3]
    at = tree.plan.balls[k, 0]
    w1 = w0 * c - x0 * x - y0 * y - z0 * z
    x1 = w0 * x + x0 * c + y0 * z - z0 * y
    y1 = w0 * y + y0 * c + z0 * x - x0 * z
    z1 = w0 * z + z0 * c + x0 * y - y0 * x
    size = 1.0 / np.sqrt(w1 * w1 + x1 * x1 + y1 * y1 + z1 * z1)
    tree.block[at], tree.block[at + 1], tree.block[at + 2], tree.block[at + 3] = (
        w1 * size, x1 * size, y1 * size, z1 * size,
    )  # fmt: skip


@inner
def _slope(tree, i, k, first, x, y, z):
    """theta_dot = T(theta)^-1 w of a ball at a stage i: w + theta x w / 2 + c theta x (theta x w)."""
    at = tree.plan.balls[k, 1]
    u, v, w = tree.block[at], tree.block[at + 1], tree.block[at + 2]
    angle_2 = x * x + y * y + z * z
    if angle_2 < SMALL_ANGLE_2:
        c = 1.0 / 12.0 + angle_2 * (1.0 / 720.0 + angle_2 * (1.0 / 30240.0 + angle_2 / 1209600.0))
    else:
        angle = np.sqrt(angle_2)
        c = (1.0 - 0.5 * angle * np.cos(0.5 * angle) / np.sin(0.5 * angle)) / angle_2
    a, b, d = y * w - z * v, z * u - x * w, x * v - y * u
    tree.slopes[i, first] = u + 0.5 * a + c * (y * d - z * b)
    tree.slopes[i, first + 1] = v + 0.5 * b + c * (z * a - x * d)
    tree.slopes[i, first + 2] = w + 0.5 * d + c * (x * b - y * a)


@inner
def slope_of(tree, k):
    """Derivative of number k, as it was evaluated."""
    return tree.plan.factors[k, FACTOR] * tree.block[tree.plan.moving[k, DERIVATIVE]]


@inner
def _combine(tree, weights, count, h, k):
    """h times a combination of slopes of number k."""
    total = 0.0
    for j in range(count):
        total += weights[j] * tree.slopes[j, k]
    return h * total


@inner
def _put(tree, weights, count, h):
    """The block at a combination of slopes from its beginning."""
    n, total = tree.plan.moving.shape[0], tree.scratch.total
    clear(total)
    for j in range(count):
        weight = h * weights[j]
        if weight != 0.0:
            for k in range(total.size):
                total[k] += weight * tree.slopes[j, k]
    for k in range(n):
        at = tree.plan.moving[k, PLACE]
        tree.block[at] = tree.scratch.before[at] + total[k]
    for k in range(tree.plan.balls.shape[0]):
        turn_ball(tree, k, total[n + 3 * k], total[n + 3 * k + 1], total[n + 3 * k + 2])


@inner
def _note(tree, i):
    """Slopes of all numbers at a stage, after its evaluation; `total` is what the stage is away from the beginning."""
    n, total = tree.plan.moving.shape[0], tree.scratch.total
    for k in range(n):
        tree.slopes[i, k] = slope_of(tree, k)
    for k in range(tree.plan.balls.shape[0]):
        first = n + 3 * k
        if i == 0:
            _slope(tree, i, k, first, 0.0, 0.0, 0.0)
        else:
            _slope(tree, i, k, first, total[first], total[first + 1], total[first + 2])


@inner
def remember(tree):
    """The block as it is: where the step begins, and where it is taken back to."""
    copy(tree.scratch.before, tree.block)
    for k in range(tree.plan.balls.shape[0]):
        for i in range(4):
            tree.scratch.turned[k, i] = tree.block[tree.plan.balls[k, 0] + i]


@inner
def take_back_tree(m):
    """The block as it was at the beginning of the step, and the past of an implicit formula; twice is no more."""
    tree, kept = m.tree, m.tree.implicit.kept
    copy(tree.block, tree.scratch.before)
    for i in range(kept.shape[0]):
        for c in range(kept.shape[1]):
            tree.slopes[i, c] = kept[i, c]
    tree.status[FRESH] = 0


@inner
def _stages(m, time, h, at):
    """Slopes at all stages; the block is left at the last one."""
    tree = m.tree
    stages = tree.plan.table.shape[1]
    for i in range(stages):
        if i != 0:
            _put(tree, tree.plan.table[i], i, h)
            c = tree.plan.table[stages + 2, i]
            evaluate(m, at if c == 1.0 else time + c * h)
        _note(tree, i)


@inner
def _semi_implicit(m, h):
    """Speeds and states first, then coordinates with the new speeds."""
    tree = m.tree
    n = tree.plan.moving.shape[0]
    for level in (SPEED, STATE, COORDINATE):
        for k in range(n - 1, -1, -1):  # of a state of second order its rate first
            if tree.plan.moving[k, LEVEL] == level:
                tree.block[tree.plan.moving[k, PLACE]] += h * slope_of(tree, k)
    for k in range(tree.plan.balls.shape[0]):
        at = tree.plan.balls[k, 1]
        turn_ball(tree, k, h * tree.block[at], h * tree.block[at + 1], h * tree.block[at + 2])


# ---- the end of a step
@inner
def note_worst(memory, size, row):
    """Where a step is furthest from its end, or no longer finite: a row of `moving`, then of the balls' rotations."""
    memory.trust.correction, memory.trust.worst_row = size, row


@inner
def end_status(m, memory):
    """Whether all numbers, their squares and their derivatives are finite, after an evaluation; else which is not."""
    tree, total = m.tree, 0.0
    for k in range(tree.plan.moving.shape[0]):  # a derivative that is not finite makes a sum that is no number
        total += abs(tree.block[tree.plan.moving[k, PLACE]]) + 0.0 * tree.block[tree.plan.moving[k, DERIVATIVE]]
    for k in range(tree.plan.balls.shape[0]):
        total += abs(tree.block[tree.plan.balls[k, 0]])
    if total < LARGEST_NUMBER:
        return OK
    note_worst(memory, np.nan, _row_not_finite(m))
    return NOT_FINITE


@routine
def _row_not_finite(m):
    """The first number that is not finite itself, then by its derivative; else the largest."""
    tree = m.tree
    largest, row, n = 0.0, -1, tree.plan.moving.shape[0]
    for column in range(2):
        for k in range(n):
            if not abs(tree.block[tree.plan.moving[k, column]]) < np.inf:
                return k
        for k in range(tree.plan.balls.shape[0]):
            if not abs(tree.block[tree.plan.balls[k, 0]]) < np.inf:
                return n + 3 * k
    for k in range(n):
        if abs(tree.block[tree.plan.moving[k, PLACE]]) > largest:
            largest, row = abs(tree.block[tree.plan.moving[k, PLACE]]), k
    return row


@inner
def copy_drives(m):
    """What follows from time and inputs, as it is now, into the block."""
    tree = m.tree
    for k in range(tree.plan.copies.shape[0]):
        tree.block[tree.plan.copies[k, 1]] = m.state[tree.plan.copies[k, 0]]


@routine
def close_loops(m):
    """Coordinates, then speeds, put on the constraints of cut joints."""
    tree = m.tree
    copy_drives(m)
    for turn in range(POSITION_CORRECTIONS + 1):
        call_tree(m, tree.kernels.project)
        for k in range(tree.plan.corrected.shape[0]):
            at, by, level = tree.plan.corrected[k, 0], tree.plan.corrected[k, 1], tree.plan.corrected[k, LEVEL]
            if turn == POSITION_CORRECTIONS:
                if level == SPEED:
                    tree.block[at] += tree.block[by]
            elif level == COORDINATE:
                tree.block[at] += tree.block[by]
            elif level == QUATERNION:
                _turn_at(tree, at, tree.block[by], tree.block[by + 1], tree.block[by + 2])


@inner
def _turn_at(tree, at, x, y, z):
    """A quaternion of the block, turned by a small rotation vector in outer axes."""
    w0, x0, y0, z0 = tree.block[at], tree.block[at + 1], tree.block[at + 2], tree.block[at + 3]
    w1 = w0 - 0.5 * (x0 * x + y0 * y + z0 * z)
    x1 = x0 + 0.5 * (w0 * x + y0 * z - z0 * y)
    y1 = y0 + 0.5 * (w0 * y + z0 * x - x0 * z)
    z1 = z0 + 0.5 * (w0 * z + x0 * y - y0 * x)
    size = 1.0 / np.sqrt(w1 * w1 + x1 * x1 + y1 * y1 + z1 * z1)
    tree.block[at], tree.block[at + 1], tree.block[at + 2], tree.block[at + 3] = (
        w1 * size, x1 * size, y1 * size, z1 * size,
    )  # fmt: skip


@routine
def step_tree(m, memory, h, at):
    """From the present time on by h, with drives at its end taken at a time that may be a hair before it.

    The block holds the state at its beginning, with its derivatives, and `before` too.
    """
    tree, time = m.tree, memory.clock.time
    if tree.plan.method == SEMI_IMPLICIT:
        _semi_implicit(m, h)
        set_time(m, at)
        known = False  # whether the derivatives are those of the end
    else:
        stages = tree.plan.table.shape[1]
        _stages(m, time, h, at)
        known = tree.kernels.project == 0
        for j in range(stages):  # the last stage was the end itself
            known = known and tree.plan.table[stages - 1, j] == tree.plan.table[stages, j]
        _put(tree, tree.plan.table[stages], stages, h)
    if tree.kernels.project != 0:
        close_loops(m)
    if not known:  # the next step begins with it
        evaluate(m, at)
    elif tree.plan.prescribed.shape[0] != 0:
        copy_drives(m)
    tree.status[FRESH] = 1
    return end_status(m, memory)


@inner
def show_between(m, time, h, part):
    """The tree a part of the way through the last step; `show_end` takes it back."""
    tree = m.tree
    tree.status[SHOWN] = tree.status[FRESH]
    copy(tree.scratch.after, tree.block)
    stages, row = tree.plan.dense.shape[0], tree.plan.table[tree.plan.table.shape[0] - 2]
    for i in range(stages):  # the row of the error's weights serves for these meanwhile
        weight = 0.0
        for j in range(tree.plan.dense.shape[1] - 1, -1, -1):
            weight = (weight + tree.plan.dense[i, j]) * part
        tree.scratch.kept[i], row[i] = row[i], weight
    _put(tree, row, stages, h)
    for i in range(stages):
        row[i] = tree.scratch.kept[i]
    evaluate(m, time + part * h)
    tree.status[FRESH] = 1


@inner
def show_end(m, time):
    """The end of the last step again, at that time."""
    tree = m.tree
    copy(tree.block, tree.scratch.after)
    set_time(m, time)
    tree.status[FRESH] = tree.status[SHOWN]


@routine
def tree_error(m, h):
    """Local error of the last step, and of which number: coordinates [m by the size of the mechanism, rad], states
    by their scale.

    Speeds count by the largest of their unit: where a force sets in, the error of a coordinate may vanish by chance.
    """
    tree = m.tree
    stages, n, worst, row = tree.plan.table.shape[1], tree.plan.moving.shape[0], 0.0, -1
    weights = tree.plan.table[stages + 1]
    slide, turn = SLOW_SPEED, SLOW_SPEED
    for k in range(n):
        if tree.plan.moving[k, LEVEL] == SPEED:
            speed = abs(tree.block[tree.plan.moving[k, PLACE]])
            if tree.plan.factors[k, IS_VELOCITY] == 0.0:
                turn = max(turn, speed)
            else:
                slide = max(slide, speed * tree.plan.factors[k, ERROR_WEIGHT])
    for k in range(n):
        if tree.plan.factors[k, ERROR_WEIGHT] != 0.0:
            size = tree.plan.factors[k, ERROR_WEIGHT]
            if tree.plan.moving[k, LEVEL] == SPEED:
                size /= turn if tree.plan.factors[k, IS_VELOCITY] == 0.0 else slide
            if tree.plan.moving[k, LEVEL] == STATE:  # of a state, by its scale and its own size
                size = 1.0 / (1.0 / size + abs(tree.block[tree.plan.moving[k, PLACE]]))
            error = abs(_combine(tree, weights, stages, h, k)) * size
            if error > worst:
                worst, row = error, k
    for k in range(n, n + 3 * tree.plan.balls.shape[0]):
        error = abs(_combine(tree, weights, stages, h, k))
        if error > worst:
            worst, row = error, k
    return worst, row
