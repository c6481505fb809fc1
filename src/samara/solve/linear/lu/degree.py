"""Pivots for matrices with much fill-in, such as nets and grids: ordered by structure alone, then tested numerically.

The Markowitz search (`markowitz`) visits every entry of the matrix as it fills, which is slow with much fill-in. Here
the nodes of the model, each with all its unknowns, are instead ordered by minimum degree (Liu, ACM Transactions on
Mathematical Software 11, 1985), as provided by SciPy's SuperLU. Unknowns without a diagonal entry, the multipliers of
constraints, are attached to the nodes they act on and eliminated as soon as the last of these has been, because their
diagonal has filled by then. All pivots are on the diagonal. A test solution decides whether they are acceptable
(`analysis`).
"""

import numpy as np


def by_degree(n, rows, columns, values, late, together):
    """Pivots in order of elimination.

    values      of the entries, of shape (samples, nnz)
    late        which unknowns are eliminated last, of shape (n,)
    together    number of the node of each unknown, of shape (n,); a number of its own where it has none
    """
    # imported here: a fifth of a second that the usual start does not need
    from scipy.sparse import coo_matrix, diags
    from scipy.sparse.linalg import splu

    has_diagonal = np.zeros(n, bool)
    on = rows == columns
    has_diagonal[rows[on]] = (values[:, on] != 0.0).all(axis=0)
    labels, node = np.unique(together, return_inverse=True)
    bare = ~has_diagonal
    between = has_diagonal[rows] & has_diagonal[columns]
    meets = bare[rows] & has_diagonal[columns]
    held = coo_matrix((np.ones(meets.sum()), (rows[meets], node[columns[meets]])), (n, labels.size)).tocsr()
    graph = coo_matrix((np.ones(between.sum()), (node[rows[between]], node[columns[between]])), (labels.size,) * 2)
    graph = (graph + graph.T + held.T @ held).tocsc()
    graph.data[:] = -1.0
    graph = graph + diags(2.0 * np.asarray(-graph.sum(axis=0)).ravel() + 1.0)
    factors = splu(graph.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    turn = factors.perm_c[node].astype(float)
    last, wait = np.zeros(n), late.copy()
    np.maximum.at(last, rows[meets], turn[columns[meets]])
    turn[bare] = last[bare] + 0.5
    np.logical_or.at(wait, rows[meets], late[columns[meets]])
    return np.lexsort((turn, wait))
