"""What has no mass is in balance at the start: static nodes, states of order zero and settled ones.

A static node that starts out of balance would jump into it within the first step, with a velocity of the order of one
over the step, and whatever damps that velocity would be kicked. So its pose is found beforehand, with all that has mass
held, and its velocity is the one with which the balance moves on.
"""

from __future__ import annotations

import warnings

import numpy as np
from scipy.sparse import csr_matrix, diags
from scipy.sparse.linalg import splu

from samara.solve.diagnose import owner
from samara.solve.machine import residual, set_time
from samara.solve.simulation import Simulation

#: Part of the loads that may be left at a node without mass.
LEFT = 1e-9
ITERATIONS = 60
#: Part of the speeds by which velocities that were given may miss those of the balance.
SAME = 1e-6
#: Times that velocities and poses are found in turn.
ROUNDS = 8
#: Tolerance of the last motion, relative to the size of the mechanism and in rad.
TOLERANCE = 1e-12
#: Times ahead [s] at which drives are looked at for their rates, weights of a formula of fourth order: drives may
#: jump at the present time, and finer differences drown in rounding.
SHORT, AHEAD = 1e-4, (-25.0 / 12.0, 4.0, -3.0, 4.0 / 3.0, -0.25)
#: How firmly what has mass is held, in units of the largest stiffness.
FIRM = 1e9


def settle(sim: Simulation) -> bool:
    """Puts what has no mass into balance, if it is not; whether it had to. What finds none stays where it was."""
    s = sim.system
    free_values = [x.order == 0 or x.settled for x in s.states]
    massless = np.array([n.kind == "static" for n in s.free for _ in range(6)] + free_values, bool)
    if not massless.any() or (_unbalanced(sim, massless) <= LEFT and not _moves_otherwise(sim, massless)):
        return False
    multipliers, before = sim.multipliers.copy(), s.state.copy()
    size, worst = np.inf, 0
    try:
        for _ in range(ROUNDS):  # forces follow velocities, and these the balance
            _velocities(sim, massless)
            size, worst = _positions(sim, massless)
            if not size < 1e-6 or _unbalanced(sim, massless) <= LEFT:
                break
    except RuntimeError:  # singular: nothing holds it, the step's own analysis names it
        s.state[:] = before
        return False
    if not size < 1e-6:
        s.state[:] = before
        if not any(node.kind == "static" for node in s.free):  # a state alone: the accelerations have said so
            return False
        warnings.warn(
            f"model {s.model.name!r}: no balance was found at the start for what has no mass; it still moves by "
            f"{size:.2g} at {owner(sim, int(s.rows[worst]))}: start nearer to it, or give it a mass",
            stacklevel=5,
        )
    else:
        _velocities(sim, massless)
    sim.multipliers[:] = multipliers
    return True


def _moves_otherwise(sim: Simulation, massless: np.ndarray) -> bool:
    """Whether what is in balance has other velocities than those with which the balance moves on."""
    twists, nodes = sim.system.state[sim.eta], [n.kind == "static" for n in sim.system.free for _ in range(6)]
    if not any(nodes):
        return False
    try:
        _velocities(sim, massless)
    except RuntimeError:
        return False
    found = sim.system.state[sim.eta]
    sim.system.state[sim.eta] = twists
    return bool(np.abs(found - twists).max() > SAME * max(np.abs(twists).max(), np.abs(found).max()))


def _positions(sim: Simulation, massless: np.ndarray) -> tuple[float, int]:
    """Moves what has no mass until it is in balance; the size of the last motion, and where it was."""
    size, worst = np.inf, 0
    for _ in range(ITERATIONS):
        solve, rows = _held(sim, massless)
        size, worst = sim.move(solve(rows))
        if not np.isfinite(size) or size < TOLERANCE:
            break
    return size, worst


def _unbalanced(sim: Simulation, massless: np.ndarray) -> float:
    """Largest part of the loads that is left at what has no mass."""
    s = sim.system
    sim.coefficients(1.0, 0.0, 0.0)
    residual(sim.machine)
    rows = np.abs(s.res[s.rows[: s.coordinates]])
    sizes = np.maximum(np.abs(sim.multipliers).max(initial=0.0), rows.max(initial=0.0))
    return float(rows[massless].max(initial=0.0)) / max(sizes, 1e-300)


def _held(sim: Simulation, massless: np.ndarray):
    """Solver of the balance with all that has mass held, and the equations as they are."""
    s = sim.system
    sim.coefficients(1.0, 0.0, 0.0)
    values = sim.matrix_values()
    sim.check_finite(values)
    J = csr_matrix((values, s.indices, s.indptr), (s.size, s.size))
    weight = np.zeros(s.size)
    weight[: s.coordinates][~massless] = FIRM * max(float(np.abs(values).max()), 1.0)
    residual(sim.machine)
    rows = s.res[s.rows].copy()
    rows[: s.coordinates][~massless] = 0.0
    return splu((J + diags(weight)).tocsc()).solve, rows


def _velocities(sim: Simulation, massless: np.ndarray) -> None:
    """d/dt of the balance: J_s v + dr/dt = 0, constraints likewise."""
    s, m = sim.system, sim.machine
    solve, now = _held(sim, massless)
    values = sim.matrix_values()
    J = csr_matrix((values, s.indices, s.indptr), (s.size, s.size))
    twists = np.zeros(s.size)
    twists[: s.coordinates] = s.state[sim.eta]
    twists[: s.coordinates][massless] = 0.0
    by_time = AHEAD[0] * now
    for k, weight in enumerate(AHEAD[1:], start=1):
        set_time(m, sim.time + k * SHORT)
        residual(m)
        by_time += weight * s.res[s.rows]
    by_time /= SHORT
    set_time(m, sim.time)
    rows = J @ twists + by_time
    rows[: s.coordinates][~massless] = 0.0
    static = massless.copy()
    static[6 * len(s.free) :] = False  # rates of states without one are nobody's
    s.state[sim.eta[static]] = -solve(rows)[: s.coordinates][static]
