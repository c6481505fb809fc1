"""Calls of the kernels: functions of all element kinds, node and state updates, drives; their data in a machine."""

from __future__ import annotations

from samara.system.memory.blocks import SIZE, Coefficient
from samara.tracing.driver.driver_cache import driver, inner
from samara.tracing.driver.native_call import call_native

#: columns of the program
GROUPS, INDICES, PARAMETERS, RESIDUAL, JACOBIAN, VELOCITY, ACCELERATION, OUTPUTS, TOUCH = range(9)
#: and, after the same first three, of the signals' program
SIGNALS = 3
#: rows of the walks
PREDICT, CORRECT, TAKE_BACK, MOVE, CARRY, BETWEEN, TURN = range(7)
TIME = int(Coefficient.TIME)


@inner
def clear(array):
    """Zeros; an assignment to a slice would bring in all that it could be, and 0.2 s of compiling."""
    for i in range(array.size):
        array[i] = 0.0


@inner
def copy(to, of):
    """Numbers of an array into the first places of another, likewise."""
    for i in range(of.size):
        to[i] = of[i]


@inner
def run_kinds(m, program, column, res, val):
    """One native function of every kind in the program, on all its instances."""
    state, coef, tables = m.state.ctypes.data, m.coef.ctypes.data, m.plan.tables.ctypes.data
    for k in range(program.shape[0]):
        address = program[k, column]
        if address != 0:
            call_native(
                address, program[k, GROUPS], state, program[k, INDICES], program[k, PARAMETERS], coef, tables, res, val
            )


@inner
def walk_nodes(m, which, first, count):
    """PREDICT, CORRECT, TAKE_BACK, MOVE, CARRY, go BETWEEN or TURN of so many groups of nodes with unknowns."""
    state, coef, lanes = m.state.ctypes.data, m.coef.ctypes.data, 8 * first * m.layout.width
    call_native(
        m.plan.walks[which, 0], count, state + SIZE * lanes, state, state, coef, state, state,
        m.x.ctypes.data + 6 * lanes,
    )  # fmt: skip


@inner
def walk_states(m, which):
    """The same of all scalar states."""
    state, coef, x = m.state.ctypes.data, m.coef.ctypes.data, m.x.ctypes.data
    if m.layout.state_groups != 0 and m.plan.walks[which, 1] != 0:
        first = state + 8 * m.layout.states_base
        call_native(
            m.plan.walks[which, 1], m.layout.state_groups, first, state, state, coef, state, state,
            x + 8 * m.layout.state_rows,
        )  # fmt: skip


@inner
def walk(m, which):
    """The same of all nodes and states."""
    walk_nodes(m, which, 0, m.layout.free_groups)
    walk_states(m, which)


@inner
def set_time(m, t):
    """Everything that follows from time alone: drives and prescribed nodes."""
    m.coef[TIME] = t
    run_kinds(m, m.plan.signals, SIGNALS, m.state.ctypes.data, m.state.ctypes.data)


@inner
def residual(m):
    """All equations at the present state, into `res`; forces of closed contacts are found elsewhere, and have none."""
    clear(m.scratch.res)
    run_kinds(m, m.plan.program, RESIDUAL, m.scratch.res.ctypes.data, m.scratch.res.ctypes.data)
    c = m.contacts
    for k in range(c.many[0]):
        i = c.active[k]
        if c.status[i] != 0:
            for a in range(c.problem.dimension[i]):
                m.scratch.res[m.layout.multiplier_rows + c.multiplier[i] + a] = 0.0


@driver
def constraint_level(m, column):
    """Constraints at velocity or acceleration level, into the multipliers' rows of `res`."""
    clear(m.scratch.res)
    run_kinds(m, m.plan.program, column, m.scratch.res.ctypes.data, m.scratch.res.ctypes.data)


@inner
def jacobian(m, v):
    """All Jacobian entries at the present state, added up in `v`, but those of the turning elements."""
    clear(v)
    run_kinds(m, m.plan.program, JACOBIAN, m.scratch.res.ctypes.data, v.ctypes.data)


@inner
def jacobian_of_turning(m, v):
    """Jacobian entries of the turning elements, added to `v`."""
    run_kinds(m, m.turning.program, JACOBIAN, m.scratch.res.ctypes.data, v.ctypes.data)
