"""A mechanism at rest about one pose: the motions that its joints leave, the forces along them, and their stiffness.

The equations are r = f(x) + G^T lam = 0 and g(x) = 0. In coordinates y that weigh a turn by the size of the mechanism
(`weights`) the motions that the constraints allow are y = Z z with G Z = 0, and along them

    force      c = Z^T f,                          zero in balance
    stiffness  S = Z^T (d(f + G^T lam) / dy) Z,    lam from the balance of what the constraints hold

Scalar states of order zero and one follow the others as their own equations tell. All is done with full matrices: up to
`LARGEST` coordinates that takes less than a second.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from samara.solve.machine import residual
from samara.solve.simulation import Simulation

#: Coordinates of nodes and states up to which full matrices are made.
LARGEST = 1000
#: A constraint of which less than this lies across the others (of the largest) repeats them.
DEPENDENT = 1e-9


@dataclass(frozen=True)
class Tangent:
    """What a mechanism at rest can do, and what it meets.

    leads:       numbers of the coordinates that lead: all but states of order zero and one, which follow them.
    allowed:     motions z to changes of all coordinates, shape (n, f).
    settling:    change of the coordinates that closes the gaps and lets the states follow, shape (n,).
    closing:     gaps of the constraints to changes that close them, shape (n, constraints).
    force:       along the motions, c [N], shape (f,).
    stiffness:   S [N/m], shape (f, f).
    eigenvalues: of its symmetric part, rising; `vectors` the motions that belong to them, shape (f, f).
    load:        largest force, those that the constraints carry included [N].
    noise:       an eigenvalue up to this is zero but for rounding [N/m].
    """

    leads: np.ndarray
    allowed: np.ndarray
    settling: np.ndarray
    closing: np.ndarray
    force: np.ndarray
    stiffness: np.ndarray
    eigenvalues: np.ndarray
    vectors: np.ndarray
    load: float
    noise: float


def multipliers(sim: Simulation) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of the multipliers of holonomic constraints, and of rate constraints."""
    holonomic: list[int] = []
    rates: list[int] = []
    for group in sim.system.groups:
        kind = group.kind
        if kind.multiplier_count:
            for start in group.multiplier[: len(kind.elements)]:
                middle = int(start) + kind.constraint_count
                holonomic += range(int(start), middle)
                rates += range(middle, int(start) + kind.multiplier_count)
    return np.array(holonomic, dtype=np.int64), np.array(rates, dtype=np.int64)


def weights(sim: Simulation) -> np.ndarray:
    """Of squares of the coordinates: a metre weighs like a turn by 1 / length, and like a state by its scale."""
    s, one = sim.system, np.array([1.0, 1.0, 1.0, *[sim.length**2] * 3])
    return np.concatenate([np.tile(one, len(s.free)), (sim.length / s.scale[: len(s.states)]) ** 2])


def tangent(sim: Simulation) -> Tangent:
    """About the present pose. The multipliers become those that balance what the constraints hold."""
    from scipy.linalg import qr

    s = sim.system
    n, held = s.coordinates, s.coordinates + multipliers(sim)[0]
    sim.coefficients(1.0, 0.0, 0.0, moving=0.0)
    sim.multipliers[:] = 0.0
    residual(sim.machine)
    rows = s.res[s.rows].copy()
    follow = _followers(sim, _matrix(sim), rows)
    scale = 1.0 / np.sqrt(weights(sim)[follow.leads])
    force, G, gaps = follow.force(rows), follow.gradient(held) * scale, follow.gaps(rows, held)
    Q, R, order = qr(G.T, pivoting=True) if held.size else (np.eye(scale.size), np.zeros((scale.size, 0)), held)
    diagonal = np.abs(np.diagonal(R))
    rank = int((diagonal > DEPENDENT * diagonal.max(initial=0.0)).sum())
    lam = np.zeros(held.size)
    lam[order] = np.linalg.lstsq(R[:rank], -Q[:, :rank].T @ (scale * force), rcond=None)[0]
    sim.multipliers[held - n] = lam
    follow = _followers(sim, _matrix(sim), rows)
    Z, K = Q[:, rank:], follow.stiffness() * np.outer(scale, scale)
    S = Z.T @ K @ Z
    eigenvalues, vectors = np.linalg.eigh(0.5 * (S + S.T))
    closing = np.zeros((scale.size, held.size))
    closing[:, order] = -Q[:, :rank] @ np.linalg.pinv(R[:rank].T)
    load = float(np.abs(scale * force).max(initial=0.0))
    return Tangent(
        leads=follow.leads,
        allowed=follow.all(scale[:, None] * Z),
        settling=follow.all(scale * (closing @ gaps)) + follow.start,
        closing=follow.all(scale[:, None] * closing),
        force=Z.T @ (scale * force),
        stiffness=S,
        eigenvalues=eigenvalues,
        vectors=vectors,
        load=load,
        noise=1e-12 * float(np.abs(K).max(initial=0.0)) + 1e-8 * load / sim.length,
    )


def _matrix(sim: Simulation) -> np.ndarray:
    """The Jacobian, rows and columns in the order of the unknowns."""
    from scipy.sparse import csr_matrix

    s = sim.system
    values = sim.matrix_values()
    sim.check_finite(values)
    return csr_matrix((values, s.indices, s.indptr), (s.size, s.size)).toarray()


@dataclass(frozen=True)
class _Followers:
    """States of order zero and one, solved for by their own equations: s = start + slope q."""

    matrix: np.ndarray
    n: int
    leads: np.ndarray
    states: np.ndarray
    slope: np.ndarray
    start: np.ndarray  # of all coordinates

    def all(self, q: np.ndarray) -> np.ndarray:
        """Changes of all coordinates for those of the leading ones."""
        found = np.zeros((self.n, *q.shape[1:]))
        found[self.leads], found[self.states] = q, self.slope @ q
        return found

    def force(self, rows: np.ndarray) -> np.ndarray:
        """On the leading coordinates once the states have followed."""
        return rows[self.leads] + self.matrix[np.ix_(self.leads, self.states)] @ self.start[self.states]

    def stiffness(self) -> np.ndarray:
        J, q, s = self.matrix, self.leads, self.states
        return J[np.ix_(q, q)] + J[np.ix_(q, s)] @ self.slope

    def gradient(self, held: np.ndarray) -> np.ndarray:
        J, q, s = self.matrix, self.leads, self.states
        return J[np.ix_(held, q)] + J[np.ix_(held, s)] @ self.slope

    def gaps(self, rows: np.ndarray, held: np.ndarray) -> np.ndarray:
        return rows[held] + self.matrix[np.ix_(held, self.states)] @ self.start[self.states]


def _followers(sim: Simulation, J: np.ndarray, rows: np.ndarray) -> _Followers:
    s = sim.system
    follows = np.array([False] * (6 * len(s.free)) + [state.order < 2 for state in s.states], dtype=bool)
    leads, states, start = np.flatnonzero(~follows), np.flatnonzero(follows), np.zeros(s.coordinates)
    inverse = np.linalg.pinv(J[np.ix_(states, states)])
    start[states] = -inverse @ rows[states]
    return _Followers(J, s.coordinates, leads, states, -inverse @ J[np.ix_(states, leads)], start)
