"""Coulomb friction in the exact second-order cone: Gauss-Seidel over contacts.

    v = W P + u,   K = {P: |P_t| <= mu P_n},   K* = {v: mu |v_t| <= v_n}
    K  contains P,   K* contains v + (mu |v_t|, 0, 0),   the two are perpendicular

per contact, components normal, tangent 1, tangent 2; P impulses [N s], v velocities after [m/s], u those without
impulses (with e v_n before added to the normal where there is restitution e), W the Delassus operator [1/kg] of shape
(3 n_c, 3 n_c). De Saxce's correction mu |v_t| makes a cone complementarity of Coulomb's law: sliding goes along the
plane.

Each sweep solves one contact after another exactly, `contact_point`; if the sweeps cycle, they are under-relaxed (K is
convex, so P stays in it). Occasionally Newton's method is tried for all contacts at once, `cone_newton`; if that does
not help either, the sweeps restart from the solution of `polyhedral`. The residual is that of the natural map,

    |P' - proj_K(P' - v'_corrected)|,   P' = P / s_i, v' = s_i v, s_i = (trace W_ii / 3)^-1/2

the largest over all contacts, divided by the size of the terms that drive the impulses, so it is dimensionless. Zero
blocks of W before the first and after the last nonzero block are skipped everywhere; for contacts in a row, a pile or a
stack, few blocks remain.

Sources: Jourdan, Alart and Jean, Comput. Methods Appl. Mech. Engrg. 155, 1998 (the sweeps); de Saxce and Feng, Math.
Comput. Modelling 28, 1998 (the correction); Acary and Brogliato, Numerical Methods for Nonsmooth Dynamical Systems,
2008.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.complementarity.codes import NOT_FINITE, RAY, SOLVED, STUCK, TOO_MANY
from samara.complementarity.cone_newton import ConeNewtonWork, cone_newton_work, newton_cone, project
from samara.complementarity.contact_point import solve_contact_point
from samara.complementarity.polyhedral import PolyhedralWork, polyhedral_work, solve_friction_polyhedral
from samara.tracing.driver.driver_cache import routine
from samara.tracing.driver.reference import refer

#: Part of all speeds that counts for the size of a problem beside the speeds of approach: their rounding errors.
BACKGROUND = 1e-6
#: Sweeps after which Newton's method is tried, and again whenever they have doubled; its iterations.
FIRST_NEWTON, NEWTONS = 16, 30
#: Sweeps after which polygons are tried for another start, their facets and pivots, and contacts beyond which not.
RESTART, FACETS, PIVOTS_PER_UNKNOWN, MANY_CONTACTS = 32, 16, 10, 16
#: Sweeps after which the changes must have become smaller by this; the way is halved otherwise, down to this part.
TRIAL, STALLED, SMALLEST_RELAXATION = 32, 0.999, 0.02


class FrictionWork(NamedTuple):
    """Work arrays of the sweeps over contacts; n_c contacts."""

    scale: np.ndarray  # (n_c,)
    near: np.ndarray  # (n_c, 2): of each contact the first that it moves, and the one after the last
    counts: np.ndarray  # (2,): sweeps of the last solution, iterations of Newton's method
    residual: np.ndarray  # (1,): of the last solution
    newton: ConeNewtonWork
    polyhedra: PolyhedralWork  # for another start; without facets: none


def friction_work(contacts: int, facets: int | None = None) -> FrictionWork:
    """Work arrays for problems of up to so many contacts, made once.

    facets: of the polygons that a second start is found with; by default 16. Beyond 16 contacts there is none, for the
    problem of the polygons is large.
    """
    facets, few = FACETS if facets is None else facets, min(contacts, MANY_CONTACTS)
    numbers = np.ones(contacts), np.zeros((contacts, 2), np.int64), np.zeros(2, np.int64), np.zeros(1)
    return refer(FrictionWork(*numbers, cone_newton_work(contacts), polyhedral_work(few, facets)))


@routine
def solve_friction_cone(W, u, mu, P, v, work, most_sweeps, tolerance):
    """Impulses P and velocities v of contacts with friction, from the P that it finds (zero, or that of the last step).

    W (3 n_c, 3 n_c), u (3 n_c,), mu (n_c,). Returns SOLVED, TOO_MANY, NOT_FINITE, RAY where Lemke's method finds that
    contacts contradict each other, or STUCK where a contact closes that no impulse can move.
    """
    work.counts[0], work.counts[1], work.residual[0] = 0, 0, 0.0
    top = _size(W, u, mu.size, work)
    if not top < np.inf:
        return NOT_FINITE
    if top <= 0.0:
        for i in range(u.size):
            P[i], v[i] = 0.0, u[i]
        return SOLVED if top == 0.0 else STUCK
    before, worst, omega, newton_at, started_again = np.inf, 0.0, 1.0, FIRST_NEWTON, False
    while work.counts[0] < most_sweeps:
        change = _sweep_contacts(W, u, mu, P, work, omega) / top
        work.counts[0] += 1
        worst = max(worst, change)
        if not change < np.inf:
            return NOT_FINITE
        if (change <= tolerance or mu.size == 1) and _measure(W, u, mu, P, v, work, top) <= tolerance:
            return SOLVED
        if work.counts[0] == newton_at:
            newton_at *= 2
            if _all_at_once(W, u, mu, P, v, work, top, tolerance):
                return SOLVED
            if work.counts[0] >= RESTART and not started_again:
                if _start_again(W, u, mu, P, v, work) == RAY:
                    return RAY
                if _all_at_once(W, u, mu, P, v, work, top, tolerance):
                    return SOLVED
                started_again, newton_at = True, work.counts[0] + FIRST_NEWTON
        if work.counts[0] % TRIAL == 0:
            if worst > STALLED * before and omega > SMALLEST_RELAXATION:
                omega, before, worst = 0.5 * omega, np.inf, 0.0
            else:
                before, worst = worst, 0.0
    return SOLVED if _measure(W, u, mu, P, v, work, top) <= tolerance else TOO_MANY


@routine
def _measure(W, u, mu, P, v, work, top):
    """Velocities, and the residual without units."""
    for i in range(u.size):
        total = u[i]
        for j in range(3 * work.near[i // 3, 0], 3 * work.near[i // 3, 1]):
            total += W[i, j] * P[j]
        v[i] = total
    work.residual[0] = cone_residual(P, v, mu, work.scale) / top
    return work.residual[0]


@routine
def _all_at_once(W, u, mu, P, v, work, top, tolerance):
    """Newton's method; whether it has found a solution."""
    count = newton_cone(W, u, mu, P, work.scale, work.near, top, work.newton, NEWTONS, 0.5 * tolerance)
    work.counts[1] += count
    return count > 0 and _measure(W, u, mu, P, v, work, top) <= tolerance


@routine
def _start_again(W, u, mu, P, v, work):
    """Impulses of polygons in place of the circles, if Lemke's method finds some: the right contacts slip and stick."""
    facets = work.polyhedra.directions.shape[0]
    unknowns = mu.size * (facets + 2)
    if facets == 0 or unknowns > work.polyhedra.matrix.shape[0]:
        return TOO_MANY
    return solve_friction_polyhedral(W, u, mu, P, v, work.polyhedra, PIVOTS_PER_UNKNOWN * unknowns)


@routine
def _size(W, u, contacts, work):
    """Scaled speed of the fastest approach; 0 where no contact closes, -1 where one does that has no W."""
    scale, near, approach, all_speeds, total = work.scale, work.near, 0.0, 0.0, 0.0
    held = False
    for i in range(contacts):
        k = 3 * i
        trace = W[k, k] + W[k + 1, k + 1] + W[k + 2, k + 2]
        scale[i] = np.sqrt(3.0 / trace) if trace > 0.0 else 1.0
        held = held or (u[k] < 0.0 and not W[k, k] > 0.0)
        approach = max(approach, -u[k] * scale[i])
        speed = abs(u[k]) + abs(u[k + 1]) + abs(u[k + 2])
        all_speeds, total = max(all_speeds, speed * scale[i]), total + speed
        first, last = i, i
        for j in range(contacts):
            size = 0.0
            for row in range(k, k + 3):
                size += abs(W[row, 3 * j]) + abs(W[row, 3 * j + 1]) + abs(W[row, 3 * j + 2])
            total += size
            if size != 0.0:
                first, last = min(first, j), max(last, j)
        near[i, 0], near[i, 1] = first, last + 1
    if not total < np.inf:
        return np.inf
    if approach == 0.0:
        return 0.0
    return -1.0 if held else approach + BACKGROUND * all_speeds


@routine
def _sweep_contacts(W, u, mu, P, work, omega):
    """Goes the part omega of the way to each contact's solution; returns the longest of these ways, scaled."""
    largest = 0.0
    for i in range(mu.size):
        k = 3 * i
        b_n, b_1, b_2 = u[k], u[k + 1], u[k + 2]
        for j in range(3 * work.near[i, 0], 3 * work.near[i, 1]):
            b_n += W[k, j] * P[j]
            b_1 += W[k + 1, j] * P[j]
            b_2 += W[k + 2, j] * P[j]
        p_n, p_1, p_2 = P[k], P[k + 1], P[k + 2]
        b_n -= W[k, k] * p_n + W[k, k + 1] * p_1 + W[k, k + 2] * p_2
        b_1 -= W[k + 1, k] * p_n + W[k + 1, k + 1] * p_1 + W[k + 1, k + 2] * p_2
        b_2 -= W[k + 2, k] * p_n + W[k + 2, k + 1] * p_1 + W[k + 2, k + 2] * p_2
        new_n, new_1, new_2 = solve_contact_point(W, k, b_n, b_1, b_2, mu[i], p_1, p_2)
        change = abs(new_n - p_n) + abs(new_1 - p_1) + abs(new_2 - p_2)
        P[k] = new_n if omega == 1.0 else p_n + omega * (new_n - p_n)
        P[k + 1] = new_1 if omega == 1.0 else p_1 + omega * (new_1 - p_1)
        P[k + 2] = new_2 if omega == 1.0 else p_2 + omega * (new_2 - p_2)
        if not change < np.inf:
            return np.nan
        largest = max(largest, change / work.scale[i])
    return largest


@routine
def cone_residual(P, v, mu, scale):
    """The largest distance of a contact from its law, scaled: |P' - proj_K(P' - v'_corrected)|."""
    worst = 0.0
    for i in range(mu.size):
        k, s = 3 * i, scale[i]
        p_n, p_1, p_2 = P[k] / s, P[k + 1] / s, P[k + 2] / s
        y_n = p_n - s * (v[k] + mu[i] * np.hypot(v[k + 1], v[k + 2]))
        y_1, y_2 = p_1 - s * v[k + 1], p_2 - s * v[k + 2]
        a_n, a_1, a_2 = project(y_n, y_1, y_2, mu[i])
        worst = max(worst, np.sqrt((p_n - a_n) ** 2 + (p_1 - a_1) ** 2 + (p_2 - a_2) ** 2))
    return worst
