"""What nodes without mass are measured by: the lightest that they are tied to."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components


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
