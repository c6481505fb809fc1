"""Newton's method within a step, starting from the predictor, for the equations of any formulation.

Modified Newton: a factorisation is reused, even over many steps, while the contraction rate is good enough; a stale one
is renewed. An iteration that diverges with an old factorisation restarts from the predictor. Corrections that stop
decreasing are compared with the measured rounding error. A final correction below the ceiling is accepted and counted.

A formulation provides its equations as functions that are inlined into the loop (`newton_for`). `start` is whatever it
needs to restore its prediction.

    ready(work, h, start)                 factors to begin with: status and their age
    scales(work, h)                       what corrections are measured by, a tuple that is handed on to all below;
                                          rounding that is known beforehand; the unit in which measured rounding is
                                          remembered, over other speeds and steps; whether it may be measured
    evaluate(work, start, scales)         the correction that the equations at the present state ask for: status
    measure(work, scales)                 how large it is, of the model's speeds; then that of the motion alone, by how
                                          much of themselves other states move at most, and the correction of
                                          reactions, as it counts
    worst(work, scales)                   its row, to be told where Newton's method gives up
    accelerate(work, scales, first)       the correction to take, from that and the one before; keeps both
    vectors(work)                         correction, as it was found, as it is taken
    shake(work, part)                     moves half of the places by that part of themselves
    move(work)                            by the correction
    begin_again(work, start)              the prediction once more
    improve(work, start, scales, age, wild)   newer factors: status and their age
    improve_part(work, age)               new factors of what is stale alone: status, whether there were any
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from samara.solve.integrators.coefficients import leans_on_accelerations
from samara.solve.native.codes import NOT_CONVERGED, NOT_FINITE, OK, Counter
from samara.system.memory.blocks import Coefficient
from samara.tracing.driver.driver_cache import inner, routine

POSE, ACCELERATION = int(Coefficient.POSE), int(Coefficient.ACCELERATION)
#: Age of factors: made in this step; in part from before; all from before.
NEW, PART_OLD, ALL_OLD = range(3)
# A correction is measured by the model's speeds: 1 is as large as they are.
#: Correction that an old factorisation must not make, and growth over the last one.
WILD_CORRECTION, LARGEST_GROWTH = 1e3, 1.5
#: A first correction, of the speeds that were predicted, that tells of accelerations which are not to be extrapolated:
#: one that takes back what they have made is as large as those speeds.
ASTRAY_CORRECTION = 0.9
#: Correction beyond which Newton's method is far from its end, and takes every factorisation that may help.
FAR_CORRECTION = 1e-2
#: The same, after so many iterations, whatever the bound on them is: in real time it is another than off-line.
LATE_CORRECTION, LATE_ITERATION = 1e-4, 8
#: What was seen of the contraction is trusted less with every step: its power, and the least that is left of it
#: (Hairer and Wanner, Solving ODEs II, IV.8).
FADING_POWER, LEAST_FADED = 0.8, 1e-2
LEAST_LEFT = LEAST_FADED**FADING_POWER
#: Part of the largest ratio of corrections seen that is kept while others are smaller.
RATIO_KEPT = 0.3
#: Correction above which the motion is no longer one of numbers: what is left of it would overflow.
LARGEST_CORRECTION = 1e30
#: Rounding of a number, of itself: a smaller correction cannot be told from none.
EPSILON = 2.0**-52
#: Part of a state's value by which rounding of places may move it.
STATE_ROUNDING = 1e-5
#: Correction below which one that does not contract may be rounding, also over its last measure; what is kept of that
#: after a step.
DOUBTFUL_CORRECTION, DOUBTFUL_RATIO, NOISE_KEPT = 1e-6, 100.0, 0.97
#: Knuth's linear congruence, in the C standard; which bit is taken.
TOSS_FACTOR, TOSS_SUMMAND, TOSS_RANGE, TOSS_BIT = 1103515245, 12345, 2**31, 2**16


@inner
def are_for(memory, coef, difference):
    """Whether the factors were made for these c0 and c2, but for that part of them."""
    trust = memory.trust
    if not abs(trust.factored_for / coef[POSE] - 1.0) <= difference:
        return False
    return abs(trust.factored_second / coef[ACCELERATION] - 1.0) <= difference


@inner
def note_factors(memory, coef):
    """They are made for the present c0 and c2, and nothing is known of how they do."""
    memory.trust.factored_for, memory.trust.factored_second = coef[POSE], coef[ACCELERATION]
    memory.trust.contraction = memory.trust.later = 0.0


@inner
def tossed(toss):
    """The next of a row of numbers that are as good as by chance."""
    return (TOSS_FACTOR * toss + TOSS_SUMMAND) % TOSS_RANGE


@inner
def heads(toss):
    """One bit of it, from the middle: low ones repeat soon."""
    return toss & TOSS_BIT != 0


@inner
def _known_noise(memory, unit):
    """Rounding as it was measured lately, at the present scales; less and less, so that it is measured again.

    And the correction below which it is worth to do so.
    """
    memory.trust.rounding *= NOISE_KEPT
    measured = memory.trust.rounding_scale / unit
    doubt = DOUBTFUL_CORRECTION if measured == 0.0 else min(DOUBTFUL_CORRECTION, DOUBTFUL_RATIO * measured)
    return min(memory.trust.rounding, measured), doubt


@inner
def _faded(contraction):
    """What was seen, a step later; a power takes as long as an equation of a small tree."""
    return contraction**FADING_POWER if contraction > LEAST_FADED else LEAST_LEFT


@inner
def _contraction(memory, size, last, used):
    """By how much the next correction is going to be smaller than this one; 0 where nothing is known of it.

    The second correction is mostly of forces that the first could not know, such as a rotor's, which turn with its
    blades; how fast an iteration converges shows from the third on. Both ratios are kept apart, and over the steps.
    """
    if used > 1:
        ratio = max(size / last, EPSILON)
        if used == 2:
            memory.trust.contraction = ratio
            later = memory.trust.later
            if later == 0.0 or ratio <= later:
                return ratio
            memory.trust.later = _faded(later)
            return memory.trust.later
        memory.trust.later = ratio if used == 3 else max(RATIO_KEPT * memory.trust.later, ratio)
        memory.trust.contraction = max(RATIO_KEPT * memory.trust.contraction, ratio)
        return memory.trust.later
    return memory.trust.contraction


@inner
def _is_left(size, rate):
    """What the corrections to come add up to, as a series; at most as much as this one."""
    return size * (rate / (1.0 - rate) if rate < 0.5 else 1.0)


@inner
def _has_converged(size, rate, tolerance):
    """Whether that is less than the tolerance."""
    return size < EPSILON or (rate > 0.0 and _is_left(size, rate) < tolerance)


@inner
def _is_last(work, size, rate, reactions, tolerance):
    """The same, of reactions too: a first correction of the motion, which may be large for reasons of its own, tells
    nothing of how fast they converge.
    """
    return _has_converged(size, rate, tolerance) and _is_left(reactions, work.memory.trust.later) < tolerance


@inner
def _is_rounding(size, motion, moved, reactions, rounding, tolerance):
    """Whether a correction that gets no smaller is rounding: states that follow motions see that of places as their
    rates.
    """
    of_motion = 0.0 < motion < rounding and moved < STATE_ROUNDING and reactions < tolerance
    return size < rounding or of_motion


@inner
def _is_slow(work, size, rate, used, k):
    """Whether new factors may help: corrections do not contract enough, or go on for long.

    Far from the end after eight iterations, none is left for old ones: diodes that have been far beyond their knee come
    back to it by a few times their thermal voltage per iteration, with factors of that very place.
    """
    settings = work.settings
    if size > LATE_CORRECTION and k >= LATE_ITERATION:
        return True
    slow = settings.contraction
    far = used == 2 and size > FAR_CORRECTION and work.memory.trust.contraction > slow
    return far or (used > 2 and rate > slow) or used > settings.keep


def _noise_of(evaluate: Callable, measure: Callable, shake: Callable, vectors: Callable) -> Callable:
    """The measure of rounding of some equations."""

    @inner
    def rounding_noise(work, start, scales, unit):
        """Correction that the last digit of places makes: how small corrections can become.

        Errors of the places along a chain add up to where it bends, and a short link there turns by their sum over its
        length; they add up all the more as parts that move alike are rounded alike. So it is measured: by what the
        correction changes when half of the places, chosen by chance, are moved by their rounding away from the origin.
        """
        memory, (x, found, taken) = work.memory, vectors(work)
        shake(work, EPSILON)
        evaluate(work, start, scales)
        shake(work, -EPSILON)
        for i in range(x.size):
            x[i] -= found[i]
        noise = measure(work, scales)[0]
        for i in range(x.size):
            x[i] = taken[i]
        work.counters[Counter.ITERATIONS] += 1
        memory.trust.rounding, memory.trust.rounding_scale = noise, noise * unit
        return noise

    return rounding_noise


def newton_for(
    module: str, *, ready: Any, scales: Any, evaluate: Any, measure: Any, worst: Any, accelerate: Any, vectors: Any,
    shake: Any, move: Any, begin_again: Any, improve: Any, improve_part: Any,
) -> Any:  # fmt: skip
    """The method for the equations of a module, native."""
    measure_rounding = _noise_of(evaluate, measure, shake, vectors)

    @inner
    def given_up(work, by, status):
        work.memory.trust.worst_row = worst(work, by)
        return status

    def newton(work, h, start):
        """Iterates until converged, or as often as is allowed; what is left then is accepted below the ceiling."""
        settings, memory, counters = work.settings, work.memory, work.counters
        status, age = ready(work, h, start)
        if status != OK:
            return status
        by, rounding, unit, may_be_measured = scales(work, h)
        slow, (noise, doubt) = settings.contraction, _known_noise(memory, unit)
        tolerance = max(settings.tolerance, noise)
        if memory.trust.contraction > 0.0:
            memory.trust.contraction = _faded(memory.trust.contraction)
        last, used = 0.0, 0  # the correction before, and the number since the Jacobian was looked at
        for k in range(settings.max_iterations):
            status = evaluate(work, start, by)
            if status != OK:
                return status
            size, motion, moved, reactions = measure(work, by)
            counters[Counter.ITERATIONS] += 1
            used += 1
            memory.trust.correction = size
            if k == 0 and leans_on_accelerations(work.machine) and not size < ASTRAY_CORRECTION:
                return given_up(work, by, NOT_CONVERGED)
            wild = not size < WILD_CORRECTION
            may_be_rounding = may_be_measured and used > 1 and slow * last < size
            doubtful = may_be_rounding and size < (DOUBTFUL_CORRECTION if k == LATE_ITERATION else doubt)
            grows = used > 1 and not doubtful and size > max(LARGEST_GROWTH * last, rounding, tolerance)
            if age != NEW and (wild or grows):
                begin_again(work, start)
                status, age = improve(work, start, by, age, wild)
                if status != OK:
                    return status
                used = 0
                continue
            if not size < LARGEST_CORRECTION:
                return given_up(work, by, NOT_FINITE)
            accelerate(work, by, used == 1 or reactions > motion)
            if doubtful:
                noise, doubt = measure_rounding(work, start, by, unit), 0.0
                tolerance, rounding = max(tolerance, noise), max(rounding, noise)
            move(work)
            rate = _contraction(memory, size, last, used)
            if _is_last(work, size, rate, reactions, tolerance):
                counters[Counter.STALLED] += not _has_converged(size, rate, settings.tolerance)
                return OK
            if used > 1 and rate > slow and _is_rounding(size, motion, moved, reactions, rounding, tolerance):
                counters[Counter.STALLED] += 1
                return OK
            renewed = False
            if used > 1 and not _has_converged(size * rate, rate, tolerance):
                status, renewed = improve_part(work, age)
            if not renewed and status == OK and _is_slow(work, size, rate, used, k):
                status, age = improve(work, start, by, age, False)
                renewed = True
            if status != OK:
                return status
            used = 0 if renewed else used
            last = size
        if memory.trust.correction < settings.ceiling:
            counters[Counter.UNCONVERGED] += 1
            return OK
        return given_up(work, by, NOT_CONVERGED)

    newton.__module__ = module
    newton.__qualname__ = newton.__name__
    return routine(newton)
