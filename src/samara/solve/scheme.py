"""The two-step scheme in the driver's hands: its coefficients for a step, prediction, correction, and back."""

from __future__ import annotations

from samara.solve.codes import Memory, Setting
from samara.solve.integrators.family import coefficients as plain_coefficients
from samara.solve.machine import CORRECT, PREDICT, TAKE_BACK, walk
from samara.system.blocks import Coefficient
from samara.tracing.driver_cache import inner, linked

coefficients = linked(plain_coefficients)
#: A step that is so many times longer than the one before has no past to speak of.
LONGEST_RATIO = 4.0
C = {c.name: int(c) for c in Coefficient}
POSE, TWIST, ACCELERATION, PER_POSE, MOVING = (C[k] for k in ("POSE", "TWIST", "ACCELERATION", "PER_POSE", "MOVING"))
A1, A2, B1, B2, E1, E2, F1, F2, STEP = (C[k] for k in ("A1", "A2", "B1", "B2", "E1", "E2", "F1", "F2", "STEP"))


@inner
def _unknown_is(coef, c0, h):
    """c0 of pose, 1 of twist, 1 / c0 of acceleration, for a unit of the unknown."""
    coef[POSE], coef[TWIST], coef[ACCELERATION], coef[PER_POSE], coef[MOVING] = c0, 1.0, 1.0 / c0, 1.0 / c0, 1.0
    coef[STEP] = h


@inner
def prepare_euler(m, h):
    """Coefficients of a step of Euler's implicit formula, which looks at no past acceleration."""
    coef = m.coef
    coef[E1], coef[E2], coef[F1], coef[F2] = 1.0, 0.0, 0.0, 0.0
    coef[A1], coef[A2], coef[B1], coef[B2] = 1.0, 0.0, 0.0, 0.0
    _unknown_is(coef, h, h)


@inner
def prepare(m, settings, memory, h):
    """Coefficients of the scheme and of the predictor for a step h; returns the ratio of steps, 0 without a past."""
    old = memory[Memory.STEP]
    coef = m.coef
    if memory[Memory.RUSH] != 0.0:
        memory[Memory.RUSH] = 0.0
        prepare_euler(m, h)
        return 0.0
    if old == 0.0 or h > LONGEST_RATIO * old:  # one-step formula, predictor from the present acceleration
        a1, a2, b0, b1, b2 = coefficients(1.0, 0.0, 1.0)
        unit, alpha = h, 0.0
        coef[E1], coef[E2], coef[F1], coef[F2] = 1.0, 0.0, h, 0.0
    else:
        alpha = h / old
        a1, a2, b0, b1, b2 = coefficients(settings[Setting.RADIUS], settings[Setting.TWO_STEP], alpha)
        unit = old
        coef[E1], coef[E2], coef[F1], coef[F2] = 1.0, 0.0, h * (1.0 + 0.5 * alpha), -0.5 * h * alpha
    coef[A1], coef[A2], coef[B1], coef[B2] = a1, a2, unit * b1, unit * b2
    _unknown_is(coef, unit * b0, h)
    return alpha


@inner
def predict(m, alpha):
    """Poses, twists and multipliers from the past; alpha: ratio of steps, 0 where multipliers have no past."""
    walk(m, PREDICT)
    state, lam_1, lam_2, base = m.state, m.lam_1, m.lam_2, m.multiplier_base
    for k in range(m.multiplier_count):
        last, before = state[base + k], lam_1[k]
        lam_2[k], lam_1[k] = before, last
        state[base + k] = last + alpha * (last - before)


@inner
def take_back(m):
    """Undoes the last predict."""
    walk(m, TAKE_BACK)
    for k in range(m.multiplier_count):
        m.state[m.multiplier_base + k] = m.lam_1[k]
        m.lam_1[k] = m.lam_2[k]


@inner
def correct(m):
    """Newton's correction of poses, twists and multipliers."""
    walk(m, CORRECT)
    state, x, base, rows = m.state, m.x, m.multiplier_base, m.multiplier_rows
    for k in range(m.multiplier_count):
        state[base + k] -= x[rows + k]
