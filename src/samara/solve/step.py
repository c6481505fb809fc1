"""One time step: predict, residual, (Jacobian, factor), solve, correct, accept.

Modified Newton: a factorisation is kept while corrections contract fast enough, also over many steps; a stale one is
renewed. The measure of a correction is its largest twist, against the speeds of the model, and the largest rate of a
scalar state, against the state's own size and rate; of an algebraic state the change of its value.
"""

from __future__ import annotations

from enum import IntEnum

from samara.solve.integrators.family import coefficients as plain_coefficients
from samara.solve.lu import GROWTH_LIMIT, refactor, substitute
from samara.solve.machine import CORRECT, PREDICT, TAKE_BACK, jacobian, residual, set_time, walk
from samara.system.blocks import ALGEBRAIC, ETA, RATE, SIZE, STATE_SIZE, VALUE, Coefficient
from samara.tracing.driver_cache import driver, inner

coefficients = driver(plain_coefficients)
C = {c.name: int(c) for c in Coefficient}
POSE, TWIST, ACCELERATION, PER_POSE, MOVING = (C[k] for k in ("POSE", "TWIST", "ACCELERATION", "PER_POSE", "MOVING"))
A1, A2, B1, B2, E1, E2, F1, F2 = (C[k] for k in ("A1", "A2", "B1", "B2", "E1", "E2", "F1", "F2"))


class Status(IntEnum):
    """How a step ended."""

    OK = 0
    NOT_CONVERGED = 1
    NOT_FINITE = 2
    GROWTH = 3  # the pivot sequence no longer suits: analyse anew
    STEP_TOO_SMALL = 4


OK, NOT_CONVERGED, NOT_FINITE, GROWTH = (
    int(Status.OK),
    int(Status.NOT_CONVERGED),
    int(Status.NOT_FINITE),
    int(Status.GROWTH),
)


class Setting(IntEnum):
    """Numbers that steer the iteration (an array of doubles)."""

    RADIUS = 0
    TWO_STEP = 1
    TOLERANCE = 2  # largest correction of a twist, relative to the model's speeds
    MAX_ITERATIONS = 3
    CONTRACTION = 4  # a kept factorisation must do better than this
    SPEED_FLOOR = 5  # m/s
    SPIN_FLOOR = 6  # rad/s
    KEEP = 7  # iterations that a kept factorisation may take


class Memory(IntEnum):
    """What a step hands to the next (an array of doubles)."""

    TIME = 0
    STEP = 1  # last accepted step, 0 before the first
    FACTORED_FOR = 2  # c0 of the factorisation, 0 for none
    CONTRACTION = 3  # observed lately
    CORRECTION = 4  # last relative correction
    WORST_ROW = 5  # where it was largest


class Counter(IntEnum):
    """What is counted (an array of integers)."""

    STEPS = 0
    ITERATIONS = 1
    JACOBIANS = 2
    ANALYSES = 3
    REJECTED = 4
    STALLED = 5  # steps accepted at rounding level rather than at the tolerance


@inner
def prepare(m, settings, memory, h):
    """Coefficients of the scheme and of the predictor for a step h."""
    old = memory[Memory.STEP]
    coef = m.coef
    if old == 0.0:  # first step: one-step formula, predictor from the initial acceleration
        a1, a2, b0, b1, b2 = coefficients(1.0, 0.0, 1.0)
        unit, alpha = h, 1.0
        coef[E1], coef[E2], coef[F1], coef[F2] = 1.0, 0.0, h, 0.0
    else:
        alpha = h / old
        a1, a2, b0, b1, b2 = coefficients(settings[Setting.RADIUS], settings[Setting.TWO_STEP], alpha)
        unit = old
        coef[E1], coef[E2], coef[F1], coef[F2] = 1.0, 0.0, h * (1.0 + 0.5 * alpha), -0.5 * h * alpha
    coef[A1], coef[A2], coef[B1], coef[B2] = a1, a2, unit * b1, unit * b2
    c0 = unit * b0
    coef[POSE], coef[TWIST], coef[ACCELERATION], coef[PER_POSE], coef[MOVING] = c0, 1.0, 1.0 / c0, 1.0 / c0, 1.0
    return alpha


@inner
def predict(m, memory, alpha):
    """Poses, twists and multipliers from the past."""
    walk(m, PREDICT)
    slope = alpha if memory[Memory.STEP] != 0.0 else 0.0
    state, lam_1, lam_2, base = m.state, m.lam_1, m.lam_2, m.multiplier_base
    for k in range(m.multiplier_count):
        last, before = state[base + k], lam_1[k]
        lam_2[k], lam_1[k] = before, last
        state[base + k] = last + slope * (last - before)


@inner
def take_back(m):
    """Undoes the last predict."""
    walk(m, TAKE_BACK)
    for k in range(m.multiplier_count):
        m.state[m.multiplier_base + k] = m.lam_1[k]
        m.lam_1[k] = m.lam_2[k]


@inner
def correct(m):
    """Newton's correction of poses, twists and multipliers."""
    walk(m, CORRECT)
    state, x, base, rows = m.state, m.x, m.multiplier_base, m.multiplier_rows
    for k in range(m.multiplier_count):
        state[base + k] -= x[rows + k]


@inner
def speeds(m):
    """Largest speed [m/s] and spin [rad/s] of the nodes."""
    v = w = 0.0
    state, width = m.state, m.width
    for g in range(m.free_groups):
        first = (g * SIZE + ETA) * width
        for i in range(3 * width):
            v = max(v, abs(state[first + i]))
        for i in range(3 * width, 6 * width):
            w = max(w, abs(state[first + i]))
    return v, w


@inner
def size_of_correction(m, speed, spin):
    """Largest correction relative to the given speeds, and its row."""
    worst, where, total = 0.0, 0, 0.0
    x, half = m.x, 3 * m.width
    for g in range(m.free_groups):
        first = 2 * half * g
        for i in range(2 * half):
            e = abs(x[first + i]) * (speed if i < half else spin)
            total += e
            if e > worst:
                worst, where = e, first + i
    width, state = m.width, m.state
    for k in range(m.state_groups * width):
        at = m.states_base + (k // width) * STATE_SIZE * width + k % width
        size = abs(state[at + VALUE * width]) + m.scale[k]
        if state[at + ALGEBRAIC * width] == 0.0:
            e = abs(x[m.state_rows + k]) / (abs(state[at + RATE * width]) + size)
        else:  # no rate of its own: the change of its value counts
            e = abs(x[m.state_rows + k]) * m.coef[POSE] / size
        total += e
        if e > worst:
            worst, where = e, m.state_rows + k
    return worst + 0.0 * total, where  # a nan anywhere is not lost


@inner
def correction(m, lu, v):
    """x from res: the linear solver numbers the unknowns without the gaps of the lanes."""
    work, rows, res, x = lu.work, m.rows, m.res, m.x
    row_place, column_place = lu.row_place, lu.column_place
    for i in range(rows.size):
        work[row_place[i]] = res[rows[i]]
    substitute(lu, v)
    for i in range(rows.size):
        x[rows[i]] = work[column_place[i]]


@inner
def renew(m, lu, v, memory, counters):
    """A new Jacobian and its factors; False when the pivot sequence does not suit."""
    jacobian(m, v)
    health = refactor(lu, v)
    memory[Memory.FACTORED_FOR] = m.coef[POSE]
    memory[Memory.CONTRACTION] = 0.0
    counters[Counter.JACOBIANS] += 1
    return health <= GROWTH_LIMIT


@inner
def iterate(m, lu, v, settings, memory, counters, alpha):
    """Newton iterations from the predicted state; a Jacobian that contracts slowly is renewed, as often as it takes."""
    speed, spin = speeds(m)
    speed, spin = 1.0 / (speed + settings[Setting.SPEED_FLOOR]), 1.0 / (spin + settings[Setting.SPIN_FLOOR])
    # positions are known to 1e-16 of the length (the floor is 1e-2 of it), so twists to some times that over c0
    rounding = 1e-12 * settings[Setting.SPEED_FLOOR] * speed / m.coef[POSE]
    tolerance = settings[Setting.TOLERANCE]
    stale = abs(memory[Memory.FACTORED_FOR] / m.coef[POSE] - 1.0) <= 0.05
    if not stale and not renew(m, lu, v, memory, counters):
        return GROWTH
    # what was seen of the contraction is trusted less with every step (Hairer and Wanner, Solving ODEs II, IV.8)
    memory[Memory.CONTRACTION] = max(memory[Memory.CONTRACTION], 1e-3) ** 0.8 if stale else 0.0
    last, used = 0.0, 0  # the correction before, and the number since the Jacobian was looked at
    for _ in range(int(settings[Setting.MAX_ITERATIONS])):
        residual(m)
        correction(m, lu, v)
        size, where = size_of_correction(m, speed, spin)
        counters[Counter.ITERATIONS] += 1
        used += 1
        memory[Memory.CORRECTION], memory[Memory.WORST_ROW] = size, where
        if not size < 1e30:
            return NOT_FINITE
        correct(m)
        if used > 1:
            ratio = size / last
            memory[Memory.CONTRACTION] = ratio if used == 2 else max(0.3 * memory[Memory.CONTRACTION], ratio)
        rate = memory[Memory.CONTRACTION]
        if size < 1e-16 or ((used > 1 or rate > 0.0) and size * min(rate / (1.0 - min(rate, 0.9)), 1.0) < tolerance):
            return OK
        if used > 1 and size < rounding and rate > settings[Setting.CONTRACTION]:  # it does not get any smaller
            counters[Counter.STALLED] += 1
            return OK
        if used > 1 and (rate > settings[Setting.CONTRACTION] or used > settings[Setting.KEEP]):
            if stale and rate > 1.5:  # led astray by an old Jacobian: begin again at the prediction
                take_back(m)
                predict(m, memory, alpha)
            if not renew(m, lu, v, memory, counters):
                return GROWTH
            stale, used = False, 0
        last = size
    if memory[Memory.CORRECTION] < 1e3 * tolerance:  # it does not get any smaller: rounding in stiff or large forces
        counters[Counter.STALLED] += 1
        return OK
    return NOT_CONVERGED


@inner
def step(m, lu, v, settings, memory, counters, h):
    """One step of size h."""
    alpha = prepare(m, settings, memory, h)
    predict(m, memory, alpha)
    set_time(m, memory[Memory.TIME] + h)
    status = iterate(m, lu, v, settings, memory, counters, alpha)
    if status == NOT_CONVERGED or status == NOT_FINITE:  # once more, from where it stood: accelerations may be wild
        take_back(m)
        m.coef[F1] = m.coef[F2] = 0.0
        predict(m, memory, alpha)
        memory[Memory.FACTORED_FOR] = 0.0
        status = iterate(m, lu, v, settings, memory, counters, alpha)
    if status == OK:
        memory[Memory.TIME] += h
        memory[Memory.STEP] = h
        counters[Counter.STEPS] += 1
    return status
