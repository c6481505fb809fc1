"""Kernels that walk the nodes and the scalar states W abreast: predict, correct, take back, move, change carriers.

The two-step scheme on SE(3), with the step inside b0, b1, b2 and c0 = b0:

    n    = a2 n_{k-2} + b0 eta + b1 eta_1 + b2 eta_2,   n_{k-2} = -n_{k-1}
    R, p = R_1 R(n), p_1 + h V + R_1 p(n)
    acc  = (eta - a1 eta_1 - a2 eta_2 - b1 acc_1 - b2 acc_2) / b0

V is the velocity of the node's carrier, against which the twist eta is taken: v = eta_v + R^T V (`solve.carrier`).
A scalar state moves by the same scheme: x = a1 x_1 + a2 x_2 + b0 x_dot + b1 x_dot_1 + b2 x_dot_2, and x_dot likewise.
"""

from __future__ import annotations

import functools

import numpy as np

from samara.rotations import cross, exp_se3_small, inverse_spatial_tangent_so3_small, inverse_tangent_small
from samara.system.blocks import (
    ACC,
    ACC_1,
    ACC_2,
    ACC_BASE,
    ALGEBRAIC,
    BEFORE,
    CARRIER,
    ETA,
    ETA_1,
    ETA_2,
    INCREMENT,
    INCREMENT_1,
    INCREMENT_BASE,
    POSITION,
    RATE,
    ROTATION,
    SECOND,
    SECOND_BASE,
    SIZE,
    STATE_SIZE,
    VALUE,
    VALUE_1,
    VALUE_BASE,
    Coefficient,
)
from samara.tracing import Expr, Graph, select
from samara.tracing.lanes import Function, Place, Shape

NODES = Shape(block=SIZE)
STATES = Shape(block=STATE_SIZE, unknowns=1)


class _Walk:
    """One node or state as inputs and outputs of a graph."""

    def __init__(self) -> None:
        self.graph = Graph()
        self.outputs: list[tuple[Place, int]] = []

    def _input(self, kind: str, i: int) -> Expr:
        return Expr(self.graph, self.graph.input(Place(kind, 0, i)))

    def read(self, first: int, count: int = 6) -> np.ndarray:
        return np.array([self._input("lane", first + i) for i in range(count)], dtype=object)

    def unknowns(self, count: int = 6) -> np.ndarray:
        return np.array([self._input("vector", i) for i in range(count)], dtype=object)

    def coefficient(self, which: Coefficient) -> Expr:
        return self._input("coefficient", int(which))

    def store(self, first: int, values) -> None:
        self.outputs += [(Place("lane", 0, first + i), v.id) for i, v in enumerate(np.ravel(values))]

    def function(self, name: str) -> Function:
        return Function(name, self.graph, self.outputs)

    def place(self, eta, R_1, p_1, acc_base, increment_base) -> None:
        """Stores everything that follows from a twist at this step."""
        n = increment_base + self.coefficient(Coefficient.POSE) * eta
        R, p = exp_se3_small(n)
        self.store(ETA, eta)
        self.store(INCREMENT, n)
        self.store(ROTATION, R_1 @ R)
        carried = self.coefficient(Coefficient.STEP) * self.read(CARRIER, 3)
        self.store(POSITION, p_1 + carried + R_1 @ p)
        self.store(ACC, (eta - acc_base) * self.coefficient(Coefficient.PER_POSE))


def _predict() -> Function:
    k = _Walk()
    a2, b1, b2 = (k.coefficient(c) for c in (Coefficient.A2, Coefficient.B1, Coefficient.B2))
    e1, e2, f1, f2 = (k.coefficient(c) for c in (Coefficient.E1, Coefficient.E2, Coefficient.F1, Coefficient.F2))
    R, p = k.read(ROTATION, 9).reshape(3, 3), k.read(POSITION, 3)
    R = R @ (1.5 * np.eye(3) - 0.5 * (R.T @ R))  # one step back to orthogonality: rounding does not pile up
    eta_1, eta_2, acc_1, acc_2 = k.read(ETA), k.read(ETA_1), k.read(ACC), k.read(ACC_1)
    n_1 = k.read(INCREMENT)
    acc_base = k.coefficient(Coefficient.A1) * eta_1 + a2 * eta_2 + b1 * acc_1 + b2 * acc_2
    increment_base = b1 * eta_1 + b2 * eta_2 - a2 * n_1
    for first, values in (
        (BEFORE, np.concatenate([R.ravel(), p])),
        (ETA_1, eta_1),
        (ETA_2, eta_2),
        (ACC_1, acc_1),
        (ACC_2, acc_2),
        (INCREMENT_1, n_1),
        (ACC_BASE, acc_base),
        (INCREMENT_BASE, increment_base),
    ):
        k.store(first, values)
    k.place(e1 * eta_1 + e2 * eta_2 + f1 * acc_1 + f2 * acc_2, R, p, acc_base, increment_base)
    return k.function("predict")


def _correct() -> Function:
    k = _Walk()
    u = inverse_tangent_small(k.read(INCREMENT)) @ k.unknowns()
    before = k.read(BEFORE, 12)
    k.place(k.read(ETA) - u, before[:9].reshape(3, 3), before[9:], k.read(ACC_BASE), k.read(INCREMENT_BASE))
    return k.function("correct")


def _take_back() -> Function:
    k = _Walk()
    for target, source, count in (
        (ROTATION, BEFORE, 12),
        (ETA, ETA_1, 6),
        (ACC, ACC_1, 6),
        (ETA_1, ETA_2, 6),
        (ACC_1, ACC_2, 6),
        (INCREMENT, INCREMENT_1, 6),
    ):
        k.store(target, k.read(source, count))
    return k.function("take_back")


def _move() -> Function:
    """Newton correction of the pose alone: H <- H exp(-xi)."""
    k = _Walk()
    R, p = k.read(ROTATION, 9).reshape(3, 3), k.read(POSITION, 3)
    dR, dp = exp_se3_small(-k.unknowns())
    k.store(ROTATION, R @ dR)
    k.store(POSITION, p + R @ dp)
    return k.function("move")


def _carry() -> Function:
    """The same past and present seen from another carrier: its velocity changes by D, the first three unknowns.

    v -= R^T D,   v_dot += w x R^T D   (now and a step before),   n(k): R(k-1) p(n) -= h D
    """
    k = _Walk()
    D, h = k.unknowns()[:3], k.coefficient(Coefficient.STEP)
    for rotation, eta, acc in ((ROTATION, ETA, ACC), (BEFORE, ETA_1, ACC_1)):
        g = k.read(rotation, 9).reshape(3, 3).T @ D
        k.store(eta, k.read(eta, 3) - g)
        k.store(acc, k.read(acc, 3) + cross(k.read(eta + 3, 3), g))
    n = k.read(INCREMENT)
    k.store(INCREMENT, n[:3] - inverse_spatial_tangent_so3_small(n[3:]) @ (h * g))
    k.store(CARRIER, k.read(CARRIER, 3) + D)
    return k.function("carry")


@functools.cache
def node_functions() -> list[Function]:
    """The kernels that all models share."""
    return [_predict(), _correct(), _take_back(), _move(), _carry()]


# ---- scalar states
def _place_state(k: _Walk, rate, value_base, second_base) -> None:
    k.store(RATE, rate)
    k.store(VALUE, value_base + k.coefficient(Coefficient.POSE) * rate)
    k.store(SECOND, (rate - second_base) * k.coefficient(Coefficient.PER_POSE))


def _predict_state() -> Function:
    k = _Walk()
    a1, a2, b1, b2 = (k.coefficient(c) for c in (Coefficient.A1, Coefficient.A2, Coefficient.B1, Coefficient.B2))
    e1, e2, f1, f2 = (k.coefficient(c) for c in (Coefficient.E1, Coefficient.E2, Coefficient.F1, Coefficient.F2))
    x_1, r_1, s_1, x_2, r_2, s_2 = k.read(VALUE)  # the last step and the one before, side by side
    k.store(VALUE_1, [x_1, r_1, s_1, x_2, r_2, s_2])
    bases = [a1 * x + a2 * y + b1 * dx + b2 * dy for x, y, dx, dy in ((x_1, x_2, r_1, r_2), (r_1, r_2, s_1, s_2))]
    k.store(VALUE_BASE, bases)
    # along a straight line through the last two values: the ratio of steps is in the predictor's coefficients
    ratio = -2.0 * f2 / (f1 + f2 + 1e-300)
    straight = (x_1 + ratio * (x_1 - x_2) - bases[0]) * k.coefficient(Coefficient.PER_POSE)
    curved = e1 * r_1 + e2 * r_2 + f1 * s_1 + f2 * s_2
    _place_state(k, select(k.read(ALGEBRAIC, 1)[0] > 0.5, straight, curved), *bases)
    return k.function("predict")


def _correct_state() -> Function:
    k = _Walk()
    _place_state(k, k.read(RATE, 1) - k.unknowns(1), k.read(VALUE_BASE, 1), k.read(SECOND_BASE, 1))
    return k.function("correct")


def _take_back_state() -> Function:
    k = _Walk()
    k.store(VALUE, k.read(VALUE_1))
    return k.function("take_back")


def _move_state() -> Function:
    k = _Walk()
    k.store(VALUE, k.read(VALUE, 1) - k.unknowns(1))
    return k.function("move")


@functools.cache
def state_functions() -> list[Function]:
    """The same for scalar states."""
    return [_predict_state(), _correct_state(), _take_back_state(), _move_state()]
