"""Large linear systems that are solved only once or twice: SciPy's SuperLU.

The package's own LU (`samara.solve.linear.lu`) has a long pivot search that pays off over thousands of factorisations.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.sparse import csr_matrix, diags, identity
from scipy.sparse.linalg import splu

from samara.solve.linear.lu.analysis import equilibrate
from samara.system.memory.aligned_arrays import MANY_UNKNOWNS
from samara.system.system import System

#: Unknowns from which on this is quicker.
LARGE_SYSTEM = 500
#: Part of the largest singular value squared from which on one counts.
SMALLEST_SQUARE = 1e-10
#: Columns of a large model that SuperLU works on together: its own 20 take three times the memory, for 5 % of the time
#: where much fills.
PANEL_SIZE = 4
#: Pivots below this, of the largest, leave it open whether the matrix is singular.
DOUBTFUL_PIVOT = 1e-11

Solver = Callable[[np.ndarray], np.ndarray]


def solver(s: System, values: np.ndarray) -> Solver | None:
    """Solutions with a matrix of the system's pattern, its entries given; None where it is singular or nearly so."""
    matrix = s.pattern.matrix(values, filled=True)  # zeros of stiffness, where only masses are asked for, would fill
    rows = np.repeat(np.arange(s.unknowns.size, dtype=np.int32), np.diff(matrix.indptr))
    row_scale, column_scale = equilibrate(s.unknowns.size, rows, matrix.indices, matrix.data[None])
    entries = row_scale[rows]
    entries *= matrix.data
    entries *= column_scale[matrix.indices]
    scaled = csr_matrix((entries, matrix.indices, matrix.indptr), matrix.shape).tocsc()
    del rows, entries
    scaled.eliminate_zeros()  # what underflows
    try:
        lu = splu(scaled, panel_size=PANEL_SIZE if s.unknowns.size >= MANY_UNKNOWNS else None)
    except RuntimeError:
        return None
    pivots = np.abs(lu.U.diagonal())
    if not pivots.min() > DOUBTFUL_PIVOT * pivots.max():
        return None

    def solve(b: np.ndarray) -> np.ndarray:
        x = column_scale * lu.solve(row_scale * b)
        return x + column_scale * lu.solve(row_scale * (b - matrix @ x))

    return solve


def least_squares(G: csr_matrix, rows: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """The least x, in the sense of weight x^2, with the least G x - rows; G need not have full rank."""
    slack = diags(weight**-1) @ G.T
    normal = (G @ slack).tocsc()
    size = float(normal.diagonal().max(initial=0.0)) or 1.0
    return slack @ splu((normal + SMALLEST_SQUARE * size * identity(rows.size)).tocsc()).solve(rows)
