"""Sparse LU for thousands of factorisations, and many more solutions, with the same sparsity pattern.

    lu = analyse(n, indptr, indices, values)      once, or when `refactor` reports bad health
    v = new_storage(lu)
    v[:] = 0; v[lu.slot[p]] += entry p            the assembly writes into the factors' storage
    health = refactor(lu, v)                      in place; above GROWTH_LIMIT, or NaN: analyse again
    solve(lu, v, b, x)                            x = A^-1 b; neither allocates

**Analysis.** Rows and columns are equilibrated, but only to choose pivots; `markowitz` finds a pivot sequence, on the
diagonal where the diagonal entries are large enough. The elimination tree of that sequence (`tree`) shows which pivots
can be eliminated together as one dense block, a supernode: in a multibody model, a body and the joint that carries it.
`symbolic` finds the supernodal structure and lays out the storage; `programs` lists the operations of the kernels.

**Factors.** With D the pivot block of a supernode, L the block below it and U the block to its right,

    [ D  U ]   [ 1       0 ] [ D  0            ] [ 1  D^-1 U ]
    [ L  C ] = [ L D^-1  1 ] [ 0  C - L D^-1 U ] [ 0  1      ]

Gauss-Jordan steps on the columns of the panel [D; L] turn it into [D^-1; -L D^-1] in place; U is unchanged. A solution
therefore only multiplies by blocks and avoids the serial dependencies of triangular substitution:

    forward     y_below += (-L D^-1) y_s          for each supernode s
    backward    y_s = D^-1 (y_s - U y_beside)     for each supernode s, from the last

This takes as many multiplications as triangular factors. With the explicit inverse, the error of a block is
proportional to its condition number, not only to element growth; the analysis checks the resulting backward error.
(Block factors with inverted pivot blocks: Higham, Accuracy and Stability of Numerical Algorithms, 2002, ch. 13 and 14.
Supernodes and elimination trees: Liu, SIAM Review 34, 1992.)

**Kernels.** Storage is by columns, padded to the vector length; `lanes` defines vectors of doubles as a Numba type, and
`dense` keeps a column of a block in registers. `samara bench engine` measures the kernels.
"""

from .analysis import analyse
from .factors import GROWTH_LIMIT, LU, SingularMatrix, new_storage
from .kernels import refactor, refactor_from, refactor_head, refactor_tail, restore_tail, solve, substitute, worst_pivot

__all__ = [
    "GROWTH_LIMIT",
    "LU",
    "SingularMatrix",
    "analyse",
    "new_storage",
    "refactor",
    "refactor_from",
    "refactor_head",
    "refactor_tail",
    "restore_tail",
    "solve",
    "substitute",
    "worst_pivot",
]
