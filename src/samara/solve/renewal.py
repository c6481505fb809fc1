"""When factors are renewed: what wears them out, and what is cheaper.

Where parts turn against each other, the elements between them alone make the factors stale: their part, which is
factored last, may then be renewed in every step (`Simulation.turning_elements`); a trial decides.
"""

from __future__ import annotations

from samara.solve.codes import Counter, Memory, Setting
from samara.solve.lu import GROWTH_LIMIT, refactor_head, refactor_tail, restore_tail
from samara.solve.machine import jacobian, jacobian_of_turning
from samara.solve.scheme import POSE
from samara.system.blocks import ETA, ROTATION
from samara.tracing.driver_cache import driver, inner, routine

#: Every so many steps it is tried what is cheaper: so many steps with the turning elements' part of the factors kept,
#: then as many with it renewed in each. And the price of a renewal: it takes about as long as the iteration of a system
#: with so many unknowns.
EVERY, TRIAL, PRICE = 2048, 96, 60.0


@inner
def are_for(memory, c0):
    """Whether the factors were made for this c0, within five per cent."""
    return abs(memory[Memory.FACTORED_FOR] / c0 - 1.0) <= 0.05


@driver
def renew(work):
    """A new Jacobian and its factors; False when the pivot sequence does not suit."""
    m, lu, v, memory, counters = work.machine, work.lu, work.factors, work.memory, work.counters
    jacobian(m, v)
    refactor_head(lu, v)
    jacobian_of_turning(m, v)
    health = refactor_tail(lu, v)
    memory[Memory.FACTORED_FOR] = m.coef[POSE]
    memory[Memory.CONTRACTION] = memory[Memory.LATER] = 0.0
    counters[Counter.JACOBIANS] += 1
    return health <= GROWTH_LIMIT


@routine
def refresh(work):
    """The turning elements' part of the Jacobian and of its factors anew, all else as it was."""
    m, lu, v, counters = work.machine, work.lu, work.factors, work.counters
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
    memory[Memory.WEAR] *= 0.97
    if memory[Memory.WEAR] <= memory[Memory.PATIENCE] + 3.0:  # one in ten steps
        return False
    memory[Memory.PATIENCE] = 3.0 * memory[Memory.PATIENCE] + 3.0
    return turning_pairs(m, work.settings[Setting.TURN] / h) > m.turning_count
