"""Impulses of contacts that are closed, from what they see of the rest of the model.

    v = W P + u,     normals: 0 <= v_n + e u_n(-)  perpendicular to  P_n >= 0,     friction: P in Coulomb's cone

W: Delassus' operator, u: speeds that there would be without impulses, u(-): those before. Where no contact has friction
it is a linear complementarity problem of the normals; else all go into cones (`samara.complementarity`). P are forces
where W is that of forces. Nothing is allocated, and the work is bounded: sweeps and pivots are counted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.complementarity.codes import NOT_FINITE as NO_NUMBER
from samara.complementarity.codes import SOLVED, TOO_MANY
from samara.complementarity.cones import FrictionWork, friction_work, solve_friction_cone
from samara.complementarity.lemke import LCPWork, lcp_work, lemke
from samara.complementarity.polyhedral import PolyhedralWork, polyhedral_work, solve_friction_polyhedral
from samara.solve.native.codes import CONTRADICTION, NOT_CONVERGED, NOT_FINITE, OK, Counter
from samara.tracing.driver.driver_cache import inner, routine
from samara.tracing.driver.reference import refer

#: Sweeps at most by default, and what may be left of the law of contact then, see `cones`: redundant contacts share
#: forces slowly.
MOST_SWEEPS, GOOD_ENOUGH = 2000, 1e-5
#: Pivots at most, of each unknown and beside that; they take about one of each.
PIVOTS_PER_UNKNOWN, MORE_PIVOTS = 10, 100
#: Accuracy of impulses in cones.
TOLERANCE = 1e-9
#: Energy that impulses may add in rounding, as a part of what they take.
ENERGY_ROUNDING = 1e-9
#: Parts of the restitution that are tried where all of it would add energy.
MILDER = (1.0, 0.5, 0.25, 0.0)
#: Contacts of an island on average, where many are closed and room is bounded.
SMALL_ISLAND = 4
#: Words of `counts`: contacts closed in the last step; then, since they were handed over: problems solved, sweeps or
#: pivots, impacts made milder, problems left with more than the tolerance, impacts.
CLOSED, PROBLEMS, WORK, PLASTIC, LEFT, IMPACTS = range(6)
#: Words of `bounds`: most sweeps, what may be left then, what was left at worst, what the last problem left.
SWEEPS, CEILING, WORST, LAST = range(4)


class ContactProblem(NamedTuple):
    """Room for a problem of n contacts; `per` rows each, one where none is rough, else three."""

    closed: np.ndarray  # numbers of the contacts that are closed
    W: np.ndarray  # of one island after the other, each row by row
    place: np.ndarray  # where that of the island begins whose first contact has this number
    u: np.ndarray  # speeds without impulses
    approach: np.ndarray  # speeds before
    restitution: np.ndarray  # of each contact
    mu: np.ndarray
    P: np.ndarray
    v: np.ndarray
    counts: np.ndarray
    bounds: np.ndarray
    largest: int  # contacts of an island at most
    facets: int  # of the cones; 0 for exact ones
    lcp: LCPWork
    cones: FrictionWork
    polyhedra: PolyhedralWork


def contact_problem(contacts: int, facets: int = 0, largest: int | None = None) -> ContactProblem:
    """Room for so many contacts. facets: of the cones of friction; 0 for exact ones.

    largest: contacts of an island at most, where not all of them may be closed and in one: `begin_island` tells.
    """
    n, size = contacts, 3 * contacts
    few = n if largest is None else min(n, largest)
    room = (3 * few) ** 2 + 9 * SMALL_ISLAND * (n - few)
    return refer(
        ContactProblem(
            np.zeros(n, np.int64), np.zeros(room), np.zeros(n + 1, np.int64), np.zeros(size), np.zeros(size),
            np.zeros(n), np.zeros(n),
            np.zeros(size), np.zeros(size), np.zeros(6, np.int64), np.array([MOST_SWEEPS, GOOD_ENOUGH, 0.0, 0.0]),
            few, facets, lcp_work(max(1, few)), friction_work(few if facets == 0 else 0),
            polyhedral_work(few if facets else 0, max(facets, 3)),
        )
    )  # fmt: skip


@inner
def begin_island(p, first, rows, at):
    """Room for W of the island that begins with a contact, from a place on: where the next begins; -1: none is left."""
    if at < 0 or at + rows * rows > p.W.size:
        return -1
    p.place[first] = at
    return at + rows * rows


@routine
def find_impulses(p, count, per):
    """P of the first `count` contacts, `per` rows each, from the P that it finds."""
    return find_island(p, 0, count, per)


@routine
def find_island(p, first, count, per):
    """P of `count` contacts from the first one on, whose rows begin at three times its number, `per` each.

    There is less restitution where all of it would add energy.
    """
    base = 3 * first
    for part in MILDER:
        for j in range(count):
            p.u[base + per * j] += _rebound(p, first, j, per, part)
        status = _cones(p, first, count) if per == 3 else _normals(p, base, count)
        for j in range(count):
            back = _rebound(p, first, j, per, part)
            p.u[base + per * j] -= back
            p.v[base + per * j] -= back
        p.counts[PROBLEMS] += 1
        if status != SOLVED:
            return _failed(status)
        if part == 0.0 or not _gains(p, first, count, per):
            break
        if part == 1.0:  # friction and restitution work against each other
            p.counts[PLASTIC] += 1
    return OK


@inner
def _rebound(p, first, j, per, part):
    """What restitution adds to the speed of a normal."""
    return part * p.restitution[first + j] * min(p.approach[3 * first + per * j], 0.0)


@inner
def _failed(status):
    """What a step makes of how a solver ended."""
    if status == NO_NUMBER:
        return NOT_FINITE
    return NOT_CONVERGED if status == TOO_MANY else CONTRADICTION


@inner
def _normals(p, b, n):
    e = b + n
    most = PIVOTS_PER_UNKNOWN * n + MORE_PIVOTS
    at = p.place[b // 3]
    status = lemke(p.W[at : at + n * n].reshape(n, n), p.u[b:e], p.P[b:e], p.v[b:e], p.lcp, most)
    p.counts[WORK] += p.lcp.counts[0]
    p.bounds[LAST] = 0.0
    return status


@routine
def _cones(p, first, count):
    """In Coulomb's cones."""
    b, m = 3 * first, 3 * count
    e = b + m
    W = p.W[p.place[first] : p.place[first] + m * m].reshape(m, m)
    u, mu, P, v = p.u[b:e], p.mu[first : first + count], p.P[b:e], p.v[b:e]
    if p.facets != 0:
        most = PIVOTS_PER_UNKNOWN * count * (p.facets + 2) + MORE_PIVOTS
        status = solve_friction_polyhedral(W, u, mu, P, v, p.polyhedra, most)
        p.counts[WORK] += p.polyhedra.lcp.counts[0]
        p.bounds[LAST] = 0.0
        return status
    status = solve_friction_cone(W, u, mu, P, v, p.cones, int(p.bounds[SWEEPS]), TOLERANCE)
    p.counts[WORK] += p.cones.counts[0]
    p.bounds[LAST] = p.cones.residual[0]
    if status == TOO_MANY and p.bounds[LAST] <= p.bounds[CEILING]:
        p.counts[LEFT] += 1
        status = SOLVED
    if status == SOLVED:
        p.bounds[WORST] = max(p.bounds[WORST], p.bounds[LAST])
    return status


@inner
def _gains(p, first, count, per):
    """Whether impulses add energy: half their work on the speeds before and after them; none do without restitution.

    Speeds before are those of the approach: what smooth forces take off them in the step is not to be missed.
    """
    taken = gained = springs = 0.0
    for j in range(first, first + count):
        springs += p.restitution[j]
    for k in range(3 * first, 3 * first + per * count):
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
