"""Impulses of contacts that are closed, from what they see of the rest of the model.

    v = W P + u,     normals: 0 <= v_n + e u_n(-)  perpendicular to  P_n >= 0,     friction: P in Coulomb's cone

W: Delassus' operator, u: speeds that there would be without impulses, u(-): those before. Where no contact has friction
it is a linear complementarity problem of the normals; else all go into cones (`samara.complementarity`). P are forces
where W is that of forces. Nothing is allocated.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.complementarity.codes import SOLVED, TOO_MANY
from samara.complementarity.cones import FrictionWork, friction_work, solve_friction_cone
from samara.complementarity.lemke import LCPWork, lcp_work, lemke
from samara.complementarity.polyhedral import PolyhedralWork, polyhedral_work, solve_friction_polyhedral
from samara.solve.codes import CONTRADICTION, OK
from samara.tracing.driver_cache import inner, routine
from samara.tracing.reference import refer

#: Sweeps and pivots at most, and accuracy of impulses.
MOST_SWEEPS, MOST_PIVOTS, PIVOTS_PER_CONTACT, TOLERANCE = 2000, 10000, 50, 1e-9
#: Energy that impulses may add in rounding, as a part of what they take.
ENERGY_ROUNDING = 1e-9
#: Residual of impulses in cones that is good enough where sweeps end: redundant contacts share forces slowly.
GOOD_ENOUGH = 1e-5
#: Parts of the restitution that are tried where all of it would add energy.
MILDER = (1.0, 0.5, 0.25, 0.0)
#: Words of `counts`: contacts closed in the last step, problems solved, sweeps or pivots, impacts made milder.
CLOSED, PROBLEMS, WORK, PLASTIC = range(4)


class ContactProblem(NamedTuple):
    """Room for a problem of n contacts; `per` rows each, one where none is rough, else three."""

    closed: np.ndarray  # numbers of the contacts that are closed
    W: np.ndarray
    u: np.ndarray  # speeds without impulses
    approach: np.ndarray  # speeds before
    restitution: np.ndarray  # of each contact
    mu: np.ndarray
    P: np.ndarray
    v: np.ndarray
    counts: np.ndarray
    facets: int  # of the cones; 0 for exact ones
    lcp: LCPWork
    cones: FrictionWork
    polyhedra: PolyhedralWork


def contact_problem(contacts: int, facets: int = 0) -> ContactProblem:
    """Room for so many contacts. facets: of the cones of friction; 0 for exact ones."""
    n, size = contacts, 3 * contacts
    return refer(
        ContactProblem(
            np.zeros(n, np.int64), np.zeros((size, size)), np.zeros(size), np.zeros(size), np.zeros(n), np.zeros(n),
            np.zeros(size), np.zeros(size), np.zeros(4, np.int64), facets, lcp_work(max(1, n)),
            friction_work(n if facets == 0 else 0), polyhedral_work(n if facets else 0, max(facets, 3)),
        )
    )  # fmt: skip


@routine
def find_impulses(p, count, per):
    """P of the first `count` contacts, `per` rows each, from the P that it finds.

    There is less restitution where all of it would add energy.
    """
    for part in MILDER:
        for j in range(count):
            p.u[per * j] += part * p.restitution[j] * min(p.approach[per * j], 0.0)
        status = _cones(p, count) if per == 3 else _normals(p, count)
        for j in range(count):
            p.u[per * j] -= part * p.restitution[j] * min(p.approach[per * j], 0.0)
        p.counts[PROBLEMS] += 1
        if status != SOLVED:
            return CONTRADICTION
        if part == 0.0 or not _gains(p, per * count):
            break
        if part == 1.0:  # friction and restitution work against each other
            p.counts[PLASTIC] += 1
    return OK


@inner
def _normals(p, n):
    status = lemke(p.W[:n, :n], p.u[:n], p.P[:n], p.v[:n], p.lcp, PIVOTS_PER_CONTACT * (n + 1))
    p.counts[WORK] += p.lcp.counts[0]
    return status


@routine
def _cones(p, count):
    """In Coulomb's cones; contacts that are open stand beside, and are left alone."""
    n = p.mu.size
    for row in range(3 * count, 3 * n):
        p.P[row] = 0.0
        for k in range(3 * n):
            p.W[row, k] = p.W[k, row] = 0.0
        p.W[row, row] = 1.0
        p.u[row] = 0.0
        p.mu[row // 3] = 0.0
    if p.facets != 0:
        status = solve_friction_polyhedral(p.W, p.u, p.mu, p.P, p.v, p.polyhedra, MOST_PIVOTS)
        p.counts[WORK] += p.polyhedra.lcp.counts[0]
        return status
    status = solve_friction_cone(p.W, p.u, p.mu, p.P, p.v, p.cones, MOST_SWEEPS, TOLERANCE)
    p.counts[WORK] += p.cones.counts[0]
    if status == TOO_MANY and p.cones.residual[0] <= GOOD_ENOUGH:
        status = SOLVED
    return status


@inner
def _gains(p, n):
    """Whether impulses add energy: half their work on the speeds before and after them."""
    taken = gained = 0.0
    for k in range(n):
        after = p.u[k]
        for i in range(n):
            after += p.W[k, i] * p.P[i]
        work = 0.5 * p.P[k] * (p.u[k] + after)
        gained += work
        taken += 0.5 * abs(p.P[k]) * (abs(p.u[k]) + abs(after))
    return gained > ENERGY_ROUNDING * taken
