"""Updates of nodes, scalar states and tree coordinates in a step, by the formulas of an integrator.

    R, p = R_1 R(n), p_1 + h V + R_1 p(n)

V is the velocity of the node's carrier, and the twist eta is relative to it: v = eta_v + R^T V
(`solve.redundant.carrier`). Kernels are looked up by what they compute, so integrators with the same formulas share
them.
"""

from __future__ import annotations

import functools

import numpy as np

from samara.rotations import (
    cross,
    exp_se3_small,
    inverse_spatial_tangent_so3_small,
    inverse_tangent_se3_small,
    inverse_tangent_small,
    tangent_se3_small,
)
from samara.solve.integrators.integrator import Ahead, Integrator, Past
from samara.solve.integrators.plain import traced
from samara.system.kernels.node_kernels import NODES, STATES, Walk
from samara.system.memory.blocks import (
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
    VALUE,
    VALUE_1,
    VALUE_BASE,
    Coefficient,
)
from samara.system.system import System
from samara.tracing import select
from samara.tracing.kernels import native
from samara.tracing.kernels.lanes import Function


def load_walks(system: System, scheme: Integrator) -> list[dict[str, int]]:
    """Addresses of the kernels that walk the nodes, and the scalar states if there are any, by name."""
    found = _loaded(scheme, system.layout.width, bool(system.layout.states), native.optimisation())
    known = {kernel.key for kernel in system.kernels}
    system.kernels += [kernel for kernel in found if kernel.key not in known]
    return [{**moves, **walk.addresses} for moves, walk in zip(system.walks, found, strict=True)]


@functools.lru_cache(maxsize=32)
def _loaded(scheme: Integrator, width: int, states: bool, level: int) -> list[native.Loaded]:
    """Kept for a level of optimisation, as a kernel is."""
    found = [native.load("nodes", node_functions(scheme), width, NODES)]
    return [*found, native.load("states", state_functions(scheme), width, STATES)] if states else found


# ---- nodes
@functools.lru_cache(maxsize=16)
def node_functions(scheme: Integrator) -> list[Function]:
    """Kernels that walk the nodes."""
    with traced(scheme):
        found = [_predict(scheme), _correct(scheme), _take_back(), _carry(), _between()]
        return [*found, _turn(scheme)] if isinstance(scheme, Ahead) else found


def _place(k: Walk, scheme: Integrator, rate, R_1, p_1, acc_base, increment_base) -> None:
    """Stores everything that follows from the unknown at this step: a twist, or what makes one (`Integrator.twist`)."""
    n = scheme.value(k, increment_base, rate)
    R, p = exp_se3_small(n)
    eta = scheme.twist(n, rate)
    k.store(ETA, eta)
    k.store(INCREMENT, n)
    k.store(ROTATION, R_1 @ R)
    carried = k[Coefficient.STEP] * k.read(CARRIER, 3)
    k.store(POSITION, p_1 + carried + R_1 @ p)
    k.store(ACC, scheme.second(k, acc_base, eta))


def _predict(scheme: Integrator) -> Function:
    k = Walk()
    R, p = k.read(ROTATION, 9).reshape(3, 3), k.read(POSITION, 3)
    R = R @ (1.5 * np.eye(3) - 0.5 * (R.T @ R))  # one step back to orthogonality: rounding does not pile up
    past = Past(k.read(ETA), k.read(ETA_1), k.read(ACC), k.read(ACC_1))
    n_1 = k.read(INCREMENT)
    acc_base = scheme.known_rate(k, past)
    increment_base = scheme.known_increment(k, n_1, past)
    for first, values in (
        (BEFORE, np.concatenate([R.ravel(), p])),
        (ETA_1, past.rate_1),
        (ETA_2, past.rate_2),
        (ACC_1, past.second_1),
        (ACC_2, past.second_2),
        (INCREMENT_1, n_1),
        (ACC_BASE, acc_base),
        (INCREMENT_BASE, increment_base),
    ):
        k.store(first, values)
    rate = scheme.guessed(k, increment_base, scheme.predicted(k, past))
    _place(k, scheme, rate, R, p, acc_base, increment_base)
    return k.function("predict")


def _turn(scheme: Ahead) -> Function:
    """From the solution ahead to the prediction of the end of the step; the past has been laid by for both."""
    k = Walk()
    n_c, eta_c, n_1 = k.read(INCREMENT), k.read(ETA), k.read(INCREMENT_1)
    past = Past(k.read(ETA_1), k.read(ETA_2), k.read(ACC_1), k.read(ACC_2))
    before = k.read(BEFORE, 12)
    acc_base = scheme.turned_rate(k, eta_c, past)
    increment_base = scheme.turned_increment(k, n_c, n_1, past)
    k.store(ACC_BASE, acc_base)
    k.store(INCREMENT_BASE, increment_base)
    rate = scheme.guessed(k, increment_base, scheme.turned_prediction(k, eta_c, past))
    _place(k, scheme, rate, before[:9].reshape(3, 3), before[9:], acc_base, increment_base)
    return k.function("turn")


def _correct(scheme: Integrator) -> Function:
    k = Walk()
    u = inverse_tangent_small(k.read(INCREMENT)) @ k.unknowns()
    before = k.read(BEFORE, 12)
    base = k.read(INCREMENT_BASE)
    rate = scheme.unknown(k, base, k.read(INCREMENT), k.read(ETA))
    _place(k, scheme, rate - u, before[:9].reshape(3, 3), before[9:], k.read(ACC_BASE), base)
    return k.function("correct")


def _take_back() -> Function:
    k = Walk()
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


def _carry() -> Function:
    """The same past and present seen from another carrier: its velocity changes by D, the first three unknowns.

    v -= R^T D,   v_dot += w x R^T D   (now and a step before),   n(k): R(k-1) p(n) -= h D
    """
    k = Walk()
    D, h = k.unknowns()[:3], k[Coefficient.STEP]
    for rotation, eta, acc in ((ROTATION, ETA, ACC), (BEFORE, ETA_1, ACC_1)):
        g = k.read(rotation, 9).reshape(3, 3).T @ D
        k.store(eta, k.read(eta, 3) - g)
        k.store(acc, k.read(acc, 3) + cross(k.read(eta + 3, 3), g))
    n = k.read(INCREMENT)
    k.store(INCREMENT, n[:3] - inverse_spatial_tangent_so3_small(n[3:]) @ (h * g))
    k.store(CARRIER, k.read(CARRIER, 3) + D)
    return k.function("carry")


def _cubic(k: Walk, change, rate_1, rate) -> tuple:
    """Of what has grown by `change` in a step, with rates at both ends: how much a part of the way, and at which rate.

    By Hermite's polynomial, whose error is of the order h^4, that of its rate h^3.
    """
    s, h = k[Coefficient.PART], k[Coefficient.STEP]
    value = s * s * (3.0 - 2.0 * s) * change + s * h * (1.0 - s) * ((1.0 - s) * rate_1 - s * rate)
    slope = 6.0 * s * (1.0 - s) * (change / h) + (1.0 - s) * (1.0 - 3.0 * s) * rate_1 + s * (3.0 * s - 2.0) * rate
    return value, slope


def _curve(k: Walk, now, last, before):
    """What is known at the last three ends of steps alone, along a parabola; `scheme.show_part` sets its weights."""
    return k[Coefficient.G1] * now + k[Coefficient.G2] * last + k[Coefficient.G3] * before


def _between() -> Function:
    """The node a part of the way through the last step, whatever its formula: a cubic polynomial in the increment,

        n(s),     n(0) = 0,   n'(0) = eta_1,   n(h) = n,   n'(h) = T(n)^-1 eta
        R, p = R_1 R(n(s)), p_1 + s V + R_1 p(n(s)),     eta(s) = T(n(s)) n'(s)

    and accelerations by `_curve`: no less exact than the ends of a step of second order.
    """
    k = Walk()
    n, eta_1, eta = k.read(INCREMENT), k.read(ETA_1), k.read(ETA)
    now, rate = _cubic(k, n, eta_1, inverse_tangent_se3_small(n) @ eta)
    before = k.read(BEFORE, 12)
    R_1, (R, p) = before[:9].reshape(3, 3), exp_se3_small(now)
    carried = k[Coefficient.PART] * k[Coefficient.STEP] * k.read(CARRIER, 3)
    k.store(ROTATION, R_1 @ R)
    k.store(POSITION, before[9:] + carried + R_1 @ p)
    k.store(ETA, tangent_se3_small(now) @ rate)
    k.store(ACC, _curve(k, k.read(ACC), k.read(ACC_1), k.read(ACC_2)))
    return k.function("between")


# ---- scalar states
@functools.lru_cache(maxsize=16)
def state_functions(scheme: Integrator) -> list[Function]:
    """Kernels that walk the scalar states."""
    with traced(scheme):
        found = [_predict_state(scheme), _correct_state(scheme), _take_back_state(), _between_state()]
        return [*found, _turn_state(scheme)] if isinstance(scheme, Ahead) else found


def _place_state(k: Walk, scheme: Integrator, rate, value_base, second_base) -> None:
    k.store(RATE, rate)
    k.store(VALUE, scheme.value(k, value_base, rate))
    k.store(SECOND, scheme.second(k, second_base, rate))


def _predict_state(scheme: Integrator) -> Function:
    k = Walk()
    x_1, r_1, s_1, x_2, r_2, s_2 = k.read(VALUE)  # the last step and the one before, side by side
    k.store(VALUE_1, [x_1, r_1, s_1, x_2, r_2, s_2])
    past = Past(r_1, r_2, s_1, s_2)
    bases = [scheme.known_value(k, x_1, x_2, past), scheme.known_rate(k, past)]
    k.store(VALUE_BASE, bases)
    # along a straight line through the last two values
    straight = scheme.rate(k, bases[0], x_1 + scheme.ratio(k) * (x_1 - x_2))
    curved = scheme.predicted(k, past)
    _place_state(k, scheme, select(k.read(ALGEBRAIC, 1)[0] > 0.5, straight, curved), *bases)
    return k.function("predict")


def _turn_state(scheme: Ahead) -> Function:
    k = Walk()
    x_c, rate_c = k.read(VALUE, 2)
    x_1, r_1, s_1, x_2, r_2, s_2 = k.read(VALUE_1)
    past = Past(r_1, r_2, s_1, s_2)
    bases = [scheme.turned_value(k, x_c, x_1, x_2, past), scheme.turned_rate(k, rate_c, past)]
    k.store(VALUE_BASE, bases)
    straight = scheme.rate(k, bases[0], x_1 + (x_c - x_1) / k[Coefficient.AHEAD])
    curved = scheme.turned_prediction(k, rate_c, past)
    _place_state(k, scheme, select(k.read(ALGEBRAIC, 1)[0] > 0.5, straight, curved), *bases)
    return k.function("turn")


def _correct_state(scheme: Integrator) -> Function:
    k = Walk()
    _place_state(k, scheme, k.read(RATE, 1) - k.unknowns(1), k.read(VALUE_BASE, 1), k.read(SECOND_BASE, 1))
    return k.function("correct")


def _take_back_state() -> Function:
    k = Walk()
    k.store(VALUE, k.read(VALUE_1))
    return k.function("take_back")


def _between_state() -> Function:
    """The state a part of the way through the last step; one of order zero, whose rate means nothing, along a line."""
    k = Walk()
    x, r, second = k.read(VALUE, 3)
    x_1, r_1, second_1, _, _, second_2 = k.read(VALUE_1, 6)
    value, rate = _cubic(k, x - x_1, r_1, r)
    part, plain = k[Coefficient.PART], k.read(ALGEBRAIC, 1)[0] > 0.5
    k.store(VALUE, [select(plain, x_1 + part * (x - x_1), x_1 + value)])
    k.store(RATE, [select(plain, r, rate)])
    k.store(SECOND, [_curve(k, second, second_1, second_2)])
    return k.function("between")


# ---- numbers of trees
#: Of a number of a tree, in the place of ALGEBRAIC: whether it is a rotation of a ball, whose value is an increment.
TURNS = ALGEBRAIC


def load_tree_walk(scheme: Integrator) -> native.Loaded:
    """Kernels that walk what an implicit tree integrates, one by one: predict and correct."""
    return native.load("tree numbers", number_functions(scheme), 1, STATES)


@functools.lru_cache(maxsize=16)
def number_functions(scheme: Integrator) -> list[Function]:
    """Kernels that walk the numbers of a tree."""
    with traced(scheme):
        return [_predict_number(scheme), _correct_state(scheme)]


def _predict_number(scheme: Integrator) -> Function:
    """A coordinate with its speed and acceleration, or a state, as a scalar state of the redundant formulation.

    A rotation of a ball begins at zero in each step, as the increment of a pose does: n = known_increment(n_1) + c0 w.
    """
    k = Walk()
    x_1, r_1, s_1, x_2, r_2, s_2 = k.read(VALUE)
    k.store(VALUE_1, [x_1, r_1, s_1, x_2, r_2, s_2])
    past = Past(r_1, r_2, s_1, s_2)
    turned, moved = scheme.known_increment(k, x_1, past), scheme.known_value(k, x_1, x_2, past)
    bases = [select(k.read(TURNS, 1)[0] > 0.5, turned, moved), scheme.known_rate(k, past)]
    k.store(VALUE_BASE, bases)
    _place_state(k, scheme, scheme.predicted(k, past), *bases)
    return k.function("predict")
