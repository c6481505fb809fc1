"""Contacts of a whole model: forces that keep surfaces apart, found in each iteration of a step.

A contact that is closed has a force in the place of a constraint. Newton's method finds a correction x without it; the
factors at hand answer a unit of each force, so that the speeds at contacts after the correction are

    u - G x + W (lam - lam_0),     W = G A^-1 G^T

with A the matrix of the step: a complementarity problem (`solve.impulses`) for all forces at once. At convergence both
hold: the equations of motion, and 0 <= u_n perpendicular to lam_n >= 0 with friction in its cone.

A contact that closes within a step is let through; the step ends there, and the scheme starts anew after an event: in
its first short step of Euler's formula normals leave with -restitution times their speed of approach. What leaves is
open, what stays is closed; it opens when its force has vanished and its gap has grown.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import typeof, types

from samara.solve.codes import OK
from samara.solve.contact_calls import ANSWER, APPROACH, BEGIN, LOOK, NOTE, PART, PUSH, SETTLE
from samara.solve.correction import correction
from samara.solve.impulses import CLOSED as CLOSED_COUNT
from samara.solve.impulses import ContactProblem, contact_problem, find_impulses
from samara.solve.kernels import TOUCH, call_kernel, clear, run_kinds
from samara.system.system import System
from samara.tracing.driver_cache import address_of, driver, inner, routine
from samara.tracing.reference import refer

#: What a contact is: open, closed, or closing at this moment, with restitution.
OPEN, SHUT, HITTING = range(3)
#: Impact speed, as a part of what the last step has added to it, below which nothing bounces.
BOUNCE = 1.5
#: Part of the gap of a closed contact that a step takes back: speeds are held, so curved surfaces drift apart.
BACK = 0.1
#: Part of a step's way within which a gap counts as closed.
SLACK = 1e-4
#: Places within a step that are looked at, bisections that find the time of an impact between two of them, and part of
#: a step before its end below which that is not worth it.
LOOKS, BISECTIONS, WORTH = 16, 40, 1e-3
#: Part of a step within which an impact is one at its beginning.
SOON = 1e-2
#: Numbers of a contact that follow its gap: speeds, then friction and restitution.
GAP = 0


class WholeContacts(NamedTuple):
    """Contacts of a model in redundant coordinates; without any all arrays are empty."""

    program: np.ndarray  # of their kinds
    calls: np.ndarray  # (address of the equations, indices, parameters) of the lanes that each contact is in
    out: np.ndarray  # where its gap is among the measures
    multiplier: np.ndarray  # number of its first force
    counts_of: np.ndarray  # how many forces it has, one or three
    nodes: np.ndarray  # first rows of its two nodes
    status: np.ndarray  # OPEN, SHUT or HITTING
    #: normal speed as a step begins, speeds before an impact (three), gap as a step begins, part of it before an impact
    speeds: np.ndarray
    G: np.ndarray  # rows of the closed contacts: what they take of their nodes' twists, six numbers each
    Y: np.ndarray  # answers of all unknowns to a unit of each force
    forces: np.ndarray  # room for all forces
    scratch: np.ndarray  # room for equations
    step: np.ndarray  # size of the step [s]
    server: np.ndarray  # address of `serve`
    problem: ContactProblem


def whole_contacts(system: System) -> WholeContacts:
    """Arrays for the contacts of a system."""
    groups = [(k, g) for k, g in enumerate(system.groups) if g.kind.touches]
    calls, out, multiplier, counts, nodes = [], [], [], [], []
    for _, group in groups:
        kind, stride, numbers = group.kind, group.idx.strides[0], group.par.strides[0]
        for k, element in enumerate(group.elements):
            lanes = k // group.idx.shape[2]
            places = (group.idx.ctypes.data + lanes * stride, group.par.ctypes.data + lanes * numbers)
            calls.append((group.addresses["residual"], *places))
            out.append(group.output[k] + kind.named_width)
            multiplier.append(group.multiplier[k])
            counts.append(kind.multiplier_count)
            nodes.append([system.unknowns.row(node) for node in element.nodes()])
    n, rows = len(out), sum(counts)
    size = system.arrays.x.size if n else 0
    found = WholeContacts(
        program=np.ascontiguousarray(system.program[[k for k, _ in groups]]),
        calls=np.array(calls, np.int64).reshape(-1, 3),
        out=np.array(out, np.int64),
        multiplier=np.array(multiplier, np.int64),
        counts_of=np.array(counts, np.int64),
        nodes=np.array(nodes, np.int64).reshape(-1, 2),
        status=np.zeros(n, np.int64),
        speeds=np.zeros((n, 6)),
        G=np.zeros((rows, 12)),
        Y=np.zeros((rows, size)),
        forces=np.zeros(rows),
        scratch=np.zeros(system.arrays.res.size if n else 0),
        step=np.zeros(1),
        server=np.zeros(1, np.int64),
        problem=contact_problem(n),
    )
    return refer(found)


def contact_names(system: System) -> list[str]:
    """In the order of the arrays."""
    return [element.name for group in system.groups if group.kind.touches for element in group.elements]


#: Gap, of the size of the model, below which a contact is closed as a run starts, and speed of its opening [1/s].
CLOSED_GAP, CLOSED_RATE = 1e-9, 1e-9


def close_at_start(m: Any, length: float) -> bool:
    """Closes contacts that touch and do not open, as a run starts; whether there are any."""
    c = m.contacts
    c.status[:] = OPEN
    if not c.status.size:
        return False
    look_at_all(m)
    for i, at in enumerate(c.out):
        gap, speed = m.out[at], m.out[at + 1]
        if gap <= CLOSED_GAP * length and speed <= CLOSED_RATE * length:
            c.status[i] = SHUT if speed >= -CLOSED_RATE * length else HITTING
            if c.status[i] == HITTING and gap > 0.0:
                c.status[i] = OPEN
    return bool(c.status.any())


@driver
def look_at_all(m):
    """`touch`, for Python."""
    touch(m)


# ---- looking
@inner
def touch(m):
    """Gaps, speeds, friction and restitution of all contacts at the present state."""
    run_kinds(m, m.contacts.program, TOUCH, m.out.ctypes.data, m.out.ctypes.data)


@inner
def note_speeds(m):
    """Keeps gaps and speeds of the normals at the beginning of a step, to see what it does to them."""
    c = m.contacts
    touch(m)
    for i in range(c.status.size):
        c.speeds[i, 0], c.speeds[i, 4] = m.out[c.out[i] + 1], m.out[c.out[i]]


@inner
def note_approach(m):
    """Keeps the speeds that contacts hit with."""
    c = m.contacts
    touch(m)
    for i in range(c.status.size):
        for a in range(c.counts_of[i]):
            c.speeds[i, 1 + a] = m.out[c.out[i] + 1 + a]


@inner
def look(m):
    """Contacts after a step: which open, and which hit. Whether any does."""
    c, hit, h = m.contacts, False, m.contacts.step[0]
    touch(m)
    for i in range(c.status.size):
        gap, speed = m.out[c.out[i]], m.out[c.out[i] + 1]
        if c.status[i] == OPEN:
            if speed < 0.0 and gap <= -SLACK * h * speed:
                c.status[i] = HITTING
                hit = True
        elif gap > 0.0 and m.state[m.multiplier_base + c.multiplier[i]] <= 0.0:
            c.status[i] = OPEN
    return hit


@inner
def _gap_within(g0, u0, g1, u1, s):
    """A gap a part s of the way through a step, from values and ways at both ends."""
    gap = (1.0 + 2.0 * s) * (1.0 - s) ** 2 * g0 + s * (1.0 - s) ** 2 * u0
    return gap + s * s * (3.0 - 2.0 * s) * g1 - s * s * (1.0 - s) * u1


@inner
def part_to_impact(m):
    """Part of the last step after which the first of the contacts that hit was closed; 1 where that is not seen.

    Gaps are cubics of time. One that was never open in the step has not left at all: it is closed from now on, and
    the answer is -1. Where the first has closed as the step begins, the answer is 0.
    """
    c, first, h, stays = m.contacts, 1.0, m.contacts.step[0], False
    for i in range(c.status.size):
        if c.status[i] != HITTING:
            continue
        g0, g1 = c.speeds[i, 4], m.out[c.out[i]]
        u0, u1 = h * c.speeds[i, 0], h * m.out[c.out[i] + 1]
        low, high = -1.0, 1.0
        for k in range(LOOKS):
            s = k / LOOKS
            if _gap_within(g0, u0, g1, u1, s) > 0.0:
                low = s
            elif low >= 0.0:
                high = s
                break
        if low < 0.0:
            c.status[i] = SHUT
            stays = True
            continue
        for _ in range(BISECTIONS):
            s = 0.5 * (low + high)
            if _gap_within(g0, u0, g1, u1, s) > 0.0:
                low = s
            else:
                high = s
        c.speeds[i, 5] = high
        first = min(first, high)
    if stays:
        return -1.0
    if first < SOON:
        return 0.0
    return first if first < 1.0 - WORTH else 1.0


@inner
def withdraw(m, part):
    """Contacts that hit have not yet, but for those that do as the step begins."""
    c = m.contacts
    for i in range(c.status.size):
        if c.status[i] == HITTING and not (part == 0.0 and c.speeds[i, 5] < SOON):
            c.status[i] = OPEN


@inner
def settle(m):
    """After the short step of an impact: what leaves is open, what stays is closed."""
    c = m.contacts
    touch(m)
    for i in range(c.status.size):
        if c.status[i] == HITTING:
            held = m.state[m.multiplier_base + c.multiplier[i]] > 0.0
            bounces = _bounces(m, i)
            c.status[i] = SHUT if held and not bounces else OPEN


@inner
def _bounces(m, i):
    """Whether restitution acts: on what is faster than a step makes it."""
    c = m.contacts
    gained = abs(c.speeds[i, 1] - c.speeds[i, 0])
    return m.out[c.out[i] + c.counts_of[i] + 2] > 0.0 and -c.speeds[i, 1] > BOUNCE * gained


# ---- a step
@routine
def begin_contacts(work):
    """What is closed in this step, its directions, and how the factors answer; returns how many."""
    m, c = work.machine, work.machine.contacts
    p, base, count = c.problem, m.multiplier_base, 0
    for i in range(c.status.size):
        if c.status[i] != OPEN:
            p.closed[count] = i
            count += 1
        else:
            for a in range(c.counts_of[i]):
                m.state[base + c.multiplier[i] + a] = 0.0
    p.counts[CLOSED_COUNT] = count
    if count != 0:
        touch(m)
        _directions(m, count)
        answer_contacts(work)
    return count


@inner
def _directions(m, count):
    """G of the closed contacts, from their equations at unit forces."""
    c, base, row = m.contacts, m.multiplier_base, 0
    kept = 0
    for i in range(c.status.size):
        for a in range(c.counts_of[i]):
            c.forces[kept] = m.state[base + c.multiplier[i] + a]
            m.state[base + c.multiplier[i] + a] = 0.0
            kept += 1
    for j in range(count):
        i = c.problem.closed[j]
        for a in range(c.counts_of[i]):
            at = base + c.multiplier[i] + a
            m.state[at] = 1.0
            for n in range(2):
                for k in range(6):
                    c.scratch[c.nodes[i, n] + k * m.width] = 0.0
            call_kernel(
                c.calls[i, 0], 1, m.state.ctypes.data, c.calls[i, 1], c.calls[i, 2], m.coef.ctypes.data,
                m.tables.ctypes.data, c.scratch.ctypes.data, c.scratch.ctypes.data,
            )  # fmt: skip
            m.state[at] = 0.0
            for n in range(2):
                for k in range(6):
                    c.G[row, 6 * n + k] = -c.scratch[c.nodes[i, n] + k * m.width]
            row += 1
    kept = 0
    for i in range(c.status.size):
        for a in range(c.counts_of[i]):
            m.state[base + c.multiplier[i] + a] = c.forces[kept]
            kept += 1


@routine
def answer_contacts(work):
    """How all unknowns answer a unit of each force of the closed contacts, with the factors at hand.

    Directions are those of now: what the factors know of them may be old.
    """
    m, c = work.machine, work.machine.contacts
    p, row = c.problem, 0
    for j in range(p.counts[CLOSED_COUNT]):
        i = p.closed[j]
        for a in range(c.counts_of[i]):
            clear(m.res)
            for n in range(2):
                for k in range(6):
                    m.res[c.nodes[i, n] + k * m.width] = c.G[row, 6 * n + k]
            correction(work)
            for k in range(m.x.size):
                c.Y[row, k] = m.x[k]
            c.Y[row, m.multiplier_rows + c.multiplier[i] + a] = 1.0
            row += 1


@inner
def _along(m, row, i, x):
    """G x of one row."""
    c, total = m.contacts, 0.0
    for n in range(2):
        for k in range(6):
            total += c.G[row, 6 * n + k] * x[c.nodes[i, n] + k * m.width]
    return total


@routine
def push_apart(work):
    """Adds to a correction what the forces of closed contacts must change."""
    m, c = work.machine, work.machine.contacts
    p, base, count = c.problem, m.multiplier_base, c.problem.counts[CLOSED_COUNT]
    touch(m)
    per = 1
    for j in range(count):
        i = p.closed[j]
        at = c.out[i] + 1 + c.counts_of[i]
        p.mu[j] = m.out[at] if c.counts_of[i] == 3 else 0.0
        p.restitution[j] = m.out[at + 1] if c.status[i] == HITTING and _bounces(m, i) else 0.0
        if p.mu[j] > 0.0:
            per = 3
    row = 0
    for j in range(count):
        i = p.closed[j]
        for a in range(per):
            at = per * j + a
            p.P[at] = m.state[base + c.multiplier[i] + a] if a < c.counts_of[i] else 0.0
            if a < c.counts_of[i]:
                p.u[at] = m.out[c.out[i] + 1 + a] - _along(m, row + a, i, m.x)
                if a == 0 and c.status[i] == SHUT:
                    p.u[at] += BACK * m.out[c.out[i]] / c.step[0]
                p.approach[at] = c.speeds[i, 1 + a]
            else:
                p.u[at] = p.approach[at] = 0.0
            other = 0
            for l in range(count):
                o = p.closed[l]
                for b in range(per):
                    inside = a < c.counts_of[i] and b < c.counts_of[o]
                    w = _along(m, row + a, i, c.Y[other + b]) if inside else (1.0 if at == per * l + b else 0.0)
                    p.W[at, per * l + b] = w
                    if inside:
                        p.u[at] -= w * m.state[base + c.multiplier[o] + b]
                other += c.counts_of[o]
        row += c.counts_of[i]
    status = find_impulses(p, count, per)
    if status != OK:
        return status
    row = 0
    for j in range(count):
        i = p.closed[j]
        for a in range(c.counts_of[i]):
            new = p.P[per * j + a] if a < per else 0.0
            change = new - m.state[base + c.multiplier[i] + a]
            for k in range(m.x.size):
                m.x[k] -= change * c.Y[row + a, k]
        row += c.counts_of[i]
    return OK


@routine
def serve(work, what):
    """What the driver asks for, see `contact_calls`."""
    m, answer = work.machine, 0.0
    if what == BEGIN:
        answer = float(begin_contacts(work))
    elif what == ANSWER:
        answer_contacts(work)
    elif what == PUSH:
        answer = float(push_apart(work))
    elif what == NOTE:
        note_speeds(m)
    elif what == LOOK:
        answer = 1.0 if look(m) else 0.0
    elif what == APPROACH:
        note_approach(m)
    elif what == SETTLE:
        settle(m)
    elif what == PART:
        answer = part_to_impact(m)
        if answer != 1.0:
            withdraw(m, answer)
    return answer


def serve_contacts(work: Any) -> None:
    """Puts the address of `serve` where the driver finds it, compiled where it is not yet."""
    work.machine.contacts.server[0] = address_of(serve, (typeof(work), types.int64))
