"""Lemke's method with lexicographic pivoting, which prevents cycling; it does not allocate.

The problem w = M z + q, w >= 0, z >= 0, w.z = 0 is given an artificial variable, w = M z + q + z_0 (1, ..., 1)^T. A
z_0 that is large enough makes z = 0 a solution; from there pivots follow the path of almost complementary solutions
until z_0 leaves the basis, or the path becomes a ray.

The tableau is condensed: one row for each basic variable, x_B = b + T x_N, one column for each of the others, so that
a pivot exchanges a row with a column in n (n + 2) products. Where several rows tie for the smallest ratio, the
problem is taken for one with q + (eps, eps^2, ...) in the limit eps -> 0, in which nothing ties: the effect of eps^j on
a basic variable is minus its entry in the column of w_j.

If M is singular, as for contacts with indeterminate load sharing, rounding errors may be mistaken for pivots: the path
is lost, or ends in a spurious ray. A failed problem is therefore tried once more with M + eps 1 (in dimensionless
form), in which no pivot vanishes, and corrected by its inverse until M itself is satisfied; a result that does not
satisfy M is rejected.

Sources: Lemke, Management Science 11, 1965; Cottle, Pang and Stone, The Linear Complementarity Problem, 1992,
sections 4.4 and 4.9; Murty, Linear Complementarity, Linear and Nonlinear Programming, 1988,
section 2.2.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.complementarity.closed_form import UNDECIDED, solve_one, solve_two
from samara.complementarity.codes import NOT_FINITE, RAY, SOLVED, STUCK, TOO_MANY
from samara.complementarity.scaling import drive, equilibrate, multiply
from samara.tracing.driver.driver_cache import inner, routine
from samara.tracing.driver.reference import refer

#: Entries of an entering column that are smaller, beside its largest or beside 1, are rounding errors.
SMALLEST_PIVOT = 1e-11
#: Ratios that differ by less, beside 1 or themselves, tie.
TIE = 1e-12
#: What cancels to less than this part of what it was is zero.
CANCELLED = 1e-13
#: A solution may violate w >= 0 by so much, without units, and by this part of its own size, before it is called lost.
LOST, LOST_IN_ROUNDING = 1e-8, 1e-14
#: What is added to the diagonal where pivots fail, one after the other, and corrections after which it must not matter.
ADDED, CORRECTIONS = (0.0, 1e-8, 1e-6), 6


class LCPWork(NamedTuple):
    """Work arrays of Lemke's method; n unknowns. Variables are numbered w 0...n-1, z n...2n-1, z_0 2n."""

    tableau: np.ndarray  # (n, n + 2): columns of the variables outside of the basis, and b
    scale: np.ndarray  # (n,)
    basic: np.ndarray  # (n,): variable of a row
    outside: np.ndarray  # (n + 1,): variable of a column
    where: np.ndarray  # (2 n + 1,): column of a variable, or -1 - row
    tied: np.ndarray  # (n,)
    counts: np.ndarray  # (2,): pivots of the last solution, and whether it took more than one attempt


def lcp_work(n: int) -> LCPWork:
    """Work arrays for problems of n unknowns, made once; native functions take their address."""
    integers = (np.zeros(size, np.int64) for size in (n, n + 1, 2 * n + 1, n, 2))
    return refer(LCPWork(np.zeros((n, n + 2)), np.ones(n), *integers))


@inner
def lemke(M, q, z, w, work, most_pivots):
    """Solves w = M z + q, w >= 0, z >= 0, w.z = 0; returns SOLVED, RAY, TOO_MANY, NOT_FINITE or STUCK.

    M (n, n) and q (n,) are left alone; z and w (n,) are written where it is SOLVED; `work` comes from `lcp_work(n)`, or
    of more unknowns, and counts the pivots. One unknown, and two where M is a P-matrix, are solved in closed form.
    """
    n = q.size
    status = UNDECIDED
    if n == 1:
        status = solve_one(M, q, z, w)
    elif n == 2:
        status = solve_two(M, q, z, w)
    work.counts[0], work.counts[1] = 0, 0
    if status == UNDECIDED:
        status = _attempts(M, q, z, w, work, most_pivots)
    return status


@routine
def _attempts(M, q, z, w, work, most_pivots):
    """By pivots of M, and where they fail of a matrix that is not singular; how the first ended where all fail."""
    first = SOLVED
    for added in ADDED:
        status = _follow(M, q, z, w, work, most_pivots, added)
        if added == 0.0:
            first = status
        if status == SOLVED or status == NOT_FINITE:
            return status if status == SOLVED else first
        work.counts[1] = 1
    return first


@routine
def _follow(M, q, z, w, work, most_pivots, added):
    """Lemke's path."""
    n, T, counts = q.size, work.tableau, work.counts
    z0, top, last = 2 * n, _begin(M, q, work, added), counts[0] + most_pivots
    if not top < np.inf:
        return NOT_FINITE
    if top == 0.0:
        for i in range(n):
            z[i], w[i] = 0.0, q[i]
        return SOLVED
    row, column = _first_row(T, n), n
    while counts[0] < last:
        left = work.basic[row]
        _exchange(work, n, row, column)
        counts[0] += 1
        if left == z0:
            return _finish(M, q, z, w, work, top)
        column = work.where[left + n if left < n else left - n]
        row = _leaving_row(work, n, column)
        if row < 0:
            if T[-1 - work.where[z0], n + 1] <= TIE:
                return _finish(M, q, z, w, work, top)
            return RAY
        if row >= n:
            return NOT_FINITE
    return TOO_MANY


@inner
def _begin(M, q, work, added):
    """The tableau with w in the basis, of M + added 1; returns the scale of q, see `scaling`."""
    n, T = q.size, work.tableau
    scale = work.scale[:n]
    finite = equilibrate(M, scale)
    top = drive(q, scale)
    if not finite:
        return np.nan
    if top == 0.0:
        return top
    for i in range(n):
        for j in range(n):
            T[i, j] = scale[i] * M[i, j] * scale[j]
        T[i, i] += added
        T[i, n] = 1.0
        T[i, n + 1] = q[i] * scale[i] / top
        work.basic[i], work.outside[i] = i, n + i
        work.where[i], work.where[n + i] = -1 - i, i
    work.outside[n], work.where[2 * n] = 2 * n, n
    return top


@inner
def _first_row(T, n):
    """Where z_0 enters: the most negative b, the last of those that tie."""
    row = 0
    for i in range(1, n):
        if T[i, n + 1] <= T[row, n + 1] + TIE:
            row = i
    return row


@inner
def _exchange(work, n, row, column):
    """Brings the variable of a column into the basis, for that of a row."""
    T, basic, outside, where = work.tableau, work.basic, work.outside, work.where
    inverse = 1.0 / T[row, column]
    for j in range(n + 2):
        T[row, j] *= -inverse
    T[row, column] = inverse
    for i in range(n):
        f = T[i, column]
        if i != row and f != 0.0:
            before = T[i, n + 1]
            T[i, column] = 0.0
            for j in range(n + 2):
                T[i, j] += f * T[row, j]
            if abs(T[i, n + 1]) < CANCELLED * abs(before):
                T[i, n + 1] = 0.0
    enters, leaves = outside[column], basic[row]
    basic[row], outside[column] = enters, leaves
    where[enters], where[leaves] = -1 - row, column


@inner
def _leaving_row(work, n, column):
    """The row whose variable first reaches zero as that of the column grows; -1 if none does, n if it is not finite."""
    T, tied = work.tableau, work.tied
    largest, total = 1.0, 0.0
    for i in range(n):
        largest = max(largest, abs(T[i, column]))
        total += abs(T[i, column]) + abs(T[i, n + 1])
    if not total < np.inf:
        return n
    floor, best, found = -SMALLEST_PIVOT * largest, np.inf, 0
    for i in range(n):
        if T[i, column] < floor:
            best = min(best, max(T[i, n + 1], 0.0) / -T[i, column])
            found += 1
    if found == 0:
        return -1
    found, best = 0, best + TIE * (1.0 + best)
    for i in range(n):
        if T[i, column] < floor and T[i, n + 1] <= best * -T[i, column]:
            if work.basic[i] == 2 * n:
                return i
            tied[found] = i
            found += 1
    return tied[0] if found == 1 else _break_tie(work, n, column, found)


@routine
def _break_tie(work, n, column, found):
    """Of the rows that tie the one that is first when q is perturbed by (eps, eps^2, ...)."""
    T, tied = work.tableau, work.tied
    for j in range(n):
        best = np.inf
        for k in range(found):
            best = min(best, _effect(work, j, tied[k], column))
        kept, bound = 0, best + TIE * (1.0 + abs(best))
        for k in range(found):
            if _effect(work, j, tied[k], column) <= bound:
                tied[kept] = tied[k]
                kept += 1
        found = kept
        if found == 1:
            break
    row = tied[0]
    for k in range(1, found):  # they differ by rounding errors: the largest pivot
        if T[tied[k], column] < T[row, column]:
            row = tied[k]
    return row


@inner
def _effect(work, j, i, column):
    """Of a perturbation of q_j on the ratio of row i."""
    place = work.where[j]
    if place >= 0:
        return work.tableau[i, place] / work.tableau[i, column]
    return -1.0 / work.tableau[i, column] if i == -1 - place else 0.0


@routine
def _finish(M, q, z, w, work, top):
    """z and w, corrected by the inverse that the tableau holds."""
    n, T, scale, where = q.size, work.tableau, work.scale, work.where
    for j in range(n):
        place = where[n + j]
        z[j] = max(T[-1 - place, n + 1], 0.0) * scale[j] * top if place < 0 else 0.0
    before = np.inf
    for turn in range(CORRECTIONS):
        multiply(M, q, z, w)
        worst = _violation(z, w, work)
        if turn != 0 and (worst <= LOST_IN_ROUNDING * top or not worst < 0.5 * before):
            break
        before = worst
        for j in range(n):
            place = where[n + j]
            if place < 0:
                total = 0.0
                for k in range(n):
                    if where[n + k] < 0 and where[k] >= 0:
                        total += T[-1 - place, where[k]] * scale[k] * w[k]
                z[j] = max(z[j] - scale[j] * total, 0.0)
    multiply(M, q, z, w)
    worst, size = _violation(z, w, work), 0.0
    for j in range(n):
        size = max(size, z[j] / scale[j])
        w[j] = 0.0 if where[n + j] < 0 else max(w[j], 0.0)
    return SOLVED if worst <= LOST * top + LOST_IN_ROUNDING * size else STUCK


@inner
def _violation(z, w, work):
    """The largest w that is negative, or that is not zero where its z is in the basis, scaled."""
    n, worst = z.size, 0.0
    for j in range(n):
        violation = abs(w[j]) if work.where[n + j] < 0 and z[j] > 0.0 else max(-w[j], 0.0)
        worst = max(worst, violation * work.scale[j])
    return worst
