"""Contacts of a tree in the driver's hands: what is closed, Delassus' operator, and what impulses do.

    u(+) = W p + u_free,     W = G H^-1 G^T

of the contacts that a prediction finds closed, island by island. `samara.solve.contact.impulses` finds p.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.recursive.native.compiled import CompiledTree
from samara.recursive.native.contacts import ContactPlaces
from samara.solve.contact.impulses import (
    CLOSED,
    IMPACTS,
    ContactProblem,
    begin_island,
    contact_problem,
    find_island,
)
from samara.solve.contact.islands import FAILED, NUMBER, Islands, arrange, islands_of, share
from samara.solve.native.codes import OK
from samara.solve.native.kernels import call_kernel
from samara.solve.native.ownership import Owned
from samara.tracing.driver.driver_cache import inner, routine

#: Numbers of a contact: gap, friction, restitution.
GAP, FRICTION, RESTITUTION = range(3)
#: Part of a step that the prediction of gaps looks ahead.
AHEAD = 0.5
#: Angle [rad] by which the normal of a contact that closes in a step may turn in it.
LARGEST_TURN = 0.1


class ContactMachine(NamedTuple):
    """Contacts of a tree; without any all arrays are empty."""

    values: Owned  # what the kernel writes
    heads: np.ndarray  # where gap, friction and restitution of each contact are
    speeds: np.ndarray  # where its first speed is
    counts_of: np.ndarray  # rows of each contact, one or three
    first: np.ndarray  # first row of each
    rows: np.ndarray  # where entries of each row begin in `columns`, of G
    columns: np.ndarray  # (speed of the tree, place)
    answer_rows: np.ndarray  # the same of H^-1 G^T
    answers: np.ndarray
    begun: np.ndarray  # speeds of all rows as the step begins
    near: np.ndarray  # 1 for a contact that closes within the step, by a prediction
    impulses: Owned  # of all rows in the last step
    pushes: np.ndarray  # (place in the block, multiplier) of each row
    row: np.ndarray  # room for a row of answers
    per: np.ndarray  # rows of a contact in each island
    islands: Islands
    problem: ContactProblem


def no_contacts() -> ContactMachine:
    """Of a model without contacts."""
    empty, pairs, triples = np.zeros(0, np.int64), np.zeros((0, 2), np.int64), np.zeros((0, 3), np.int64)
    none = ContactPlaces(empty, empty, empty, pairs, triples, triples, 0)
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
    total = int(places.counts.sum())
    rows, columns = _by_rows(places.jacobian, total)
    answer_rows, answers = _by_rows(places.answers, total)
    return ContactMachine(
        values=np.zeros(max(1, places.size)), heads=places.heads, speeds=places.speeds, counts_of=places.counts,
        first=np.cumsum(places.counts) - places.counts, rows=rows, columns=columns, answer_rows=answer_rows,
        answers=answers, begun=np.zeros(total), near=np.zeros(len(places.counts), np.int64), impulses=np.zeros(total),
        pushes=pushes.reshape(-1, 2), row=np.zeros(max(1, speeds)),
        per=np.zeros(len(places.counts), np.int64), islands=islands_of(places.sides),
        problem=contact_problem(len(places.counts), facets),
    )  # fmt: skip


def _by_rows(entries: np.ndarray, total: int) -> tuple[np.ndarray, np.ndarray]:
    """(where each row begins, (column, place) of all entries), from (row, column, place)."""
    order = np.argsort(entries[:, 0], kind="stable")
    begins = np.searchsorted(entries[order, 0], np.arange(total + 1))
    return begins.astype(np.int64), np.ascontiguousarray(entries[order, 1:])


@inner
def touch_now(m):
    """Gaps, speeds and what forces do, at the numbers in the block."""
    tree, c = m.tree, m.tree.contacts
    block = tree.block.ctypes.data
    call_kernel(
        tree.touch, 1, block, tree.indices.ctypes.data, tree.parameters.ctypes.data, m.coef.ctypes.data,
        m.tables.ctypes.data, c.values.ctypes.data, block,
    )  # fmt: skip


@inner
def look_at_contacts(m, h):
    """Gaps and speeds at the present state; which contacts are closed, or about to be within the step. How many."""
    tree, c, p = m.tree, m.tree.contacts, m.tree.contacts.problem
    touch_now(m)
    count = 0
    for i in range(c.heads.size):
        speed, row = c.values[c.speeds[i]], c.first[i]
        for a in range(c.counts_of[i]):
            c.begun[row + a] = c.values[c.speeds[i] + a]
        for e in range(c.rows[row], c.rows[row + 1]):
            speed += h * c.values[c.columns[e, 1]] * tree.block[tree.results_at + c.columns[e, 0]]
        gap = c.values[c.heads[i] + GAP]
        c.near[i] = 1 if gap + h * speed <= 0.0 or gap + AHEAD * h * speed <= 0.0 else 0
        if gap + AHEAD * h * speed <= 0.0:
            p.closed[count] = i
            count += 1
    p.counts[CLOSED] = count
    arrange(c.islands, p.closed, count)
    return count


@inner
def is_any_near(c):
    """Whether a contact closes within the step."""
    for i in range(c.near.size):
        if c.near[i] != 0:
            return True
    return False


@inner
def turns_within(tree):
    """Whether a contact that closes in the step has another normal at its end: the step is too long for a curve.

    Speeds are those of the beginning along the directions of both ends: of what moves across them a part of the angle.
    """
    c = tree.contacts
    for i in range(c.near.size):
        row, size = c.first[i], 0.0
        if c.near[i] != 0 and c.counts_of[i] == 3 and tree.block[c.pushes[row, 0]] <= 0.0:
            for a in range(3):
                size += c.begun[row + a] ** 2
            if abs(c.values[c.speeds[i]] - c.begun[row]) > LARGEST_TURN * np.sqrt(size):
                return True
    return False


@routine
def see_islands(m):
    """Friction and restitution of the closed contacts, how many rows each island takes, and its W."""
    c, p = m.tree.contacts, m.tree.contacts.problem
    c.islands.counts[FAILED], at = 0, 0
    for k in range(c.islands.counts[NUMBER]):
        first, end, per = c.islands.starts[k], c.islands.starts[k + 1], 1
        for j in range(first, end):
            head = c.heads[p.closed[j]]
            p.mu[j], p.restitution[j] = c.values[head + FRICTION], c.values[head + RESTITUTION]
            if p.mu[j] > 0.0:
                per = 3
        c.per[k], at = per, begin_island(p, first, per * (end - first), at)
        for j in range(first, end):
            for b in range(per):
                _delassus(c, first, end, j, b, per)


@inner
def _delassus(c, first, end, j, b, per):
    """A column of W of an island: what a unit of one impulse does to the contacts that share a part with it."""
    p, size = c.problem, per * (end - first)
    diagonal, column = per * (j - first) + b, c.problem.place[first] + per * (j - first) + b
    for k in range(size):
        p.W[column + k * size] = 0.0
    if b >= c.counts_of[p.closed[j]]:  # it has no tangents
        p.W[column + diagonal * size] = 1.0
        return
    mine = c.first[p.closed[j]] + b
    for e in range(c.answer_rows[mine], c.answer_rows[mine + 1]):
        c.row[c.answers[e, 0]] = c.values[c.answers[e, 1]]
    for i in range(first, end):
        if not share(c.islands, p.closed[i], p.closed[j]):
            continue
        for a in range(min(per, c.counts_of[p.closed[i]])):
            theirs, total = c.first[p.closed[i]] + a, 0.0
            for e in range(c.rows[theirs], c.rows[theirs + 1]):
                total += c.values[c.columns[e, 1]] * c.row[c.columns[e, 0]]
            p.W[column + (per * (i - first) + a) * size] = total
    for e in range(c.answer_rows[mine], c.answer_rows[mine + 1]):
        c.row[c.answers[e, 0]] = 0.0


@inner
def _free_speeds(tree, first, end, per):
    """Speeds of closed contacts without impulses: the tree's are in the block, and were in `before`."""
    c, p, base = tree.contacts, tree.contacts.problem, tree.speeds_at
    for j in range(first, end):
        i = p.closed[j]
        for a in range(per):
            at = 3 * first + per * (j - first) + a
            if a >= c.counts_of[i]:
                p.u[at] = p.approach[at] = p.P[at] = 0.0
                continue
            p.P[at] = c.impulses[c.first[i] + a]
            row, speed = c.first[i] + a, c.values[c.speeds[i] + a]
            p.approach[at] = speed
            for e in range(c.rows[row], c.rows[row + 1]):
                v = base + c.columns[e, 0]
                speed += c.values[c.columns[e, 1]] * (tree.block[v] - tree.before[v])
            p.u[at] = speed


@routine
def solve_contacts(m):
    """Impulses of the closed contacts, island by island."""
    c, p = m.tree.contacts, m.tree.contacts.problem
    for k in range(c.islands.counts[NUMBER]):
        first, end, per = c.islands.starts[k], c.islands.starts[k + 1], c.per[k]
        _free_speeds(m.tree, first, end, per)
        status = find_island(p, first, end - first, per)
        if status != OK:
            c.islands.counts[FAILED] = k + 1
            return status
        for j in range(first, end):
            i = p.closed[j]
            for a in range(min(per, c.counts_of[i])):
                c.impulses[c.first[i] + a] = p.P[3 * first + per * (j - first) + a]
    return OK


@inner
def begin_with_last(tree, h):
    """Impulses of the closed contacts to start from: by the forces of the last step, which the block has still."""
    c, p = tree.contacts, tree.contacts.problem
    for j in range(p.counts[CLOSED]):
        i = p.closed[j]
        for row in range(c.first[i], c.first[i] + c.counts_of[i]):
            c.impulses[row] = h * tree.block[c.pushes[row, 0]]


@inner
def push_speeds(tree):
    """What impulses make of the speeds of the tree."""
    c, p = tree.contacts, tree.contacts.problem
    for j in range(p.counts[CLOSED]):
        i = p.closed[j]
        for row in range(c.first[i], c.first[i] + c.counts_of[i]):
            for e in range(c.answer_rows[row], c.answer_rows[row + 1]):
                tree.block[tree.speeds_at + c.answers[e, 0]] += c.values[c.answers[e, 1]] * c.impulses[row]


@inner
def count_impacts(tree):
    """Contacts that push in this step and did not in the last: its forces are in the block still."""
    c, p = tree.contacts, tree.contacts.problem
    for j in range(p.counts[CLOSED]):
        row = c.first[p.closed[j]]
        if c.impulses[row] > 0.0 and tree.block[c.pushes[row, 0]] <= 0.0:
            p.counts[IMPACTS] += 1
