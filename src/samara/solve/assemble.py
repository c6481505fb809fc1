"""Consistent start: positions, then velocities, then accelerations and multipliers that satisfy the constraints.

Positions and velocities move as little as possible (least squares, lengths against angles weighed by the size of the
mechanism); accelerations and multipliers follow from the equations of motion.
"""

from __future__ import annotations

import warnings

import numpy as np

from samara.solve.adjusted import adjusted, keep_velocities, motion
from samara.solve.diagnose import owner
from samara.solve.errors import SingularModel, SolveError
from samara.solve.lu import SingularMatrix, analyse, new_storage, refactor, solve
from samara.solve.machine import ACCELERATION, MOVE, VELOCITY, Machine, constraint_level, residual, set_time, walk
from samara.solve.simulation import Simulation
from samara.system.start import place_again

#: of Newton's method for the accelerations
ITERATIONS = 30


def assemble(sim: Simulation, tolerance: float = 1e-12, iterations: int = 50) -> None:
    """Makes the present state consistent; raises an error that names the joints that cannot be closed or repeat."""
    sim.claim()
    place_again(sim.system)
    set_time(sim.machine, sim.time)
    before = motion(sim.system)
    if sim.system.multiplier_count:
        joints = _constraints_only(sim)
        _positions(sim, joints, tolerance, iterations)
        keep_velocities(sim.system, before)
        _velocities(sim, joints)
    sim.adjusted = adjusted(sim, before)
    _accelerations(sim)


def _constraints_only(sim: Simulation) -> Machine:
    chosen = [k for k, group in enumerate(sim.system.groups) if group.kind.multiplier_count]
    return sim.machine._replace(program=np.ascontiguousarray(sim.system.program[chosen]))


def _weights(sim: Simulation) -> np.ndarray:
    """Diagonal of the equations: a metre weighs like a turn by 1 / length, and like a state by its scale."""
    s, one = sim.system, np.array([1.0, 1.0, 1.0, *[sim.length**2] * 3])
    return np.concatenate([np.tile(one, len(s.free)), (sim.length / s.scale[: len(s.states)]) ** 2])


def _projector(sim: Simulation, joints: Machine, moving: float):
    """Factorises [[weights, G^T], [G, 0]] at the present state; returns a function rows -> unknowns."""
    s = sim.system
    sim.coefficients(1.0 - moving, 1.0, 1.0, moving)
    sim.multipliers[:] = 0.0
    values = sim.matrix_values(joints)
    values[s.diagonal] += _weights(sim)
    return _factorised(sim, values, redundant=True)


def _positions(sim: Simulation, joints: Machine, tolerance: float, iterations: int) -> None:
    s, m = sim.system, sim.machine
    gap = np.inf
    for _ in range(iterations):
        sim.coefficients(1.0, 1.0, 1.0, moving=0.0)
        sim.multipliers[:] = 0.0
        residual(joints)
        rows = s.res[s.rows].copy()
        rows[: s.coordinates] = 0.0
        gap, last = float(np.abs(rows).max()), gap
        if gap <= tolerance * max(1.0, sim.length) or (gap < 1e-9 and gap >= 0.5 * last):
            sim.multipliers[:] = 0.0
            return
        try:
            x = _projector(sim, joints, moving=0.0)(rows)
        except SingularModel:  # stretched out, or joints that repeat each other: told apart once the gaps are closed
            x = _least_squares(sim, joints, rows)
        # long moves in pieces: the linearisation is only good nearby
        reach = max(np.abs(x[: 6 * len(s.free)]).max(initial=0.0) / 0.5, 1.0)
        s.x[:] = 0.0
        s.x[s.rows] = x / reach
        walk(m, MOVE)
    worst = s.owner[int(s.rows[int(np.argmax(np.abs(rows)))])]
    raise SolveError(
        f"model {s.model.name!r} cannot be assembled: {worst} stays open by {gap:.3g} after {iterations} iterations; "
        "check the positions of the joints and nodes it connects"
    )


def _least_squares(sim: Simulation, joints: Machine, rows: np.ndarray) -> np.ndarray:
    """What the projector gives, for constraints without full rank."""
    nodes = sim.system.coordinates
    scale = 1.0 / np.sqrt(_weights(sim))
    x = np.zeros(rows.size)
    x[:nodes] = scale * np.linalg.lstsq(_gradient(sim, sim.matrix_values(joints)) * scale, rows[nodes:], rcond=1e-9)[0]
    return x


def _gradient(sim: Simulation, values: np.ndarray) -> np.ndarray:
    """G as a full matrix, from the Jacobian's entries."""
    from scipy.sparse import csr_matrix

    s, nodes = sim.system, sim.system.coordinates
    return csr_matrix((values, s.indices, s.indptr), (s.size, s.size))[nodes:, :nodes].toarray()


def _velocities(sim: Simulation, joints: Machine) -> None:
    s = sim.system
    constraint_level(joints, VELOCITY)
    rows = s.res[s.rows].copy()
    rows[: s.coordinates] = 0.0
    project = _projector(sim, joints, moving=1.0)
    s.state[sim.eta] -= project(rows)[: s.coordinates]
    sim.multipliers[:] = 0.0


def _factorised(sim: Simulation, values: np.ndarray, redundant: bool):
    s = sim.system
    sim.check_finite(values)
    try:
        lu = analyse(s.size, s.indptr, s.indices, values)
    except SingularMatrix as error:
        message = _name_redundant(sim, values) if redundant else sim._name_singular(error)
        raise SingularModel(message) from None
    v = new_storage(lu)
    v[lu.slot] += values
    refactor(lu, v)

    def apply(rows: np.ndarray) -> np.ndarray:
        x = np.zeros(s.size)
        solve(lu, v, np.ascontiguousarray(rows), x)
        return x

    return apply


def _accelerations(sim: Simulation) -> None:
    """[M G^T; G 0] (acc, lam) = (loads, -gamma), all at the present positions and velocities.

    With the accelerations come the rates of states of order one and the values of those of order zero. Newton's method:
    one step does for all that is linear in them. What does not converge is warned of, with the element's name: the run
    starts from where it got.
    """
    s = sim.system
    static = np.array([n.kind == "static" for n in s.free for _ in range(6)] + [False] * len(s.states), dtype=bool)
    order = np.array([2] * (6 * len(s.free)) + [state.order for state in s.states], dtype=np.int64)
    places = np.choose(order, [_values(sim), sim.eta, sim.acc])
    s.state[sim.acc] = 0.0
    sim.multipliers[:] = 0.0
    rows = _equations(sim)
    loads = np.abs(rows).max(initial=1.0)
    for _ in range(ITERATIONS):
        x = _factorised(sim, _slopes(sim, order, static), redundant=False)(rows)
        # a static node out of balance has no acceleration to speak of: the first step settles its pose
        change = x[: s.coordinates]
        usual = 1.0 + np.abs(change[~static]).max(initial=0.0)
        unsettled = static & (np.abs(change) > 1e5 * usual)
        change[unsettled] = 0.0
        s.state[places] -= change
        sim.multipliers[:] -= x[s.coordinates :]
        rows = _equations(sim)
        left = np.abs(rows)
        left[: s.coordinates][static] = 0.0
        worst = int(np.argmax(left))
        if not np.isfinite(left[worst]):
            raise SolveError(
                f"model {s.model.name!r}: the accelerations at the start are not finite, first seen at "
                f"{sim.not_finite() or owner(sim, int(s.rows[worst]))}; look for a division by zero or a square root "
                "of a negative number there"
            )
        if left[worst] <= 1e-9 * loads:
            return
    if unsettled.any():
        return
    warnings.warn(
        f"model {s.model.name!r}: the accelerations and states at the start did not converge in {ITERATIONS} "
        f"iterations; {left[worst] / loads:.2g} of the loads is left at {owner(sim, int(s.rows[worst]))}: look for a "
        "law that jumps there, or start nearer to its balance",
        stacklevel=4,
    )


def _values(sim: Simulation) -> np.ndarray:
    """Where the values of the states lie, in the order of the unknowns; for nodes any place will do."""
    return np.concatenate([sim.acc[: 6 * len(sim.system.free)], sim.values])


def _equations(sim: Simulation) -> np.ndarray:
    """Equations of nodes and states, and the constraints at acceleration level."""
    s, m = sim.system, sim.machine
    sim.coefficients(0.0, 0.0, 1.0)
    residual(m)
    forces = s.res[s.rows].copy()
    constraint_level(m, ACCELERATION)
    return np.concatenate([forces[: s.coordinates], s.res[s.rows[s.coordinates :]]])


def _slopes(sim: Simulation, order: np.ndarray, static: np.ndarray) -> np.ndarray:
    """Their derivative by what is unknown of each coordinate, in the order of the pattern."""
    s = sim.system
    sim.coefficients(0.0, 0.0, 1.0)
    values = sim.matrix_values()
    sim.coefficients(0.0, 1.0, 0.0)  # a rate constraint holds accelerations as it holds twists
    held, rates = s.indptr[s.coordinates], sim.matrix_values()
    values[held:] = rates[held:]
    if s.states:
        columns = np.append(order, np.full(s.multiplier_count, 2))[s.indices]
        values[columns == 1] = rates[columns == 1]
        if (order == 0).any():
            sim.coefficients(1.0, 0.0, 0.0)
            values[columns == 0] = sim.matrix_values()[columns == 0]
        values[held:][columns[held:] < 2] = 0.0
    if static.any():  # a node without mass: its acceleration follows from the constraints, or is immaterial
        scale = np.abs(values[s.diagonal][~static]).mean() if not static.all() else 1.0
        values[s.diagonal[static]] += 1e-9 * scale
    return values


def _name_redundant(sim: Simulation, values: np.ndarray) -> str:
    """Which joints repeat each other: the left null space of the constraints."""
    s, G = sim.system, _gradient(sim, values)
    u, sigma, _ = np.linalg.svd(G, full_matrices=True)
    rank = int((sigma > 1e-9 * max(sigma.max(initial=0.0), 1e-300)).sum())
    involved = np.abs(u[:, rank:]).max(axis=1) > 1e-6 if rank < G.shape[0] else np.ones(G.shape[0], bool)
    names = dict.fromkeys(s.owner[s.multiplier_rows + int(k)] for k in np.flatnonzero(involved))
    return (
        f"model {s.model.name!r} has {G.shape[0] - rank} redundant constraint(s) among {', '.join(names)}: "
        "replace a joint by one that leaves more freedom (a spherical or in-line joint closes most loops)"
    )
