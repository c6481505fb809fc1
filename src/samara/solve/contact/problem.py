"""The problem of all closed contacts: rows, islands and impulses, shared by all formulations.

    v = W P + u,     W = G A^-1 G^T (Delassus' operator),     A: inertia, or the matrix of a step

A formulation supplies the closed contacts, their friction and restitution, their response to a unit of each force, and
their speeds. It calls, in this order,

    close          islands of the contacts whose indices it has put into `closed`
    lay_out        rows of each island, once friction and restitution are known
    set_column     W, one column for each force whose response is available
    find_impulses  P of all islands, from speeds u without impulses and the approach speeds

and takes P from the rows `row[j]` to `row[j] + rows_of(p, j)` of closed contact j. Python calls `predict_closed` and
`find_impulses_by`, which do the same with arrays.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.complementarity.cones import FrictionWork, friction_work
from samara.complementarity.lemke import LCPWork, lcp_work
from samara.complementarity.polyhedral import PolyhedralWork, polyhedral_work
from samara.solve.contact.impulses import CLOSED, GOOD_ENOUGH, MOST_SWEEPS, find_island
from samara.solve.contact.islands import FAILED, NUMBER, Islands, arrange, islands_of, share
from samara.solve.native.codes import OK
from samara.tracing.driver.driver_cache import driver, inner, routine
from samara.tracing.driver.reference import refer

#: Part of a step that time stepping looks ahead for gaps that close.
LOOK_AHEAD_PART = 0.5
#: Contacts of an island on average, where many are closed and room is bounded.
SMALL_ISLAND = 4


class ContactProblem(NamedTuple):
    """n contacts, one force each or three: along the normal, and two tangents.

    All closed contacts of an island have one row each if none of them has friction, otherwise three; rows without a
    force of their own stay zero.
    """

    closed: np.ndarray  # numbers of the contacts that are closed, one island after the other
    dimension: np.ndarray  # forces of each contact: one or three
    islands: Islands
    row: np.ndarray  # first row of each closed contact; then how many rows there are
    place: np.ndarray  # where each island begins in
    W: np.ndarray  # of one island after the other, each row by row
    u: np.ndarray  # speeds without impulses
    approach: np.ndarray  # speeds before
    P: np.ndarray
    v: np.ndarray
    restitution: np.ndarray  # of each closed contact
    mu: np.ndarray
    counts: np.ndarray
    bounds: np.ndarray
    largest: int  # contacts of an island at most
    facets: int  # of the cones; 0 for exact ones
    lcp: LCPWork
    cones: FrictionWork
    polyhedra: PolyhedralWork


def contact_problem(
    dimension: np.ndarray, sides: np.ndarray, facets: int = 0, largest: int | None = None, parts: int = 0
) -> ContactProblem:
    """Room for contacts with so many forces each, between these parts of a model, see `islands_of`.

    facets: of the cones of friction; 0 for exact ones. largest: contacts of an island at most, where not all of them
    may be closed and in one: `lay_out` tells.
    """
    n = len(dimension)
    few = n if largest is None else min(n, largest)
    u, approach, P, v = np.zeros((4, 3 * n))
    return refer(
        ContactProblem(
            closed=np.zeros(n, np.int64),
            dimension=np.ascontiguousarray(dimension, np.int64),
            islands=islands_of(sides, parts),
            row=np.zeros(n + 1, np.int64),
            place=np.zeros(n, np.int64),
            W=np.zeros((3 * few) ** 2 + 9 * SMALL_ISLAND * (n - few)),
            u=u,
            approach=approach,
            P=P,
            v=v,
            restitution=np.zeros(n),
            mu=np.zeros(n),
            counts=np.zeros(6, np.int64),
            bounds=np.array([MOST_SWEEPS, GOOD_ENOUGH, 0.0, 0.0]),
            largest=few,
            facets=facets,
            lcp=lcp_work(max(1, few)),
            cones=friction_work(few if facets == 0 else 0),
            polyhedra=polyhedral_work(few if facets else 0, max(facets, 3)),
        )
    )


def at_fault(p: ContactProblem) -> np.ndarray:
    """Numbers of the contacts whose impulses were not found, in order; of all that are closed, where all were."""
    k, starts = int(p.islands.counts[FAILED]), p.islands.starts
    return np.sort(p.closed[starts[k - 1] : starts[k]] if k else p.closed[: p.counts[CLOSED]])


@inner
def close(p, count):
    """Puts the first `count` of the closed contacts in order."""
    p.counts[CLOSED] = count
    arrange(p.islands, p.closed, count)


@inner
def closes_ahead(gap, speed, h):
    """Whether a contact is closed in a step h of time stepping that leads to that speed."""
    return gap + LOOK_AHEAD_PART * h * speed <= 0.0


@inner
def rows_of(p, j):
    """Rows of closed contact j in which it has forces."""
    return min(p.row[j + 1] - p.row[j], p.dimension[p.closed[j]])


@routine
def lay_out(p):
    """Rows of all islands, and W of what is in no common island, or has no force. Whether there is room for all."""
    row, room = 0, 0
    p.islands.counts[FAILED] = 0
    for k in range(p.islands.counts[NUMBER]):
        first, end, per = p.islands.starts[k], p.islands.starts[k + 1], 1
        for j in range(first, end):
            if p.mu[j] > 0.0:
                per = 3
        size = per * (end - first)
        if room + size * size > p.W.size or end - first > p.largest:
            p.islands.counts[FAILED] = k + 1
            return False
        p.place[k] = room
        for e in range(room, room + size * size):
            p.W[e] = 0.0
        for j in range(first, end):
            p.row[j] = row
            for a in range(per):
                p.u[row + a] = p.approach[row + a] = p.P[row + a] = 0.0
                if a >= p.dimension[p.closed[j]]:
                    p.W[room + (per * (j - first) + a) * (size + 1)] = 1.0
            row += per
        room += size * size
    p.row[p.counts[CLOSED]] = row
    return True


@inner
def set_column(p, k, j, a, speed_by, answer):
    """W of island k for force a of its closed contact j.

    speed_by(answer, l, b, j, a): what a unit of it does to speed b of closed contact l.
    """
    first, end = p.islands.starts[k], p.islands.starts[k + 1]
    size, begin = p.row[end] - p.row[first], p.row[first]
    column = p.place[k] + p.row[j] + a - begin
    for l in range(first, end):
        if share(p.islands, p.closed[l], p.closed[j]):
            for b in range(rows_of(p, l)):
                p.W[column + (p.row[l] + b - begin) * size] = speed_by(answer, l, b, j, a)


@routine
def find_impulses(p):
    """P of all islands, from the P that it finds; the status. Where one has none, it is noted which."""
    p.islands.counts[FAILED] = 0
    for k in range(p.islands.counts[NUMBER]):
        status = find_island(p, k)
        if status != OK:
            p.islands.counts[FAILED] = k + 1
            return status
    return OK


# ---- for Python
@driver
def predict_closed(p, gaps, speeds, h):
    """Closes what is closed in a step of time stepping, by the gaps of all contacts and the rates of these."""
    count = 0
    for i in range(gaps.size):
        if closes_ahead(gaps[i], speeds[i], h):
            p.closed[count] = i
            count += 1
    close(p, count)


@driver
def find_impulses_by(p, W, u, approach, P):
    """`find_impulses` of contacts that are closed, with three rows for each in all arrays; P is written."""
    lay_out(p)
    for k in range(p.islands.counts[NUMBER]):
        for j in range(p.islands.starts[k], p.islands.starts[k + 1]):
            for a in range(rows_of(p, j)):
                p.u[p.row[j] + a], p.approach[p.row[j] + a] = u[3 * j + a], approach[3 * j + a]
                set_column(p, k, j, a, _entry, W)
    status = find_impulses(p)
    for j in range(p.counts[CLOSED]):
        for a in range(3):
            P[3 * j + a] = p.P[p.row[j] + a] if a < rows_of(p, j) else 0.0
    return status


@inner
def _entry(W, l, b, j, a):
    """What a unit of force a of contact j does to speed b of contact l."""
    return W[3 * l + b, 3 * j + a]
