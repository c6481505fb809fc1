"""What has no mass is in balance at the start: static nodes, states of order zero and settled ones.

A static node that starts out of balance would jump into it within the first step, with a velocity of the order of one
over the step, and whatever damps that velocity would be kicked. So its pose is found beforehand, with all that has mass
held, and its velocity is the one with which the balance moves on. Where dampers hold it back, its place is a state
(`solve.damped`): it stays, and its velocity is the one that the dampers allow.
"""

from __future__ import annotations

import warnings

import numpy as np
from scipy.sparse import csr_matrix, diags

from samara.solve.codes import Setting
from samara.solve.damped import Bordered, Slow, none, slow_motions
from samara.solve.diagnose import owner
from samara.solve.machine import VELOCITY, constraint_level, residual, set_time
from samara.solve.simulation import Simulation
from samara.solve.tangent import multipliers as numbers_of_multipliers

#: Part of the loads that may be left at a node without mass.
LEFT = 1e-9
ITERATIONS = 60
#: Part of the speeds by which velocities that were given may miss those of the balance.
SAME = 1e-6
#: Times that velocities and poses are found in turn.
ROUNDS = 8
#: Tolerance of the last motion, relative to the size of the mechanism and in rad; and of velocities against dampers.
TOLERANCE = 1e-12
#: Times ahead [s] at which drives are looked at for their rates, weights of a formula of fourth order: drives may
#: jump at the present time, and finer differences drown in rounding.
SHORT, AHEAD = 1e-4, (-25.0 / 12.0, 4.0, -3.0, 4.0 / 3.0, -0.25)
#: How firmly what has mass is held, in units of the largest stiffness.
FIRM = 1e9


def settle(sim: Simulation, step: float) -> bool:
    """Puts what has no mass into balance, if it is not; whether it had to. What finds none stays where it was.

    step: of the run that follows [s]; the place of what dampers hold back for longer is left to it.
    """
    s = sim.system
    free_values = [x.order == 0 or x.settled for x in s.states]
    massless = np.array([n.kind == "static" for n in s.free for _ in range(6)] + free_values, bool)
    if not massless.any():
        return False
    multipliers, before = sim.multipliers.copy(), s.state.copy()
    try:
        found = _settled(sim, massless, step)
    except RuntimeError:  # singular: nothing holds it, the step's own analysis names it
        s.state[:] = before
        return False
    if found is None:
        return False
    size, worst = found
    if not size < 1e-6:
        s.state[:] = before
        if not any(node.kind == "static" for node in s.free):  # a state alone: the accelerations have said so
            return False
        warnings.warn(
            f"model {s.model.name!r}: no balance was found at the start for what has no mass; it still moves by "
            f"{size:.2g} at {owner(sim, int(s.rows[worst]))}: start nearer to it, or give it a mass",
            stacklevel=5,
        )
    sim.multipliers[:] = multipliers
    return True


def _settled(sim: Simulation, massless: np.ndarray, step: float) -> tuple[float, int] | None:
    """Finds poses and velocities; the size of the last motion, and where it was. None if there was nothing to do.

    step: [s]; zero for all of it in balance, whatever is damped.
    """
    slow = _slow(sim, massless, step)
    if _unbalanced(sim, massless) <= LEFT and not _moves_otherwise(sim, massless, slow):
        return None
    before = sim.system.state.copy()
    try:
        for _ in range(ROUNDS):  # forces follow velocities, and these the balance; dampers turn with it
            _velocities(sim, massless, slow)
            size, worst = _positions(sim, massless, slow)
            if not size < 1e-6 or _unbalanced(sim, massless) <= LEFT:
                break
            slow = _slow(sim, massless, step)
        if size < 1e-6:
            _velocities(sim, massless, _slow(sim, massless, step))
        return size, worst
    except RuntimeError:
        if not slow.count:
            raise
    sim.system.state[:] = before  # no velocity at which the dampers do: then all of it is put into balance
    return _settled(sim, massless, 0.0)


def _slow(sim: Simulation, massless: np.ndarray, step: float) -> Slow:
    """Motions whose place dampers keep."""
    damping = _damping(sim, massless)
    return slow_motions(_held(sim, massless), damping, step) if step and damping.nnz else none(sim.system.size)


def _moves_otherwise(sim: Simulation, massless: np.ndarray, slow: Slow) -> bool:
    """Whether what is in balance has other velocities than those with which the balance moves on."""
    twists, nodes = sim.system.state[sim.eta], [n.kind == "static" for n in sim.system.free for _ in range(6)]
    if not any(nodes):
        return False
    try:
        _velocities(sim, massless, slow)
    except RuntimeError:
        return False
    found = sim.system.state[sim.eta]
    sim.system.state[sim.eta] = twists
    return bool(np.abs(found - twists).max() > SAME * max(np.abs(twists).max(), np.abs(found).max()))


def _positions(sim: Simulation, massless: np.ndarray, slow: Slow) -> tuple[float, int]:
    """Moves what has no mass until it is in balance; the size of the last motion, and where it was."""
    size, worst = np.inf, 0
    for _ in range(ITERATIONS):
        x, _ = Bordered(_held(sim, massless), slow).solve(_rows(sim, massless))
        size, worst = sim.move(x)
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


def _matrix(sim: Simulation, pose: float, twist: float) -> csr_matrix:
    s = sim.system
    sim.coefficients(pose, twist, 0.0)
    values = sim.matrix_values()
    sim.check_finite(values)
    return csr_matrix((values, s.indices, s.indptr), (s.size, s.size))


def _held(sim: Simulation, massless: np.ndarray) -> csr_matrix:
    """Derivative of the balance and of the constraints by poses, with all that has mass held.

    A constraint of rates holds changes of poses as it holds twists.
    """
    s, rates = sim.system, numbers_of_multipliers(sim)[1] + sim.system.coordinates
    J = _matrix(sim, 1.0, 0.0)
    if rates.size:
        chosen = np.zeros(s.size)
        chosen[rates] = 1.0
        J = diags(1.0 - chosen) @ J + diags(chosen) @ _matrix(sim, 0.0, 1.0)
    weight = np.zeros(s.size)
    weight[: s.coordinates][~massless] = FIRM * max(float(np.abs(J.data).max(initial=0.0)), 1.0)
    return csr_matrix(J + diags(weight))


def _damping(sim: Simulation, massless: np.ndarray) -> csr_matrix:
    """Derivative of the balance by the velocities of nodes without mass."""
    s = sim.system
    rows, columns = np.zeros(s.size), np.zeros(s.size)
    rows[: s.coordinates][massless] = 1.0
    columns[: 6 * len(s.free)] = rows[: 6 * len(s.free)]
    C = csr_matrix(diags(rows) @ _matrix(sim, 0.0, 1.0) @ diags(columns))
    C.eliminate_zeros()
    return C


def _rows(sim: Simulation, massless: np.ndarray) -> np.ndarray:
    """The balance of what has no mass, and the gaps of constraints of poses."""
    s = sim.system
    sim.coefficients(1.0, 0.0, 0.0)
    residual(sim.machine)
    rows = s.res[s.rows].copy()
    rows[: s.coordinates][~massless] = 0.0
    rows[numbers_of_multipliers(sim)[1] + s.coordinates] = 0.0
    return rows


def _velocities(sim: Simulation, massless: np.ndarray, slow: Slow) -> None:
    """d/dt of the balance: J_s v + dr/dt = 0, constraints likewise; against dampers, those at which forces balance."""
    s = sim.system
    bordered = Bordered(_held(sim, massless), slow)
    static = np.concatenate([massless[: 6 * len(s.free)], np.zeros(s.size - 6 * len(s.free), bool)])
    places = sim.eta[static[: s.coordinates]]  # rates of states without one are nobody's
    given = np.zeros(s.size)
    given[static] = s.state[places]
    free = -bordered.solve(_moving(sim, massless))[0]
    s.state[places] = free[static]
    if not slow.count:
        return
    ways = bordered.solve(np.zeros((s.size, slow.count)), np.eye(slow.count))[0]
    ways[~static] = 0.0
    speeds, size = slow.kept.T @ given, np.inf
    floor = float(sim.settings[Setting.SPEED_FLOOR])
    for _ in range(ITERATIONS):
        s.state[places] = (free + ways @ speeds)[static]
        rows = _rows(sim, massless)
        rows[s.coordinates :] = 0.0
        slopes = bordered.solve(_damping(sim, massless) @ ways)[1]
        change = np.linalg.lstsq(slopes, bordered.solve(rows)[1], rcond=None)[0]
        speeds = speeds - change
        size, last = float(np.abs(change).max()) / (floor + float(np.abs(speeds).max())), size
        if size <= TOLERANCE or (size < SAME and size >= 0.5 * last):  # or only rounding is left
            s.state[places] = (free + ways @ speeds)[static]
            return
    raise RuntimeError("no velocity was found at which dampers balance the forces")


def _moving(sim: Simulation, massless: np.ndarray) -> np.ndarray:
    """Rates of the balance and of the constraints while what has no mass rests, and time goes on."""
    s, m = sim.system, sim.machine
    twists = np.zeros(s.size)
    twists[: s.coordinates] = np.where(massless, 0.0, s.state[sim.eta])
    rows = _matrix(sim, 1.0, 0.0) @ twists
    by_time = np.zeros(s.size)
    for k, weight in enumerate(AHEAD):
        set_time(m, sim.time + k * SHORT)
        residual(m)
        by_time += weight / SHORT * s.res[s.rows]
    set_time(m, sim.time)
    rows += by_time
    rows[: s.coordinates][~massless] = 0.0
    kept = s.state[sim.eta]
    s.state[sim.eta] = twists[: s.coordinates]
    constraint_level(m, VELOCITY)
    s.state[sim.eta] = kept
    rows[s.coordinates :] = s.res[s.rows[s.coordinates :]]
    return rows
