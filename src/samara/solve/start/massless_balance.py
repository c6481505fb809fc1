"""Initial equilibrium of massless nodes, states of order zero and settled states.

A massless (static) node that starts out of equilibrium would jump to it within the first step, with a velocity of order
1 / step, and any damper acting on that velocity would receive an impulse. Its pose is therefore found beforehand, with
all nodes that have mass held, and its velocity is that of the moving equilibrium. If dampers hold it back, its position
is a state (`solve.start.damped_massless`): it keeps its position, and the dampers determine its velocity.
"""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
from scipy.sparse import csr_matrix, diags

from samara.rotations.scalars import LEAST_DIVISOR
from samara.solve.mechanism.tangent_space import multipliers as numbers_of_multipliers
from samara.solve.report.diagnosis import owner
from samara.solve.simulation import Simulation
from samara.solve.start.damped_massless import Bordered, Slow, none, slow_motions
from samara.system.state.tangents import Change

#: Part of the loads that may be left at a node without mass.
UNBALANCED_LOAD = 1e-9
ITERATIONS = 60
#: Part of the speeds by which velocities that were given may miss those of the balance.
SPEED_MISS = 1e-6
#: Times that velocities and poses are found in turn.
ROUNDS = 8
#: Tolerance of the last motion, relative to the size of the mechanism and in rad; and of velocities against dampers.
MOTION_TOLERANCE = 1e-12
#: Last motion with which a balance counts as found where the tolerance was not reached, likewise.
LARGEST_MISS = 1e-6
#: Times ahead [s] at which drives are looked at for their rates, weights of a formula of fourth order: drives may
#: jump at the present time, and finer differences drown in rounding.
LOOK_AHEAD_TIMES, LOOK_AHEAD_WEIGHTS = 1e-4, (-25.0 / 12.0, 4.0, -3.0, 4.0 / 3.0, -0.25)
#: How firmly what has mass is held, in units of the largest stiffness.
HOLDING_STIFFNESS = 1e9


def settle(sim: Simulation, step: float) -> bool:
    """Puts what has no mass into balance, if it is not; whether it had to. What finds none stays where it was.

    step: of the run that follows [s]; the place of what dampers hold back for longer is left to it.
    """
    s, massless = sim.system, _massless(sim)
    if not massless.any():
        return False
    multipliers, before = sim.state.multipliers.copy(), s.state.copy()
    try:
        found = _settled(sim, massless, step)
    except RuntimeError:  # singular: nothing holds it, the step's own analysis names it
        s.state.restore(before)
        return False
    if found is None:
        return False
    size, worst = found
    if not size < LARGEST_MISS:
        s.state.restore(before)
        if not any(node.kind == "static" for node in s.layout.free):  # a state alone: the accelerations have said so
            return False
        warnings.warn(
            f"model {s.model.name!r}: no initial equilibrium was found for massless parts, which still "
            f"move by {size:.2g} at {owner(sim, worst)}: start closer to equilibrium, or give them mass",
            stacklevel=5,
        )
    sim.state.multipliers[:] = multipliers
    return True


def balance_along(
    sim: Simulation, change: Change, pose: np.ndarray, twist: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """How the balance at the present state follows a change: pose and twist with those of nodes without mass filled in.

        J_s x_s' = -r',     J_s v_s' = -(J' v + J_m v_m' + (dr/dt)')

    change: of inputs and parameters; pose, twist: of what has mass. No damper may act on nodes without (`is_damped`).
    """
    s, n, massless = sim.system, sim.system.layout.coordinates, _massless(sim)
    nodes = 6 * len(s.layout.free)
    static = np.where(np.arange(n) < nodes, massless, False)
    if not static.any():
        return pose, twist
    pose, twist = np.where(static, 0.0, pose), np.where(static, 0.0, twist)
    held, first = Bordered(_held(sim, massless), none(s.unknowns.size)), replace(change, pose=pose, twist=twist)
    sim.state.weigh(1.0, 0.0, 0.0)
    rows = s.tangents.residual(first)
    rows[:n][~massless] = 0.0
    rows[n + numbers_of_multipliers(sim)[1]] = 0.0
    pose = np.where(static, -held.solve(rows)[0][:n], pose)
    moved, time = replace(change, pose=pose, twist=twist), sim.time
    rows = s.tangents.jacobian(moved)[:, :n] @ s.state.twists + sim.jacobian(1.0, 0.0, 0.0)[:, :n] @ twist
    for k, weight in enumerate(LOOK_AHEAD_WEIGHTS):
        s.state.set_time(time + k * LOOK_AHEAD_TIMES)
        rows += weight / LOOK_AHEAD_TIMES * s.tangents.residual(moved)
    s.state.set_time(time)
    rows[:n][~massless] = 0.0
    rows[n:] = s.tangents.level("velocity", moved)
    return pose, np.where(static, -held.solve(rows)[0][:n], twist)


def is_damped(sim: Simulation) -> bool:
    """Whether dampers act on nodes without mass, so that their places may be states."""
    return bool(_damping(sim, _massless(sim)).nnz)


def _massless(sim: Simulation) -> np.ndarray:
    """Which coordinates have no mass: of static nodes, of states of order zero and of settled ones."""
    layout = sim.system.layout
    free_values = [x.order == 0 or (x.settled and sim.settles) for x in layout.states]
    return np.array([n.kind == "static" for n in layout.free for _ in range(6)] + free_values, bool)


def _settled(sim: Simulation, massless: np.ndarray, step: float) -> tuple[float, int] | None:
    """Finds poses and velocities; the size of the last motion, and where it was. None if there was nothing to do.

    step: [s]; zero for all of it in balance, whatever is damped.
    """
    slow = _slow(sim, massless, step)
    if _unbalanced(sim, massless) <= UNBALANCED_LOAD and not _moves_otherwise(sim, massless, slow):
        return None
    before = sim.state.copy()
    try:
        for _ in range(ROUNDS):  # forces follow velocities, and these the balance; dampers turn with it
            _velocities(sim, massless, slow)
            size, worst = _positions(sim, massless, slow)
            if not size < LARGEST_MISS or _unbalanced(sim, massless) <= UNBALANCED_LOAD:
                break
            slow = _slow(sim, massless, step)
        if size < LARGEST_MISS:
            _velocities(sim, massless, _slow(sim, massless, step))
        return size, worst
    except RuntimeError:
        if not slow.count:
            raise
    sim.state.restore(before)  # no velocity at which the dampers do: then all of it is put into balance
    return _settled(sim, massless, 0.0)


def _slow(sim: Simulation, massless: np.ndarray, step: float) -> Slow:
    """Motions whose place dampers keep."""
    damping = _damping(sim, massless)
    return slow_motions(_held(sim, massless), damping, step) if step and damping.nnz else none(sim.system.unknowns.size)


def _moves_otherwise(sim: Simulation, massless: np.ndarray, slow: Slow) -> bool:
    """Whether what is in balance has other velocities than those with which the balance moves on."""
    twists, nodes = sim.state.twists, [n.kind == "static" for n in sim.system.layout.free for _ in range(6)]
    if not any(nodes):
        return False
    try:
        _velocities(sim, massless, slow)
    except RuntimeError:
        return False
    found = sim.state.twists
    sim.state.twists = twists
    return bool(np.abs(found - twists).max() > SPEED_MISS * max(np.abs(twists).max(), np.abs(found).max()))


def _positions(sim: Simulation, massless: np.ndarray, slow: Slow) -> tuple[float, int]:
    """Moves what has no mass until it is in balance; the size of the last motion, and where it was."""
    size, worst = np.inf, 0
    for _ in range(ITERATIONS):
        x, _ = Bordered(_held(sim, massless), slow).solve(_rows(sim, massless))
        size, worst = sim.move(x)
        if not np.isfinite(size) or size < MOTION_TOLERANCE:
            break
    return size, worst


def _unbalanced(sim: Simulation, massless: np.ndarray) -> float:
    """Largest part of the loads that is left at what has no mass."""
    sim.state.weigh(1.0, 0.0, 0.0)
    rows = np.abs(sim.state.residual()[: sim.system.layout.coordinates])
    sizes = np.maximum(np.abs(sim.state.multipliers).max(initial=0.0), rows.max(initial=0.0))
    return float(rows[massless].max(initial=0.0)) / max(sizes, LEAST_DIVISOR)


def _held(sim: Simulation, massless: np.ndarray) -> csr_matrix:
    """Derivative of the balance and of the constraints by poses, with all that has mass held.

    A constraint of rates holds changes of poses as it holds twists.
    """
    s, rates = sim.system, numbers_of_multipliers(sim)[1] + sim.system.layout.coordinates
    J = sim.jacobian(1.0, 0.0, 0.0)
    if rates.size:
        chosen = np.zeros(s.unknowns.size)
        chosen[rates] = 1.0
        J = diags(1.0 - chosen) @ J + diags(chosen) @ sim.jacobian(0.0, 1.0, 0.0)
    weight = np.zeros(s.unknowns.size)
    weight[: s.layout.coordinates][~massless] = HOLDING_STIFFNESS * max(float(np.abs(J.data).max(initial=0.0)), 1.0)
    return csr_matrix(J + diags(weight))


def _damping(sim: Simulation, massless: np.ndarray) -> csr_matrix:
    """Derivative of the balance by the velocities of nodes without mass."""
    s = sim.system
    rows, columns = np.zeros(s.unknowns.size), np.zeros(s.unknowns.size)
    rows[: s.layout.coordinates][massless] = 1.0
    columns[: 6 * len(s.layout.free)] = rows[: 6 * len(s.layout.free)]
    C = csr_matrix(diags(rows) @ sim.jacobian(0.0, 1.0, 0.0) @ diags(columns))
    C.eliminate_zeros()
    return C


def _rows(sim: Simulation, massless: np.ndarray) -> np.ndarray:
    """The balance of what has no mass, and the gaps of constraints of poses."""
    s = sim.system
    sim.state.weigh(1.0, 0.0, 0.0)
    rows = s.state.residual()
    rows[: s.layout.coordinates][~massless] = 0.0
    rows[numbers_of_multipliers(sim)[1] + s.layout.coordinates] = 0.0
    return rows


def _velocities(sim: Simulation, massless: np.ndarray, slow: Slow) -> None:
    """d/dt of the balance: J_s v + dr/dt = 0, constraints likewise; against dampers, those at which forces balance."""
    s = sim.system
    bordered = Bordered(_held(sim, massless), slow)
    nodes, n, size = 6 * len(s.layout.free), s.layout.coordinates, s.unknowns.size
    static = np.concatenate([massless[:nodes], np.zeros(size - nodes, bool)])  # states without a rate have none to set

    def put(twists: np.ndarray) -> None:
        s.state.twists = np.where(static[:n], twists[:n], s.state.twists)

    given = np.where(static, np.concatenate([s.state.twists, np.zeros(size - n)]), 0.0)
    free = -bordered.solve(_moving(sim, massless))[0]
    put(free)
    if not slow.count:
        return
    ways = bordered.solve(np.zeros((s.unknowns.size, slow.count)), np.eye(slow.count))[0]
    ways[~static] = 0.0
    speeds, change_size = slow.kept.T @ given, np.inf
    floor = float(sim.settings.speed_floor)
    for _ in range(ITERATIONS):
        put(free + ways @ speeds)
        rows = _rows(sim, massless)
        rows[s.layout.coordinates :] = 0.0
        slopes = bordered.solve(_damping(sim, massless) @ ways)[1]
        change = np.linalg.lstsq(slopes, bordered.solve(rows)[1], rcond=None)[0]
        speeds = speeds - change
        last, change_size = change_size, float(np.abs(change).max()) / (floor + float(np.abs(speeds).max()))
        if change_size <= MOTION_TOLERANCE or (
            change_size < SPEED_MISS and change_size >= 0.5 * last
        ):  # or only rounding is left
            put(free + ways @ speeds)
            return
    raise RuntimeError("no velocity was found at which dampers balance the forces")


def _moving(sim: Simulation, massless: np.ndarray) -> np.ndarray:
    """Rates of the balance and of the constraints while what has no mass goes with its carrier, and time goes on."""
    s = sim.system
    twists = np.zeros(s.unknowns.size)
    twists[: s.layout.coordinates] = np.where(massless, 0.0, s.state.twists)
    moving = twists.copy()
    moving[: s.layout.coordinates] += s.state.carried
    rows = sim.jacobian(1.0, 0.0, 0.0) @ moving
    by_time = np.zeros(s.unknowns.size)
    for k, weight in enumerate(LOOK_AHEAD_WEIGHTS):
        s.state.set_time(sim.time + k * LOOK_AHEAD_TIMES)
        by_time += weight / LOOK_AHEAD_TIMES * s.state.residual()
    s.state.set_time(sim.time)
    rows += by_time
    rows[: s.layout.coordinates][~massless] = 0.0
    kept = s.state.twists
    s.state.twists = twists[: s.layout.coordinates]
    rows[s.layout.coordinates :] = s.state.level("velocity")
    s.state.twists = kept
    return rows
