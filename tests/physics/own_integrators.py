"""Integrators as a user would write them: their formulas alone.

A backward Euler formula, the trapezoidal rule, and Newmark's method, which is no linear formula of two steps: poses
follow from the last acceleration as well, and an acceleration is not the twist over c0.
"""

from dataclasses import dataclass

from samara.solve.integrators import Functions, Integrator, LinearTwoStep
from samara.solve.integrators.family import milne
from samara.system.memory.blocks import Coefficient

POSE, TWIST, ACCELERATION, PER_POSE, PER_ACCELERATION, MOVING, KEPT, BY_RATE, BY_SECOND, E1, F1, F2 = (
    int(Coefficient[name])
    for name in "POSE TWIST ACCELERATION PER_POSE PER_ACCELERATION MOVING A2 B1 B2 E1 F1 F2".split()
)


class BackwardEuler(LinearTwoStep):
    """x_k = x_{k-1} + h xdot_k."""

    name, radius, order = "backward Euler", 0.0, 1

    @staticmethod
    def weights(alpha, numbers):
        return 1.0, 0.0, alpha, 0.0, 0.0


class Trapezoidal(LinearTwoStep):
    """x_k = x_{k-1} + h (xdot_k + xdot_{k-1}) / 2."""

    name, radius = "own trapezoidal rule", 1.0

    @staticmethod
    def weights(alpha, numbers):
        return 1.0, 0.0, 0.5 * alpha, 0.5 * alpha, 0.0


@dataclass(frozen=True)
class Newmark(Integrator):
    """n = h v_1 + h^2 (1/2 - beta) a_1 + h^2 beta a,   v = v_1 + h (1 - gamma) a_1 + h gamma a, solved for v."""

    gamma: float = 0.5
    beta: float = 1.0 / 6.0  # linear acceleration
    name, radius, numbers = "Newmark", 1.0, (0.5, 1.0 / 6.0)

    def functions(self, compiled):
        return Functions(newmark_step, newmark_restart, milne)

    def velocity_weights(self):
        c0 = self.beta / self.gamma
        return c0, 1.0 - c0, 0.0

    def predicted(self, c, past):
        return c[E1] * past.rate_1 + c[F1] * past.second_1

    def known_value(self, c, x_1, x_2, past):
        return x_1 + c[BY_RATE] * past.rate_1 + c[BY_SECOND] * past.second_1

    def known_increment(self, c, n_1, past):
        return c[BY_RATE] * past.rate_1 + c[BY_SECOND] * past.second_1

    def known_rate(self, c, past):
        return past.rate_1 + c[KEPT] * past.second_1


def newmark_step(c, numbers, h, old):
    gamma, beta = numbers[0], numbers[1]
    c0, c2 = h * beta / gamma, 1.0 / (gamma * h)
    c[POSE], c[TWIST], c[ACCELERATION], c[PER_POSE], c[PER_ACCELERATION] = c0, 1.0, c2, 1.0 / c0, 1.0 / c2
    c[MOVING], c[KEPT] = 1.0, h * (1.0 - gamma)
    c[BY_RATE], c[BY_SECOND] = h - c0, h * h * (0.5 - beta / gamma)
    c[E1], c[F1], c[F2] = 1.0, h, 0.0


def newmark_restart(c, numbers, h, old):
    c[POSE], c[TWIST], c[ACCELERATION], c[PER_POSE], c[PER_ACCELERATION] = h, 1.0, 1.0 / h, 1.0 / h, h
    c[MOVING], c[KEPT], c[BY_RATE], c[BY_SECOND] = 1.0, 0.0, 0.0, 0.0
    c[E1], c[F1], c[F2] = 1.0, 0.0, 0.0


OWN = (BackwardEuler(), Trapezoidal(), Newmark())
