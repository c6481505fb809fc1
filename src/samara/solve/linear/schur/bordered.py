"""Pivots of a bordered matrix; the border itself is not eliminated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from samara.rotations.scalars import LEAST_DIVISOR
from samara.solve.linear.lu import LU, SingularMatrix
from samara.solve.linear.lu.analysis import ACCURATE_RESIDUAL, BUDGET, FillError, lay_out, order_pivots, supernodes
from samara.solve.linear.lu.degree import by_degree
from samara.solve.linear.lu.lanes import WIDTH
from samara.solve.linear.schur.part import factor_and_solve, finish_solution
from samara.system.memory.aligned_arrays import aligned_zeros

#: Least size of a pivot relative to its column, at first and at most.
PIVOT_THRESHOLD, LARGEST_THRESHOLD = 1e-3, 0.5


#: Weight of the border's rows where the size of a pivot is looked at: they only take what is left of others.
BORDER_WEIGHT = 1e-4


class Undetermined(Exception):  # noqa: N818
    """A part cannot determine some of its unknowns alone: indices of these and of the equations."""

    def __init__(self, numbers: np.ndarray) -> None:
        super().__init__(f"no pivots for {numbers}")
        self.numbers = numbers


@dataclass(frozen=True)
class BorderedPattern:
    """Entries of a matrix with a border by rows, the border's own block full; equal for identical substructures.

    size:   own unknowns, which come first.
    border: unknowns of the border.
    keys:   row times (size + border) plus column of every entry, in order.
    """

    size: int
    border: int
    keys: np.ndarray

    @property
    def total(self) -> int:
        return self.size + self.border

    @property
    def rows(self) -> np.ndarray:
        return self.keys // self.total

    @property
    def columns(self) -> np.ndarray:
        return self.keys % self.total

    @property
    def corner(self) -> np.ndarray:
        """Numbers of the entries of the border's own block, by rows."""
        return np.flatnonzero((self.rows >= self.size) & (self.columns >= self.size))

    def same(self, other: BorderedPattern) -> bool:
        """Whether both are one pattern."""
        return (self.size, self.border) == (other.size, other.border) and np.array_equal(self.keys, other.keys)


@dataclass(frozen=True)
class BorderedFactors:
    """The LU of a bordered matrix, and the Schur complement S of the border per sample, shape (samples, entries)."""

    lu: LU
    left: np.ndarray


def analyse_bordered(
    pattern: BorderedPattern,
    values: np.ndarray,
    scales: tuple[np.ndarray, np.ndarray],
    together: np.ndarray,
    wide: bool,
) -> BorderedFactors:
    """Pivots that suit all samples of values, of shape (samples, entries), with zeros in the border's block.

    scales:   of rows and columns, by which entries are judged, from the whole: a part knows little of its border.
    together: a number for each unknown, the same for those of a node.
    wide:     for storage of WIDTH samples abreast.
    Raises Undetermined where the own unknowns have no pivots.
    """
    total, rows, columns, corner = pattern.total, pattern.rows, pattern.columns, pattern.corner
    row_scale, column_scale = scales
    scaled = values * (row_scale[rows] * column_scale[columns])
    scaled[:, rows >= pattern.size] *= BORDER_WEIGHT
    scaled[:, corner[rows[corner] == columns[corner]]] = 1.0  # so that a search for pivots comes to its end
    best, least, threshold = None, np.inf, PIVOT_THRESHOLD
    while best is None or (least > ACCURATE_RESIDUAL and threshold < LARGEST_THRESHOLD):
        try:
            pivot_rows, pivot_columns = _pivots(pattern, scaled, threshold, together)
        except Undetermined:
            if best is None:
                raise
            break  # too strict for the samples together
        order, first, sequence, heads = supernodes(total, rows, columns, pivot_rows, pivot_columns, pattern.size)
        if pattern.border:
            first = np.append(first[: heads + 1], total)  # the border is one block, in its own order
        order[pattern.size :] = np.sort(order[pattern.size :])
        row_order, column_order, pad = pivot_rows[order], pivot_columns[order], 1 if wide else WIDTH
        lu = lay_out(total, rows, columns, row_scale, row_order, column_order, first, sequence, heads, pad=pad)
        with np.errstate(all="ignore"):
            found, error = _tried(_without_border(lu, wide), pattern, values, wide)
        if best is None or error < least:
            best, least = found, error
        threshold *= 10
    return best


def _pivots(
    pattern: BorderedPattern, scaled: np.ndarray, threshold: float, together: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Rows and columns of the pivots in order of elimination, those of the border last."""
    total, late = pattern.total, np.arange(pattern.total) >= pattern.size
    indptr, unit = np.searchsorted(pattern.keys, np.arange(total + 1) * total), np.ones(total)
    try:
        rows, columns = order_pivots(
            "markowitz", total, indptr, pattern.columns, scaled, (unit, unit), threshold, late, BUDGET
        )
    except FillError:
        rows = columns = by_degree(total, pattern.rows, pattern.columns, scaled, late, together)
    except SingularMatrix as error:
        raise Undetermined(_own(pattern, error.rows, error.columns)) from None
    waiting = np.flatnonzero(late[rows] | late[columns])
    if waiting.size and waiting[0] < pattern.size:
        raise Undetermined(_own(pattern, rows[waiting[0] :], columns[waiting[0] :]))
    border = np.arange(pattern.size, total)
    return np.append(rows[: pattern.size], border), np.append(columns[: pattern.size], border)


def _own(pattern: BorderedPattern, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Own unknowns among some."""
    numbers = np.unique(np.concatenate([rows, columns]))
    return numbers[numbers < pattern.size]


def _without_border(lu: LU, wide: bool) -> LU:
    """The same with programs that leave the border alone, and room for as many lanes as are needed."""
    forward, backward, heads = lu.forward_program, lu.backward_program, lu.tail.nodes
    at = 0
    for _ in range(heads):
        at += 5 + int(forward[at + 4])
    skip = 0
    for _ in range(lu.growth_reference.size - heads):
        skip += 6 + int(backward[skip + 5])
    return lu._replace(
        factor_program=lu.factor_program[: lu.tail.program].copy(),
        forward_program=forward[:at].copy(),
        backward_program=backward[skip:].copy(),
        work=aligned_zeros((lu.work.size + 4 * lu.n) * WIDTH if wide else lu.work.size),
    )


def _tried(lu: LU, pattern: BorderedPattern, values: np.ndarray, wide: bool) -> tuple[BorderedFactors, float]:
    """The LU with what is normal for the samples, and the worst backward error of a solution with a border at rest."""
    own = np.random.default_rng(0).normal(size=pattern.size)
    inside = (pattern.rows < pattern.size) & (pattern.columns < pattern.size)
    rows, columns = pattern.rows[inside], pattern.columns[inside]
    pivots, growths, errors, left = [], [], [], []
    for sample, v, lanes in _stored(lu, values, wide):
        part = lambda array, sample=sample: array.reshape(-1, WIDTH)[:, sample] if wide else array  # noqa: E731
        y = part(lu.work)
        y[:] = 0.0
        y[lu.row_place[: pattern.size]] = own
        factor_and_solve(lu, v, lanes)
        y[lu.column_place[pattern.size :]] = 0.0
        finish_solution(lu, v, lanes)
        x, entries, stored = y[lu.column_place[: pattern.size]], values[sample][inside], part(v[: v.size - 1])
        residual = own - np.bincount(rows, entries * x[columns], pattern.size)
        size = np.abs(own) + np.bincount(rows, np.abs(entries * x[columns]), pattern.size)
        errors.append(np.max(np.abs(residual), initial=0.0) / np.max(size, initial=LEAST_DIVISOR))
        pivots.append(1 / np.abs(stored[lu.inverse : lu.inverse + pattern.size]))
        growths.append(stored[lu.growth : lu.growth + lu.tail.nodes])
        left.append(stored[lu.slot[pattern.corner]])
    lu.pivot_reference[: pattern.size] = np.min(pivots, axis=0)
    lu.growth_reference[: lu.tail.nodes] = np.max(growths, axis=0)
    return BorderedFactors(lu, np.array(left)), float(np.nan_to_num(np.max(errors), nan=np.inf))


def _stored(lu: LU, values: np.ndarray, wide: bool):
    """Each sample's number with a storage that holds it, and its lanes: abreast where that is wanted."""
    for sample in range(len(values)):
        v = aligned_zeros(storage_size(lu, wide))
        if wide:
            for lane, row in enumerate(values):
                v[: v.size - 1].reshape(-1, WIDTH)[lu.slot, lane] = row
        else:
            v[lu.slot] = values[sample]
        yield sample, v, len(values) if wide else 1


def storage_size(lu: LU, wide: bool) -> int:
    """Room for the factors, and for what is not wanted, which goes to the last place."""
    return lu.size * (WIDTH if wide else 1) + 1
