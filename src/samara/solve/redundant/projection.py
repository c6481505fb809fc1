"""Projection of velocities onto the constraints, with consistent accelerations and multipliers, using a step's factors.

A step satisfies the constraints at position level. Velocities then violate them by a second-order error E; without
numerical damping (rho_inf = 1) a deviation from that smooth error never decays, and reactions ring. Here velocities are
projected to G v = target, and accelerations and multipliers follow from the equations of motion,

    M a + G^T lam = loads,     G a = gamma

The available matrix is c2 M + C + c0 K with G, usually with c2 = 1 / c0: it is accurate for motions that the step
resolves, and leaves faster ones, which were found implicitly, nearly unchanged.
"""

from __future__ import annotations

from samara.solve.native.kernels import ACCELERATION as ACCELERATION_LEVEL
from samara.solve.native.kernels import VELOCITY as VELOCITY_LEVEL
from samara.solve.native.kernels import constraint_level, residual
from samara.solve.redundant.correction import correction
from samara.solve.redundant.scheme import ACCELERATION, FLIGHT, PER_ACCELERATION
from samara.system.memory.blocks import ACC, ETA, RATE, SECOND, SIZE, STATE_SIZE
from samara.tracing.driver.driver_cache import driver, inner

#: Corrections of accelerations that follow from the equations with the factors at hand.
ACCELERATION_CORRECTIONS = 3


@inner
def _leave_out_others(m):
    """Where parts fly anew after an impact, all others stay as they are."""
    f = m.contacts.flights
    if f.on[0] == FLIGHT:
        for i in range(f.rows.size):
            if f.rows[i] < 0 or f.hit[f.rows[i]] == 0:
                m.scratch.res[i] = 0.0


@inner
def _move(m, level, level_of_state, size):
    """A level of nodes and of states of order two, by what was found in units of that size."""
    width, x, state = m.layout.width, m.x, m.state
    for g in range(m.layout.free_groups):
        first, row = (g * SIZE + level) * width, 6 * g * width
        for i in range(6 * width):
            state[first + i] -= x[row + i] * size
    for k in range(m.layout.state_groups * width):
        if m.plan.orders[k] == 2:
            at = m.layout.states_base + (k // width) * STATE_SIZE * width + k % width
            state[at + level_of_state * width] -= x[m.layout.state_rows + k] * size


@driver
def velocities_on_constraints(work):
    """With the factors at hand: c2 M x + G^T mu = 0, G x = g_dot - target; velocities move by -x."""
    m = work.machine
    constraint_level(m, VELOCITY_LEVEL)
    for k in range(m.layout.multiplier_count):
        m.scratch.res[m.layout.multiplier_rows + k] -= m.multipliers.target[k]
    _leave_out_others(m)
    correction(work)
    _move(m, ETA, RATE, 1.0)


@inner
def correct_accelerations(work, per_unknown):
    """Solves for `res`: accelerations, rates of states of order one and multipliers move by what is found.

    per_unknown: acceleration of a unit of an unknown [1/s].
    """
    m = work.machine
    _leave_out_others(m)
    correction(work)
    _move(m, ACC, SECOND, per_unknown)
    width, x, state = m.layout.width, m.x, m.state
    for k in range(m.layout.state_groups * width):
        if m.plan.orders[k] == 1:
            at = m.layout.states_base + (k // width) * STATE_SIZE * width + k % width
            state[at + RATE * width] -= x[m.layout.state_rows + k]
    for k in range(m.layout.multiplier_count):
        state[m.layout.multiplier_base + k] -= x[m.layout.multiplier_rows + k]


@inner
def consistent_accelerations(work, corrections):
    """Newton's method for M acc + G^T lam = loads, G acc = gamma, with the factors at hand."""
    m = work.machine
    rows, per_acceleration = m.layout.multiplier_rows, m.coef[PER_ACCELERATION]
    for _ in range(corrections):
        constraint_level(m, ACCELERATION_LEVEL)
        for k in range(m.layout.multiplier_count):
            m.scratch.found[rows + k] = per_acceleration * m.scratch.res[rows + k]
        residual(m)
        for k in range(m.layout.multiplier_count):
            m.scratch.res[rows + k] = m.scratch.found[rows + k]
        correct_accelerations(work, m.coef[ACCELERATION])


@driver
def project(work, corrections):
    """Velocities to their target, then so many corrections of the accelerations."""
    velocities_on_constraints(work)
    consistent_accelerations(work, corrections)
