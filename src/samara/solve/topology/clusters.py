"""Clusters: nodes held together by joints and stiff springs, and their ties.

A spring holds a part of mass m that rotates at Omega if it is stiffer than the centrifugal stiffness,

    k >= m Omega^2

With a weaker spring, a slack cable, a stop out of reach or a lock, the part counts as separate. If nothing rotates, the
choice of clusters does not matter, so Omega is at least a hundredth of a radian per step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix
from scipy.sparse.csgraph import connected_components

from samara.model import Node
from samara.system.memory.blocks import ETA

if TYPE_CHECKING:
    from samara.solve.simulation import Simulation

#: Turn in a step [rad] below which it does not matter.
SLOW_TURN = 1e-2
#: Part of a constraint's entries below which a translation does not meet it.
MISSED_ENTRIES = 1e-6


@dataclass(frozen=True)
class Cluster:
    """Nodes that are kept together; base: the node without unknowns that holds them, None where they float."""

    nodes: list[Node]
    base: Node | None


class _Matter:
    """What is asked of the Jacobians: rows and axes of the nodes, their masses, the least stiffness that holds 1 kg."""

    def __init__(self, sim: Simulation, by_pose: csr_matrix, masses: np.ndarray, step: float) -> None:
        s = sim.system
        self.sim, self.K, self.masses = sim, by_pose, masses
        self.rows = np.arange(6 * len(s.layout.free)).reshape(-1, 6)[:, :3]
        self.axes = s.state.rotations
        spins = [float(np.linalg.norm(s.state.read(n, ETA + 3, 3))) for n in s.layout.free]
        self.firm = max([SLOW_TURN / step, *spins]) ** 2
        self.held = self.K[s.layout.coordinates :]  # constraints

    def labels(self) -> np.ndarray:
        """The cluster of every free node."""
        count, size = len(self.rows), self.K.shape[0]
        owner = np.full(size, -1)
        owner[self.rows.ravel()] = np.repeat(np.arange(count), 3)
        entries = self.K.tocoo()
        i, j = owner[entries.row], owner[entries.col]
        own = (i >= 0) & (j >= 0) & (i != j)
        pairs = coo_matrix((entries.data[own] ** 2, (i[own], j[own])), (count, count)).tocsr()
        pairs = pairs.maximum(pairs.T).tocoo()
        stiffness, a, b = np.sqrt(pairs.data), pairs.row, pairs.col
        masses = self.masses.copy()
        light = masses <= 0.0  # what has no mass goes by its neighbours
        for k in np.flatnonzero(light):
            near = self.masses[b[a == k]]
            masses[k] = near[near > 0.0].min(initial=np.inf) if (near > 0.0).any() else 0.0
        firm = (stiffness > 0.0) & (stiffness >= self.firm * np.minimum(masses[a], masses[b]))
        held = self.held.tocoo()
        real = (owner[held.col] >= 0) & (held.data != 0.0)
        rows, columns = held.row[real], owner[held.col[real]]
        joined = coo_matrix((np.ones(rows.size), (rows, columns)), (self.held.shape[0], count)).tocsr()
        graph = coo_matrix((np.ones(firm.sum()), (a[firm], b[firm])), (count, count)).tocsr() + joined.T @ joined
        return connected_components(graph, directed=False)[1]

    def floats(self, members: np.ndarray) -> bool:
        """Whether nothing firm meets some translation of a cluster as a whole."""
        X = np.zeros((self.K.shape[0], 3))
        X[self.rows[members].ravel()] = self.axes[members].transpose(0, 2, 1).reshape(-1, 3)
        met, scale = self.held @ X, abs(self.held).max(axis=1).toarray().ravel()
        rows = np.any(met, axis=1)
        # rows of nothing make it three by three at least
        triangle = np.linalg.qr(np.vstack([met[rows] / scale[rows, None], np.zeros((3, 3))]), mode="r")
        _, sigma, axes = np.linalg.svd(triangle)
        free = axes[sigma <= MISSED_ENTRIES]
        forces = np.einsum("nij,njk->ik", self.axes[members], (self.K @ X)[self.rows[members]])
        stiffness = free @ (forces + forces.T) @ free.T / 2.0
        least = np.linalg.eigvalsh(stiffness).min(initial=np.inf)
        return bool(least < self.firm * max(float(self.masses[members].sum()), 0.0) or (len(free) and least <= 0.0))


def clusters(sim: Simulation, by_pose: csr_matrix, masses: np.ndarray, step: float) -> list[Cluster]:
    """The clusters of a model as it is now, for steps of this size [s]; by_pose: its Jacobian, masses of its nodes."""
    s = sim.system
    matter, found = _Matter(sim, by_pose, masses, step), []
    labels = matter.labels()
    for label in range(labels.max(initial=-1) + 1):
        members = np.flatnonzero(labels == label)
        nodes = [s.layout.free[k] for k in members]
        follows = any(n.name in sim.model.followed for n in nodes)
        found.append(Cluster(nodes, None if follows or matter.floats(members) else _base(sim, nodes)))
    return found


def _base(sim: Simulation, nodes: list[Node]) -> Node | None:
    """The node without unknowns that holds a cluster: of a joint before a spring, the ground before others."""
    names, found = {n.name for n in nodes}, []
    for group in sim.system.groups:
        for element in group.elements:
            if any(n.name in names for n in element.nodes()):
                found += [
                    (group.kind.multiplier_count == 0, n.kind != "ground", n) for n in element.nodes() if not n.free
                ]
    return min(found, key=lambda x: x[:2])[2] if found else None
