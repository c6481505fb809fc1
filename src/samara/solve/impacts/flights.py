"""Impacts within a step: each colliding part is re-integrated from its own impact time; all others are unaffected.

A model of many bodies divides into parts connected only by contacts. A step first lets all of them pass through each
other; then each part that has collided is returned to the instant of its first impact, where velocities jump
(`solve.impacts.velocity_jump`), and it repeats the rest r of the step h. All such parts do so at once, each from its
own instant, in one more solution of the step's equations, with the same coefficients but different known terms,

    n = r eta(+) + r^2 (2 a(+) + a*) / 6 + c0 (eta - eta*),     eta_dot = a* + (eta - eta*) / c0
    eta* = eta(+) + r (a(+) + a*) / 2

exact for accelerations that vary linearly from a(+) to a*: a* is found at the end of the step by a first solution
without any accelerations, and a(+) follows from the equations at the instant of impact. Subsequent impacts, and those
of parts whose earlier impact comes first, are found in the next round. The number of rounds in a step is the largest
number of impacts of any one part. The history of a part is then rewritten as if it had always moved as after its last
impact, so the scheme continues without a restart.

If a re-integrated part crosses the path of another before that one's own impact, the step is divided; if this happens
within a small part of a step, as in a heap, the step ends at its first impact and the scheme restarts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.solve.contact.calls import MOST_ROUNDS, take_back_books, take_back_flights
from samara.solve.impacts.detection import look
from samara.solve.impacts.flight_past import write_past
from samara.solve.impacts.flight_rounds import take_round
from samara.solve.impacts.instants import note_instants
from samara.solve.native.codes import NOT_CONVERGED, OK, PASSED_THROUGH, SHORTER, Counter
from samara.solve.native.kernels import copy
from samara.solve.redundant.local_error import local_error
from samara.system.memory.aligned_arrays import aligned_zeros
from samara.system.memory.blocks import SIZE
from samara.tracing.driver.driver_cache import inner, routine
from samara.tracing.driver.reference import refer

#: Part of a step below which flights that cross, or have no end, are no reason to divide it: its first impact ends it.
SHORT_FLIGHT = 0.1


class Flights(NamedTuple):
    """Independent parts of a model in redundant coordinates; empty without contacts."""

    part: np.ndarray  # of each node in the order of its block; -1: none
    begins: np.ndarray  # where the nodes of each part begin in `nodes`
    nodes: np.ndarray
    rows: np.ndarray  # the part that each equation belongs to; -1: none
    jointed: np.ndarray  # 1 for a part with joints
    free: np.ndarray  # 1 for a part that may fly anew: masses and joints, no massless nodes, no scalar states
    root: np.ndarray  # another part that this one is in contact with, or itself: those of one root hit together
    instant: np.ndarray  # of the next impact, as a part of the step
    since: np.ndarray  # that from which on a part flies as it does now
    hit: np.ndarray  # 1 for a part that is in an impact now
    flying: np.ndarray  # nodes of such parts
    flown: np.ndarray  # state as the step was found without impacts
    reactions: np.ndarray  # (2, n): past reactions then
    status: np.ndarray  # of contacts then
    solved: np.ndarray  # the same as the step was solved with: what has opened in it was closed
    present: np.ndarray  # state before an impact; then the state from which Newton's method begins
    block: np.ndarray  # room for a group of nodes
    on: np.ndarray  # what goes on, by `scheme.OFF` and its likes
    landed: np.ndarray  # 1 where parts have flown anew in the last step: who takes it back begins at `flown`
    rounds: np.ndarray  # how many are allowed
    #: 1 after a short part of a step with flights that crossed, or too many: the next impact ends it
    crossed: np.ndarray
    error: np.ndarray  # local error of a step with impacts, as that of `solve.redundant.local_error`


def flights_of(
    part: np.ndarray, rows: np.ndarray, joints: np.ndarray, free: np.ndarray, width: int, sizes: tuple[int, int, int]
) -> Flights:
    """Of nodes, in the order of their blocks, and equations that belong to these parts. joints: parts that have some.

    sizes: of the state, of the multipliers, and how many contacts.
    """
    parts = len(free)
    nodes = np.argsort(part, kind="stable")[np.count_nonzero(part < 0) :]
    begins = np.searchsorted(part[nodes], np.arange(parts + 1))
    state, multipliers, contacts = sizes
    return refer(
        Flights(
            part=part.astype(np.int64),
            begins=begins.astype(np.int64),
            nodes=nodes.astype(np.int64),
            rows=rows.astype(np.int64),
            jointed=np.isin(np.arange(parts), joints).astype(np.int64),
            free=free.astype(np.int64),
            root=np.zeros(parts, np.int64),
            instant=np.zeros(parts),
            since=np.zeros(parts),
            hit=np.zeros(parts, np.int64),
            flying=np.zeros(len(nodes), np.int64),
            flown=np.zeros(state),
            reactions=np.zeros((2, multipliers)),
            status=np.zeros(contacts, np.int64),
            solved=np.zeros(contacts, np.int64),
            present=np.zeros(state),
            block=np.zeros(SIZE * width if parts else 0),
            on=np.zeros(1, np.int64),
            landed=np.zeros(1, np.int64),
            rounds=np.full(1, MOST_ROUNDS),
            crossed=np.zeros(1, np.int64),
            error=np.zeros(1),
        )
    )


def spare_factors(flights: Flights, factors: np.ndarray) -> np.ndarray:
    """Room for factors of impacts beside those of a step, where parts fly anew, and for the step they are for."""
    return aligned_zeros(factors.size + 1 if flights.part.size else 0)


@routine
def fly_anew(work):
    """After a step in which something has hit: impacts at their instants, and the rest of the step.

    The status of the step; where it failed, the state is as it was found. SHORTER: nothing was done.
    """
    m, f, length = work.machine, work.machine.contacts.flights, work.settings.length
    impacts = work.counters[Counter.IMPACTS]
    if f.part.size == 0 or f.crossed[0] != 0:
        return SHORTER
    h, old = m.contacts.step[0], work.memory.clock.step
    f.error[0] = local_error(work, h, old)
    _keep(m)
    status = OK if note_instants(m, length) else SHORTER
    for _ in range(f.rounds[0]):
        if status == OK:
            m.paths.round[0] += 1
            status = take_round(work)
        if status != OK:
            break
        if not look(m):
            write_past(m, h, old)
            _forget_flights(m)
            f.landed[0] = 1
            return OK
        status = OK if note_instants(m, length) else SHORTER
    if h <= SHORT_FLIGHT * m.contacts.step[1] and (status == OK or status == PASSED_THROUGH):
        f.crossed[0] = 1
    _forget_flights(m)
    _put_back(m)
    work.counters[Counter.IMPACTS] = impacts
    return status if status != OK else NOT_CONVERGED


@inner
def _forget_flights(m):
    """All nodes fly as since the step began."""
    m.paths.round[0] = 0
    for n in range(m.paths.since.size):
        m.paths.since[n], m.paths.flight[n] = 0.0, 0


@inner
def _keep(m):
    """The step as it was found."""
    f = m.contacts.flights
    copy(f.flown, m.state)
    for k in range(m.layout.multiplier_count):
        f.reactions[0, k], f.reactions[1, k] = m.multipliers.last[k], m.multipliers.before[k]
    for i in range(f.status.size):
        f.status[i], f.solved[i] = m.contacts.status[i], m.contacts.before[i]


@inner
def _put_back(m):
    """What was kept."""
    f = m.contacts.flights
    f.landed[0] = 1
    take_back_flights(m)
    copy(m.contacts.status, f.status)
    take_back_books(m)
