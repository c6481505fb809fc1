"""Damped motions of massless nodes, whose positions are first-order states.

With all nodes that have mass held fixed, the equations of the massless ones are C v + K x = f about the present pose.
Motions

    K phi = mu C phi,     x = phi exp(-mu t)

are slow if mu is finite: the position is a state, and its velocity follows from equilibrium. If C phi vanishes, or mu
is so large that the motion decays within a small part of a step, the position follows from equilibrium instead. Slow
motions X and the corresponding left vectors Y have k columns each; they are separated from the equilibrium part by

    Psi^T x = 0,   Psi = C^T Y      motions that leave the slow ones where they are
    L^T B = 0,     B = C X          forces that the dampers take up

With a shift sigma above all slow mu, J_sigma = K + sigma C, both come from one small matrix: J_sigma^-1 C has the
eigenvalues 1 / (mu + sigma), and only columns in which something is damped count.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import qr, schur, solve_sylvester
from scipy.sparse import bmat, csc_matrix, csr_matrix
from scipy.sparse.linalg import splu

#: A motion that dies out faster than this part of a step is in balance.
BRIEF_PART = 0.1
#: Coordinates with damping up to which slow motions are looked for: a second of work.
LARGEST_DAMPED_PART = 300


@dataclass(frozen=True)
class Slow:
    """Slow motions: the forces B that dampers take up and what is kept, Psi, orthonormal columns, shape (size, k)."""

    forces: np.ndarray
    kept: np.ndarray

    @property
    def count(self) -> int:
        """How many there are."""
        return self.forces.shape[1]


def none(size: int) -> Slow:
    """No slow motions: everything goes into balance."""
    return Slow(np.zeros((size, 0)), np.zeros((size, 0)))


def slow_motions(held: csr_matrix, damping: csr_matrix, step: float) -> Slow:
    """Slow motions for steps of a size [s].

    held:    K, and the constraints, with all that has mass held.
    damping: C, the rows of what has no mass by the velocities of its nodes.
    """
    size = held.shape[0]
    columns = np.unique(damping.nonzero()[1])
    if not 0 < columns.size <= LARGEST_DAMPED_PART:
        return none(size)
    sigma = 1.0 / (BRIEF_PART * step)
    small = sigma * splu((held + sigma * damping).tocsc()).solve(damping[:, columns].toarray())[columns]
    if not np.isfinite(small).all():
        raise RuntimeError("singular")
    T, U, k = schur(small, sort=_is_slow)
    if k == 0:
        return none(size)
    X = solve_sylvester(T[:k, :k], -T[k:, k:], T[:k, k:]) if k < columns.size else np.zeros((k, 0))
    kept = np.zeros((size, k))
    kept[columns] = U[:, :k] + U[:, k:] @ X.T
    forces = damping[:, columns] @ U[:, :k]
    return Slow(qr(forces, mode="economic")[0], qr(kept, mode="economic")[0])


def _is_slow(real: complex, imaginary: float = 0.0) -> bool:
    """|mu| <= sigma, from sigma / (mu + sigma)."""
    t = real + 1j * imaginary
    return abs(1.0 - t) <= abs(t)


class Bordered:
    """Solver of [[J, B], [Psi^T, 0]] (x, nu) = (rows, kept): slow motions are told, and nu are the forces on them."""

    def __init__(self, J: csr_matrix, slow: Slow) -> None:
        self._size, scale = J.shape[0], float(np.abs(J.data).max(initial=1.0))
        self._scale = scale
        whole = bmat([[J, scale * slow.forces], [scale * slow.kept.T, None]]) if slow.count else J
        self._lu = splu(csc_matrix(whole))

    def solve(self, rows: np.ndarray, kept: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """(x, nu), for one column or several."""
        extra = self._lu.shape[0] - self._size
        given = np.zeros((extra, *rows.shape[1:])) if kept is None else self._scale * kept
        found = self._lu.solve(np.concatenate([rows, given]))
        return found[: self._size], found[self._size :]
