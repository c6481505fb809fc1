"""Redundant constraints: how many, which, and the reactions that they leave undetermined.

Constraints G x = 0 are redundant if reactions u, not all zero, cancel at every node: u^T G = 0. These u are the states
of self-stress. Trees of joints have none, so bodies are peeled off first: if the joints of a body all constrain
independent directions, they are removed together with it, because equilibrium of that body alone makes their part of u
zero. The closed loops remain; their u are the left singular vectors of their part of G with zero singular values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.model import Element
from samara.solve.constraints.lock_rows import held_by, lock_rows
from samara.solve.linear_systems.null_spaces import REPEATED_VALUE
from samara.solve.mechanism.tangent_space import weights
from samara.solve.report.wording import joint_point
from samara.solve.simulation import Simulation

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from samara.model import Engaged

#: Constraints in closed loops up to which singular values are found.
MOST_LOOP_ROWS = 1500
#: Part of a constraint in a state of self-stress of unit size below which it takes no part.
NO_STRESS = 1e-6
#: Least singular value, of rows whose largest entry is one, with which the constraints of one body are independent.
INDEPENDENT_VALUE = 1e-3


@dataclass(frozen=True)
class Redundancy:
    """Self-stress of a mechanism in one pose.

    rows:     indices of the multipliers involved; `stress` holds their values, in units of `size`: orthonormal
              columns, shape (rows, count).
    size:     factor that converts a multiplier to a force [N] at its joint; a couple is divided by the size of its
              part.
    loops:    number of constraints in closed loops; if more than `MOST_LOOP_ROWS`, they were not examined.
    locks:    locks assumed to be engaged; their rows follow the multipliers.
    least:    distance of the loops from one more redundant constraint: the smallest nonzero singular value, with rows
              and columns scaled to unit size.
    """

    rows: np.ndarray
    stress: np.ndarray
    size: np.ndarray
    loops: int
    least: float
    locks: tuple[Engaged, ...] = ()

    @property
    def count(self) -> int:
        """How many constraints are too many."""
        return self.stress.shape[1]

    @property
    def examined(self) -> bool:
        """Whether the loops are few enough."""
        return self.loops <= MOST_LOOP_ROWS


def gradient(sim: Simulation, locks: tuple[Engaged, ...] = ()) -> csr_matrix:
    """G of all constraints, those of rates included, at the present pose, shape (multipliers, coordinates).

    locks: engaged ones, whose rows come last.
    """
    from scipy.sparse import csr_matrix, vstack

    n = sim.system.layout.coordinates
    G = sim.jacobian(0.0, 1.0, 1.0)[n:, :n]
    return vstack([G, *(csr_matrix(lock_rows(sim, lock)) for lock in locks)], "csr") if locks else G


def redundancy(sim: Simulation, locks: tuple[Engaged, ...] = ()) -> Redundancy:
    """Of a simulation whose joints are closed; locks: those that are thought engaged."""
    G = gradient(sim, locks)
    rows = loops(sim, G, locks)
    nothing = np.zeros((0, 0))
    if not 0 < rows.size <= MOST_LOOP_ROWS:
        return Redundancy(rows[:0], nothing, np.zeros(0), rows.size, 1.0, locks)
    size = sizes(sim, G, rows, locks)
    u, sigma = _svd(sim, G[rows].toarray(), size)
    rank = int((sigma > REPEATED_VALUE).sum())
    stress = u[:, rank:]
    part = np.abs(stress).max(axis=1, initial=0.0) > NO_STRESS
    least = float(sigma[rank - 1]) if rank else 1.0
    return Redundancy(rows[part], stress[part], size[part], rows.size, least, locks)


def self_stress(sim: Simulation, found: Redundancy) -> np.ndarray:
    """The same states of self-stress in another pose: as many, those with the least singular values there."""
    u, _ = _svd(sim, gradient(sim)[found.rows].toarray(), found.size)
    return u[:, len(u) - found.count :]


def _svd(sim: Simulation, G: np.ndarray, size: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Left singular vectors and singular values of rows, brought to the same units."""
    scaled = G / size[:, None] / np.sqrt(weights(sim))
    u, sigma, _ = np.linalg.svd(scaled[:, np.abs(scaled).max(axis=0, initial=0.0) > 0.0])
    return u, sigma


def holders(sim: Simulation, locks: tuple[Engaged, ...] = ()) -> dict[str, tuple[Element, np.ndarray]]:
    """Elements with constraints, and the numbers of their multipliers; then locks, which go on with the numbers."""
    s, found = sim.system, {}
    for element in s.holding:
        found[element.name] = element, s.multipliers(element)
    first = s.layout.multiplier_count
    for lock in locks:
        found[lock.name] = lock, first + np.arange(held_by(lock))
        first += held_by(lock)
    return found


def loops(sim: Simulation, G: csr_matrix, locks: tuple[Engaged, ...] = ()) -> np.ndarray:
    """Numbers of the multipliers that remain when all bodies that need no closed loop are peeled off."""
    s = sim.system
    left = {name: rows for name, (_, rows) in holders(sim, locks).items()}
    at: dict[str, list[str]] = {node.name: [] for node in s.layout.free}
    for name in left:
        for node in s.model.elements[name].nodes():
            if node.free:
                at[node.name].append(name)
    waiting = [node.name for node in s.layout.free]
    while waiting:
        body = waiting.pop()
        names = [name for name in at[body] if name in left]
        held = np.concatenate([left[name] for name in names]) if names else np.zeros(0, np.int64)
        first = s.unknowns.first(s.model.nodes[body])
        if 0 < held.size <= 6 and _independent(G[held, first : first + 6].toarray()):
            for name in names:
                del left[name]
                waiting += [n.name for n in s.model.elements[name].nodes() if n.free]
    return np.sort(np.concatenate([*left.values(), np.zeros(0, np.int64)]).astype(np.int64))


def _independent(block: np.ndarray) -> bool:
    """Whether a body alone can tell the reactions of its joints apart."""
    largest = np.abs(block).max(axis=1)
    least = np.linalg.svd(block / largest[:, None], compute_uv=False)[-1] if (largest > 0.0).all() else 0.0
    return bool(least > INDEPENDENT_VALUE)


def sizes(sim: Simulation, G: csr_matrix, rows: np.ndarray, locks: tuple[Engaged, ...] = ()) -> np.ndarray:
    """What a unit of each multiplier is as a force at its joint [N], a couple counted by the size of its part."""
    lengths = np.ones((G.shape[0], 6))
    for element, numbers in holders(sim, locks).values():
        for node in element.nodes():
            if node.free:
                lengths[numbers, 3:] = sim.machine.plan.lengths[sim.system.layout.node_index[node.name]]
    found = np.linalg.norm(wrenches(sim, G, rows, locks) / lengths[rows], axis=1)
    return np.where(found > 0.0, found, 1.0)


def wrenches(sim: Simulation, G: csr_matrix, rows: np.ndarray, locks: tuple[Engaged, ...] = ()) -> np.ndarray:
    """Force and couple at the joint, in the world, of a unit of each multiplier, shape (rows, 6)."""
    s = sim.system
    found = np.zeros((G.shape[0], 6))
    wanted = set(rows.tolist())
    for element, numbers in holders(sim, locks).values():
        free = [node for node in element.nodes() if node.free]
        if not free or wanted.isdisjoint(numbers.tolist()):
            continue
        node = free[-1]
        R, p = s.state.pose(node)
        first = s.unknowns.first(node)
        block = G[numbers, first : first + 6].toarray()
        force = block[:, :3] @ R.T
        found[numbers] = np.hstack([force, block[:, 3:] @ R.T + np.cross(p - joint_point(sim, element), force)])
    return found[rows]
