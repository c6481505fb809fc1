"""The result of an analysis, as the kernels use it: one tuple of arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.solve.native.ownership import Solver
from samara.system.memory.aligned_arrays import aligned_zeros
from samara.tracing.driver.reference import refer

GROWTH_LIMIT = 1e6
"""A `refactor` health beyond this (or not a number) asks for a new analysis: some six digits are lost."""


class SingularMatrix(ValueError):  # noqa: N818
    """The matrix has no acceptable pivot in `rows` and `columns` (original numbering)."""

    def __init__(self, rows, columns):
        self.rows, self.columns = np.sort(rows), np.sort(columns)
        super().__init__(f"singular matrix: no acceptable pivot in rows {self.rows} and columns {self.columns}")


class Tail(NamedTuple):
    """Start of the supernodes that are eliminated last: in the program, and by pivots, supernodes and weights.

    start, stop: their part of the storage, panels and wings.
    """

    program: int
    pivots: int
    nodes: int
    weights: int
    start: int
    stop: int


class LU(NamedTuple):
    """Pivot sequence, storage map and programs of the kernels; indices are uint32.

    slot                place in the storage of each entry of the matrix, in the order of the analysed pattern
    row_order           original row of each pivot, in order of elimination; column_order its original column
    row_place           place of each original row in `work`; column_place of each original column
    ..._program         what `refactor` and `solve` do, see `programs`
    passages            where each supernode begins in what `refactor` goes through, see `programs`; none with a tail
    sweeps              addresses of the sweeps of panels by their heights, see `dense`
    tail, kept          the supernodes that are eliminated last, and their part of the storage before they were
    inverse             place in the storage of the first of the n inverses of pivots
    growth              place of the first of the supernodes' sums of multipliers, weighed by `weight`
    ..._reference       the pivots and the sums at the analysis
    work, scratch       scratch vector of `solve`, and the start of the part of it for one supernode
    """

    n: int
    size: int
    slot: np.ndarray
    row_order: np.ndarray
    column_order: np.ndarray
    row_place: np.ndarray
    column_place: np.ndarray
    factor_program: np.ndarray
    passages: np.ndarray
    sweeps: np.ndarray
    tail: Tail
    kept: Solver
    forward_program: np.ndarray
    backward_program: np.ndarray
    inverse: int
    growth: int
    pivot_reference: np.ndarray
    growth_reference: np.ndarray
    weight: np.ndarray
    work: np.ndarray
    scratch: int


def empty_lu():
    """Of no matrix: for native code that takes one and does not look at it."""
    index, numbers, words = np.zeros(0, np.uint32), np.zeros(0), np.zeros(0, np.int64)
    passages = np.zeros((0, 6), np.uint32)
    return refer(
        LU(
            0, 0, index, index, index, index, index, index, passages, words, Tail(0, 0, 0, 0, 0, 0), numbers,
            index, index, 0, 0, numbers, numbers, numbers, numbers, 0,
        )
    )  # fmt: skip


def new_storage(lu):
    """Zeroed storage: entry p of the matrix is added at `lu.slot[p]`; the last position takes what is not wanted."""
    return aligned_zeros(lu.size + 1)
