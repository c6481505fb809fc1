"""When factors are renewed: what wears them out, and what is cheaper.

Where parts turn against each other, the elements between them alone make the factors stale: their part, which is
factored last, may then be renewed in every step (`Simulation.turning_elements`); a trial decides.
"""

from __future__ import annotations

from samara.solve.codes import GROWTH, OK, Counter, Memory, Setting
from samara.solve.kernels import jacobian, jacobian_of_turning
from samara.solve.lu import GROWTH_LIMIT, refactor_head, refactor_tail, restore_tail
from samara.solve.scheme import POSE
from samara.solve.schur.calls import factors_by_parts
from samara.system.blocks import ETA, ROTATION
from samara.tracing.driver_cache import driver, inner, routine

#: Every so many steps it is tried what is cheaper: so many steps with the turning elements' part of the factors kept,
#: then as many with it renewed in each.
STEPS_BETWEEN_TRIALS, TRIAL_STEPS = 2048, 96
#: What a renewal of that part costs: as long as the iteration of a system with so many unknowns.
UNKNOWNS_FOR_A_RENEWAL = 60.0
#: Part of c0 by which that of the factors may differ.
LARGEST_DIFFERENCE = 0.05
#: Part of the wear that is left after a step, and how much is normal: what one worn step in ten adds up to.
WEAR_KEPT, NORMAL_WEAR = 0.97, 3.0
#: By how much more wear is borne once it was looked what turns.
PATIENCE_GROWTH = 3.0
#: Age of the factors: made in this step; from before, but for the turning elements' part; all from before.
NEW, HEAD_OLD, ALL_OLD = range(3)
#: What `ready` says of pivots that do not suit.
UNSUITABLE = -1


@inner
def are_for(memory, c0):
    """Whether the factors were made for this c0, or nearly."""
    return abs(memory[Memory.FACTORED_FOR] / c0 - 1.0) <= LARGEST_DIFFERENCE


@driver
def renew(work):
    """A new Jacobian and its factors; False when the pivot sequence does not suit."""
    m, lu, v, memory, counters = work.machine, work.lu, work.factors, work.memory, work.counters
    worst = 0.0
    if work.schur.number != 0:
        worst = factors_by_parts(work)
    else:
        jacobian(m, v)
    refactor_head(lu, v)
    jacobian_of_turning(m, v)
    health = refactor_tail(lu, v)
    memory[Memory.FACTORED_FOR] = m.coef[POSE]
    memory[Memory.CONTRACTION] = memory[Memory.LATER] = 0.0
    counters[Counter.JACOBIANS] += 1
    return worst <= GROWTH_LIMIT and health <= GROWTH_LIMIT


@routine
def refresh(work):
    """The turning elements' part of the Jacobian and of its factors anew, all else as it was."""
    m, lu, v, counters = work.machine, work.lu, work.factors, work.counters
    restore_tail(lu, v)
    jacobian_of_turning(m, v)
    counters[Counter.REFRESHED] += 1
    return refactor_tail(lu, v) <= GROWTH_LIMIT


@inner
def ready(work, h):
    """Factors to begin a step with: (OK, their age); GROWTH where other parts turn than before, or UNSUITABLE."""
    m, memory = work.machine, work.memory
    turning = m.turning.shape[0] != 0
    age = HEAD_OLD if are_for(memory, m.coef[POSE]) else NEW
    if turning and memory[Memory.PHASE] == 0.0:  # a trial begins with all fresh
        age = NEW
    if age == NEW and not renew(work):
        return UNSUITABLE, NEW
    if more_turns(work, h):
        return GROWTH, age
    if age == HEAD_OLD and turning:
        if not fresh_is_cheaper(m, memory):
            return OK, ALL_OLD
        if not refresh(work):
            return UNSUITABLE, HEAD_OLD
    return OK, age


@inner
def improve(work, age, wild):
    """Newer factors, as little of them as may do; all where corrections are wild. (Whether pivots suit, their age.)"""
    if age == ALL_OLD and not wild:
        return refresh(work), HEAD_OLD
    work.memory[Memory.WEAR] += 1.0
    return renew(work), NEW


@inner
def fresh_is_cheaper(m, memory):
    """Whether the turning elements' part of the factors is renewed in this step: by trial."""
    phase = memory[Memory.PHASE]
    if phase < 3 * TRIAL_STEPS:
        return phase < TRIAL_STEPS or phase >= 2 * TRIAL_STEPS
    return memory[Memory.FRESH] + TRIAL_STEPS * UNKNOWNS_FOR_A_RENEWAL / m.rows.size < memory[Memory.WORN]


@inner
def learn(memory, iterations):
    """Notes what a step has cost, and in which phase of the trial the next one is."""
    phase = memory[Memory.PHASE]
    if phase == 0.0:
        memory[Memory.WORN] = memory[Memory.FRESH] = 0.0
    if TRIAL_STEPS <= phase < 3 * TRIAL_STEPS:  # the first steps do not count: there all is new
        memory[Memory.WORN if phase < 2 * TRIAL_STEPS else Memory.FRESH] += iterations
    memory[Memory.PHASE] = (phase + 1.0) % STEPS_BETWEEN_TRIALS


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
def more_turns(work, h):
    """Whether the factors wear out so often that it is worth to look what turns, and more does than before."""
    m, memory = work.machine, work.memory
    memory[Memory.WEAR] *= WEAR_KEPT
    if memory[Memory.WEAR] <= memory[Memory.PATIENCE] + NORMAL_WEAR:
        return False
    memory[Memory.PATIENCE] = PATIENCE_GROWTH * memory[Memory.PATIENCE] + NORMAL_WEAR
    return turning_pairs(m, work.settings[Setting.TURN] / h) > m.turning_count
