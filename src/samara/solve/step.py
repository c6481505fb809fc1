"""One time step: predict, residual, (Jacobian, factor), solve, correct, accept.

Modified Newton: a factorisation is kept while corrections contract fast enough, also over many steps; a stale one is
renewed. Where parts turn against each other, the elements between them alone make it stale: their part, which is
factored last, is then renewed in every step (`Simulation.turning_elements`).

The measure of a correction is its largest twist, against the speeds of the model, and the largest rate of a scalar
state, against the state's own rate and its size a second and a radian of the fastest part; of a state of order zero,
the correction of its value.
"""

from __future__ import annotations

from enum import IntEnum

from samara.solve.integrators.family import coefficients as plain_coefficients
from samara.solve.lu import GROWTH_LIMIT, refactor_head, refactor_tail, restore_tail, substitute
from samara.solve.machine import CORRECT, PREDICT, TAKE_BACK, jacobian, jacobian_of_turning, residual, set_time, walk
from samara.system.blocks import ALGEBRAIC, ETA, RATE, ROTATION, SIZE, STATE_SIZE, VALUE, Coefficient
from samara.tracing.driver_cache import driver, inner

#: Every so many steps it is tried what is cheaper: so many steps with the turning elements' part of the factors kept,
#: then as many with it renewed in each. And the price of a renewal: it takes about as long as the iteration of a system
#: with so many unknowns.
EVERY, TRIAL, PRICE = 2048, 96, 60.0
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
    TURN = 8  # rad a step that two nodes turn against each other, from which on it is said that they do


class Memory(IntEnum):
    """What a step hands to the next (an array of doubles)."""

    TIME = 0
    STEP = 1  # last accepted step, 0 before the first
    FACTORED_FOR = 2  # c0 of the factorisation, 0 for none
    CONTRACTION = 3  # observed lately
    CORRECTION = 4  # last relative correction
    WORST_ROW = 5  # where it was largest
    WEAR = 6  # how many of the last steps needed a new Jacobian, beyond what is normal
    PATIENCE = 7  # how much of it is borne before the pivots are looked at again
    PHASE = 8  # steps since a trial of the turning elements' part of the factors began
    WORN = 9  # iterations of `TRIAL` steps with it kept, and
    FRESH = 10  # with it renewed in each


class Counter(IntEnum):
    """What is counted (an array of integers)."""

    STEPS = 0
    ITERATIONS = 1
    JACOBIANS = 2
    ANALYSES = 3
    REJECTED = 4
    STALLED = 5  # steps accepted at rounding level rather than at the tolerance
    REFRESHED = 6  # times that the turning elements' part of the factors was renewed on its own
    RETRIED = 7  # steps that did not converge at first, and were taken once more


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
def turning_pairs(m, spin):
    """How many pairs of nodes turn against each other faster than that [rad/s]; marks them in `m.turns`."""
    state, w, count = m.state, m.width, 0
    for k in range(m.pairs.shape[0]):
        total = 0.0
        for i in range(3):
            difference = 0.0
            for j in range(3):
                at, eta = (ROTATION + 3 * i + j) * w, (ETA + 3 + j) * w
                a, b = m.pairs[k, 0], m.pairs[k, 1]
                difference += state[b + at] * state[b + eta] - state[a + at] * state[a + eta]
            total += difference * difference
        m.turns[k] = total > spin * spin
        count += m.turns[k]
    return count


@inner
def size_of_correction(m, speed, spin):
    """Largest correction relative to the speeds, and its row; speed and spin are the inverses of the model's."""
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
        size, e = abs(state[at + VALUE * width]) + m.scale[k], abs(x[m.state_rows + k])
        if state[at + ALGEBRAIC * width] > 0.5:  # its rate means nothing: by how much the value moves
            e *= m.coef[POSE] / size
        else:
            e /= size * (1.0 + 1.0 / spin) + abs(state[at + RATE * width])
        total += e
        if e > worst:
            worst, where = e, m.state_rows + k
    return worst + 0.0 * total, where  # a nan anywhere is not lost


@inner
def accelerate(m, speed, spin, first):
    """Anderson's acceleration by one iteration: what the last one left over tells how far to go beyond this one.

        a = z - g (a' + z - z'),     g = <z, z - z'> / <z - z', z - z'>

    z: correction found, a: taken, dashes: in the iteration before. Twists are weighed as in `size_of_correction`.
    """
    x, found, taken = m.x, m.found, m.taken
    if first:
        for i in range(x.size):
            found[i] = taken[i] = x[i]
        return
    half, top, bottom = 3 * m.width, 0.0, 0.0
    for g in range(m.free_groups):
        start = 2 * half * g
        for i in range(2 * half):
            weight = speed if i < half else spin
            change = (x[start + i] - found[start + i]) * weight
            top += x[start + i] * weight * change
            bottom += change * change
    gain = top / bottom if bottom > 0.0 else 0.0
    gain = min(max(gain, -1.0), 0.5)
    for i in range(x.size):
        z = x[i]
        a = z - gain * (taken[i] + z - found[i])
        found[i] = z
        taken[i] = a
        x[i] = a


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
    refactor_head(lu, v)
    jacobian_of_turning(m, v)
    health = refactor_tail(lu, v)
    memory[Memory.FACTORED_FOR] = m.coef[POSE]
    memory[Memory.CONTRACTION] = 0.0
    counters[Counter.JACOBIANS] += 1
    return health <= GROWTH_LIMIT


@inner
def refresh(m, lu, v, memory, counters):
    """The turning elements' part of the Jacobian and of its factors anew, all else as it was."""
    restore_tail(lu, v)
    jacobian_of_turning(m, v)
    counters[Counter.REFRESHED] += 1
    return refactor_tail(lu, v) <= GROWTH_LIMIT


@inner
def fresh_is_cheaper(m, memory):
    """Whether the turning elements' part of the factors is renewed in this step: by trial."""
    phase = memory[Memory.PHASE]
    if phase < 3 * TRIAL:
        return phase < TRIAL or phase >= 2 * TRIAL
    return memory[Memory.FRESH] + TRIAL * PRICE / m.rows.size < memory[Memory.WORN]


@inner
def learn(memory, iterations):
    """Notes what a step has cost, and in which phase of the trial the next one is."""
    phase = memory[Memory.PHASE]
    if phase == 0.0:
        memory[Memory.WORN] = memory[Memory.FRESH] = 0.0
    if TRIAL <= phase < 3 * TRIAL:  # the first steps do not count: there all is new
        memory[Memory.WORN if phase < 2 * TRIAL else Memory.FRESH] += iterations
    memory[Memory.PHASE] = (phase + 1.0) % EVERY


@inner
def iterate(m, lu, v, settings, memory, counters, h, alpha):
    """Newton iterations from the predicted state; a Jacobian that contracts slowly is renewed, as often as it takes."""
    speed, spin = speeds(m)
    speed, spin = 1.0 / (speed + settings[Setting.SPEED_FLOOR]), 1.0 / (spin + settings[Setting.SPIN_FLOOR])
    # positions are known to 1e-16 of the length (the floor is 1e-2 of it), so twists to some times that over c0
    rounding = 1e-12 * settings[Setting.SPEED_FLOOR] * speed / m.coef[POSE]
    tolerance = settings[Setting.TOLERANCE]
    stale = abs(memory[Memory.FACTORED_FOR] / m.coef[POSE] - 1.0) <= 0.05
    if m.turning.shape[0] != 0 and memory[Memory.PHASE] == 0.0:  # a trial begins with all fresh
        stale = False
    if not stale and not renew(m, lu, v, memory, counters):
        return GROWTH
    memory[Memory.WEAR] *= 0.97
    if memory[Memory.WEAR] > memory[Memory.PATIENCE] + 3.0:  # one in ten steps
        memory[Memory.PATIENCE] = 3.0 * memory[Memory.PATIENCE] + 3.0
        if turning_pairs(m, settings[Setting.TURN] / h) > m.turning_count:  # more parts turn than before
            return GROWTH
    refreshed = not stale or m.turning.shape[0] == 0
    if not refreshed and fresh_is_cheaper(m, memory):
        if not refresh(m, lu, v, memory, counters):
            return GROWTH
        refreshed = True
    # what was seen of the contraction is trusted less with every step (Hairer and Wanner, Solving ODEs II, IV.8)
    memory[Memory.CONTRACTION] = max(memory[Memory.CONTRACTION], 1e-2) ** 0.8 if stale else 0.0
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
        accelerate(m, speed, spin, used == 1)
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
            if refreshed:
                stale, memory[Memory.WEAR] = False, memory[Memory.WEAR] + 1.0
                suits = renew(m, lu, v, memory, counters)
            else:
                refreshed = True
                suits = refresh(m, lu, v, memory, counters)
            if not suits:
                return GROWTH
            used = 0
        last = size
    if memory[Memory.CORRECTION] < 1e3 * tolerance:  # it does not get any smaller: rounding in stiff or large forces
        counters[Counter.STALLED] += 1
        return OK
    return NOT_CONVERGED


@inner
def accept(memory, counters, h, before):
    """Time goes on by h; before: iterations that were counted when the step began."""
    learn(memory, counters[Counter.ITERATIONS] - before)
    memory[Memory.TIME] += h
    memory[Memory.STEP] = h
    counters[Counter.STEPS] += 1


@inner
def step(m, lu, v, settings, memory, counters, h):
    """One step of size h."""
    before = counters[Counter.ITERATIONS]
    alpha = prepare(m, settings, memory, h)
    predict(m, memory, alpha)
    set_time(m, memory[Memory.TIME] + h)
    status = iterate(m, lu, v, settings, memory, counters, h, alpha)
    if status == NOT_CONVERGED or status == NOT_FINITE:  # once more, from where it stood: accelerations may be wild
        counters[Counter.RETRIED] += 1
        take_back(m)
        m.coef[F1] = m.coef[F2] = 0.0
        predict(m, memory, alpha)
        memory[Memory.FACTORED_FOR] = 0.0
        status = iterate(m, lu, v, settings, memory, counters, h, alpha)
    if status == OK:
        accept(memory, counters, h, before)
    return status
