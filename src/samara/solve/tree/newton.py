"""One step of an implicit formula of a tree, native: predict, iterate, accept."""

from __future__ import annotations

import numpy as np

from samara.solve.integrators.native import BEGIN, call_coefficients
from samara.solve.native.codes import NOT_CONVERGED, NOT_FINITE, OK, Counter, Memory, Setting
from samara.solve.native.kernels import call_kernel
from samara.solve.tree.implicit import DIRECTION, F_1, F_2, KNOWN, NOTHING, STEP_BY, X_1, X_2
from samara.solve.tree.stepping import evaluate, turn_ball
from samara.system.blocks import Coefficient
from samara.tracing.driver_cache import inner, routine

A1, A2, B1, B2, C0, STEP = (
    int(c)
    for c in (
        Coefficient.A1, Coefficient.A2, Coefficient.B1, Coefficient.B2, Coefficient.POSE, Coefficient.STEP,
    )
)  # fmt: skip
#: A step that is so many times longer than the one before has no past to speak of.
LONGEST_RATIO = 4.0


@inner
def _derivative(tree, k, n):
    """Of number k as it is in the block; of a ball its angular velocity."""
    if k < n:
        return tree.factors[k, 0] * tree.block[tree.moving[k, 1]]
    ball, c = (k - n) // 3, (k - n) % 3
    return tree.block[tree.balls[ball, 1] + c]


@routine
def _jacobian(m, c0):
    """1 - c0 df/dx at the numbers in the block, and its factors."""
    tree, own = m.tree, m.tree.implicit
    size, first, changes = own.sources.size, own.direction[0], own.direction[1]
    for k in range(tree.block.size):
        own.block[k] = tree.block[k]
    for k in range(first, own.block.size):
        own.block[k] = 0.0
    data = own.block.ctypes.data
    n = tree.moving.shape[0]
    for j in range(size):
        own.block[first + j] = 1.0
        call_kernel(
            own.address[0], 1, data, tree.indices.ctypes.data, tree.parameters.ctypes.data, m.coef.ctypes.data,
            m.tables.ctypes.data, data, data,
        )  # fmt: skip
        own.block[first + j] = 0.0
        for i in range(size):
            source, slope = own.sources[i], 0.0
            if source >= 0:
                slope = own.block[changes + source]
            elif source != NOTHING and DIRECTION - source == j:
                slope = 1.0
            if i < n:
                slope *= tree.factors[i, 0]
            own.matrix[i, j] = (1.0 if i == j else 0.0) - c0 * slope
    _factor(own)


@inner
def _factor(own):
    """Gauss with pivots by rows, in place."""
    A, size = own.matrix, own.sources.size
    for k in range(size):
        best = k
        for i in range(k + 1, size):
            if abs(A[i, k]) > abs(A[best, k]):
                best = i
        own.pivots[k] = best
        if best != k:
            for j in range(size):
                A[k, j], A[best, j] = A[best, j], A[k, j]
        scale = 1.0 / A[k, k]
        for i in range(k + 1, size):
            if A[i, k] != 0.0:
                A[i, k] *= scale
                for j in range(k + 1, size):
                    A[i, j] -= A[i, k] * A[k, j]


@inner
def _solve(own, x):
    A, size = own.matrix, own.sources.size
    for k in range(size):
        p = own.pivots[k]
        if p != k:
            x[k], x[p] = x[p], x[k]
    for k in range(size):
        for i in range(k + 1, size):
            x[i] -= A[i, k] * x[k]
    for k in range(size - 1, -1, -1):
        for j in range(k + 1, size):
            x[k] -= A[k, j] * x[j]
        x[k] /= A[k, k]


@routine
def _iterate(m, settings, memory, counters, at, c0):
    """Newton's method; STEP_BY of the past holds the balls' rotations behind the corrections."""
    tree, own = m.tree, m.tree.implicit
    n, size, past = tree.moving.shape[0], own.sources.size, tree.slopes
    fresh, last, x = False, np.inf, past[STEP_BY]
    if memory[Memory.FACTORED_FOR] != c0:
        evaluate(m, at)
        _jacobian(m, c0)
        counters[Counter.JACOBIANS] += 1
        memory[Memory.FACTORED_FOR], fresh = c0, True
    for k in range(int(settings[Setting.MAX_ITERATIONS])):
        evaluate(m, at)
        counters[Counter.ITERATIONS] += 1
        for i in range(size):
            value = tree.block[tree.moving[i, 0]] if i < n else tree.turning[i - n]
            x[i] = past[KNOWN, i] + c0 * _derivative(tree, i, n) - value
        _solve(own, x)
        worst = 0.0
        for i in range(n):
            place = tree.moving[i, 0]
            tree.block[place] += x[i]
            worst = max(worst, abs(x[i]) / (abs(tree.block[place]) + own.floors[i]))
        for i in range(n, size):
            tree.turning[i - n] += x[i]
            worst = max(worst, abs(x[i]))
        for ball in range(tree.balls.shape[0]):
            turn_ball(tree, ball, tree.turning[3 * ball], tree.turning[3 * ball + 1], tree.turning[3 * ball + 2])
        if not worst < np.inf:
            return NOT_FINITE
        if worst < settings[Setting.TOLERANCE]:
            return OK
        if k > 0 and worst > settings[Setting.CONTRACTION] * last:
            if worst < settings[Setting.CEILING] and fresh:
                return OK
            evaluate(m, at)
            _jacobian(m, c0)
            counters[Counter.JACOBIANS] += 1
            fresh = True
        last = worst
    return NOT_CONVERGED


@routine
def step_implicit(m, settings, memory, counters, h, at):
    """From the present time on by h; the block holds the state at its beginning, with its derivatives."""
    tree, own = m.tree, m.tree.implicit
    n, size, past = tree.moving.shape[0], own.sources.size, tree.slopes
    old = memory[Memory.STEP]
    if h > LONGEST_RATIO * old:
        old = 0.0
    m.coef[STEP] = h
    call_coefficients(m.scheme[BEGIN], m.coef, settings, h, old)
    a1, a2, b1, b2, c0 = m.coef[A1], m.coef[A2], m.coef[B1], m.coef[B2], m.coef[C0]
    for i in range(size):
        past[X_1, i] = tree.block[tree.moving[i, 0]] if i < n else 0.0
        past[F_1, i] = _derivative(tree, i, n)
        # of a ball, seen from its last attitude, the one before was at minus the last rotation
        past[KNOWN, i] = a1 * past[X_1, i] + a2 * past[X_2, i] + b1 * past[F_1, i] + b2 * past[F_2, i]
    for i in range(n):
        tree.block[tree.moving[i, 0]] += h * past[F_1, i]
    for i in range(n, size):
        tree.turning[i - n] = h * past[F_1, i]
    for ball in range(tree.balls.shape[0]):
        turn_ball(tree, ball, tree.turning[3 * ball], tree.turning[3 * ball + 1], tree.turning[3 * ball + 2])
    status = _iterate(m, settings, memory, counters, at, c0)
    if status == OK:
        for i in range(size):
            past[X_2, i] = past[X_1, i] if i < n else -tree.turning[i - n]
            past[F_2, i] = past[F_1, i]
    else:
        memory[Memory.FACTORED_FOR] = 0.0
    return status
