"""Linear equations of motion with constraints, and units in which their masses are one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, diags, issparse
from scipy.sparse.csgraph import connected_components


@dataclass(frozen=True)
class Equations:
    """M xi_ddot + C xi_dot + K xi + reactions @ lam = 0 with G xi = 0 and D xi_dot + E xi = 0.

    Unknowns xi: six coordinates of each node, then scalar states. Matrices may be sparse.

    M, C, K:    shape (n, n).
    G:          holonomic constraints, shape (g, n).
    D, E:       rate constraints, shape (r, n) each.
    reactions:  what a unit of each multiplier adds to the equations, shape (n, g + r), holonomic ones first.
    scales:     of the states.
    tied:       numbers of the unknowns that are states tied to others: their equations are constraints, K xi = 0.
    """

    M: np.ndarray
    C: np.ndarray
    K: np.ndarray
    G: np.ndarray
    D: np.ndarray
    E: np.ndarray
    reactions: np.ndarray
    scales: np.ndarray = field(default_factory=lambda: np.zeros(0))
    tied: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))


def unit_masses(equations: Equations) -> tuple[np.ndarray, np.ndarray]:
    """Units of the unknowns, and factors of the equations, in which each mass is one.

    Massless nodes are taken like the lightest of those that they are tied to, where there is none like the average of
    their sort; states without mass in their own scale, and their equations by their largest term.
    """
    mass = equations.M.diagonal().copy()
    nodes = mass.size - equations.scales.size
    if (mass[:nodes] <= 0.0).any():
        forces = abs(equations.K[:nodes]) + abs(equations.C[:nodes])
        for tied in (equations.G, equations.D, forces):  # by joints, else by forces
            lend(mass[:nodes].reshape(-1, 2, 3), *tied[:, :nodes].nonzero())
    sort = np.where(np.arange(mass.size) < nodes, np.arange(mass.size) % 6 >= 3, 2)
    for which in (sort == 0, sort == 1):
        some = which & (mass > 0.0)
        mass[which & ~some] = mass[some].mean() if some.any() else 0.0
    heavy = mass[:nodes].max(initial=0.0) or 1.0
    idle = mass <= 0.0
    mass[idle] = heavy
    scale = 1.0 / np.sqrt(mass)
    rows = scale.copy()
    light = idle & (sort == 2)
    scale[light] = equations.scales[light[nodes:]]
    if light.any():
        C, K, ones = equations.C, equations.K, np.ones(int(light.sum()))
        size = np.maximum(*(_largest(x[light], ones, scale) for x in (C, K)))
        rows[light] = 1.0 / np.where(size > 0.0, size, 1.0)
        damped = _largest(C[~light], rows[~light], scale).max(initial=0.0)
        rows[light] *= max(float(damped), 1.0)  # else what stores little would count as nothing beside strong dampers
    return scale, rows


def _largest(x: Any, rows: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Entry of each row of a matrix, sparse or not, whose rows and columns are scaled."""
    if issparse(x):
        found = abs(diags(rows) @ x @ diags(scale)).max(axis=1)
        return np.asarray(found.toarray()).ravel() if x.shape[0] else np.zeros(0)
    return np.abs(rows[:, None] * x * scale).max(axis=1, initial=0.0)


def lend(mass: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> None:
    """Gives masses, shape (nodes, 2, 3), to nodes that have none: the least of nodes that equations tie them to.

    rows, columns: places of a matrix, its columns the coordinates of nodes. Others without mass may lie between. The
    mean of all nodes in its place would make a small gyroscope in massless rings nothing beside the craft that carries
    it.
    """
    without = np.flatnonzero(~(mass > 0.0).any(axis=(1, 2)))
    if not without.size or not rows.size:
        return
    by_node = csr_matrix((np.ones(rows.size), (rows, columns // 6)), (int(rows.max()) + 1, len(mass)))
    near = (by_node.T @ by_node)[without]
    count, group = connected_components(near[:, without], directed=False)
    least, link = np.full((count, 2), np.inf), near.tocoo()
    own = np.where(mass > 0.0, mass, np.inf).min(axis=2)
    for k in range(2):
        np.minimum.at(least[:, k], group[link.row], own[link.col, k])
    mass[without] = np.where(np.isfinite(least), least, 0.0)[group][:, :, None]
