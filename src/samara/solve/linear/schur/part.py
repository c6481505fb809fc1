"""One substructure, or several identical ones in lanes, as native code uses it.

With B the block of equations and unknowns that a part owns, and the border the part of the interface it is coupled to,

    [ B  E ] [ x ]   [ f ]        S = C - F B^-1 E      contribution of the part to the matrix of the interface
    [ F  C ] [ y ] = [ g ]        s = g - F B^-1 f      and to its right-hand side

C and g are the contributions of the part's own elements to the border. An elimination that stops before the border
leaves S in place of C, and forward substitution gives s; x = B^-1 (f - E y) follows from the border's unknowns by
backward substitution.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.solve.linear.lu import LU
from samara.solve.linear.lu.kernels import backward, eliminate, forward, worst_drop, worst_growth
from samara.solve.linear.lu.lanes import WIDTH, load, pointer, store
from samara.solve.linear.schur.wide import backward_wide, eliminate_wide, forward_wide, worst_health_wide
from samara.solve.native.kernels import JACOBIAN, RESIDUAL, clear, run_kinds
from samara.tracing.driver.driver_cache import driver, inner, routine


class NativePart(NamedTuple):
    """A substructure, or as many identical ones as `lanes` says: then lists have one number for each, side by side.

    lu                      of the part's unknowns; its programs end before those of the border
    factors                 storage of its matrix, a piece of that of all
    program                 of its elements, which add into `res`; empty where all elements are evaluated together
    rows, own_rows          of its unknowns in the vectors of the system; in `res`
    row_place, column_place of its equations and unknowns in `lu.work`
    border_...              the same of the border
    kept_from, kept         places of S in `factors`, and a copy of it; the health of the factors at its end
    sums                    s
    found                   x, where other processes want to know it
    first, groups           of its nodes in the layout: the first group, and how many; none where all are moved together
    near                    how many of the first numbers lie side by side in the vectors of the system too
    """

    lu: LU
    factors: np.ndarray
    program: np.ndarray
    res: np.ndarray
    rows: np.ndarray
    own_rows: np.ndarray
    row_place: np.ndarray
    column_place: np.ndarray
    border_rows: np.ndarray
    border_own_rows: np.ndarray
    border_row_place: np.ndarray
    border_column_place: np.ndarray
    kept_from: np.ndarray
    kept: np.ndarray
    sums: np.ndarray
    found: np.ndarray
    lanes: int
    near: int
    first: int
    groups: int


@inner
def factor_alone(lu, v, lanes):
    """Eliminates what a part owns; its health as in `lu.refactor`."""
    program, size = pointer(lu.factor_program), lu.factor_program.size
    if lanes > 1:
        room = lu.work[lu.scratch * WIDTH :]
        if lanes < WIDTH:  # lanes that are left repeat the last substructure
            for i in range(0, v.size - WIDTH + 1, WIDTH):
                for lane in range(lanes, WIDTH):
                    v[i + lane] = v[i + lanes - 1]
        eliminate_wide(pointer(v), program, size, lu.inverse, lu.growth, pointer(lu.weight), pointer(room))
        return worst_health_wide(lu, v)
    eliminate(pointer(lu.sweeps), pointer(v), program, 0, size, lu.inverse, lu.growth, pointer(lu.weight), 0)
    grown, dropped = worst_growth(lu, v, 0), worst_drop(lu, v, 0)
    return dropped if dropped > grown else grown


@inner
def forward_alone(lu, v, lanes):
    """Right-hand side in `lu.work` to what backward substitution starts from, and s in the places of the border."""
    y, program, size = pointer(lu.work), pointer(lu.forward_program), lu.forward_program.size
    if lanes > 1:
        forward_wide(pointer(v), y, program, size, lu.scratch)
    else:
        forward(pointer(v), y, program, size, lu.scratch)


@inner
def backward_alone(lu, v, lanes):
    """Unknowns of the part in `lu.work`, from those of the border there."""
    y, program, size = pointer(lu.work), pointer(lu.backward_program), lu.backward_program.size
    if lanes > 1:
        backward_wide(pointer(v), y, program, size, lu.scratch)
    else:
        backward(pointer(v), y, program, size, lu.scratch)


@driver
def factor_and_solve(lu, v, lanes):
    """The health of factors, and a solution with a border that does not move: for the analysis."""
    health = factor_alone(lu, v, lanes)
    forward_alone(lu, v, lanes)
    return health


@driver
def finish_solution(lu, v, lanes):
    """The second half of it."""
    backward_alone(lu, v, lanes)


@routine
def evaluate(m, part):
    """The equations of a part's elements."""
    clear(part.res)
    run_kinds(m, part.program, RESIDUAL, part.res.ctypes.data, part.res.ctypes.data)


@routine
def differentiate(m, part, factors):
    """The Jacobian of a part's elements, into its storage."""
    clear(part.factors)
    run_kinds(m, part.program, JACOBIAN, part.res.ctypes.data, factors.ctypes.data)


@routine
def factor(part):
    """Factors of a part, and its share of the interface's matrix."""
    health = factor_alone(part.lu, part.factors, part.lanes)
    last = part.kept.size - 1
    for i in range(last):
        part.kept[i] = part.factors[part.kept_from[i]]
    part.kept[last] = health


@routine
def reduce(part, res, own):
    """Its share of the interface's right-hand side; own: from its elements' equations, else from those of all."""
    y = part.lu.work
    if own:
        for i in range(part.rows.size):
            y[part.row_place[i]] = part.res[part.own_rows[i]]
        for i in range(part.border_rows.size):
            y[part.border_row_place[i]] = part.res[part.border_own_rows[i]]
    else:
        for i in range(0, part.near, WIDTH):
            store(pointer(y), part.row_place[i], load(pointer(res), part.rows[i], 1))
        for i in range(part.near, part.rows.size):
            y[part.row_place[i]] = res[part.rows[i]]
        for i in range(part.border_rows.size):
            y[part.border_row_place[i]] = 0.0
    forward_alone(part.lu, part.factors, part.lanes)
    for i in range(part.border_rows.size):
        part.sums[i] = y[part.border_row_place[i]]


@routine
def recover(part, x):
    """The unknowns of a part from those of the interface."""
    y = part.lu.work
    for i in range(part.border_rows.size):
        y[part.border_column_place[i]] = x[part.border_rows[i]]
    backward_alone(part.lu, part.factors, part.lanes)
    for i in range(0, part.near, WIDTH):
        store(pointer(x), part.rows[i], load(pointer(y), part.column_place[i], 1))
    for i in range(part.near, part.rows.size):
        x[part.rows[i]] = y[part.column_place[i]]
    for i in range(part.found.size):
        part.found[i] = x[part.rows[i]]
