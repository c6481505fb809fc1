"""Law of impact and friction: the impulses of one island of closed contacts, see `solve.contact.problem`.

    v = W P + u,     normals: 0 <= v_n + e u_n(-)  perpendicular to  P_n >= 0,     friction: P in Coulomb's cone

W: Delassus operator, u: speeds without impulses, u(-): speeds before the impact. Without friction this is a linear
complementarity problem in the normal impulses; otherwise it is a cone problem (`samara.complementarity`). P are forces
if W is defined for forces. Nothing is allocated, and the work is bounded by limits on sweeps and pivots.
"""

from __future__ import annotations

from samara.complementarity.codes import NOT_FINITE as NO_NUMBER
from samara.complementarity.codes import SOLVED, TOO_MANY
from samara.complementarity.cones import solve_friction_cone
from samara.complementarity.lemke import lemke
from samara.complementarity.polyhedral import solve_friction_polyhedral
from samara.method.method import Method
from samara.solve.native.codes import CONTRADICTION, NOT_CONVERGED, NOT_FINITE, OK, Counter
from samara.tracing.driver.driver_cache import inner, routine

#: Sweeps at most by default, and what may be left of the law of contact then, see `cones`: redundant contacts share
#: forces slowly.
MOST_SWEEPS, GOOD_ENOUGH = Method.sweeps, 1e-5
#: Pivots at most, of each unknown and beside that; they take about one of each.
PIVOTS_PER_UNKNOWN, MORE_PIVOTS = 10, 100
#: Accuracy of impulses in cones.
IMPULSE_TOLERANCE = 1e-9
#: Energy that impulses may add in rounding, as a part of what they take.
ENERGY_ROUNDING = 1e-9
#: Parts of the restitution that are tried where all of it would add energy.
RESTITUTION_PARTS = (1.0, 0.5, 0.25, 0.0)
#: Words of `counts`: contacts closed in the last step; then, since they were handed over: problems solved, sweeps or
#: pivots, impacts made milder, problems left with more than the tolerance, impacts.
CLOSED, PROBLEMS, WORK, PLASTIC, LEFT, IMPACTS = range(6)
#: Words of `bounds`: most sweeps, what may be left then, what was left at worst, what the last problem left.
SWEEPS, CEILING, WORST, LAST = range(4)


@inner
def find_island(p, k):
    """P of the closed contacts of an island, from the P that it finds; the status.

    There is less restitution where all of it would add energy.
    """
    first, end = p.islands.starts[k], p.islands.starts[k + 1]
    rough = p.row[first + 1] - p.row[first] == 3
    for part in RESTITUTION_PARTS:
        for j in range(first, end):
            p.u[p.row[j]] += _rebound(p, j, part)
        status = _cones(p, k, first, end) if rough else _normals(p, k, first, end)
        for j in range(first, end):
            back = _rebound(p, j, part)
            p.u[p.row[j]] -= back
            p.v[p.row[j]] -= back
        p.counts[PROBLEMS] += 1
        if status != SOLVED:
            return _failed(status)
        if part == 0.0 or not _gains(p, first, end):
            break
        if part == 1.0:  # friction and restitution work against each other
            p.counts[PLASTIC] += 1
    return OK


@inner
def _rebound(p, j, part):
    """What restitution adds to the speed of a normal."""
    return part * p.restitution[j] * min(p.approach[p.row[j]], 0.0)


@inner
def _failed(status):
    """What a step makes of how a solver ended."""
    if status == NO_NUMBER:
        return NOT_FINITE
    return NOT_CONVERGED if status == TOO_MANY else CONTRADICTION


@inner
def _normals(p, k, first, end):
    """The linear complementarity problem of the normals."""
    b, e, n, at = p.row[first], p.row[end], end - first, p.place[k]
    most = PIVOTS_PER_UNKNOWN * n + MORE_PIVOTS
    status = lemke(p.W[at : at + n * n].reshape(n, n), p.u[b:e], p.P[b:e], p.v[b:e], p.lcp, most)
    p.counts[WORK] += p.lcp.counts[0]
    p.bounds[LAST] = 0.0
    return status


@routine
def _cones(p, k, first, end):
    """In Coulomb's cones."""
    b, e, count = p.row[first], p.row[end], end - first
    m = e - b
    W = p.W[p.place[k] : p.place[k] + m * m].reshape(m, m)
    u, mu, P, v = p.u[b:e], p.mu[first:end], p.P[b:e], p.v[b:e]
    if p.facets != 0:
        most = PIVOTS_PER_UNKNOWN * count * (p.facets + 2) + MORE_PIVOTS
        status = solve_friction_polyhedral(W, u, mu, P, v, p.polyhedra, most)
        p.counts[WORK] += p.polyhedra.lcp.counts[0]
        p.bounds[LAST] = 0.0
        return status
    status = solve_friction_cone(W, u, mu, P, v, p.cones, int(p.bounds[SWEEPS]), IMPULSE_TOLERANCE)
    p.counts[WORK] += p.cones.counts[0]
    p.bounds[LAST] = p.cones.residual[0]
    if status == TOO_MANY and p.bounds[LAST] <= p.bounds[CEILING]:
        p.counts[LEFT] += 1
        status = SOLVED
    if status == SOLVED:
        p.bounds[WORST] = max(p.bounds[WORST], p.bounds[LAST])
    return status


@inner
def _gains(p, first, end):
    """Whether impulses add energy: half their work on the speeds before and after them; none do without restitution.

    Speeds before are those of the approach: what smooth forces take off them in the step is not to be missed.
    """
    taken = gained = springs = 0.0
    for j in range(first, end):
        springs += p.restitution[j]
    for k in range(p.row[first], p.row[end]):
        gained += 0.5 * p.P[k] * (p.approach[k] + p.v[k])
        taken += 0.5 * abs(p.P[k]) * (abs(p.approach[k]) + abs(p.v[k]))
    return springs > 0.0 and gained > ENERGY_ROUNDING * taken


@inner
def take_bounds(p, settings):
    """As a run has them."""
    p.bounds[SWEEPS], p.bounds[CEILING] = settings.sweeps, settings.contact_ceiling


@inner
def hand_over(p, counters, memory):
    """What was counted goes to the counters of a run."""
    counters[Counter.CONTACT_PROBLEMS] += p.counts[PROBLEMS]
    counters[Counter.CONTACT_SWEEPS] += p.counts[WORK]
    counters[Counter.MILDER_IMPACTS] += p.counts[PLASTIC]
    counters[Counter.CONTACTS_UNCONVERGED] += p.counts[LEFT]
    counters[Counter.IMPACTS] += p.counts[IMPACTS]
    memory.contact_residual = max(memory.contact_residual, p.bounds[WORST])
    for k in range(PROBLEMS, IMPACTS + 1):
        p.counts[k] = 0
    p.bounds[WORST] = 0.0
