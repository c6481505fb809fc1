"""Newton's method for all contacts with friction at once, where sweeps are slow.

    F(P) = P - proj_K(P - v_corrected(P)) = 0,   v_corrected = v + (mu |v_t|, 0, 0),   v = W P + u

per contact, scaled as in `cones`. With J the derivative of the projection, the generalised Jacobian is

    H = 1 - J + J dv_corrected/dP

It is singular if the load sharing between contacts is indeterminate; then W + eps 1 replaces W. A step is shortened
until |F| decreases; if it never does, the impulses are restored.

Contacts of different bodies are uncoupled: contact i is coupled only to contacts near[i, 0] to near[i, 1], so H is
banded if the contacts are well ordered.

Sources: Alart and Curnier, Comput. Methods Appl. Mech. Engrg. 92, 1991; De Saxce's correction and the natural map of
the cone as in Acary and Brogliato, Numerical Methods for Nonsmooth Dynamical Systems, 2008.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.complementarity.dense import factor, solve
from samara.tracing.driver.driver_cache import inner, routine
from samara.tracing.driver.reference import refer

#: A matrix whose pivots differ by more is singular.
SINGULAR = 1e-12
HALVINGS = 12
#: What is added to the diagonal where it is singular, one after the other, at most as much as is left of F. Much keeps
#: forces that contacts share from growing, and is tried first; little converges where many stand on each other.
ADDED, LEAST_ADDED, MUCH, LITTLE = (0.0, 1e-10, 1e-7, 1e-3), 1e-10, 3, 1


class ConeNewtonWork(NamedTuple):
    """Work arrays of Newton's method; n = 3 n_c."""

    matrix: np.ndarray  # (n, n): W, scaled
    jacobian: np.ndarray  # (n, n): H and its factors
    numbers: np.ndarray  # (6, n), by the names below
    pivots: np.ndarray  # (n,)


FREE, AT, SPEED, VALUE, STEP, TRY = range(6)


def cone_newton_work(contacts: int) -> ConeNewtonWork:
    """Work arrays for problems of so many contacts, made once."""
    n = 3 * contacts
    return refer(ConeNewtonWork(np.zeros((n, n)), np.zeros((n, n)), np.zeros((6, n)), np.zeros(n, np.int64)))


@inner
def project(y_n, y_1, y_2, mu):
    """The nearest point of the cone |y_t| <= mu y_n."""
    y_t = np.hypot(y_1, y_2)
    if y_t <= mu * y_n and y_n >= 0.0:  # without friction the cone is a half-line
        return y_n, y_1, y_2
    if mu * y_t <= -y_n:
        return 0.0, 0.0, 0.0
    a = (y_n + mu * y_t) / (1.0 + mu * mu)
    return a, mu * a * y_1 / y_t, mu * a * y_2 / y_t


@routine
def newton_cone(W, u, mu, P, scale, near, top, work, most_iterations, tolerance):
    """Improves P; returns the iterations that it took, or 0 where P is left as it was.

    If steps that make |F| smaller end in a minimum, full steps are tried from the same P.
    """
    n, at, free, A = u.size, work.numbers[AT], work.numbers[FREE], work.matrix
    for i in range(n):
        s = scale[i // 3]
        free[i] = u[i] * s / top
        for j in range(3 * near[i // 3, 0], 3 * near[i // 3, 1]):
            A[i, j] = s * W[i, j] * scale[j // 3]
    for halvings, from_added in ((HALVINGS, MUCH), (HALVINGS, LITTLE), (0, MUCH)):
        for i in range(n):
            at[i] = P[i] / scale[i // 3] / top
        iterations = _iterate(mu, near, work, n, most_iterations, tolerance, halvings, from_added)
        if iterations > 0:
            for i in range(mu.size):
                k, s = 3 * i, scale[i] * top
                p_n, p_1, p_2 = project(at[k], at[k + 1], at[k + 2], mu[i])
                P[k], P[k + 1], P[k + 2] = p_n * s, p_1 * s, p_2 * s
            return iterations
    return 0


@routine
def _iterate(mu, near, work, n, most_iterations, tolerance, halvings, from_added):
    """Newton's method from the present impulses; returns its iterations, or 0 where it does not converge."""
    size, band = _natural_map(mu, near, work, n), 0
    for i in range(mu.size):
        band = max(band, 3 * (i - near[i, 0]) + 2, 3 * (near[i, 1] - i) - 1)
    for k in range(most_iterations):
        moved = False
        for which in range(from_added - 1, len(ADDED)):
            more = max(LEAST_ADDED, min(ADDED[which], size)) if which >= from_added else 0.0
            _cone_jacobian(mu, near, work, n, more, band)
            if factor(work.jacobian, work.pivots, n, band) > SINGULAR:
                size, moved = _shorten(mu, near, work, n, size, halvings, band)
                if moved:
                    break
        if not moved:
            return 0
        if size <= tolerance:
            return k + 1
    return 0


@routine
def _natural_map(mu, near, work, n):
    """F and v at the present impulses; returns the length of F."""
    A, numbers = work.matrix, work.numbers
    free, at, speed, value = numbers[FREE], numbers[AT], numbers[SPEED], numbers[VALUE]
    total = 0.0
    for i in range(n):
        total_speed = free[i]
        for j in range(3 * near[i // 3, 0], 3 * near[i // 3, 1]):
            total_speed += A[i, j] * at[j]
        speed[i] = total_speed
    for i in range(mu.size):
        k = 3 * i
        y_n = at[k] - speed[k] - mu[i] * np.hypot(speed[k + 1], speed[k + 2])
        a_n, a_1, a_2 = project(y_n, at[k + 1] - speed[k + 1], at[k + 2] - speed[k + 2], mu[i])
        value[k], value[k + 1], value[k + 2] = at[k] - a_n, at[k + 1] - a_1, at[k + 2] - a_2
        total += value[k] ** 2 + value[k + 1] ** 2 + value[k + 2] ** 2
    return np.sqrt(total)


@routine
def _cone_jacobian(mu, near, work, n, more, band):
    """H with W + more 1."""
    A, H, numbers = work.matrix, work.jacobian, work.numbers
    at, speed = numbers[AT], numbers[SPEED]
    for i in range(mu.size):
        k, m = 3 * i, mu[i]
        slip = np.hypot(speed[k + 1], speed[k + 2])
        c, s = (m * speed[k + 1] / slip, m * speed[k + 2] / slip) if slip > 0.0 else (0.0, 0.0)
        y_n, y_1, y_2 = at[k] - speed[k] - m * slip, at[k + 1] - speed[k + 1], at[k + 2] - speed[k + 2]
        j_nn, j_n1, j_n2, j_11, j_12, j_22 = _slope(y_n, y_1, y_2, m)
        for row in range(k, k + 3):
            for j in range(max(0, row - band), min(n, row + 2 * band + 1)):
                H[row, j] = 0.0
        for j in range(3 * near[i, 0], 3 * near[i, 1]):
            d_1, d_2 = A[k + 1, j] + (more if j == k + 1 else 0.0), A[k + 2, j] + (more if j == k + 2 else 0.0)
            d_n = A[k, j] + (more if j == k else 0.0) + c * d_1 + s * d_2
            H[k, j] = j_nn * d_n + j_n1 * d_1 + j_n2 * d_2
            H[k + 1, j] = j_n1 * d_n + j_11 * d_1 + j_12 * d_2
            H[k + 2, j] = j_n2 * d_n + j_12 * d_1 + j_22 * d_2
        H[k, k] += 1.0 - j_nn
        H[k, k + 1] -= j_n1
        H[k, k + 2] -= j_n2
        H[k + 1, k] -= j_n1
        H[k + 1, k + 1] += 1.0 - j_11
        H[k + 1, k + 2] -= j_12
        H[k + 2, k] -= j_n2
        H[k + 2, k + 1] -= j_12
        H[k + 2, k + 2] += 1.0 - j_22


@inner
def _slope(y_n, y_1, y_2, mu):
    """The derivative of the projection, symmetric: nn, n1, n2, 11, 12, 22."""
    y_t = np.hypot(y_1, y_2)
    if y_t <= mu * y_n and y_n >= 0.0:  # without friction the cone is a half-line
        return 1.0, 0.0, 0.0, 1.0, 0.0, 1.0
    if mu * y_t <= -y_n:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    part, c, s = 1.0 / (1.0 + mu * mu), y_1 / y_t, y_2 / y_t
    along, across = part * mu * mu, mu * part * (y_n + mu * y_t) / y_t
    return (
        part, part * mu * c, part * mu * s,
        along * c * c + across * s * s, (along - across) * c * s, along * s * s + across * c * c,
    )  # fmt: skip


@routine
def _shorten(mu, near, work, n, size, halvings, band):
    """Takes Newton's step, or a part of it that makes F shorter; returns its length and whether there was one."""
    numbers = work.numbers
    at, value, step, tried = numbers[AT], numbers[VALUE], numbers[STEP], numbers[TRY]
    for i in range(n):
        step[i], tried[i] = -value[i], at[i]
    solve(work.jacobian, work.pivots, step, n, band)
    length = 1.0
    for _ in range(halvings + 1):
        for i in range(n):
            at[i] = tried[i] + length * step[i]
        new = _natural_map(mu, near, work, n)
        if new <= (1.0 - 1e-3 * length) * size or (halvings == 0 and new < np.inf):
            return new, True
        length *= 0.5
    for i in range(n):
        at[i] = tried[i]
    return _natural_map(mu, near, work, n), False
