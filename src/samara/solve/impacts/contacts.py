"""Contacts of a whole model: forces that keep surfaces apart, computed within its time step.

Closed contacts have forces, which are found in each iteration of a step (`solve.impacts.forces`). A contact that closes
within a step is ignored in that step; the step is then cut short at the impact and the scheme restarts as after an
event: in its first short step, by Euler's formula, normal speeds become -restitution times the approach speed. Contacts
that separate are open, those that stay are closed; a closed one opens when its force has vanished and its gap has grown
(`solve.impacts.detection`).

The status of a contact is part of the initial state of a step: `predict` saves it, `take_back` restores it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from samara.model import Element
from samara.solve.contact.broad_phase import find_pairs, find_pairs_at_rest
from samara.solve.contact.calls import SIGNATURES
from samara.solve.contact.paths import Paths, path_nodes
from samara.solve.contact.pool import LARGEST_ISLAND, ContactPool, pair_name, pool_nodes, pool_of
from samara.solve.contact.problem import ContactProblem, contact_problem
from samara.solve.impacts.detection import (
    CLOSED_GAP,
    CLOSED_RATE,
    look,
    note_speeds,
    part_to_impact,
    touch,
)
from samara.solve.impacts.flight_past import show_before_impacts
from samara.solve.impacts.flights import Flights, flights_of, fly_anew
from samara.solve.impacts.forces import FEW_FORCES, answer_contacts, begin_contacts, push_apart
from samara.solve.impacts.velocity_jump import check_bounces, strike
from samara.solve.native.call_by_address import bind
from samara.solve.native.codes import HITTING, OK, OPEN, SHORTER, SHUT, TOO_MANY_PAIRS
from samara.solve.native.ownership import Owned
from samara.system.memory.blocks import SIZE
from samara.system.system import System
from samara.tracing.driver.driver_cache import driver, routine
from samara.tracing.driver.reference import refer


class WholeContacts(NamedTuple):
    """Contacts of a model in redundant coordinates; all arrays are empty if there are none."""

    program: np.ndarray  # of their kinds
    calls: np.ndarray  # (address of the equations, indices, parameters) of the lanes that each contact is in
    out: np.ndarray  # where its gap is among the measures
    multiplier: np.ndarray  # number of its first force
    nodes: np.ndarray  # first rows of its two nodes
    status: Owned  # OPEN, SHUT or HITTING
    before: np.ndarray  # the same as the step began
    #: normal speed as a step begins, speeds before an impact (three), gap as a step begins, part of it before impact,
    #: time since that beginning [s], and the instant of the impact as a part of the step
    speeds: Owned
    G: np.ndarray  # rows of the problem: what they take of the twists of a contact's nodes, six numbers each
    round: np.ndarray  # of each closed contact, where many are answered at once
    rounds: np.ndarray  # how many there are; 0: all answers are kept
    busy: np.ndarray  # rounds that each part is in, as bits
    Y: np.ndarray  # answers of all unknowns to a unit of each force, where there are few
    kept: np.ndarray  # room for a correction
    forces: np.ndarray  # room for all forces
    scratch: np.ndarray  # room for equations
    #: size of the step, of the whole one that it is a part of, of the one before an impact, of the one it was found in
    step: Owned
    verbs: np.ndarray  # addresses, see `contact.calls`
    active: Owned  # numbers of the contacts that exist now, and
    many: Owned  # how many they are: all but slots of pools that are free
    flights: Flights  # of independent parts
    problem: ContactProblem
    pool: ContactPool  # slots that are bound to pairs, after all others


def whole_contacts(system: System) -> WholeContacts:
    """Arrays for the contacts of a system."""
    groups, own = [(k, g) for k, g in enumerate(system.groups) if g.kind.touches], 0
    calls, out, multiplier, counts, nodes, elements = [], [], [], [], [], []
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
            elements.append(element)
        own += 0 if group.pooled else len(group.elements)
    n, rows = len(out), 3 * len(out)
    size, (sides, flights, part) = system.arrays.x.size if n else 0, _sides(system, elements)
    parts, largest = flights.free.size, None if own == n else max(own, LARGEST_ISLAND)
    contacts = WholeContacts(
        program=np.ascontiguousarray(system.program[[k for k, _ in groups]]),
        calls=np.array(calls, np.int64).reshape(-1, 3),
        out=np.array(out, np.int64),
        multiplier=np.array(multiplier, np.int64),
        nodes=np.array(nodes, np.int64).reshape(-1, 2),
        status=np.zeros(n, np.int64),
        before=np.zeros(n, np.int64),
        speeds=np.zeros((n, 8)),
        G=np.zeros((rows, 12)),
        round=np.zeros(n, np.int64),
        rounds=np.zeros(1, np.int64),
        busy=np.zeros(parts, np.int64),
        Y=np.zeros((min(rows, FEW_FORCES), size)),
        kept=np.zeros(size),
        forces=np.zeros(rows),
        scratch=np.zeros(system.arrays.res.size if n else 0),
        step=np.zeros(4),
        verbs=np.zeros(len(SIGNATURES), np.int64),
        active=np.arange(n),
        many=np.full(1, own),
        flights=flights,
        problem=contact_problem(np.array(counts), sides, largest=largest, parts=parts),
        pool=pool_of(system, own, path_nodes(system), part),
    )
    return refer(contacts)


def _parts(system: System) -> np.ndarray:
    """The independent part of the model that each unknown belongs to: what is joined by anything but contacts."""
    tied = [system.unknowns_of(e) for e in system.model.elements.values() if not system.find(e)[0].kind.touches]
    tied += [system.unknowns.first(node) + np.arange(6) for node in system.layout.free]
    rows = np.concatenate([np.full(len(x), x[0]) for x in tied if len(x)])
    columns = np.concatenate([x for x in tied if len(x)])
    size = system.unknowns.size
    _, part = connected_components(coo_array((np.ones(rows.size), (rows, columns)), shape=(size, size)), directed=False)
    return part


def _sides(system: System, contacts: list[Element]) -> tuple[np.ndarray, Flights, dict[str, int]]:
    """Of each contact the parts that it is between, -1 for what does not move by forces; all parts; those of pools."""
    if not contacts:
        none = np.zeros(0, np.int64)
        return np.zeros((0, 2), np.int64), flights_of(none, none, none, none, 1, (0, 0, 0)), {}
    part, first = _parts(system), system.unknowns.first
    between = [[part[first(n)] if n.free else -1 for n in e.nodes()] for e in contacts]
    pooled = {node.name: int(part[first(node)]) for node in pool_nodes(system) if node.free}
    names, numbers = np.unique([-1, *pooled.values(), *np.ravel(between)], return_inverse=True)
    number = dict(zip(names.tolist(), range(-1, len(names)), strict=False))
    layout = system.layout
    of_node = np.full(layout.free_groups * layout.width, -1, np.int64)
    for node in layout.free:
        of_node[layout.node_index[node.name]] = number.get(int(part[first(node)]), -1)
    free = np.ones(len(names) - 1, np.int64)
    states = [int(system.unknowns.dense[system.unknowns.state_row(x.name)]) for x in system.layout.states]
    bound = [first(node) for node in system.layout.free if node.kind == "static"] + states
    free[[number[int(part[k])] for k in bound if int(part[k]) in number]] = 0
    multipliers = system.layout.multiplier_count + system.layout.force_count
    sizes = system.arrays.state.size, max(1, multipliers), len(contacts)
    rows = np.full(system.arrays.res.size, -1, np.int64)
    rows[system.unknowns.rows] = [number.get(int(k), -1) for k in part]
    joints = np.unique(rows[system.unknowns.multiplier_rows :][: system.layout.multiplier_count])
    flights = flights_of(of_node, rows, joints, free, system.layout.width, sizes)
    sides = np.asarray(numbers[1 + len(pooled) :] - 1, np.int64).reshape(-1, 2)
    return sides, flights, {name: number[k] for name, k in pooled.items()}


def note_parts(contacts: WholeContacts, paths: Paths, width: int) -> None:
    """Tells paths which parts their nodes belong to. Where laws of force are to be met as well, no part flies anew."""
    if paths.watched.size or not contacts.flights.part.size:
        contacts.flights.free[:] = 0
        return
    slots = paths.nodes // (SIZE * width) * width + paths.nodes % width
    known = paths.free == 1
    paths.part[known] = contacts.flights.part[slots[known]]


def contact_names(system: System, pool: ContactPool) -> list[str]:
    """In the order of the arrays, those of slots as they are bound."""
    groups = [group for group in system.groups if group.kind.touches and not group.pooled]
    names = [element.name for group in groups for element in group.elements]
    return names + [pair_name(system, pool, k) if pool.pair[k, 0] >= 0 else "" for k in range(len(pool.pair))]


def close_at_start(m: Any, length: float) -> bool:
    """Closes contacts that touch and do not open, as a run starts; whether there are any."""
    c = m.contacts
    c.status[:] = OPEN
    if not c.status.size:
        return False
    if c.pool.pair.size and not find_pairs_at_rest(m, length):
        return True
    look_at_all(m)
    for i in c.active[: c.many[0]]:
        gap, speed = m.scratch.out[c.out[i]], m.scratch.out[c.out[i] + 1]
        if gap <= CLOSED_GAP * length and speed <= CLOSED_RATE * length:
            c.status[i] = SHUT if speed >= -CLOSED_RATE * length else HITTING
            c.speeds[i, 0] = speed
            if c.status[i] == HITTING and gap > 0.0:
                c.status[i] = OPEN
    return bool(c.status.any())


@driver
def look_at_all(m):
    """`touch`, for Python."""
    touch(m)


@routine
def _close(work):
    return begin_contacts(work, 1.0, False)


@routine
def _answer(work):
    answer_contacts(work, 1.0)
    return OK


@routine
def _note(work):
    note_speeds(work.machine)
    return OK


@routine
def _look(work):
    m = work.machine
    if not find_pairs(m, m.contacts.step[0], work.settings.length, False):
        return TOO_MANY_PAIRS
    return SHORTER if look(m) else OK


@routine
def _part(work):
    return part_to_impact(work.machine)


@routine
def _check(work):
    return 1 if check_bounces(work.machine) else 0


@routine
def _show(work):
    show_before_impacts(work.machine)
    return OK


VERBS: dict[str, Any] = {
    "close": _close,
    "answer": _answer,
    "push": push_apart,
    "note": _note,
    "look": _look,
    "part": _part,
    "strike": strike,
    "check": _check,
    "fly": fly_anew,
    "show": _show,
}


def bind_contacts(work: Any) -> None:
    """Puts the addresses of the verbs where the driver finds them, compiled where they are not yet."""
    bind(work.machine.contacts.verbs, SIGNATURES, work, VERBS)
