"""Semismooth Newton on the function of Fischer and Burmeister.

    phi(a, b) = sqrt(a^2 + b^2) - a - b,   phi = 0  <=>  a >= 0, b >= 0, a b = 0
    Phi_i(z) = phi(z_i, (M z + q)_i),      Psi = |Phi|^2 / 2

Psi is smooth, and its stationary points are solutions where M is a P_0-matrix. Each iteration takes Newton's direction
with an element H of the generalised Jacobian, H = diag(alpha) + diag(beta) M; where H is singular, M + eps I in the
place of M; where that does not lead downwards, the gradient. The length comes from Armijo's rule. Problems are scaled
as in `scaling`, so M and q below have no units.

Sources: De Luca, Facchinei and Kanzow, Mathematical Programming 75, 1996; phi after Fischer, Optimization 24, 1992.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.complementarity.codes import NOT_FINITE, SOLVED, STUCK, TOO_MANY
from samara.complementarity.dense import factor, solve
from samara.complementarity.scaling import drive, equilibrate, multiply
from samara.tracing.driver.driver_cache import inner, routine
from samara.tracing.driver.reference import refer

#: A matrix whose pivots differ by more is singular.
SINGULAR = 1e-12
#: Least part of the slope that a step must gain, least descent of a direction, shortest step.
GAIN, DESCENT, SHORTEST = 1e-4, 1e-10, 1e-10


class NewtonWork(NamedTuple):
    """Work arrays of the semismooth Newton method; n unknowns."""

    matrix: np.ndarray  # (n, n): M, scaled
    jacobian: np.ndarray  # (n, n): H and its factors
    numbers: np.ndarray  # (8, n), by the names below
    pivots: np.ndarray  # (n,)
    counts: np.ndarray  # (2,): iterations of the last solution, gradient steps among them


SCALE, FREE, AT, OTHER, VALUE, STEP, TRY, SLOPE = range(8)


def newton_work(n: int) -> NewtonWork:
    """Work arrays for problems of n unknowns, made once."""
    square = np.zeros((n, n)), np.zeros((n, n))
    return refer(NewtonWork(*square, np.zeros((8, n)), np.zeros(n, np.int64), np.zeros(2, np.int64)))


@inner
def _phi(a, b):
    """sqrt(a^2 + b^2) - a - b without cancellation where a + b > 0."""
    size = np.sqrt(a * a + b * b)
    return -2.0 * a * b / (size + a + b) if a + b > 0.0 else size - a - b


@routine
def semismooth(M, q, z, w, work, most_iterations, tolerance):
    """Solves w = M z + q, w >= 0, z >= 0, w.z = 0 from the z that it finds; SOLVED, TOO_MANY, NOT_FINITE or STUCK.

    tolerance is that of max |min(z, w)| without units. STUCK: a stationary point that is no solution, as Psi has where
    M is no P_0-matrix or where there is no solution.
    """
    n, A, counts, numbers = q.size, work.matrix, work.counts, work.numbers
    scale, free, at, other, value = numbers[SCALE], numbers[FREE], numbers[AT], numbers[OTHER], numbers[VALUE]
    counts[0], counts[1] = 0, 0
    finite, top = equilibrate(M, scale), drive(q, scale)
    if not (finite and top < np.inf):
        return NOT_FINITE
    if top == 0.0:
        for i in range(n):
            z[i], w[i] = 0.0, q[i]
        return SOLVED
    for i in range(n):
        free[i], at[i] = q[i] * scale[i] / top, max(z[i], 0.0) / scale[i] / top
        for j in range(n):
            A[i, j] = scale[i] * M[i, j] * scale[j]
    merit = _merit(A, free, at, other, value)
    last = np.inf
    while True:
        residual = 0.0
        for i in range(n):
            residual = max(residual, abs(min(at[i], other[i])))
        if not merit < np.inf:
            return NOT_FINITE
        if residual <= tolerance and (residual == 0.0 or residual > 0.1 * last):
            return _finish(M, q, z, w, scale, at, other, top)
        if counts[0] >= most_iterations:
            break
        counts[0] += 1
        merit, moved = _advance(work, n, merit)
        if not moved:
            break
        last = residual
    status = _finish(M, q, z, w, scale, at, other, top)
    if residual <= tolerance:
        return status
    return TOO_MANY if counts[0] >= most_iterations else STUCK


@routine
def _merit(A, free, at, other, value):
    """Psi; `other` becomes M z + q and `value` Phi."""
    multiply(A, free, at, other)
    total = 0.0
    for i in range(free.size):
        value[i] = _phi(at[i], other[i])
        total += value[i] * value[i]
    return 0.5 * total


@routine
def _jacobian(work, n, more):
    """H with M + more I, and the gradient H^T Phi of Psi."""
    A, H, numbers = work.matrix, work.jacobian, work.numbers
    at, other, value, slope = numbers[AT], numbers[OTHER], numbers[VALUE], numbers[SLOPE]
    for i in range(n):
        slope[i] = 0.0
    for i in range(n):
        a, b = at[i], other[i]
        size = np.sqrt(a * a + b * b)
        if size == 0.0:  # any element of the disc does; this is the limit along z_i
            a, b = 1.0, A[i, i]
            size = np.sqrt(a * a + b * b)
        alpha, beta = a / size - 1.0, b / size - 1.0
        for j in range(n):
            H[i, j] = beta * A[i, j]
        H[i, i] += alpha + beta * more
        for j in range(n):
            slope[j] += H[i, j] * value[i]


@routine
def _advance(work, n, merit):
    """One step downwards; returns the new merit and whether there was one."""
    H, numbers, counts = work.jacobian, work.numbers, work.counts
    at, value, step, slope = numbers[AT], numbers[VALUE], numbers[STEP], numbers[SLOPE]
    more = 0.0
    for attempt in range(3):
        if attempt < 2:
            _jacobian(work, n, more)
            healthy = factor(H, work.pivots, n, n) > SINGULAR
            if healthy:
                for i in range(n):
                    step[i] = -value[i]
                solve(H, work.pivots, step, n, n)
            more = max(1e-10, min(1e-4, np.sqrt(merit)))
        else:
            _jacobian(work, n, 0.0)
            counts[1] += 1
            healthy = True
            for i in range(n):
                step[i] = -slope[i]
        descent, length = 0.0, 0.0
        for i in range(n):
            descent, length = descent + slope[i] * step[i], length + step[i] * step[i]
        if healthy and descent < -DESCENT * min(length, 2.0 * merit):
            merit, moved = _search(work, n, merit, descent)
            if moved:
                return merit, True
    _merit(work.matrix, numbers[FREE], at, numbers[OTHER], value)
    return merit, False


@routine
def _search(work, n, merit, descent):
    """Goes along the step until Armijo's rule holds; stays where it is if it never does."""
    numbers = work.numbers
    at, step, tried = numbers[AT], numbers[STEP], numbers[TRY]
    length = 1.0
    for i in range(n):
        tried[i] = at[i]
    while length > SHORTEST:
        for i in range(n):
            at[i] = tried[i] + length * step[i]
        new = _merit(work.matrix, numbers[FREE], at, numbers[OTHER], numbers[VALUE])
        if new <= merit + GAIN * length * descent:
            return new, True
        length *= 0.5
    for i in range(n):
        at[i] = tried[i]
    _merit(work.matrix, numbers[FREE], at, numbers[OTHER], numbers[VALUE])
    return merit, False


@routine
def _finish(M, q, z, w, scale, at, other, top):
    """z and w with their units; of a pair the smaller one is zero."""
    for i in range(q.size):
        z[i] = max(at[i], 0.0) * scale[i] * top if at[i] > other[i] else 0.0
    multiply(M, q, z, w)
    for i in range(q.size):
        w[i] = 0.0 if at[i] > other[i] else max(w[i], 0.0)
    return SOLVED
