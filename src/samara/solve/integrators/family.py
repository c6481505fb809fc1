"""Two families: all linear two-step formulas, and the second-order ones, to which the built-in schemes belong.

    x_k = a1 x_{k-1} + a2 x_{k-2} + h_{k-1} (b0 xdot_k + b1 xdot_{k-1} + b2 xdot_{k-2})

h_{k-1} is the *old* step, alpha = h_k / h_{k-1}. With two free coefficients beta and delta,

    a1 = 1 - beta,   a2 = beta
    b0 = delta / alpha + alpha / 2,   b1 = beta / 2 + alpha / 2 - delta (1 + alpha) / alpha,   b2 = beta / 2 + delta

is of second order for any beta and delta. An integrator chooses them as functions of alpha: one small file each.
Source: Masarati, Lanz, Mantegazza, Multistep integration of ordinary, stiff and differential-algebraic problems for
multibody dynamics applications, XVI Congresso Nazionale AIDAA, 2001.

On SE(3), with the step inside b0, b1, b2 and c0 = b0:

    n    = a2 n_{k-2} + b0 eta + b1 eta_1 + b2 eta_2,   n_{k-2} = -n_{k-1}
    acc  = (eta - a1 eta_1 - a2 eta_2 - b1 acc_1 - b2 acc_2) / b0

Scalar states use the same formulas: x = a1 x_1 + a2 x_2 + b0 x_dot + b1 x_dot_1 + b2 x_dot_2, and x_dot as the twist.
The predictor extrapolates the last accelerations, eta = eta_1 + h (1 + alpha / 2) acc_1 - h alpha / 2 acc_2.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple

from samara.solve.integrators.consistency import STEP_RATIOS, WEIGHTS, check_weights
from samara.solve.integrators.integrator import Coefficients, Functions, Integrator, Past
from samara.solve.integrators.plain import call, check_attributes, numbers_as_given, plain, require_function, several
from samara.system.memory.blocks import Coefficient

_AT = {c.name: int(c) for c in Coefficient}
POSE, TWIST, ACCELERATION, MOVING = (_AT[k] for k in ("POSE", "TWIST", "ACCELERATION", "MOVING"))
PER_POSE, PER_ACCELERATION = _AT["PER_POSE"], _AT["PER_ACCELERATION"]
A1, A2, B1, B2, E1, E2, F1, F2 = (_AT[k] for k in ("A1", "A2", "B1", "B2", "E1", "E2", "F1", "F2"))
G1, G2, G3, IMPLICIT, EXPLICIT, LASTING = (_AT[k] for k in ("G1", "G2", "G3", "IMPLICIT", "EXPLICIT", "LASTING"))
CHOICE = "choice(alpha, numbers)"


class Formula(NamedTuple):
    """Coefficients of one step; the b are in units of the old step."""

    a1: float
    a2: float
    b0: float
    b1: float
    b2: float


class LinearTwoStep(Integrator):
    """A linear two-step formula; its first step uses the trapezoidal rule, which needs no history."""

    @staticmethod
    @abstractmethod
    def weights(alpha: float, numbers: Any) -> tuple[float, float, float, float, float]:
        """(a1, a2, b0, b1, b2) for a ratio of steps alpha, the b in units of the old step; plain arithmetic."""

    def combined(self, compiled: Callable[[Any], Any]) -> Any:
        """`weights`, as native code may call it."""
        return compiled(self.weights)

    def examine(self) -> None:
        """Consistency, order, stability and radius (`integrators.consistency`)."""
        super().examine()
        require_function(self, "weights", WEIGHTS)
        check_weights(self, call(self, "combined(compiled)", self.combined, plain))

    def formula(self, alpha: float = 1.0) -> Formula:
        """Coefficients for a ratio of steps alpha = h_new / h_old."""
        return Formula(*self.combined(lambda function: function)(alpha, self.numbers))

    def velocity_weights(self) -> tuple[float, float, float]:
        """b0, b1, b2 at constant step."""
        return self.formula()[2:]

    def functions(self, compiled: Callable[[Any], Any]) -> Functions:
        """Coefficients of a step: by the weights, by Euler's implicit formula, and of Milne's device."""
        return Functions(_begin_with(self.combined(compiled)), euler, milne)

    def predicted(self, c: Any, past: Past) -> Any:
        """e1 eta_1 + e2 eta_2 + f1 acc_1 + f2 acc_2."""
        return c[E1] * past.rate_1 + c[E2] * past.rate_2 + c[F1] * past.second_1 + c[F2] * past.second_2

    def known_value(self, c: Any, x_1: Any, x_2: Any, past: Past) -> Any:
        """a1 x_1 + a2 x_2 + b1 x_dot_1 + b2 x_dot_2."""
        return c[A1] * x_1 + c[A2] * x_2 + c[B1] * past.rate_1 + c[B2] * past.rate_2

    def known_increment(self, c: Any, n_1: Any, past: Past) -> Any:
        """The same with x_1 = 0 and x_2 = -n_1."""
        return c[B1] * past.rate_1 + c[B2] * past.rate_2 - c[A2] * n_1

    def known_rate(self, c: Any, past: Past) -> Any:
        """a1 eta_1 + a2 eta_2 + b1 acc_1 + b2 acc_2."""
        return c[A1] * past.rate_1 + c[A2] * past.rate_2 + c[B1] * past.second_1 + c[B2] * past.second_2


class SecondOrder(LinearTwoStep):
    """A member of the second-order family."""

    @staticmethod
    @abstractmethod
    def choice(alpha: float, numbers: Any) -> tuple[float, float]:
        """(beta, delta) for a ratio of steps alpha; plain arithmetic."""

    @staticmethod
    def weights(alpha: float, numbers: Any) -> tuple[float, float, float, float, float]:
        """By `choice`: see `combined`."""
        raise NotImplementedError

    def examine(self) -> None:
        """What `choice` gives, and the weights that follow."""
        check_attributes(self)
        choice = require_function(self, "choice", CHOICE)
        for alpha in STEP_RATIOS:
            several(self, CHOICE, call(self, CHOICE, choice, alpha, numbers_as_given(self)), "beta, delta")
        super().examine()

    def combined(self, compiled: Callable[[Any], Any]) -> Any:
        """The weights that beta and delta make."""
        return compiled(_of_second_order(compiled(self.choice)))


def _of_second_order(choice: Any) -> Any:
    def weights(alpha, numbers):
        beta, delta = choice(alpha, numbers)
        b0 = delta / alpha + 0.5 * alpha
        b1 = 0.5 * beta + 0.5 * alpha - delta * (1.0 + alpha) / alpha
        return 1.0 - beta, beta, b0, b1, 0.5 * beta + delta

    return weights


# ---- coefficients of a step
def _begin_with(weights: Any) -> Coefficients:
    def begin(c, numbers, h, old):
        """A usual step; the trapezoidal rule where there is no past, with the present acceleration to go on with."""
        if old == 0.0:
            a1, a2, b0, b1, b2, unit = 1.0, 0.0, 0.5, 0.5, 0.0, h
            c[F1], c[F2] = h, 0.0
        else:
            alpha, unit = h / old, old
            a1, a2, b0, b1, b2 = weights(alpha, numbers)
            c[F1], c[F2] = h * (1.0 + 0.5 * alpha), -0.5 * h * alpha
        c[E1], c[E2] = 1.0, 0.0
        c[A1], c[A2], c[B1], c[B2] = a1, a2, unit * b1, unit * b2
        c0 = unit * b0
        c[POSE], c[TWIST], c[ACCELERATION], c[MOVING] = c0, 1.0, 1.0 / c0, 1.0
        c[PER_POSE], c[PER_ACCELERATION] = 1.0 / c0, c0

    return begin


def euler(c: Any, numbers: Any, h: float, old: float) -> None:
    """Euler's implicit formula, which looks at no past acceleration."""
    c[E1], c[E2], c[F1], c[F2] = 1.0, 0.0, 0.0, 0.0
    c[A1], c[A2], c[B1], c[B2] = 1.0, 0.0, 0.0, 0.0
    c[POSE], c[TWIST], c[ACCELERATION], c[MOVING] = h, 1.0, 1.0 / h, 1.0
    c[PER_POSE], c[PER_ACCELERATION] = 1.0 / h, h


def milne(c: Any, numbers: Any, h: float, old: float) -> None:
    """The local error by Milne's device: an explicit formula of the same order gives another increment of the pose,

        n* = g1 eta_1 + g2 eta_2 + g3 acc_1

    Both err by a multiple of h^3 eta'': n_exact - n = C h^3 eta'', n_exact - n* = C* h^3 eta'', so that

        n_exact - n = (n - n*) C / (C* - C)           IMPLICIT = |C|, EXPLICIT = |C*|, of opposite signs

    A formula with memory (a2 = beta) carries what it errs now into later steps: LASTING = 1 / (1 + beta / alpha).
    """
    if old == 0.0:  # one-step formulas
        c[G1], c[G2], c[G3] = h, 0.0, 0.5 * h * h
        c[IMPLICIT], c[EXPLICIT], c[LASTING] = 1.0 / 12.0, 1.0 / 6.0, 1.0
    else:
        alpha = h / old
        c[G1], c[G2], c[G3] = h * (1.0 + 0.5 * alpha), -0.5 * h * alpha, 0.0
        b0, b2 = c[POSE] / old, c[B2] / old
        c[IMPLICIT] = abs(0.5 * b0 * alpha**2 - alpha**3 / 6.0 + 0.5 * b2 - c[A2] / 6.0) / alpha**3
        c[EXPLICIT] = 1.0 / 6.0 + 0.25 / alpha
        c[LASTING] = 1.0 / (1.0 + c[A2] * old / h)
