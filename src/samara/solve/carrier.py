"""Carriers: velocities that parts of a model move along with, so that a steady flight is exact.

Seen from a body that spins, a constant velocity turns, and a time step cannot follow it exactly: the body's path would
bend. So each node keeps a velocity V in world axes, constant within a step, and what is integrated is its motion
against that,

    v_rel = v - R^T V,     p_k = p_{k-1} + h V + R_{k-1} p(n_k)

Inertia does not feel V (Galileo); elements see v = v_rel + R^T V. All nodes of a part, which elements connect, share
one V. A part that floats freely has that of its centre of mass; one that is tied to a node without unknowns has the
velocity of that node (none on the ground), but for translations that its joints and springs leave it, such as a rail;
`Model.follow` names another node to go by. V is looked at before each step, and the past is written anew where it has
changed, exactly as seen from the new carrier (`system.motion`): nothing that can be measured changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_matrix

from samara.model import Node
from samara.rotations import unskew
from samara.solve.machine import CARRY, walk
from samara.solve.parts import Part, parts
from samara.system.blocks import CARRIER, ETA, ROTATION, Coefficient
from samara.tracing.driver_cache import driver, inner

if TYPE_CHECKING:
    from samara.solve.simulation import Simulation

#: A change of a part's velocity smaller than this is let pass, in parts of a slow speed: 1e-2 of the length a second.
SLIGHT = 1e-9
#: Part of the entries of the Jacobian below which a translation meets nothing.
NOTHING = 1e-6
STEP = int(Coefficient.STEP)


def carry(sim: Simulation) -> None:
    """Finds out what each part follows, from the present state, and takes up the velocities."""
    s = sim.system
    followed = [n for n in s.free if n.name in s.model.followed]
    pose = mass = None
    floating: list[list[int]] = []
    tied: list[list[int]] = []
    lumps: list[np.ndarray] = []
    rules: list[list[float]] = []
    for part in parts(sim.model):
        leader = next((n for n in part.nodes if n in followed), None)
        free = np.eye(3)
        if part.held and leader is None:
            pose = _jacobian(sim, 1.0, 0.0) if pose is None else pose
            free = _translations(sim, part, pose)
            if not free.any() and all(n.kind == "ground" for n in part.held):
                continue
        # the ground, which rests, comes before whatever moves
        base = min(part.held, key=lambda n: n.kind != "ground", default=None)
        members = [[len(rules), s.block(n), s.row(n)] for n in part.nodes]
        rules.append([*free.ravel(), -1.0 if base is None else s.block(base), members[0][1]])
        if not free.any():
            tied += members
            continue
        floating += members
        mass = _jacobian(sim, 0.0, 1.0) if mass is None else mass
        weights = np.array([_lump(sim, part, n, mass) for n in part.nodes])
        if leader is not None or weights[:, 0].sum() <= 0.0:
            weights[:] = 0.0
            weights[part.nodes.index(leader) if leader else 0, 0] = 1.0
        lumps += list(weights / weights[:, 0].sum())
    sim.machine = sim.machine._replace(
        members=np.array(floating + tied, np.int64).reshape(-1, 3),
        lumps=np.array(lumps).reshape(-1, 4),
        rules=np.array(rules).reshape(-1, 11),
        carrier_changes=np.zeros((len(rules), 9)),
    )
    sim.machine.coef[STEP] = sim.last_step
    follow(sim.machine, 0.0)


def _jacobian(sim: Simulation, pose: float, acceleration: float) -> csr_matrix:
    s, kept = sim.system, sim.system.coef.copy()
    sim.coefficients(pose, 0.0, acceleration)
    values = sim.matrix_values()
    sim.check_finite(values)
    s.coef[:] = kept
    return csr_matrix((values, s.indices, s.indptr), (s.size, s.size))


def _coordinates(sim: Simulation, node: Node) -> np.ndarray:
    """Numbers of a node's six unknowns for the linear solver."""
    s = sim.system
    return s.dense[s.row(node) + np.arange(6) * s.width]


def _translations(sim: Simulation, part: Part, by_pose: csr_matrix) -> np.ndarray:
    """Projector on the directions, in the world, in which a part can move as a whole against nothing."""
    s = sim.system
    X = np.zeros((s.size, 3))
    for node in part.nodes:
        X[_coordinates(sim, node)[:3]] = s.read(node, ROTATION, 9).reshape(3, 3).T
    met, scale = by_pose @ X, abs(by_pose).max(axis=1).toarray().ravel()
    rows = np.any(met, axis=1)
    # rows of nothing make it three by three at least
    triangle = np.linalg.qr(np.vstack([met[rows] / scale[rows, None], np.zeros((3, 3))]), mode="r")
    _, sigma, axes = np.linalg.svd(triangle)
    free = axes[sigma <= NOTHING]
    return free.T @ free


def _lump(sim: Simulation, part: Part, node: Node, by_acceleration: csr_matrix) -> np.ndarray:
    """Mass [kg] and first moment [kg m, own axes] that a node stands for in the momentum m v + w x s of its part."""
    s, total = sim.system, np.zeros((3, 6))
    R_WN = s.read(node, ROTATION, 9).reshape(3, 3)
    columns = by_acceleration[:, _coordinates(sim, node)].tocsc()
    for other in part.nodes:
        block = columns[_coordinates(sim, other)[:3]]
        if block.nnz:
            R_WO = s.read(other, ROTATION, 9).reshape(3, 3)
            total += R_WN.T @ R_WO @ block.toarray()
    return np.array([np.trace(total[:, :3]) / 3.0, *-unskew(total[:, 3:])])


@inner
def _turned(state, at, w, a, b, c, i):
    """Component i in the world of a vector (a, b, c) in axes of the node whose block begins at `at`."""
    r = at + (ROTATION + 3 * i) * w
    return state[r] * a + state[r + w] * b + state[r + 2 * w] * c


@driver
def follow(m, floor):
    """Gives every part the velocity that it goes by, if that changes by more than `floor` [m/s]; `coef` has the step.

    A part moves against its carrier at the sum over its nodes of R (f v + w x s), with f and s shares of mass and first
    moment. Of that it takes what its ties leave free; across that, the velocity of the node that it is tied to.
    """
    state, w, change, rules = m.state, m.width, m.carrier_changes, m.rules
    change[:] = 0.0
    for k in range(m.lumps.shape[0]):
        part, at, share = m.members[k, 0], m.members[k, 1], m.lumps[k]
        v, spin = at + ETA * w, at + (ETA + 3) * w
        a = share[0] * state[v] + state[spin + w] * share[3] - state[spin + 2 * w] * share[2]
        b = share[0] * state[v + w] + state[spin + 2 * w] * share[1] - state[spin] * share[3]
        c = share[0] * state[v + 2 * w] + state[spin] * share[2] - state[spin + w] * share[1]
        for i in range(3):
            change[part, i] += _turned(state, at, w, a, b, c, i)
    largest = 0.0
    for part in range(rules.shape[0]):
        base, first = int(rules[part, 9]), int(rules[part, 10])
        for i in range(3):
            change[part, 3 + i] = -state[first + (CARRIER + i) * w]
            if base >= 0:
                v = base + ETA * w
                change[part, 3 + i] += _turned(state, base, w, state[v], state[v + w], state[v + 2 * w], i)
        for i in range(3):
            change[part, 6 + i] = change[part, 3 + i]
            for j in range(3):
                change[part, 6 + i] += rules[part, 3 * i + j] * (change[part, j] - change[part, 3 + j])
            largest = max(largest, abs(change[part, 6 + i]))
    if largest > floor:
        m.x[:] = 0.0
        for k in range(m.members.shape[0]):
            for i in range(3):
                m.x[m.members[k, 2] + i * w] = change[m.members[k, 0], 6 + i]
        walk(m, CARRY)


def drop(sim: Simulation) -> None:
    """Carriers at rest: twists and their rates are those against the world again, the past included."""
    s, m = sim.system, sim.machine
    s.x[:] = 0.0
    for node in s.free:
        s.x[s.row(node) + np.arange(3) * s.width] = -s.read(node, CARRIER, 3)
    kept = float(m.coef[STEP])
    m.coef[STEP] = sim.last_step
    walk(m, CARRY)
    m.coef[STEP] = kept
