"""The Schur complement solver: parts separately, then the interface, then the parts again.

    each part        its elements' equations, forward substitution     -> its share of the interface's right-hand side
    together         the interface: solved with the factors of `samara.solve.linear.lu`
    each part        backward substitution                             -> its unknowns

and for new factors

    each part        its elements' Jacobian, elimination               -> its share of the interface's matrix
    together         the interface's matrix is added up and factored

Parts may be processed one after another by one thread, by several threads (`team`) or by several processes (`ranks`).
Their contributions are always added in the same order, so the result is the same to the last bit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import typeof, types
from numba.extending import intrinsic

from samara.solve.linear.lu import substitute
from samara.solve.linear.lu.factors import empty_lu
from samara.solve.linear.schur.calls import CORRECTION, EXTEND, FACTORS, KEEP, MOTION, WALK
from samara.solve.linear.schur.corrections import GAIN, SEEN, extend, keep, look
from samara.solve.linear.schur.part import NativePart, differentiate, evaluate, factor, recover, reduce
from samara.solve.linear.schur.ranks import begin_exchange, end_exchange
from samara.solve.linear.schur.team import TASK, dismissed, gather, hands, is_called, post, report
from samara.solve.native.kernels import JACOBIAN, RESIDUAL, clear, jacobian, run_kinds, walk_nodes, walk_states
from samara.solve.native.subnormals import FLUSH, control_word, set_control_word
from samara.tracing.driver.driver_cache import address_of, driver, inner, routine
from samara.tracing.driver.reference import refer

#: What a part is asked for: equations and their reduction; the reduction of given ones; its unknowns; its factors, of
#: its own Jacobian or of one that is there.
EVALUATE, REDUCE, RECOVER, RENEW, FACTOR = range(5)  # and what follows in `calls`


class Schur(NamedTuple):
    """The parts of a system, and what joins them.

    number          of parts; none where the system is not divided
    apart           whether each part evaluates its own elements
    parts, like     their addresses, and one of them
    order, starts   who works on which: hand k on order[starts[k] : starts[k + 1]]
    shared          program of the elements that belong to no part
    rows            of the interface's unknowns in the vectors of the system
    storage         of the interface's matrix and its factors, the beginning of that of all
    sums, sum_to    the parts' shares of the right-hand side, and their places in the solver's work vector
    kept, kept_to   those of the matrix, and their places in the storage; each part's end with the health of its factors
    health          where that is
    found, rows_of  unknowns of all parts, and their rows
    team            words by which hands understand each other (`team`)
    calls           addresses of `correct`, `renew` and `move`
    looks           at corrections, part by part, where parts evaluate their own elements: see `corrections`
    between         groups of nodes that belong to no part: they come first
    ranks           what processes understand each other by (`ranks`); empty for a single one
    """

    number: int
    apart: int
    parts: np.ndarray
    like: NativePart
    order: np.ndarray
    starts: np.ndarray
    shared: np.ndarray
    rows: np.ndarray
    storage: np.ndarray
    sums: np.ndarray
    sum_to: np.ndarray
    kept: np.ndarray
    kept_to: np.ndarray
    health: np.ndarray
    found: np.ndarray
    rows_of: np.ndarray
    team: np.ndarray
    ranks: np.ndarray
    calls: np.ndarray
    looks: np.ndarray
    between: int


@intrinsic
def _part_at(typing, address, like):
    """The part at an address; it is of the same type as another one."""

    def emit(context, builder, signature, args):
        return builder.inttoptr(args[0], context.get_value_type(like))

    return like(address, like), emit


@inner
def _shared(work, task):
    """What belongs to no part, where parts evaluate their own elements."""
    s, m = work.schur, work.machine
    if task == EVALUATE:
        clear(m.scratch.res)
        run_kinds(m, s.shared, RESIDUAL, m.scratch.res.ctypes.data, m.scratch.res.ctypes.data)
    elif task == RENEW:
        clear(s.storage)
        run_kinds(m, s.shared, JACOBIAN, m.scratch.res.ctypes.data, work.factors.ctypes.data)


@inner
def _look(m, s, k):
    """At the corrections of a part's nodes."""
    part = _part_at(s.parts[k], s.like)
    look(m, s.looks, k, part.first, part.first + part.groups)


@inner
def _move_nodes(m, s, task, first, count):
    """What is done to some groups of nodes, and to their corrections."""
    rows = 6 * m.layout.width
    if task == KEEP:
        keep(m, rows * first, rows * (first + count))
    elif task == EXTEND:
        extend(m, s.looks[GAIN], rows * first, rows * (first + count))
    else:
        walk_nodes(m, task - WALK, first, count)


@inner
def _move(work, hand, task):
    """The nodes of a hand's parts: what it writes into the state, and reads next, stays in its own caches."""
    s, m = work.schur, work.machine
    if hand == 0:
        _move_nodes(m, s, task, 0, s.between)
        last = 6 * m.layout.width * m.layout.free_groups
        if task == KEEP:
            keep(m, last, m.x.size)
        elif task == EXTEND:
            extend(m, s.looks[GAIN], last, m.x.size)
        else:
            walk_states(m, task - WALK)
    for k in range(s.starts[hand], s.starts[hand + 1]):
        part = _part_at(s.parts[s.order[k]], s.like)
        _move_nodes(m, s, task, part.first, part.groups)


@routine
def perform(work, hand, task):
    """One hand's share of a task; the first one also does what belongs to no part, unless messages wait for it."""
    s, m = work.schur, work.machine
    if task >= KEEP:
        _move(work, hand, task)
        return
    if hand == 0 and s.ranks.size == 0:
        _shared(work, task)
    for k in range(s.starts[hand], s.starts[hand + 1]):
        part = _part_at(s.parts[s.order[k]], s.like)
        if task == EVALUATE:
            evaluate(m, part)
            reduce(part, m.scratch.res, True)
        elif task == REDUCE:
            reduce(part, m.scratch.res, False)
        elif task == RECOVER:
            recover(part, m.x)
            if s.apart != 0 and s.ranks.size == 0:
                _look(m, s, s.order[k])
        else:
            if task == RENEW:
                differentiate(m, part, work.factors)
            factor(part)


@inner
def _by_all(work, task):
    """A task on all parts: by those hands that are called, or by this one alone."""
    s = work.schur
    if hands(s.team) != 0:
        post(s.team, task)
        perform(work, 0, task)
        gather(s.team)
    else:
        for hand in range(s.starts.size - 1):
            perform(work, hand, task)


@driver
def serve(work, hand):
    """What a hand does until it is dismissed."""
    before = control_word()
    set_control_word(np.uint32(before | FLUSH))
    team, seen = work.schur.team, 0
    while True:
        seen = is_called(team, seen)
        if dismissed(team):
            break
        perform(work, hand, team[TASK])
        report(team, hand, seen)
    report(team, hand, seen)
    set_control_word(before)


@routine
def correct(work, own):
    """x from the equations; own (1): evaluated here, part by part, else (0) those in `res`. Returns 0."""
    m, s, lu = work.machine, work.schur, work.lu
    task, y = EVALUATE if own != 0 else REDUCE, lu.work
    _by_all(work, task)
    if s.ranks.size != 0:
        begin_exchange(s.ranks, 0)
        _shared(work, task)  # while shares are on their way
    for i in range(s.rows.size):
        y[lu.row_place[i]] = m.scratch.res[s.rows[i]]
    end_exchange(s.ranks)
    for i in range(s.sums.size):
        y[s.sum_to[i]] += s.sums[i]
    substitute(lu, s.storage)
    for i in range(s.rows.size):
        m.x[s.rows[i]] = y[lu.column_place[i]]
    _by_all(work, RECOVER)
    if s.ranks.size != 0:
        begin_exchange(s.ranks, 1)
        end_exchange(s.ranks)
        for i in range(s.found.size):
            m.x[s.rows_of[i]] = s.found[i]
        if s.apart != 0:
            for k in range(s.number):
                _look(m, s, k)
    if s.apart != 0:
        s.looks[SEEN] = 1.0
    return 0.0


@routine
def move(work, task):
    """What is done to all nodes and states, and to their corrections, by all hands. Returns 0."""
    _by_all(work, task)
    return 0.0


@routine
def renew(work, _):
    """A new Jacobian, factors of all parts, and the interface's matrix but for turning elements; the worst health."""
    m, s = work.machine, work.schur
    if s.apart:
        _by_all(work, RENEW)
        if s.ranks.size != 0:
            begin_exchange(s.ranks, 2)
            _shared(work, RENEW)
            end_exchange(s.ranks)
    else:
        jacobian(m, work.factors)
        _by_all(work, FACTOR)
    for i in range(s.kept.size):
        s.storage[s.kept_to[i]] += s.kept[i]
    worst = 0.0
    for i in range(s.health.size):
        health = s.kept[s.health[i]]
        if not health <= worst:
            worst = health
    return worst


def calls_for(work: Any) -> np.ndarray:
    """Addresses of the functions that take a `Work` of this type, compiled where they are not yet."""
    arguments = (typeof(work), types.int64)
    if work.schur.team.size != 0:
        address_of(serve, arguments)  # before threads ask for it
    found = {CORRECTION: address_of(correct, arguments), FACTORS: address_of(renew, arguments)}
    found[MOTION] = address_of(move, arguments)
    return np.array([found[k] for k in sorted(found)], np.int64)


def undivided() -> Schur:
    """Of a system that is solved as a whole."""
    none, index, words, program = np.zeros(0), np.zeros(0, np.uint32), np.zeros(0, np.int64), np.zeros((0, 8), np.int64)
    like = refer(
        NativePart(
            empty_lu(), none, program, none, index, index, index, index, index, index, index, index, index, none, none,
            none, 0, 0, 0, 0,
        )
    )  # fmt: skip
    return refer(
        Schur(
            0, 0, words, like, words, words, program, index, none, none, index, none, index, words, none, index, words,
            words, words, none, 0,
        )
    )  # fmt: skip
