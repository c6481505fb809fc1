"""A run and its derivatives by parameters, step by step: the direct method, exact for the discrete formulas.

After a step has converged, r(x, history, p) = 0, and differentiating the same formulas gives the sensitivities:

    history'   from the last step, by the derivative of the prediction
    J x' = r'  with the Jacobian of the converged state, factored once for all parameters
    state'     by the derivative of the correction

The derivatives of prediction, correction and equations are kernels made from the same graphs as those themselves
(`samara.tracing.kernels.directional`), so a parameter costs about an iteration per step. Carriers and accelerations of
nodes without mass, which a step finds beside its formula, are followed likewise (`carriers_along`,
`_accelerate_along`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from samara.model import ArgumentError
from samara.solve.errors import Diverged, NotSmooth, SolveError
from samara.solve.integrators.coefficients import LONGEST_RATIO
from samara.solve.integrators.walks import node_functions, state_functions
from samara.solve.native.codes import OK, Counter, Status
from samara.solve.native.kernels import clear, copy
from samara.solve.redundant.correction import correction
from samara.solve.redundant.renewal import renew
from samara.solve.redundant.restart import ACCELERATION_MISS
from samara.solve.redundant.scheme import STEP
from samara.solve.report.diagnosis import explain
from samara.solve.simulation import Simulation
from samara.solve.step.march import record
from samara.solve.step.step import begin, step
from samara.solve.tangent.carriers import carriers_along, lumps_along
from samara.system.kernels.node_kernels import NODES, STATES
from samara.system.layout.drives import SignalGroup
from samara.system.layout.groups import Group
from samara.system.memory.blocks import ACC, ACC_1, CARRIER, ETA, ETA_1, ETA_2, INCREMENT, SIZE
from samara.system.state.tangents import Change
from samara.tracing.driver.driver_cache import driver, inner
from samara.tracing.driver.native_call import call_native
from samara.tracing.driver.reference import refer
from samara.tracing.kernels import native
from samara.tracing.kernels.directional import directional

#: columns of the programs
COUNT, INDICES, PARAMETERS, SLOPES, STRIDE, RESIDUAL, OUTPUTS = range(7)
SIGNALS = RESIDUAL
FUNCTIONS = ("residual", "outputs")
#: rows of the walks
WALKS = ("predict", "correct", "carry")
PREDICT_ALONG, CORRECT_ALONG, CARRY_ALONG = range(3)
#: Turn in a step [rad] from which on exact tangents take two corrections: 1e-9 of them, some more of reactions.
LARGE_TURN = 0.02
#: How a run may end beside `codes.Status`: at an event, or at factors that do not suit.
NOT_SMOOTH, UNSUITABLE = 101, 102


class Along(NamedTuple):
    """Tangents of a run in the driver's hands."""

    tangents: np.ndarray  # of the state, a row per direction
    before: np.ndarray  # the state before the step
    program: np.ndarray  # of all groups: count, indices, parameters, their tangents, bytes of one, two functions
    signals: np.ndarray  # the same of drives and prescribed nodes, with one function
    slopes: np.ndarray  # tangents of all parameters
    walks: np.ndarray  # addresses of predict, correct and carry along: for nodes and for states
    x: np.ndarray  # tangents of the unknowns
    zero: np.ndarray  # unknowns that are zero
    out: np.ndarray  # tangents of the measures
    lumps: np.ndarray  # tangents of what carriers go by (`carriers_along`), and room for those of its sums
    sums: np.ndarray
    vectors: np.ndarray
    turn: np.ndarray  # in a step [rad], above which tangents are corrected twice
    ratio: np.ndarray  # of the last step to the one before, 0 where it has no past


def make_along(sim: Simulation, changes: Sequence[Change], tangents: np.ndarray, turn: float = np.inf) -> Along:
    """A unit of each change, one after the other; tangents: of the state at the start, a row per change.

    turn: in a step [rad] above which one correction does not make them exact enough: they err by its fourth power.
    """
    s = sim.system
    if sim.scheme.solutions != 1:
        raise ArgumentError(
            f"derivatives along a run are not available for {sim.scheme.name}, which solves twice per "
            f"step: use samara.TwoStep(rho_inf)"
        )
    if tangents.shape != (len(changes), s.layout.state_size):
        raise ValueError(f"tangents must be {len(changes)} rows of {s.layout.state_size}, not {tangents.shape}")
    packed: list[Group | SignalGroup] = [*s.groups, *s.signals]
    ends = np.cumsum([0, *(len(changes) * g.par.size for g in packed)])
    slopes = np.zeros(max(1, int(ends[-1])))
    own = {
        id(g.par): slopes[first:last].reshape(len(changes), *g.par.shape)
        for g, first, last in zip(packed, ends[:-1], ends[1:], strict=True)
    }
    for k, change in enumerate(changes):
        for name, amount in change.parameters.items():
            for array, where in s.parameters.places(name):
                own[id(array)][(k, *where)] = amount

    def row(group: Group | SignalGroup, count: int) -> list[int]:
        mine = own[id(group.par)]
        return [count, group.idx.ctypes.data, group.par.ctypes.data, mine.ctypes.data, group.par.nbytes]

    program = [[*row(g, g.count), *(s.tangents.address(g, f) for f in FUNCTIONS)] for g in s.groups]
    signals = [[*row(g, len(g.idx)), s.tangents.signal_address(g)] for g in s.signals]
    return refer(
        Along(
            tangents=np.ascontiguousarray(tangents),
            before=s.state.copy(),
            program=np.array(program, np.int64).reshape(-1, OUTPUTS + 1),
            signals=np.array(signals, np.int64).reshape(-1, SIGNALS + 1),
            slopes=slopes,
            walks=walks_along(sim),
            x=np.zeros_like(s.arrays.x),
            zero=np.zeros_like(s.arrays.x),
            out=np.zeros_like(s.arrays.out),
            lumps=lumps_along(sim, changes),
            sums=np.zeros_like(sim.machine.carriers.changes),
            vectors=np.zeros((2, 3)),
            turn=np.array([turn]),
            ratio=np.zeros(1),
        )
    )


def walks_along(sim: Simulation) -> np.ndarray:
    """Addresses of the derivatives of predict, correct and carry: a row each, for nodes and for states."""
    found, layout = np.zeros((3, 2), np.int64), sim.system.layout
    shared = [("nodes", node_functions(sim.scheme), NODES)]
    if layout.states:
        shared.append(("states", state_functions(sim.scheme), STATES))
    for column, (name, functions, shape) in enumerate(shared):
        derived = [directional(f) for f in functions if f.name in WALKS]
        loaded = native.load(f"{name} along", derived, layout.width, shape)
        for f in derived:
            found[WALKS.index(f.name.removesuffix("_along")), column] = loaded.addresses[f.name]
    return found


@inner
def _run(m, program, column, k, tangents, results):
    """One derived function of every kind, along direction k."""
    state, coef, tables, zero = m.state.ctypes.data, m.coef.ctypes.data, m.plan.tables.ctypes.data, m.x.ctypes.data
    for g in range(program.shape[0]):
        if program[g, column] != 0:
            slopes = program[g, SLOPES] + k * program[g, STRIDE]
            call_native(
                program[g, column], program[g, COUNT], state, program[g, INDICES], program[g, PARAMETERS], coef, tables,
                results, results, tangents, slopes, zero,
            )  # fmt: skip


@inner
def _walk(m, along, which, state, x, slopes, tangents):
    """A derived walk over all nodes and scalar states; x: unknowns, slopes: their tangents."""
    coef, layout = m.coef.ctypes.data, m.layout
    call_native(
        along.walks[which, 0], layout.free_groups, state, state, state, coef, state, state, x,
        tangents, tangents, slopes,
    )  # fmt: skip
    if layout.state_groups != 0 and along.walks[which, 1] != 0:
        first, part, rows = state + 8 * layout.states_base, tangents + 8 * layout.states_base, 8 * layout.state_rows
        call_native(
            along.walks[which, 1], m.layout.state_groups, first, state, state, coef, state, state, x + rows, part, part,
            slopes + rows,
        )  # fmt: skip


@inner
def _carriers_changed(m, along):
    """By how much carriers were changed at the beginning of the step, as unknowns x."""
    w = m.layout.width
    for g in range(m.layout.free_groups):
        for i in range(6 * w):
            m.x[6 * w * g + i] = 0.0
        for i in range(3 * w):
            at = (g * SIZE + CARRIER) * w + i
            m.x[6 * w * g + i] = m.state[at] - along.before[at]


@driver
def follow_carriers(m, along, last):
    """Tangents of the state before, seen from the carriers that it has by now; last: the last step [s].

    A change of a carrier that was let pass, for it was slight, has its derivative all the same.
    """
    if m.carriers.members.shape[0] != 0:
        kept = m.coef[STEP]
        m.coef[STEP] = last
        _carriers_changed(m, along)
        clear(along.x)
        for k in range(along.tangents.shape[0]):
            before, tangents = along.before.ctypes.data, along.tangents[k:].ctypes.data
            carriers_along(m, along.before, along.tangents[k], along.lumps[k], along.sums, along.vectors, along.x)
            _walk(m, along, CARRY_ALONG, before, m.x.ctypes.data, along.x.ctypes.data, tangents)
        m.coef[STEP] = kept
    copy(along.before, m.state)


@inner
def _accelerate_along(m, along, k, h, jumped):
    """As `restart.accelerate_massless`, with its decisions."""
    w, state, t, alpha = m.layout.width, m.state, along.tangents[k], along.ratio[0]
    if alpha != 0.0 and m.plan.rings == 0:
        return
    for n in range(m.massless.coasting.size):
        for i in range(6):
            at = m.massless.coasting[n] + i * w
            change = (t[at + ETA * w] - t[at + ETA_1 * w]) / h
            if alpha == 0.0:
                own, first = (state[at + ETA * w] - state[at + ETA_1 * w]) / h, along.before[at + ACC * w]
                if not jumped and abs(own - first) <= ACCELERATION_MISS * (abs(own) + abs(first)):
                    continue
                t[at + ACC_1 * w] = change
            else:
                last = (t[at + ETA_1 * w] - t[at + ETA_2 * w]) * alpha / h
                change += (change - last) * alpha / (1.0 + alpha)
            t[at + ACC * w] = change


@inner
def _turns_far(m, turn):
    """Whether a node turns by more than that in the step [rad]."""
    w = m.layout.width
    for g in range(m.layout.free_groups):
        for i in range(3 * w):
            if abs(m.state[(g * SIZE + INCREMENT + 3) * w + i]) > turn:
                return True
    return False


@inner
def _move_along(work, along, k, rounds):
    """Tangents of direction k from before the step to its converged end; rounds: how often they are corrected.

    Once would do if the Jacobian were exact; it knows the tangent of a rotation as a series alone, to ad(n)^4 / 720.
    """
    m = work.machine
    tangents, state = along.tangents[k:].ctypes.data, m.state.ctypes.data
    zero, x = along.zero.ctypes.data, along.x.ctypes.data
    _walk(m, along, PREDICT_ALONG, along.before.ctypes.data, zero, zero, tangents)
    _walk(m, along, CORRECT_ALONG, state, zero, zero, tangents)
    _run(m, along.signals, SIGNALS, k, tangents, tangents)
    for _ in range(rounds):
        clear(m.scratch.res)
        _run(m, along.program, RESIDUAL, k, tangents, m.scratch.res.ctypes.data)
        correction(work)
        copy(along.x, m.x)
        _walk(m, along, CORRECT_ALONG, state, zero, x, tangents)
        for i in range(m.layout.multiplier_count):
            along.tangents[k, m.layout.multiplier_base + i] -= along.x[m.layout.multiplier_rows + i]


@inner
def _measure_along(m, along, columns, slopes):
    """Tangents of the chosen measures at the present state: (directions, columns)."""
    for k in range(along.tangents.shape[0]):
        clear(along.out)
        _run(m, along.program, OUTPUTS, k, along.tangents[k:].ctypes.data, along.out.ctypes.data)
        for i in range(columns.size):
            slopes[k, i] = along.out[columns[i]]


@driver
def _march(work, along, h, count, every, converged, columns, times, rows, slopes):
    """As `march_along`, until pivots do not suit; converged: tangents are all that is left of the first step."""
    m, memory, counters = work.machine, work.memory, work.counters
    written = 0
    for k in range(count):
        if k > 0 or not converged:
            copy(along.before, m.state)
            rough = counters[Counter.EVENTS] + counters[Counter.DIVIDED]
            begin(work, h)
            old = memory.clock.step
            follow_carriers(m, along, old)
            along.ratio[0] = 0.0 if memory.clock.rush or h > LONGEST_RATIO * old else h / old
            status = step(work, h)
            if status != OK:
                return status, k, written
            if counters[Counter.EVENTS] + counters[Counter.DIVIDED] != rough:
                return NOT_SMOOTH, k, written
        if not renew(work):
            return UNSUITABLE, k, written
        rounds = 2 if _turns_far(m, along.turn[0]) else 1
        for i in range(along.tangents.shape[0]):
            _move_along(work, along, i, rounds)
            _accelerate_along(m, along, i, h, counters[Counter.EVENTS] != 0)
        if (k + 1) % every == 0:
            record(work, columns, times, rows, written)
            _measure_along(m, along, columns, slopes[written])
            written += 1
    return OK, count, written


def march_along(
    sim: Simulation, along: Along, h: float, count: int, every: int, columns: np.ndarray, *arrays: np.ndarray
) -> tuple[int, int, int]:
    """Up to `count` steps of size h [s] with their tangents; records every `every`-th. (status, steps, rows).

    arrays: times, rows, slopes. Pivots are renewed where they do not suit, in the midst of a step or at its end.
    """
    done, written, converged, ended = 0, 0, False, int(OK)

    def take(_: int) -> tuple[int, int, int]:
        nonlocal done, written, converged, ended
        until = every - done % every  # steps to the next record
        left = count - done if until == every else min(until, count - done)
        room = (array[written:] for array in arrays)
        ended, steps, more = _march(sim.work, along, h, left, until, converged, columns, *room)
        converged, done, written = False, done + steps, written + more
        return Status.GROWTH if ended in (UNSUITABLE, Status.GROWTH) else Status.OK, steps, more

    def renew() -> bool:
        nonlocal converged
        if ended != UNSUITABLE:
            return sim.renew_pivots(h)
        sim.analyse(sim.matrix_values(), sim.turning_elements(h))
        converged = True
        return True

    while done < count:
        made = sim.advance(take, count - done, h, renew)
        if made.status != OK:
            return UNSUITABLE if ended == UNSUITABLE else made.status, done, written
        if ended != OK:
            return ended, done, written
    return OK, done, written


@driver
def measure_along(m, along, columns, slopes):
    """Tangents of measures at the start of a run."""
    _measure_along(m, along, columns, slopes)


def failure(sim: Simulation, status: int) -> SolveError:
    """Why a run with its tangents ended early."""
    where = f"model {sim.model.name!r} at t = {sim.memory.clock.time:g} s"
    if status == NOT_SMOOTH:
        return NotSmooth(
            f"{where}: something jumps or bends, or a step was divided, and derivatives do not go through that: "
            "end the run before it, make the drive smooth (an Expression, a Sine without a start), or take a "
            "smaller step"
        )
    if status == UNSUITABLE:
        return NotSmooth(f"{where}: the Jacobian became singular; take a smaller step")
    return Diverged(explain(sim, Status(status), None))
