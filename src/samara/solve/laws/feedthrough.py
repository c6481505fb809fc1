"""Algebraic states between drives and discrete laws, evaluated at the sample instant itself.

At a sample instant a drive may jump, an input may be set, or another law may produce an output. A law that reads these
directly sees them at once. Through algebraic states, such as that of a Gain, it would see them one step late, because
these were last solved for at the end of the previous step. The algebraic states z that a law reads, and everything they
depend on at the same instant (algebraic states and the rates of first-order states), are therefore solved for again by
Newton's method,

    r(z, x', x) = 0,    (z, x') <- (z, x') - (dr/d(z, x'))^-1 r

with everything else fixed: the values x of states with a rate, positions, velocities, and accelerations and reactions
from the last step. The law reads the result, and the previous values are then restored; the next step solves for these
states itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from samara.complementarity.dense import factor, solve
from samara.model import Element, State
from samara.model.equations import governed
from samara.model.roles.sampling import sampled_law
from samara.solve.native.kernels import JACOBIAN, RESIDUAL, clear, run_kinds
from samara.solve.native.ownership import Owned
from samara.system.layout.groups import FUNCTIONS
from samara.system.layout.pattern import rows_of_entries
from samara.system.memory.blocks import RATE, VALUE, Coefficient
from samara.system.system import System
from samara.tracing.driver.driver_cache import inner, routine
from samara.tracing.driver.reference import refer

POSE, TWIST, ACCELERATION, PER_POSE, TIED_RATES = (
    int(c)
    for c in (
        Coefficient.POSE,
        Coefficient.TWIST,
        Coefficient.ACCELERATION,
        Coefficient.PER_POSE,
        Coefficient.TIED_RATES,
    )
)
#: Iterations at most, and the largest last correction, of a state and its scale.
MOST_ITERATIONS, SMALL_CORRECTION = 25, 1e-9
#: Smallest pivot over the largest, of rows with a largest entry of one, that is rounding.
SINGULAR_PIVOT = 1e-15
#: More states than these are not found anew.
MOST_STATES = 64
#: Numbers of indices that are abreast in memory.
ALIGNED = 16


class Relay(NamedTuple):
    """The algebraic states that laws read, and the rates they depend on; all arrays are empty if there are none."""

    program: np.ndarray  # of the elements that give their balances
    indices: np.ndarray  # of those elements
    places: np.ndarray  # where values, or rates, lie in the state
    rates: np.ndarray  # whether it is a rate
    rows: np.ndarray  # balances among all equations
    scale: np.ndarray
    kept: np.ndarray  # values before
    change: np.ndarray
    matrix: np.ndarray  # row by row, and room for what is not wanted
    by_rates: np.ndarray  # the same, of derivatives by rates
    scratch: np.ndarray  # room for all equations
    on: Owned  # whether they are found anew at all
    square: np.ndarray  # the matrix, of the same memory
    pivots: np.ndarray


def relay_of(system: System, read: Iterable[State]) -> tuple[Relay, set[str]]:
    """Of the states that laws read; names of those among them that follow from answers of laws."""
    makers: dict[str, list[Element]] = {}
    read = [state for state in read if _algebraic(state)]
    for element in system.model.elements.values() if read else ():
        for k in governed(element):
            makers.setdefault(element.states()[k].name, []).append(element)
    answers = {name for name, found in makers.items() if any(sampled_law(e) is not None for e in found)}
    behind = {state.name: _behind(state, makers) for state in read if state.name not in answers}
    every = {name: state for found in behind.values() for name, state in found.items()}
    states = list(every.values()) if len(every) <= MOST_STATES else []
    elements = {id(e) for s in states for e in makers.get(s.name, ())}
    return _packed(system, states, elements), {name for name, found in behind.items() if answers & found.keys()}


def _behind(state: State, makers: dict[str, list[Element]]) -> dict[str, State]:
    """The states of order zero and one that one follows from at the same instant, itself among them."""
    found, waiting = {state.name: state}, [state.name]
    while waiting:
        for element in makers.get(waiting.pop(), ()):
            more = {s.name: s for s in element.states() if s.order < 2 and not s.reaction and s.name not in found}
            found |= more
            waiting += more
    return found


def _algebraic(state: State) -> bool:
    return state.order == 0 and not state.reaction


def _packed(system: System, states: list[State], elements: set[int]) -> Relay:
    layout, n = system.layout, len(states)
    rows = np.array([system.unknowns.state_row(s.name) for s in states], np.int64)
    number = np.full(system.unknowns.room + 1, -1)
    number[rows] = np.arange(n)
    blocks, starts, program, size = [], [], [], 0
    for group in system.groups:
        chosen = sorted({g for element, g, _ in group.places() if id(element) in elements})
        if not chosen:
            continue
        rows_in, columns_in = (number[rows_of_entries(group, k, system.unknowns, layout.width)] for k in (0, 1))
        for g in chosen:
            row, column = rows_in[g], columns_in[g]
            idx = group.idx[g].copy()
            idx[group.kind.slots :] = np.where((row >= 0) & (column >= 0), row * n + column, n * n)
            blocks.append(idx.ravel())
            starts.append(size)
            size += -(-idx.size // ALIGNED) * ALIGNED
            program.append([1, 0, group.par[g : g + 1].ctypes.data, *group.program(["residual", "jacobian"])[3:]])
    indices = np.zeros(size, np.uint32)
    for start, block, line in zip(starts, blocks, program, strict=True):
        indices[start : start + block.size] = block
        line[1] = indices[start:].ctypes.data
    matrix = np.zeros(n * n + 1)
    places = [layout.state_block(s) + (VALUE if s.order == 0 else RATE) * layout.width for s in states]
    return refer(Relay(
        np.array(program, np.int64).reshape(-1, 3 + len(FUNCTIONS)), indices, np.array(places, np.int64),
        np.array([s.order for s in states], np.int64), rows, np.array([s.scale for s in states], float), np.zeros(n),
        np.zeros(n), matrix, np.zeros(n * n + 1), np.zeros(system.arrays.res.size if n else 0), np.ones(1, np.int64),
        matrix[: n * n].reshape(n, n), np.zeros(n, np.int64),
    ))  # fmt: skip


@inner
def _scale_rows(relay, n):
    """Rows with a largest entry of one: balances have units of their own."""
    for i in range(n):
        largest = 0.0
        for c in range(n):
            largest = max(largest, abs(relay.matrix[n * i + c]))
        if largest > 0.0:
            for c in range(n):
                relay.matrix[n * i + c] /= largest
            relay.change[i] /= largest


@routine
def _solve(relay):
    """The right-hand side, in `change`, becomes the solution; whether there is one."""
    n = relay.change.size
    _scale_rows(relay, n)
    if not factor(relay.square, relay.pivots, n, n) > SINGULAR_PIVOT:
        return False
    solve(relay.square, relay.pivots, relay.change, n, n)
    return True


@routine
def _correct(m, relay):
    """One iteration; the largest correction, of a state and its scale, nan where there is none."""
    n = relay.rows.size
    clear(relay.scratch)
    clear(relay.matrix)
    clear(relay.by_rates)
    run_kinds(m, relay.program, RESIDUAL, relay.scratch.ctypes.data, relay.scratch.ctypes.data)
    m.coef[POSE], m.coef[TWIST] = 1.0, 0.0
    run_kinds(m, relay.program, JACOBIAN, relay.scratch.ctypes.data, relay.matrix.ctypes.data)
    m.coef[POSE], m.coef[TWIST] = 0.0, 1.0
    run_kinds(m, relay.program, JACOBIAN, relay.scratch.ctypes.data, relay.by_rates.ctypes.data)
    for i in range(n):
        relay.change[i] = relay.scratch[relay.rows[i]]
        for j in range(n):
            if relay.rates[j] != 0:
                relay.matrix[n * i + j] = relay.by_rates[n * i + j]
    if not _solve(relay):
        return np.nan
    largest = 0.0
    for i in range(n):
        at = relay.places[i]
        m.state[at] -= relay.change[i]
        size = abs(relay.change[i]) / (abs(m.state[at]) + relay.scale[i])
        if not size < np.inf:
            return np.nan
        largest = max(largest, size)
    return largest


@routine
def resolve(m, relay):
    """Finds the algebraic states anew at the present state and drives; whether they were found."""
    for i in range(relay.places.size):
        relay.kept[i] = m.state[relay.places[i]]
    if relay.on[0] == 0 or relay.places.size == 0:
        return True
    pose, twist, acceleration, per = m.coef[POSE], m.coef[TWIST], m.coef[ACCELERATION], m.coef[PER_POSE]
    tied = m.coef[TIED_RATES]
    m.coef[ACCELERATION], m.coef[PER_POSE], m.coef[TIED_RATES] = 0.0, 1.0, 1.0  # contents are known, their rates not
    found = False
    for _ in range(MOST_ITERATIONS):
        size = _correct(m, relay)
        if not size > SMALL_CORRECTION:
            found = size <= SMALL_CORRECTION
            break
    m.coef[POSE], m.coef[TWIST], m.coef[ACCELERATION], m.coef[PER_POSE] = pose, twist, acceleration, per
    m.coef[TIED_RATES] = tied
    return found


@inner
def put_back(m, relay):
    """Algebraic states, and rates, as the last step has found them."""
    for i in range(relay.places.size):
        m.state[relay.places[i]] = relay.kept[i]
