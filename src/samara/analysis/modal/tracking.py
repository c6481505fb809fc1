"""Modes tracked along a parameter: sets of eigenvalues joined to branches, by shape or by predicted value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

from samara.analysis.modal.modes import Oscillations
from samara.arguments import finite, positive, several, whole
from samara.model import ArgumentError

#: Eigenvalues this close, relatively, are taken as one.
EQUAL = 1e-6
#: Eigenvalues this small are taken as zero: several zeros at once come out as a small ring around it [rad/s].
ZERO_EIGENVALUE = 0.05
#: Likeness and relative distance count as one to this: shapes decide, places only between shapes that are alike.
DISTANCE_WEIGHT = 1e-6


@dataclass(frozen=True)
class Branches(Oscillations):
    """Modes along a parameter, a column each; nan where a mode is missing.

    parameter:   shape (n,); eigenvalues: s [rad/s], shape (n, branches).
    index:       position of each in its original set, shape (n, branches); -1 where it is missing.
    likeness:    modal assurance with the mode where it was seen before, shape (n, branches); ones at the first, nan
                 where it is missing or no shapes were given.
    """

    parameter: np.ndarray
    eigenvalues: np.ndarray
    index: np.ndarray
    likeness: np.ndarray


def track(
    parameter: Iterable[float],
    eigenvalues: Sequence[Oscillations | np.ndarray | Sequence[complex]],
    shapes: Sequence[np.ndarray] | None = None,
    *,
    count: int | None = None,
    reach: float | None = None,
) -> Branches:
    """Tracks modes over successive values of a parameter, as branches.

    eigenvalues: for each value a set of s [rad/s] of any length and in any order, or what holds one: `Modes`,
                 `Identified`. nan stands for nothing.
    shapes:      for each value an array (modes, components); for modes of a model `found.vectors()`.
    count:       follow the first `count` modes of the first set; by default all, and what appears later begins a
                 branch of its own.
    reach:       a mode further than this [rad/s] from where its branch is expected belongs to another; any distance
                 by default.

    With shapes, the sum of the modal assurance criteria of all pairs is maximised; modes of equal frequency have no
    unique shapes, so the spaces they span are compared. Without shapes, the sum of the distances |s - s_expected| is
    minimised, with s_expected on the line through the branch's last two points.
    """
    given_values = several("track: parameter", parameter)
    points = np.array([finite("track: a value of the parameter", value) for value in given_values])
    sets = [_values(k, given) for k, given in enumerate(several("track: eigenvalues", eigenvalues))]
    if not len(points) or len(sets) != len(points):
        raise ArgumentError(
            f"track: {len(points)} values of the parameter and {len(sets)} sets: give the same number "
            f"of each, at least 1"
        )
    if shapes is not None:
        shapes = _shapes(shapes, sets)
    grow = count is None
    start = np.flatnonzero(np.isfinite(sets[0]))
    branches = [_Branch(len(points)) for _ in start[: None if count is None else whole("track: count", count)]]
    for branch, i in zip(branches, start, strict=False):
        branch.take(0, i, sets[0][i], 1.0 if shapes is not None else np.nan)
    gate = np.inf if reach is None else positive("track: reach", reach)
    for k in range(1, len(points)):
        _join(branches, k, points, sets, shapes, gate)
        if grow:
            taken = {branch.index[k] for branch in branches}
            for i in np.flatnonzero(np.isfinite(sets[k])):
                if i not in taken:
                    branches.append(_Branch(len(points)))
                    branches[-1].take(k, i, sets[k][i], 1.0 if shapes is not None else np.nan)
    return _columns(points, branches)


class _Branch:
    """A branch that grows: its eigenvalues, places and likeness over the parameter."""

    def __init__(self, size: int) -> None:
        self.values = np.full(size, complex(np.nan, np.nan))
        self.index = np.full(size, -1)
        self.likeness = np.full(size, np.nan)

    def take(self, k: int, i: int | np.integer, value: complex, alike: float) -> None:
        self.values[k], self.index[k], self.likeness[k] = value, i, alike

    def seen(self) -> np.ndarray:
        return np.flatnonzero(self.index >= 0)

    def expected(self, k: int, points: np.ndarray) -> complex:
        """By the line through the last two points; the last value if there is no other, or the line has no slope."""
        *before, last = self.seen()
        if not before or points[last] == points[before[-1]]:
            return complex(self.values[last])
        slope = (self.values[last] - self.values[before[-1]]) / (points[last] - points[before[-1]])
        return complex(self.values[last] + slope * (points[k] - points[last]))


def _join(branches: list[_Branch], k: int, points, sets, shapes, gate: float) -> None:
    """Gives the modes of set k to the branches."""
    here = np.flatnonzero(np.isfinite(sets[k]))
    if not branches or not here.size:
        return
    away = np.abs(np.array([branch.expected(k, points) for branch in branches])[:, None] - sets[k][here])
    alike = np.full(away.shape, np.nan)
    cost = away
    if shapes is not None:
        alike = _all_likeness(branches, sets, shapes, k, here)
        cost = DISTANCE_WEIGHT * away / max(away.max(), 1e-300) - alike
    allowed = away <= gate
    # what is not allowed costs more than any number of what is: such pairs are left out afterwards
    barred = (np.abs(cost).max() + 1.0) * (2.0 * len(branches) + 1.0)
    for b, i in zip(*linear_sum_assignment(np.where(allowed, cost, barred)), strict=True):
        if allowed[b, i]:
            branches[b].take(k, here[i], sets[k][here[i]], alike[b, i])


def _all_likeness(branches: list[_Branch], sets, shapes, k: int, here: np.ndarray) -> np.ndarray:
    """Likeness of each branch, where it was last seen, to each mode of set k."""
    alike = np.zeros((len(branches), len(here)))
    last = np.array([branch.seen()[-1] for branch in branches])
    for j in set(last.tolist()):
        rows = np.flatnonzero(last == j)
        old = np.array([branches[b].index[j] for b in rows])
        alike[rows] = likeness(sets[j][old], shapes[j][old], sets[k][here], shapes[k][here])
    return alike


def likeness(old: np.ndarray, old_shapes: np.ndarray, new: np.ndarray, new_shapes: np.ndarray) -> np.ndarray:
    """Modal assurance of modes (rows) with others (columns), 0 to 1; of what modes of one frequency span together."""
    alike = np.zeros((len(old), len(new)))
    later = same_frequency(new, new_shapes)
    for rows, before in same_frequency(old, old_shapes):
        for columns, after in later:
            overlap = np.linalg.norm(before.conj().T @ after) ** 2 / max(min(before.shape[1], after.shape[1]), 1)
            alike[np.ix_(rows, columns)] = overlap
    return alike


def same_frequency(values: np.ndarray, vectors: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Modes of one frequency, and an orthonormal basis of what they span, shape (components, dimension)."""
    left, found = list(range(len(values))), []
    still = np.abs(values) < ZERO_EIGENVALUE
    while left:
        k, s = left[0], values[left[0]]
        group = [i for i in left if abs(values[i] - s) < EQUAL * max(abs(s), 1.0) or (still[i] and still[k])]
        found.append((np.array(group), basis(vectors[group])))
        left = [k for k in left if k not in group]
    return found


def basis(rows: np.ndarray) -> np.ndarray:
    """An orthonormal basis of what the rows span, shape (components, dimension)."""
    scaled = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
    u, size, _ = np.linalg.svd(scaled.T, full_matrices=False)
    return u[:, size > 1e-3 * size[0]]


def _values(k: int, given) -> np.ndarray:
    values = np.atleast_1d(np.asarray(given.eigenvalues if isinstance(given, Oscillations) else given))
    if values.ndim != 1 or values.dtype.kind not in "fciu":
        raise ArgumentError(f"track: set {k} must be a list of eigenvalues, got shape {values.shape}")
    return values.astype(complex)


def _shapes(shapes, sets: list[np.ndarray]) -> list[np.ndarray]:
    """As many arrays as sets, a row for each eigenvalue, all of one width."""
    found = [np.asarray(one, complex) for one in shapes]
    if len(found) != len(sets):
        raise ArgumentError(f"track: {len(found)} arrays of shapes for {len(sets)} sets: give one for each set")
    width = {one.shape[1] for one in found if one.ndim == 2}
    for k, (one, values) in enumerate(zip(found, sets, strict=True)):
        if one.ndim != 2 or len(one) != len(values) or len(width) != 1:
            raise ArgumentError(
                f"track: shapes of set {k} have shape {one.shape}: give ({len(values)}, components), components alike"
            )
    return found


def _columns(points: np.ndarray, branches: list[_Branch]) -> Branches:
    empty = (len(points), 0)
    if not branches:
        return Branches(points, np.zeros(empty, complex), np.zeros(empty, int), np.zeros(empty))
    return Branches(
        points,
        np.column_stack([branch.values for branch in branches]),
        np.column_stack([branch.index for branch in branches]),
        np.column_stack([branch.likeness for branch in branches]),
    )
