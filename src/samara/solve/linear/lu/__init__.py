"""Sparse LU for thousands of factorisations and many more solutions of one pattern.

    lu = analyse(n, indptr, indices, values)      once, or when `refactor` reports bad health
    v = new_storage(lu)
    v[:] = 0; v[lu.slot[p]] += entry p            the assembly writes into the factors' storage
    health = refactor(lu, v)                      in place; above GROWTH_LIMIT, or NaN: analyse again
    solve(lu, v, b, x)                            x = A^-1 b; neither allocates

**Analysis.** Rows and columns are equilibrated, for the choice of pivots only; `markowitz` finds a sequence of pivots
on the diagonal where these are large enough. The elimination tree of that sequence (`tree`) tells which pivots can be
eliminated together as one dense block, a supernode: in a multibody model a body with the joint that carries it.
`symbolic` finds the structure by supernodes and lays out the storage, `programs` writes down what the kernels do.

**Factors.** With D the block of a supernode's pivots, L what is below it and U what is beside it,

    [ D  U ]   [ 1       0 ] [ D  0            ] [ 1  D^-1 U ]
    [ L  C ] = [ L D^-1  1 ] [ 0  C - L D^-1 U ] [ 0  1      ]

Gauss-Jordan steps on the columns of the panel [D; L] turn it into [D^-1; -L D^-1] in place, and U is left as it was.
So a solution only multiplies by blocks, and never waits for one unknown of a triangle after the other:

    forward     y_below += (-L D^-1) y_s          for each supernode s
    backward    y_s = D^-1 (y_s - U y_beside)     for each supernode s, from the last

This takes as many products as triangular factors do. The explicit inverse makes the error of a block proportional to
its condition, not to the growth alone; the analysis checks the backward error that results.
(Block factors with inverted pivot blocks: Higham, Accuracy and Stability of Numerical Algorithms, 2002, ch. 13 and 14.
Supernodes and elimination trees: Liu, SIAM Review 34, 1992.)

**Kernels.** Storage is by columns, padded to vectors; `lanes` makes vectors of doubles a Numba type, and `dense` keeps
a column of a block in registers. `samara bench engine` measures them.
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
