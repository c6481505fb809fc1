"""Initial values of joints are held while the rest of a loop is closed.

Coordinates q and rates that a `start` names become conditions beside the constraints, for the relative pose and twist
of the two nodes of a joint:

    q(H_ba) = q_start,     dq/dt = q_rate_start,     d(H_ba) = (Ad(H_ba) xi_a - xi_b) H_ba

with increments xi of both nodes in their own axes. The first node of a free-floating part is held too, so that a loop
is not closed by moving the vehicle.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg.lapack import dgecon, dgetrf, dgetrs
from scipy.sparse import csr_matrix

from samara.model import GivesShape, Node
from samara.rotations import adjoint
from samara.solve.mechanism.tangent_space import weights
from samara.solve.simulation import Simulation
from samara.solve.start_report import Motion, against, missed, motion
from samara.solve.topology.parts import parts

#: Conditions of which less than this lies across the constraints and the others cannot be met: they are let go.
DEPENDENT_PART = 1e-9
#: Factor for what the estimate of a condition may be off by.
ESTIMATE_MISS = 10.0
#: Conditions of one part from which on singular values, which take long, are looked at only where they are needed.
MANY = 100


class HeldStarts:
    """The starts that are as their joints say before the assembly: after a static solution they are history.

    Velocities of a first node are held where a start tells its part how to move: else all that were given count alike.
    """

    def __init__(self, sim: Simulation, before: Motion) -> None:
        self._sim = sim
        self._pairs = [p for p in sim.system.placed.pairs if p.names_something and not missed(sim, p, before)]
        joints = {id(e) for e in sim.system.holding}
        holding = [e for e in sim.model.elements.values() if isinstance(e, GivesShape) or id(e) in joints]
        floating = [p for p in parts(sim.model, holding) if not p.tied and len(p.nodes) > 1]
        told = {node.name for pair in self._pairs for node in (pair.a, pair.b)}
        self._still = [part.nodes[0] for part in floating]
        self._steady = [part.nodes[0] for part in floating if told & {node.name for node in part.nodes}]

    def __bool__(self) -> bool:
        return bool(self._pairs or self._still)

    def way(self) -> float:
        """The longest way of a coordinate from the reference pose [rad, sizes of the mechanism]."""
        return max((pair.way(self._sim.length) for pair in self._pairs), default=0.0)

    def conditions(self, rates: bool, part: float = 1.0, starts: bool = True) -> tuple[np.ndarray, csr_matrix]:
        """How far coordinates or rates are from what is asked for, and their gradient, shape (rows, coordinates).

        part: of the way of the coordinates from the reference pose.
        starts: whether joints are asked, or first nodes alone.
        """
        s = self._sim.system
        now = motion(s)
        left, blocks = [np.zeros(0)], []
        for pair in self._pairs if starts else ():
            H_ba, twist = against(s, pair, now)
            miss, by_twist = pair.named_rates(H_ba, twist) if rates else pair.named_places(H_ba, part)
            sides = ((pair.a, adjoint(H_ba)), (pair.b, -np.eye(6)))
            blocks += [(len(left), node, by_twist @ factor) for node, factor in sides if node.free]
            left.append(miss)
        for node in self._steady if rates else self._still:
            blocks.append((len(left), node, np.eye(6)))
            left.append(np.zeros(6))
        return np.concatenate(left), self._gradient(left, blocks)

    def _gradient(self, left: list[np.ndarray], blocks: list[tuple[int, Node, np.ndarray]]) -> csr_matrix:
        """Blocks of derivatives, each of some conditions by the six unknowns of a node, as one matrix."""
        s = self._sim.system
        first = np.cumsum([0, *(part.size for part in left)])
        rows = [np.repeat(first[k] + np.arange(len(slopes)), 6) for k, _, slopes in blocks]
        columns = [np.tile(s.unknowns.first(node) + np.arange(6), len(slopes)) for _, node, slopes in blocks]
        values = [slopes.ravel() for _, _, slopes in blocks]
        found = [
            np.concatenate([np.zeros(0, kind), *parts])
            for kind, parts in ((float, values), (int, rows), (int, columns))
        ]
        return csr_matrix((found[0], (found[1], found[2])), (first[-1], s.layout.coordinates))


def bordered(
    sim: Simulation, apply: Callable[[np.ndarray], np.ndarray], rows: np.ndarray, left: np.ndarray, H: csr_matrix
) -> np.ndarray:
    """Solves a projection with conditions H x = left on top; `apply` solves it without them, for given rows.

    Parts of the model that nothing ties to each other are told apart: one solution serves a condition of each.
    """
    x, n = apply(rows), sim.system.layout.coordinates
    groups = _by_island(sim, H)
    ways = [np.zeros((conditions.size, members.size)) for conditions, members in groups]
    for k in range(max((conditions.size for conditions, _ in groups), default=0)):
        chosen = [conditions[k] for conditions, _ in groups if k < conditions.size]
        way = apply(np.concatenate([np.asarray(H[chosen].sum(axis=0)).ravel(), np.zeros(rows.size - n)]))
        for (conditions, members), own in zip(groups, ways, strict=True):
            if k < conditions.size:
                own[k] = way[members]
    weight = weights(sim)
    for (conditions, members), own in zip(groups, ways, strict=True):
        nodes = members[members < n]
        slopes = H[conditions][:, nodes].toarray()
        mu = _efforts(slopes, own[:, : nodes.size], weight[nodes], left[conditions] - slopes @ x[nodes])
        x[members] += mu @ own
    return x


def _by_island(sim: Simulation, H: csr_matrix) -> list[tuple[np.ndarray, np.ndarray]]:
    """Conditions, and numbers of the unknowns in order, of each part of the model that has some."""
    islands, some = sim.system.pattern.islands, np.flatnonzero(np.diff(H.indptr))
    of = islands[H.indices[H.indptr[some]]]
    numbers = np.unique(of)
    conditions, unknowns = (np.argsort(which, kind="stable") for which in (of, islands))
    found = []
    for number in numbers:
        mine, members = (
            order[slice(*np.searchsorted(which, [number, number + 1], sorter=order))]
            for order, which in ((conditions, of), (unknowns, islands))
        )
        found.append((some[mine], members))
    return found


def _efforts(H: np.ndarray, ways: np.ndarray, weight: np.ndarray, left: np.ndarray) -> np.ndarray:
    """How much of each way meets the conditions, of those that can be met."""
    size = np.linalg.norm(H / np.sqrt(weight), axis=1)
    size[size == 0.0] = 1.0
    across = H @ ways.T / np.outer(size, size)
    if left.size > MANY and (found := _all_met(across, left / size)) is not None:
        return found / size
    u, sigma, vt = np.linalg.svd(across)
    free = sigma > DEPENDENT_PART
    return vt[free].T @ ((u[:, free].T @ (left / size)) / sigma[free]) / size


def _all_met(across: np.ndarray, left: np.ndarray) -> np.ndarray | None:
    """The solution where all conditions can be met; None where some may depend on others.

    The least singular value of k conditions is 1 / (sqrt(k) |across^-1|_1) or more.
    """
    lu, pivots, failed = dgetrf(across)
    size = float(np.abs(across).sum(axis=0).max())
    if failed or dgecon(lu, size)[0] * size <= ESTIMATE_MISS * np.sqrt(left.size) * DEPENDENT_PART:
        return None
    return dgetrs(lu, pivots, left)[0]
