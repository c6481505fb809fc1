"""Contacts of a tree in the driver's hands: what is closed, Delassus' operator, impulses.

    u(+) = W p + u_free,     W = G H^-1 G^T

of the contacts that a prediction finds closed; normals are to leave with -restitution times the speed of approach. All
contacts without friction are a linear complementarity problem of their normals, others go into Coulomb's cones
(`samara.complementarity`). Nothing is allocated.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.complementarity.codes import SOLVED
from samara.complementarity.cones import FrictionWork, friction_work, solve_friction_cone
from samara.complementarity.lemke import LCPWork, lcp_work, lemke
from samara.complementarity.polyhedral import PolyhedralWork, polyhedral_work, solve_friction_polyhedral
from samara.recursive.compiled import CompiledTree
from samara.recursive.contacts import ContactPlaces
from samara.solve.codes import CONTRADICTION, OK
from samara.solve.kernels import call_kernel
from samara.tracing.driver_cache import inner, routine

#: Numbers of a contact: gap, friction, restitution.
GAP, FRICTION, RESTITUTION = range(3)
#: Part of a step that the prediction of gaps looks ahead.
AHEAD = 0.5
#: Sweeps and pivots at most, and accuracy of impulses.
MOST_SWEEPS, MOST_PIVOTS, PIVOTS_PER_CONTACT, TOLERANCE = 2000, 10000, 50, 1e-11
#: Energy that impulses may add in rounding, as a part of what they take.
ENERGY_ROUNDING = 1e-9
#: Words of `counts`: contacts closed in the last step, impulses found, sweeps or pivots, impacts made plastic.
CLOSED, SOLVED_STEPS, WORK, PLASTIC = range(4)


class ContactMachine(NamedTuple):
    """Contacts of a tree; without any all arrays are empty."""

    values: np.ndarray  # what the kernel writes
    heads: np.ndarray  # where gap, friction and restitution of each contact are
    speeds: np.ndarray  # where its first speed is
    counts_of: np.ndarray  # rows of each contact, one or three
    first: np.ndarray  # first row of each
    rows: np.ndarray  # where entries of each row begin in `columns`, of G
    columns: np.ndarray  # (speed of the tree, place)
    answer_rows: np.ndarray  # the same of H^-1 G^T
    answers: np.ndarray
    closed: np.ndarray  # numbers of the contacts that are closed
    W: np.ndarray
    u: np.ndarray
    approach: np.ndarray  # speeds before
    mu: np.ndarray
    P: np.ndarray
    v: np.ndarray
    impulses: np.ndarray  # of all rows in the last step
    pushes: np.ndarray  # (place in the block, multiplier) of each row
    row: np.ndarray  # room for a row of answers
    counts: np.ndarray
    facets: int  # of the cones; 0 for exact ones
    lcp: LCPWork
    cones: FrictionWork
    polyhedra: PolyhedralWork


def no_contacts() -> ContactMachine:
    """Of a model without contacts."""
    none = ContactPlaces(*(np.zeros(0, np.int64),) * 3, *(np.zeros((0, 3), np.int64),) * 2, 0)
    return _machine(none, np.zeros((0, 2), np.int64), 0, 0)


def contact_machine(compiled: CompiledTree, facets: int = 0) -> ContactMachine:
    """Arrays for the contacts of a tree. facets: of the cones of friction; 0 for exact ones."""
    if compiled.contacts is None:
        return no_contacts()
    base = compiled.system.layout.multiplier_base
    multipliers = [base + k for e in compiled.graph.contacts for k in compiled.system.multipliers(e)]
    pushes = [(compiled.places.pushes + k, number) for k, number in enumerate(multipliers)]
    return _machine(compiled.contacts, np.array(pushes, np.int64), compiled.tree.speeds, facets)


def _machine(places: ContactPlaces, pushes: np.ndarray, speeds: int, facets: int) -> ContactMachine:
    n, total = len(places.counts), int(places.counts.sum())
    size = 3 * n
    rows, columns = _by_rows(places.jacobian, total)
    answer_rows, answers = _by_rows(places.answers, total)
    return ContactMachine(
        values=np.zeros(max(1, places.size)), heads=places.heads, speeds=places.speeds, counts_of=places.counts,
        first=np.cumsum(places.counts) - places.counts, rows=rows, columns=columns, answer_rows=answer_rows,
        answers=answers, closed=np.zeros(n, np.int64), W=np.zeros((size, size)), u=np.zeros(size),
        approach=np.zeros(size), mu=np.zeros(n), P=np.zeros(size), v=np.zeros(size), impulses=np.zeros(total),
        pushes=pushes.reshape(-1, 2), row=np.zeros(max(1, speeds)), counts=np.zeros(4, np.int64), facets=facets,
        lcp=lcp_work(max(1, n)), cones=friction_work(n if facets == 0 else 0),
        polyhedra=polyhedral_work(n if facets else 0, max(facets, 3)),
    )  # fmt: skip


def _by_rows(entries: np.ndarray, total: int) -> tuple[np.ndarray, np.ndarray]:
    """(where each row begins, (column, place) of all entries), from (row, column, place)."""
    order = np.argsort(entries[:, 0], kind="stable")
    begins = np.searchsorted(entries[order, 0], np.arange(total + 1))
    return begins.astype(np.int64), np.ascontiguousarray(entries[order, 1:])


@inner
def look_at_contacts(m, h):
    """Gaps and speeds at the present state; which contacts are closed, or about to be within the step. How many."""
    tree, c = m.tree, m.tree.contacts
    block = tree.block.ctypes.data
    call_kernel(
        tree.touch, 1, block, tree.indices.ctypes.data, tree.parameters.ctypes.data, m.coef.ctypes.data,
        m.tables.ctypes.data, c.values.ctypes.data, block,
    )  # fmt: skip
    count = 0
    for i in range(c.heads.size):
        if c.values[c.heads[i] + GAP] + AHEAD * h * c.values[c.speeds[i]] <= 0.0:
            c.closed[count] = i
            count += 1
    c.counts[CLOSED] = count
    return count


@inner
def delassus(m, count, rough):
    """W of the contacts that are closed: of their normals alone, or of three rows each where any is rough."""
    c, per = m.tree.contacts, 3 if rough else 1
    W = c.W
    for j in range(count):
        for b in range(per):
            row = per * j + b
            if b >= c.counts_of[c.closed[j]]:  # it has no tangents
                for k in range(per * count):
                    W[row, k] = W[k, row] = 0.0
                W[row, row] = 1.0
                continue
            mine = c.first[c.closed[j]] + b
            for e in range(c.answer_rows[mine], c.answer_rows[mine + 1]):
                c.row[c.answers[e, 0]] = c.values[c.answers[e, 1]]
            for i in range(count):
                for a in range(min(per, c.counts_of[c.closed[i]])):
                    theirs, total = c.first[c.closed[i]] + a, 0.0
                    for e in range(c.rows[theirs], c.rows[theirs + 1]):
                        total += c.values[c.columns[e, 1]] * c.row[c.columns[e, 0]]
                    W[per * i + a, row] = total
            for e in range(c.answer_rows[mine], c.answer_rows[mine + 1]):
                c.row[c.answers[e, 0]] = 0.0


@inner
def _free_speeds(m, count, per, base, before):
    """Speeds of the closed contacts without impulses: the tree's are in the block, and were in `before`."""
    c, block = m.tree.contacts, m.tree.block
    for j in range(count):
        i = c.closed[j]
        for a in range(per):
            at = per * j + a
            if a >= c.counts_of[i]:
                c.u[at] = c.approach[at] = 0.0
                continue
            row, speed = c.first[i] + a, c.values[c.speeds[i] + a]
            c.approach[at] = speed
            for e in range(c.rows[row], c.rows[row + 1]):
                v = base + c.columns[e, 0]
                speed += c.values[c.columns[e, 1]] * (block[v] - before[v])
            c.u[at] = speed


@routine
def solve_contacts(m, count, base):
    """Impulses of the closed contacts, and the speeds of the tree after them. base: where the speeds begin."""
    tree, c = m.tree, m.tree.contacts
    rough = False
    for j in range(count):
        rough = rough or c.values[c.heads[c.closed[j]] + FRICTION] > 0.0
    per = 3 if rough else 1
    delassus(m, count, rough)
    _free_speeds(m, count, per, base, tree.before)
    part = 1.0
    for trial in range(2):
        for j in range(count):
            i = c.closed[j]
            e = part * c.values[c.heads[i] + RESTITUTION]
            c.v[per * j] = e * min(c.approach[per * j], 0.0)  # what the normal is to leave with, taken off
            c.u[per * j] += c.v[per * j]
            c.mu[j] = c.values[c.heads[i] + FRICTION]
        status = _impulses(c, count, rough)
        for j in range(count):  # the speed that there would be, again
            i = c.closed[j]
            c.u[per * j] -= part * c.values[c.heads[i] + RESTITUTION] * min(c.approach[per * j], 0.0)
        if status != SOLVED:
            return CONTRADICTION
        if trial == 1 or not _gains(c, per * count):
            break
        part = 0.0  # impacts that would add energy, where friction and restitution work against each other
        c.counts[PLASTIC] += 1
    for j in range(count):
        i = c.closed[j]
        for a in range(min(per, c.counts_of[i])):
            row, p = c.first[i] + a, c.P[per * j + a]
            c.impulses[row] = p
            for e in range(c.answer_rows[row], c.answer_rows[row + 1]):
                tree.block[base + c.answers[e, 0]] += c.values[c.answers[e, 1]] * p
    return OK


@inner
def _impulses(c, count, rough):
    """P of the problem that is set."""
    c.counts[SOLVED_STEPS] += 1
    if rough:
        return _rough_impulses(c, count)
    n = count
    status = lemke(c.W[:n, :n], c.u[:n], c.P[:n], c.v[:n], c.lcp, PIVOTS_PER_CONTACT * (n + 1))
    c.counts[WORK] += c.lcp.counts[0]
    return status


@routine
def _rough_impulses(c, count):
    """The same in Coulomb's cones; contacts that are open stand beside, and are left alone."""
    n = c.heads.size
    for k in range(3 * n):
        c.P[k] = 0.0
    for row in range(3 * count, 3 * n):
        for k in range(3 * n):
            c.W[row, k] = c.W[k, row] = 0.0
        c.W[row, row] = 1.0
        c.u[row] = 1.0 if row % 3 == 0 else 0.0
        c.mu[row // 3] = 0.0
    if c.facets != 0:
        status = solve_friction_polyhedral(c.W, c.u, c.mu, c.P, c.v, c.polyhedra, MOST_PIVOTS)
        c.counts[WORK] += c.polyhedra.lcp.counts[0]
        return status
    status = solve_friction_cone(c.W, c.u, c.mu, c.P, c.v, c.cones, MOST_SWEEPS, TOLERANCE)
    c.counts[WORK] += c.cones.counts[0]
    return status


@inner
def _gains(c, n):
    """Whether impulses add energy: half their work on the speeds before and after them."""
    taken = gained = 0.0
    for k in range(n):
        after = c.u[k]
        for i in range(n):
            after += c.W[k, i] * c.P[i]
        work = 0.5 * c.P[k] * (c.u[k] + after)
        gained += work
        taken += abs(work)
    return gained > ENERGY_ROUNDING * taken
