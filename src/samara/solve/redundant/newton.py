"""Newton's method within a step, from the predicted state.

Modified Newton: a factorisation is kept while corrections contract fast enough, also over many steps; a stale one is
renewed (`solve.redundant.renewal` says when else). An iteration that an old one leads astray begins again at the
prediction.

The measure of a correction is its largest twist, against the speeds of the model, and the largest rate of a scalar
state, against the state's own rate and its size per second and per radian of the fastest part; of a state of order
zero, the correction of its value. Reactions are measured as forces, against the largest of them
(`solve.redundant.reactions`).
"""

from __future__ import annotations

from samara.solve.contact.calls import answer_again, close_contacts, has_contacts, push_contacts
from samara.solve.integrators.coefficients import leans_on_accelerations
from samara.solve.linear.schur.calls import correction_by_parts
from samara.solve.native.codes import GROWTH, NOT_CONVERGED, NOT_FINITE, OK, Counter
from samara.solve.native.kernels import residual
from samara.solve.redundant.correction import correction
from samara.solve.redundant.reactions import OF_REACTION, force_of_rounding, size_of_reactions
from samara.solve.redundant.renewal import (
    KEPT,
    NEW,
    UNSUITABLE,
    improve,
    may_be_renewed_in_part,
    ready,
    renew,
    renew_stale,
)
from samara.solve.redundant.scheme import POSE, begin_again, correct
from samara.system.memory.blocks import ALGEBRAIC, ETA, POSITION, RATE, SIZE, STATE_SIZE, VALUE
from samara.tracing.driver.driver_cache import inner, routine

# A correction is measured by the model's speeds: 1 is as large as they are.
#: Correction that an old factorisation must not make, and growth over the last one.
WILD_CORRECTION, LARGEST_GROWTH = 1e3, 1.5
#: A first correction, of the speeds that were predicted, that tells of accelerations which are not to be extrapolated:
#: one that takes back what they have made is as large as those speeds.
ASTRAY_CORRECTION = 0.9
#: Correction beyond which Newton's method is far from its end, and takes every factorisation that may help.
FAR_CORRECTION = 1e-2
#: The same, after so many iterations, whatever the bound on them is: in real time it is another than off-line.
LATE_CORRECTION, LATE = 1e-4, 8
#: Correction below which it cannot be told from none, and above which it is no number to go on with.
SMALLEST_CORRECTION, LARGEST_CORRECTION = 1e-16, 1e30
#: What was seen of the contraction is trusted less with every step: its power, and the least that is left of it
#: (Hairer and Wanner, Solving ODEs II, IV.8).
FADING_POWER, LEAST_FADED = 0.8, 1e-2
#: Part of the largest ratio of corrections seen that is kept while others are smaller.
RATIO_KEPT = 0.3
#: Ratio of corrections that is taken at most for a series of them.
LARGEST_RATIO = 0.9
#: Longest step [s] of which the usual speeds are what slow means; with longer ones that is slower.
BRISK_STEP = 1e-2
#: Rounding of positions, of the slow speed times a second (1e-2 of the length), and of their distance from the origin.
LENGTH_ROUNDING, DISTANCE_ROUNDING = 1e-12, 1e-15
#: Rounding of a number, of itself.
EPSILON = 2.0**-52
#: Part of a state's value by which rounding of places may move it.
STATE_ROUNDING = 1e-5
#: Correction below which one that does not contract may be rounding, also over its last measure; what is kept of that
#: after a step.
DOUBTFUL_CORRECTION, DOUBTFUL_RATIO, NOISE_KEPT = 1e-6, 100.0, 0.97
#: Reactions are held to so many times the tolerance, of the largest of them: accelerations are velocities by the step,
#: and so much less sharp.
REACTION_TOLERANCE = 100.0
#: Forces [N, N m] beyond which it is no use to look for pivots.
HUGE_FORCE = 1e100


@inner
def speeds(m):
    """Largest speed [m/s] and spin [rad/s] of the nodes, against their carriers, and distance from the origin [m]."""
    v = w = distance = 0.0
    state, width = m.state, m.layout.width
    for g in range(m.layout.free_groups):
        first = (g * SIZE + ETA) * width
        for i in range(3 * width):
            v = max(v, abs(state[first + i]))
        for i in range(3 * width, 6 * width):
            w = max(w, abs(state[first + i]))
        first = (g * SIZE + POSITION) * width
        for i in range(3 * width):
            distance = max(distance, abs(state[first + i]))
    return v, w, distance


@inner
def size_of_correction(m, speed, spin, brisk):
    """Largest correction relative to the speeds, and its row; speed and spin are the inverses of the model's.

    brisk: rate [1/s] at which a state that rests counts as moving. Also returns the largest of the nodes alone, and by
    how much of itself the value of a state moves at most.
    """
    worst, where, total = 0.0, 0, 0.0
    x, half = m.x, 3 * m.layout.width
    for g in range(m.layout.free_groups):
        first = 2 * half * g
        for i in range(2 * half):
            e = abs(x[first + i]) * (speed if i < half else spin)
            total += e
            if e > worst:
                worst, where = e, first + i
    width, state, nodes, moved = m.layout.width, m.state, worst, 0.0
    for k in range(m.layout.state_groups * width):
        at = m.layout.states_base + (k // width) * STATE_SIZE * width + k % width
        size, e = abs(state[at + VALUE * width]) + m.scale[k], abs(x[m.layout.state_rows + k])
        moved = max(moved, e * m.coef[POSE] / size)
        if state[at + ALGEBRAIC * width] > 0.5:  # its rate means nothing: by how much the value moves
            e *= m.coef[POSE] / size
        else:
            e /= size * (brisk + 1.0 / spin) + abs(state[at + RATE * width])
        total += e
        if e > worst:
            worst, where = e, m.layout.state_rows + k
    return worst + 0.0 * total, where, nodes, moved  # a nan anywhere is not lost


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
    half, top, bottom = 3 * m.layout.width, 0.0, 0.0
    for g in range(m.layout.free_groups):
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
def evaluate(work):
    """All equations at the present state, and the correction they ask for."""
    m = work.machine
    if work.schur.apart != 0 and not has_contacts(m):  # rows of closed contacts are of the whole
        correction_by_parts(work, 1)
    else:
        residual(m)
        correction(work)


@inner
def _move_by_rounding(m, part):
    """Half of the places, always the same, by this part of themselves."""
    width, toss = m.layout.width, 1
    for g in range(m.layout.free_groups):
        first = (g * SIZE + POSITION) * width
        for i in range(first, first + 3 * width):
            toss = (1103515245 * toss + 12345) % 2147483648  # Knuth's linear congruence, in the C standard
            m.state[i] += part * m.state[i] if toss & 65536 else 0.0


@inner
def rounding_noise(work, speed, spin, brisk, floor):
    """Correction that the last digit of places makes: how small corrections can become; the scales as above.

    Errors of the places along a chain add up to where it bends, and a short link there turns by their sum over its
    length; they add up all the more as parts that move alike are rounded alike. So it is measured: by what the
    correction changes when half of the places, chosen by chance, are moved by their rounding away from the origin.
    `m.found` has the correction before, `m.taken` the one to take now, which is left in `m.x`.
    """
    m, memory, x = work.machine, work.memory, work.machine.x
    _move_by_rounding(m, EPSILON)
    evaluate(work)
    _move_by_rounding(m, -EPSILON)
    for i in range(x.size):
        x[i] -= m.found[i]
    noise = max(size_of_correction(m, speed, spin, brisk)[0], size_of_reactions(m, floor) / REACTION_TOLERANCE)
    for i in range(x.size):
        x[i] = m.taken[i]
    work.counters[Counter.ITERATIONS] += 1
    memory.trust.rounding, memory.trust.rounding_scale = noise, noise * m.coef[POSE] / (speed * spin)
    return noise


@inner
def _known_noise(memory, c0, speed, spin):
    """The same as it was measured lately, at the present scales; less and less, so that it is measured again.

    And the correction below which it is worth to do so.
    """
    memory.trust.rounding *= NOISE_KEPT
    measured = memory.trust.rounding_scale * speed * spin / c0
    doubt = DOUBTFUL_CORRECTION if measured == 0.0 else min(DOUBTFUL_CORRECTION, DOUBTFUL_RATIO * measured)
    return min(memory.trust.rounding, measured), doubt


@inner
def contraction(memory, size, last, used):
    """By how much the next correction is going to be smaller than this one; 0 where nothing is known of it.

    The second correction is mostly of forces that the first could not know, such as a rotor's, which turn with its
    blades; how fast an iteration converges shows from the third on. Both ratios are kept apart, and over the steps.
    """
    if used > 1:
        ratio = max(size / last, SMALLEST_CORRECTION)
        if used == 2:
            memory.trust.contraction = ratio
            later = memory.trust.later
            if later == 0.0 or ratio <= later:
                return ratio
            memory.trust.later = max(later, LEAST_FADED) ** FADING_POWER
            return memory.trust.later
        memory.trust.later = ratio if used == 3 else max(RATIO_KEPT * memory.trust.later, ratio)
        memory.trust.contraction = max(RATIO_KEPT * memory.trust.contraction, ratio)
        return memory.trust.later
    return memory.trust.contraction


@inner
def _again(work, alpha):
    """Back to the prediction, with new factors."""
    begin_again(work.machine, alpha)
    return renew(work)


@inner
def _unsuitable(m):
    """Why factors are no good: pivots that do not suit, or equations that are not finite."""
    residual(m)
    total = 0.0
    for i in range(m.rows.size):
        total += abs(m.res[m.rows[i]])
    return GROWTH if total < HUGE_FORCE else NOT_FINITE


@inner
def _scales(m, settings, h):
    """Inverses of the model's speed and spin, rate at which states count as moving, size of mere rounding.

    The last is the force [N] of which the tolerance is what rounding moves.
    """
    speed, spin, distance = speeds(m)
    brisk = min(1.0, BRISK_STEP / h)  # what is slow is looked at by long steps
    speed = 1.0 / (speed + brisk * settings.speed_floor)
    spin = 1.0 / (spin + brisk * settings.spin_floor)
    # positions are known to 1e-16 of the length (the floor is 1e-2 of it) and of their distance from the origin, so
    # twists to some times that over c0
    rounding = LENGTH_ROUNDING * settings.speed_floor + DISTANCE_ROUNDING * distance
    rounding /= m.coef[POSE]
    floor = force_of_rounding(m, rounding, m.coef[POSE]) / (REACTION_TOLERANCE * settings.tolerance)
    return speed, spin, brisk, rounding * speed, floor


@inner
def _is_left(size, rate):
    """What the corrections to come add up to."""
    return size * min(rate / (1.0 - min(rate, LARGEST_RATIO)), 1.0)


@inner
def _has_converged(size, rate, tolerance):
    """Whether that is less than the tolerance."""
    return size < SMALLEST_CORRECTION or (rate > 0.0 and _is_left(size, rate) < tolerance)


@inner
def _is_slow(work, size, rate, used, k):
    """Whether new factors may help: corrections do not contract enough, or go on for long.

    Far from the end after eight iterations, none is left for old ones: diodes that have been far beyond their knee come
    back to it by a few times their thermal voltage per iteration, with factors of that very place.
    """
    settings = work.settings
    if size > LATE_CORRECTION and k >= LATE:
        return True
    slow = settings.contraction
    far = used == 2 and size > FAR_CORRECTION and work.memory.trust.contraction > slow
    return far or (used > 2 and rate > slow) or used > settings.keep


@routine
def newton(work, h, alpha):
    """Iterates until converged, or as often as is allowed; what is left then is accepted below the ceiling."""
    m, settings, memory, counters = work.machine, work.settings, work.memory, work.counters
    speed, spin, brisk, rounding, floor = _scales(m, settings, h)
    slow, (noise, doubt) = settings.contraction, _known_noise(memory, m.coef[POSE], speed, spin)
    tolerance = max(settings.tolerance, noise)
    status, age = ready(work, h)
    if status != OK:
        return _unsuitable(m) if status == UNSUITABLE else status
    if memory.trust.contraction > 0.0:
        memory.trust.contraction = max(memory.trust.contraction, LEAST_FADED) ** FADING_POWER
    last, used = 0.0, 0  # the correction before, and the number since the Jacobian was looked at
    touching = has_contacts(m) and close_contacts(work) != 0
    for k in range(settings.max_iterations):
        evaluate(work)
        if touching:
            status = push_contacts(work)
            if status != OK:
                return status
        size, where, nodes, moved = size_of_correction(m, speed, spin, brisk)
        loads = size_of_reactions(m, floor) / REACTION_TOLERANCE
        if loads > size:
            where = OF_REACTION
        size = max(size, loads) + 0.0 * (size + loads)  # a nan of either is not lost
        counters[Counter.ITERATIONS] += 1
        used += 1
        memory.trust.correction, memory.trust.worst_row = size, where
        if k == 0 and leans_on_accelerations(m) and not size < ASTRAY_CORRECTION:
            return NOT_CONVERGED
        wild = not size < WILD_CORRECTION
        doubtful = not touching and used > 1 and slow * last < size < (DOUBTFUL_CORRECTION if k == LATE else doubt)
        if age != NEW and (
            wild or (used > 1 and not doubtful and size > max(LARGEST_GROWTH * last, rounding, tolerance))
        ):
            begin_again(m, alpha)
            suits, age = improve(work, age, wild)
            if not suits:
                return _unsuitable(m)
            if touching:
                answer_again(work)
            used = 0
            continue
        if not size < LARGEST_CORRECTION:
            return NOT_FINITE
        if not touching:
            accelerate(m, speed, spin, used == 1 or loads > nodes)
        if doubtful:
            noise, doubt = rounding_noise(work, speed, spin, brisk, floor), 0.0
            tolerance, rounding = max(tolerance, noise), max(rounding, noise)
        correct(m)
        rate = contraction(memory, size, last, used)
        # a first correction that is large for reasons of its own tells nothing of how fast reactions converge
        if _has_converged(size, rate, tolerance) and _is_left(loads, memory.trust.later) < tolerance:
            if not _has_converged(size, rate, settings.tolerance):
                counters[Counter.STALLED] += 1
            return OK
        # it does not get any smaller: states that follow motions see the rounding of places as their rates
        if (
            used > 1
            and rate > slow
            and (size < rounding or (0.0 < nodes < rounding and moved < STATE_ROUNDING and loads < tolerance))
        ):
            counters[Counter.STALLED] += 1
            return OK
        renewed = KEPT
        if used > 1 and may_be_renewed_in_part(work, age) and not _has_converged(size * rate, rate, tolerance):
            renewed = renew_stale(work)
            if renewed == UNSUITABLE:
                return _unsuitable(m)
        if renewed != KEPT:
            used = 0
        elif _is_slow(work, size, rate, used, k):
            suits, age = improve(work, age, False)
            # pivots that do not suit where an iteration has gone may do so where it began
            if not suits and not _again(work, alpha):
                return _unsuitable(m)
            if touching:
                answer_again(work)
            used = 0
        last = size
    if memory.trust.correction < settings.ceiling:
        counters[Counter.UNCONVERGED] += 1
        return OK
    return NOT_CONVERGED
