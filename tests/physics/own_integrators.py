"""Integrators as a user would write them: their formulas alone.

A backward Euler formula, the trapezoidal rule, and generalised alpha, which is no linear formula of two steps: poses
follow from the last two accelerations as well, and an acceleration is not the twist over c0.
"""

from dataclasses import dataclass

from samara.solve.integrators import Functions, Integrator, LinearTwoStep
from samara.system.memory.blocks import Coefficient

POSE, TWIST, ACCELERATION, PER_POSE, PER_ACCELERATION, MOVING, F1, F2 = (
    int(Coefficient[name]) for name in "POSE TWIST ACCELERATION PER_POSE PER_ACCELERATION MOVING F1 F2".split()
)
G1, G2, G3, IMPLICIT, EXPLICIT, LASTING = (
    int(Coefficient[name]) for name in "G1 G2 G3 IMPLICIT EXPLICIT LASTING".split()
)
#: Its own: of the rate by the last change of it and the last accelerations; of the increment by the last one, the last
#: two rates and accelerations.
KEPT, BY_SECOND, BY_SECOND_2, BY_INCREMENT, BY_RATE, BY_RATE_2, PLACED_BY_SECOND, PLACED_BY_SECOND_2 = (
    int(Coefficient[name]) for name in "A1 B1 B2 U1 A2 U2 U3 V1".split()
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
class GeneralisedAlpha(Integrator):
    """Chung's and Hulbert's method, with accelerations f that fulfil the equations of motion at the ends of steps.

        (1 - am) a + am a_1 = (1 - af) f + af f_1
        n = h v_1 + h^2 ((1/2 - beta) a_1 + beta a),     v = v_1 + h ((1 - gamma) a_1 + gamma a)

    a is eliminated: the first two lines a step ago, times am, are added to those of now, times 1 - am. Source:
    J. Chung, G. M. Hulbert, A time integration algorithm for structural dynamics with improved numerical dissipation:
    the generalized-alpha method, J. Appl. Mech. 60 (1993).
    """

    radius: float = 0.8

    @property
    def name(self):
        """With its radius."""
        return f"generalised alpha, rho_inf = {self.radius:g}"

    @property
    def numbers(self):
        """am and af."""
        return (2.0 * self.radius - 1.0) / (self.radius + 1.0), self.radius / (self.radius + 1.0)

    def functions(self, compiled):
        return Functions(alpha_step, alpha_restart, alpha_estimate)

    def velocity_weights(self):
        return 0.5, 0.5, 0.0

    def predicted(self, c, past):
        return past.rate_1 + c[F1] * past.second_1 + c[F2] * past.second_2

    def known_value(self, c, x_1, x_2, past):
        return x_1 + self.known_increment(c, x_1 - x_2, past)

    def known_increment(self, c, n_1, past):
        rates = c[BY_RATE] * past.rate_1 + c[BY_RATE_2] * past.rate_2
        seconds = c[PLACED_BY_SECOND] * past.second_1 + c[PLACED_BY_SECOND_2] * past.second_2
        return c[BY_INCREMENT] * n_1 + rates + seconds - c[POSE] * self.known_rate(c, past)

    def known_rate(self, c, past):
        seconds = c[BY_SECOND] * past.second_1 + c[BY_SECOND_2] * past.second_2
        return past.rate_1 + c[KEPT] * (past.rate_1 - past.rate_2) + seconds


def alpha_step(c, numbers, h, old):
    am, af = numbers[0], numbers[1]
    c[F1], c[F2] = h, 0.0
    if old == 0.0:  # the trapezoidal rule needs no past
        am, af, old = 0.0, 0.0, h
    else:
        c[F1], c[F2] = h * (1.0 + 0.5 * h / old), -0.5 * h * h / old
    gamma, beta, part = 0.5 + af - am, 0.25 * (1.0 + af - am) ** 2, h / (1.0 - am)
    c0, c2 = h * beta / gamma, 1.0 / (part * gamma * (1.0 - af))
    c[POSE], c[TWIST], c[ACCELERATION], c[PER_POSE], c[PER_ACCELERATION] = c0, 1.0, c2, 1.0 / c0, 1.0 / c2
    c[MOVING], c[KEPT] = 1.0, -am * part / old
    c[BY_SECOND], c[BY_SECOND_2] = part * (gamma * af + (1.0 - gamma) * (1.0 - af)), part * (1.0 - gamma) * af
    before = am * part * h / (old * old)
    c[BY_INCREMENT], c[BY_RATE], c[BY_RATE_2] = -before, h, before * old
    c[PLACED_BY_SECOND] = part * h * (beta * af + (0.5 - beta) * (1.0 - af))
    c[PLACED_BY_SECOND_2] = part * h * (0.5 - beta) * af


def alpha_restart(c, numbers, h, old):
    c[POSE], c[TWIST], c[ACCELERATION], c[PER_POSE], c[PER_ACCELERATION] = h, 1.0, 1.0 / h, 1.0 / h, h
    c[MOVING], c[F1], c[F2] = 1.0, 0.0, 0.0
    c[KEPT] = c[BY_SECOND] = c[BY_SECOND_2] = c[BY_INCREMENT] = 0.0
    c[BY_RATE], c[BY_RATE_2], c[PLACED_BY_SECOND], c[PLACED_BY_SECOND_2] = h, 0.0, 0.0, 0.0


def alpha_estimate(c, numbers, h, old):
    """Beside an explicit formula of second order; both miss x = t^3 / 6, whose past is known, by their constants."""
    c[LASTING] = 1.0
    if old == 0.0:
        c[G1], c[G2], c[G3], c[IMPLICIT], c[EXPLICIT] = h, 0.0, 0.5 * h * h, 1.0 / 12.0, 1.0 / 6.0
    else:
        c[G1], c[G2], c[G3], c[EXPLICIT] = h + 0.5 * h * h / old, -0.5 * h * h / old, 0.0, 1.0 / 6.0 + 0.25 * old / h
        rate = -0.5 * c[KEPT] * old**2 - c[BY_SECOND_2] * old
        found = c[BY_INCREMENT] * old**3 / 6.0 + 0.5 * c[BY_RATE_2] * old**2 - c[PLACED_BY_SECOND_2] * old
        c[IMPLICIT] = abs(found + c[POSE] * (0.5 * h * h - rate) - h**3 / 6.0) / h**3


OWN = (BackwardEuler(), Trapezoidal(), GeneralisedAlpha())
