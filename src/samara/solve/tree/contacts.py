"""Contacts of a tree in the driver: which are closed, the response of the tree to impulses, and their effects.

    u(+) = W p + u_free,     W = G H^-1 G^T

of the contacts that a prediction finds closed. `samara.solve.contact.problem` finds p.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.recursive.native.compiled import CompiledTree
from samara.recursive.native.contacts import ContactPlaces
from samara.solve.contact.impulses import CLOSED, IMPACTS
from samara.solve.contact.islands import NUMBER
from samara.solve.contact.problem import (
    ContactProblem,
    close,
    closes_ahead,
    contact_problem,
    find_impulses,
    lay_out,
    rows_of,
    set_column,
)
from samara.solve.native.ownership import Owned
from samara.solve.tree.kernels import call_tree_into
from samara.tracing.driver.driver_cache import inner, routine

#: Numbers of a contact: gap, friction, restitution.
GAP, FRICTION, RESTITUTION = range(3)
#: Angle [rad] by which the normal of a contact that closes in a step may turn in it.
LARGEST_TURN = 0.1


class ContactMachine(NamedTuple):
    """Contacts of a tree; without any all arrays are empty."""

    values: Owned  # what the kernel writes
    heads: np.ndarray  # where gap, friction and restitution of each contact are
    speeds: np.ndarray  # where its first speed is
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
        values=np.zeros(max(1, places.size)), heads=places.heads, speeds=places.speeds,
        first=np.cumsum(places.counts) - places.counts, rows=rows, columns=columns, answer_rows=answer_rows,
        answers=answers, begun=np.zeros(total), near=np.zeros(len(places.counts), np.int64), impulses=np.zeros(total),
        pushes=pushes.reshape(-1, 2), row=np.zeros(max(1, speeds)),
        problem=contact_problem(places.counts, places.sides, facets),
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
    call_tree_into(m, tree.kernels.touch, tree.block.ctypes.data, c.values.ctypes.data)


@inner
def look_at_contacts(m, h):
    """Gaps and speeds at the present state; which contacts are closed, or about to be within the step. How many."""
    tree, c, p = m.tree, m.tree.contacts, m.tree.contacts.problem
    touch_now(m)
    count = 0
    for i in range(c.heads.size):
        speed, row = c.values[c.speeds[i]], c.first[i]
        for a in range(p.dimension[i]):
            c.begun[row + a] = c.values[c.speeds[i] + a]
        speed += h * _along(c, row, tree.block, tree.plan.results_at)
        gap = c.values[c.heads[i] + GAP]
        closed = closes_ahead(gap, speed, h)
        c.near[i] = 1 if closed or gap + h * speed <= 0.0 else 0
        if closed:
            p.closed[count] = i
            count += 1
    close(p, count)
    return count


@inner
def _along(c, row, x, at):
    """G x of a row, for numbers of all speeds of the tree from a place on."""
    total = 0.0
    for e in range(c.rows[row], c.rows[row + 1]):
        total += c.values[c.columns[e, 1]] * x[at + c.columns[e, 0]]
    return total


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
        if c.near[i] != 0 and c.problem.dimension[i] == 3 and tree.block[c.pushes[row, 0]] <= 0.0:
            for a in range(3):
                size += c.begun[row + a] ** 2
            if abs(c.values[c.speeds[i]] - c.begun[row]) > LARGEST_TURN * np.sqrt(size):
                return True
    return False


@routine
def answer_contacts(m):
    """Friction and restitution of the closed contacts, and W: how the tree answers a unit of each impulse."""
    c, p = m.tree.contacts, m.tree.contacts.problem
    for j in range(p.counts[CLOSED]):
        head = c.heads[p.closed[j]]
        p.mu[j], p.restitution[j] = c.values[head + FRICTION], c.values[head + RESTITUTION]
    lay_out(p)
    for k in range(p.islands.counts[NUMBER]):
        for j in range(p.islands.starts[k], p.islands.starts[k + 1]):
            for a in range(rows_of(p, j)):
                row = c.first[p.closed[j]] + a
                for e in range(c.answer_rows[row], c.answer_rows[row + 1]):
                    c.row[c.answers[e, 0]] = c.values[c.answers[e, 1]]
                set_column(p, k, j, a, _speed_by, m)
                for e in range(c.answer_rows[row], c.answer_rows[row + 1]):
                    c.row[c.answers[e, 0]] = 0.0


@inner
def _speed_by(m, l, b, j, a):
    """What the answer in `row` to an impulse of one contact does to speed b of another."""
    c = m.tree.contacts
    return _along(c, c.first[c.problem.closed[l]] + b, c.row, 0)


@routine
def solve_contacts(m):
    """Impulses of the closed contacts, from speeds without them: the tree's are in the block, and were in `before`."""
    tree, c, p, at = m.tree, m.tree.contacts, m.tree.contacts.problem, m.tree.plan.speeds_at
    for j in range(p.counts[CLOSED]):
        i = p.closed[j]
        for a in range(rows_of(p, j)):
            row, speed = c.first[i] + a, c.values[c.speeds[i] + a]
            p.P[p.row[j] + a], p.approach[p.row[j] + a] = c.impulses[row], speed
            for e in range(c.rows[row], c.rows[row + 1]):
                v = at + c.columns[e, 0]
                speed += c.values[c.columns[e, 1]] * (tree.block[v] - tree.scratch.before[v])
            p.u[p.row[j] + a] = speed
    status = find_impulses(p)
    for j in range(p.counts[CLOSED]):
        for a in range(rows_of(p, j)):
            c.impulses[c.first[p.closed[j]] + a] = p.P[p.row[j] + a]
    return status


@inner
def begin_with_last(tree, h):
    """Impulses of the closed contacts to start from: by the forces of the last step, which the block has still."""
    c, p = tree.contacts, tree.contacts.problem
    for j in range(p.counts[CLOSED]):
        first = c.first[p.closed[j]]
        for row in range(first, first + rows_of(p, j)):
            c.impulses[row] = h * tree.block[c.pushes[row, 0]]


@inner
def push_speeds(tree):
    """What impulses make of the speeds of the tree."""
    c, p = tree.contacts, tree.contacts.problem
    for j in range(p.counts[CLOSED]):
        first = c.first[p.closed[j]]
        for row in range(first, first + rows_of(p, j)):
            for e in range(c.answer_rows[row], c.answer_rows[row + 1]):
                tree.block[tree.plan.speeds_at + c.answers[e, 0]] += c.values[c.answers[e, 1]] * c.impulses[row]


@inner
def count_impacts(tree):
    """Contacts that push in this step and did not in the last: its forces are in the block still."""
    c, p = tree.contacts, tree.contacts.problem
    for j in range(p.counts[CLOSED]):
        row = c.first[p.closed[j]]
        if c.impulses[row] > 0.0 and tree.block[c.pushes[row, 0]] <= 0.0:
            p.counts[IMPACTS] += 1
