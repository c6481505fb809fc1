"""Time is counted, not accumulated, so that the end of a step does not depend on the number of additions before.

    t_k = t_0 + k h,     h = p / q,     so that t_k = t_0 + (k p) / q is rounded once

p / q is the simplest fraction whose nearest double is the step: 0.003 s is 3 / 1000, so step 1000 ends at exactly the
double 3.0, regardless of what came before. t_0 is zero if the present time is a whole number of steps, and the present
time otherwise. Sample instants are counted in the same way, in sample times.

A known jump within rounding error of the end of a step is placed *at* the end, so that drives, samples and the step
agree on what is before it and what after.
"""

from __future__ import annotations

import numpy as np

from samara.tracing.driver.driver_cache import inner, routine

#: Largest p and q that are looked for: k p is then a whole number for 9e9 steps; and terms of a continued fraction.
LARGEST_TERM, MOST_TERMS = 1e6, 20
#: Part of a step by which a start may miss a whole number of them: rounding.
LARGEST_MISS = 1e-6
#: Part of a step within which a jump is at its end.
JUMP_ROUNDING = 1e-9


@routine
def fraction(h):
    """p and q, of which h is the quotient, rounded; h and 1 where there are none. By the continued fraction of h."""
    p_1, q_1, p, q, rest = 0.0, 1.0, 1.0, 0.0, h
    for _ in range(MOST_TERMS):
        whole = np.floor(rest)
        p_1, q_1, p, q = p, q, whole * p + p_1, whole * q + q_1
        if not (p <= LARGEST_TERM and q <= LARGEST_TERM):
            break
        if p / q == h:
            return p, q
        rest = 1.0 / (rest - whole)
    return h, 1.0


@inner
def instant(origin, k, p, q):
    """t_0 + k p / q."""
    return origin + k * p / q


@inner
def origin_of(time, h, p, q):
    """t_0 of instants that are h = p / q apart, of which one is at this time."""
    return 0.0 if abs(instant(0.0, np.floor(time / h + 0.5), p, q) - time) < LARGEST_MISS * h else time


@inner
def count_of(time, origin, h):
    """k of the instant at this time."""
    return np.floor((time - origin) / h + 0.5)


@routine
def _set_clock(memory, h):
    """Steps h from the present time on."""
    p, q = fraction(h)
    memory.clock.tick, memory.clock.numerator, memory.clock.denominator = h, p, q
    memory.clock.origin = origin_of(memory.clock.time, h, p, q)
    memory.clock.count = count_of(memory.clock.time, memory.clock.origin, h)


@inner
def set_goal(m, memory, h):
    """The end of a step h from the present time on: one more than were counted, unless something else came between."""
    if h != memory.clock.tick or memory.clock.time != memory.clock.reached:
        _set_clock(memory, h)
    memory.clock.count += 1.0
    end = instant(memory.clock.origin, memory.clock.count, memory.clock.numerator, memory.clock.denominator)
    memory.clock.goal = memory.clock.reached = jump_at(m, end, JUMP_ROUNDING * h)


@inner
def jump_at(m, time, margin):
    """The known jump that is at this time, but for a margin [s]; the time itself where there is none."""
    for k in range(m.jumps.times.size):
        if abs(m.jumps.times[k] - time) <= margin:
            return m.jumps.times[k]
    return time
