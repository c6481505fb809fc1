"""Jacobian reuse: when factors are renewed, completely or in part.

If parts rotate relative to each other, only the elements between them make the factors stale. Their part, factored
last, may then be renewed in every step (`Simulation.turning_elements`); a trial decides.

If most of a large model moves in the same way, a few elements make the factors stale. They are identified by the
equations with a large residual after a correction; only the supernodes of these equations, and all after them, are
renewed (`solve.redundant.spans`).
"""

from __future__ import annotations

from samara.solve.linear.lu import GROWTH_LIMIT, refactor_from, refactor_head, refactor_tail, restore_tail
from samara.solve.linear.lu.programs import LOWER, PIVOTS, UPPER, WEIGHTS
from samara.solve.linear.schur.calls import factors_by_parts
from samara.solve.native.codes import GROWTH, OK, Counter
from samara.solve.native.kernels import jacobian, jacobian_of_turning
from samara.solve.redundant.scheme import is_impact
from samara.solve.redundant.spans import add_late_entries
from samara.solve.step.newton import ALL_OLD, NEW, PART_OLD, are_for, note_factors
from samara.system.memory.blocks import ETA, ROTATION
from samara.tracing.driver.driver_cache import driver, inner, routine

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
#: What `ready` and `renew_stale` say of pivots that do not suit; the latter of factors as they were, and of new ones.
UNSUITABLE, KEPT, RENEWED = -1, 0, 1
#: Equations count as stale of which so much is left, of the most: what is left of all others is then as much less.
STALE_RESIDUAL = 1e-2
#: Largest part of all pivots that is renewed on its own: a renewal of all takes as long as four iterations.
LARGEST_STALE_PART = 0.25
#: Steps begin with the same part renewed until that has cost as much as so many renewals of all; then it is looked
#: again whether it is needed, and what is stale.
RENEWALS_OF_A_PART = 4.0
#: Steps in which it is not looked for such a part, at most: twice as many each time that it was in vain.
LONGEST_PAUSE = 255.0


@driver
def renew(work):
    """A new Jacobian and its factors; False when the pivot sequence does not suit."""
    m, lu, memory, counters = work.machine, work.lu, work.memory, work.counters
    v, worst = work.spare if is_impact(m) else work.factors, 0.0
    if work.schur.number != 0:
        worst = factors_by_parts(work)
    else:
        jacobian(m, v)
    refactor_head(lu, v)
    jacobian_of_turning(m, v)
    health = refactor_tail(lu, v)
    note_factors(memory, m.coef)
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


@routine
def renew_from(work, node):
    """A new Jacobian and its factors of a supernode and all after it; False when the pivot sequence does not suit."""
    lu, v = work.lu, work.factors
    lower, upper = lu.passages[node, LOWER], lu.passages[node, UPPER]
    for i in range(lower, upper):
        v[i] = 0.0
    add_late_entries(work.machine, v, node, lower, upper)
    work.counters[Counter.REFRESHED] += 1
    return refactor_from(lu, v, node) <= GROWTH_LIMIT


@inner
def _left_over(m, lu, node):
    """The most that is left of the equations of a supernode, scaled as for the choice of pivots."""
    worst, weight, first = 0.0, lu.passages[node, WEIGHTS], lu.passages[node, PIVOTS]
    for i in range(lu.passages[node + 1, PIVOTS] - first):
        worst = max(worst, abs(m.scratch.res[m.plan.rows[lu.row_order[first + i]]]) * lu.weight[weight + i])
    return worst


@inner
def _stale_node(m, lu):
    """The first supernode with equations that are stale."""
    worst, nodes = 0.0, lu.passages.shape[0] - 1
    for node in range(nodes):
        worst = max(worst, _left_over(m, lu, node))
    for node in range(nodes):
        if _left_over(m, lu, node) > STALE_RESIDUAL * worst:
            return node
    return 0


@inner
def _part_from(lu, node):
    """Part of all pivots that a supernode and those after it have."""
    return 1.0 - lu.passages[node, PIVOTS] / lu.n


@routine
def renew_stale(work):
    """New factors of what is stale, if it is little: RENEWED, KEPT or UNSUITABLE."""
    lu, memory = work.lu, work.memory
    node = _stale_node(work.machine, lu)
    wider = max(2 * node - (lu.passages.shape[0] - 1), 0)  # twice as many: what is stale spreads in the steps to come
    if _part_from(lu, wider) <= LARGEST_STALE_PART:
        node = wider
    part = _part_from(lu, node)
    if part > LARGEST_STALE_PART:
        memory.trust.search_wait = min(2.0 * memory.trust.search_wait + 1.0, LONGEST_PAUSE)
        memory.trust.search_pause = memory.trust.search_wait
        return KEPT
    memory.trust.late_node, memory.trust.late_steps = node, RENEWALS_OF_A_PART // part
    memory.trust.search_wait = 0.0
    memory.trust.contraction = memory.trust.later = 0.0
    return RENEWED if renew_from(work, node) or renew(work) else UNSUITABLE


@inner
def may_be_renewed_in_part(work, age):
    """Whether it is worth to look for a part that is stale."""
    return age != NEW and work.machine.turning.spans.first.size != 0 and work.memory.trust.search_pause == 0.0


@inner
def _begin_with_part(work):
    """The part that was last found stale is renewed, in some steps to come; False when pivots do not suit."""
    memory = work.memory
    memory.trust.search_pause = max(memory.trust.search_pause - 1.0, 0.0)
    if memory.trust.late_steps == 0.0:
        return True
    memory.trust.late_steps -= 1.0
    return renew_from(work, memory.trust.late_node) or renew(work)


@inner
def ready(work, h):
    """Factors to begin a step with: (OK, their age); GROWTH where other parts turn than before, or UNSUITABLE."""
    m, memory = work.machine, work.memory
    turning = m.turning.program.shape[0] != 0
    age = PART_OLD if are_for(memory, m.coef, LARGEST_DIFFERENCE) else NEW
    if turning and memory.trust.phase == 0.0:  # a trial begins with all fresh
        age = NEW
    if age == NEW and not renew(work):
        return UNSUITABLE, NEW
    if more_turns(work, h):
        return GROWTH, age
    if age == PART_OLD and turning:
        if not fresh_is_cheaper(m, memory):
            return OK, ALL_OLD
        if not refresh(work):
            return UNSUITABLE, PART_OLD
    elif age == PART_OLD and not _begin_with_part(work):
        return UNSUITABLE, PART_OLD
    return OK, age


@inner
def improve(work, age, wild):
    """Newer factors, as little of them as may do; all where corrections are wild. (Whether pivots suit, their age.)"""
    if age == ALL_OLD and not wild:
        return refresh(work), PART_OLD
    work.memory.trust.wear += 1.0
    return renew(work), NEW


@inner
def fresh_is_cheaper(m, memory):
    """Whether the turning elements' part of the factors is renewed in this step: by trial."""
    phase = memory.trust.phase
    if phase < 3 * TRIAL_STEPS:
        return phase < TRIAL_STEPS or phase >= 2 * TRIAL_STEPS
    return memory.trust.fresh + TRIAL_STEPS * UNKNOWNS_FOR_A_RENEWAL / m.plan.rows.size < memory.trust.worn


@inner
def learn(memory, iterations):
    """Notes what a step has cost, and in which phase of the trial the next one is."""
    phase = memory.trust.phase
    if phase == 0.0:
        memory.trust.worn = memory.trust.fresh = 0.0
    if TRIAL_STEPS <= phase < 3 * TRIAL_STEPS:  # the first steps do not count: there all is new
        if phase < 2 * TRIAL_STEPS:
            memory.trust.worn += iterations
        else:
            memory.trust.fresh += iterations
    memory.trust.phase = (phase + 1.0) % STEPS_BETWEEN_TRIALS


@inner
def turning_pairs(m, spin):
    """How many pairs of nodes turn against each other faster than that [rad/s]; marks them in `m.turns`."""
    state, w, count = m.state, m.layout.width, 0
    for k in range(m.turning.pairs.shape[0]):
        total = 0.0
        for i in range(3):
            difference = 0.0
            for j in range(3):
                at, eta = (ROTATION + 3 * i + j) * w, (ETA + 3 + j) * w
                a, b = m.turning.pairs[k, 0], m.turning.pairs[k, 1]
                difference += state[b + at] * state[b + eta] - state[a + at] * state[a + eta]
            total += difference * difference
        m.turning.turns[k] = total > spin * spin
        count += m.turning.turns[k]
    return count


@inner
def more_turns(work, h):
    """Whether the factors wear out so often that it is worth to look what turns, and more does than before."""
    m, memory = work.machine, work.memory
    memory.trust.wear *= WEAR_KEPT
    if memory.trust.wear <= memory.trust.patience + NORMAL_WEAR:
        return False
    memory.trust.patience = PATIENCE_GROWTH * memory.trust.patience + NORMAL_WEAR
    return turning_pairs(m, work.settings.turn / h) > m.turning.elements
