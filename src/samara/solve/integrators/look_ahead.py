"""Fourth-order integrator with two past steps and a stage beyond the end of the step."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from samara.arguments import finite
from samara.model import ArgumentError
from samara.rotations import inverse_tangent_se3_small
from samara.solve.integrators.family import euler, milne
from samara.solve.integrators.integrator import Ahead, Functions, Past
from samara.solve.integrators.two_step import TwoStep
from samara.system.memory.blocks import Coefficient

_AT = {c.name: int(c) for c in Coefficient}
POSE, TWIST, ACCELERATION, MOVING = (_AT[k] for k in ("POSE", "TWIST", "ACCELERATION", "MOVING"))
PER_POSE, PER_ACCELERATION = _AT["PER_POSE"], _AT["PER_ACCELERATION"]
A1, A2, B1, B2, E1, E2, F1, F2 = (_AT[k] for k in ("A1", "A2", "B1", "B2", "E1", "E2", "F1", "F2"))
AHEAD, LIMIT, U1, U2, U3, V1, V2 = (_AT[k] for k in ("AHEAD", "LIMIT", "U1", "U2", "U3", "V1", "V2"))
W1, W2, W3, RATIO = (_AT[k] for k in ("W1", "W2", "W3", "RATIO"))
#: Where the first solution is, in steps, if it must be within the step: not stable in the long run.
INNER_SOLUTION = 0.6
#: Numbers of the two-step formula that stands in where it has to solve once.
SINGLE_SOLUTION = (0.6,)
#: Radii with which vibrations of parts that spin do not grow; without spin, 0.8 to 0.95 are stable.
SMALLEST_RADIUS, LARGEST_RADIUS = 0.81, 0.83
#: Between which c has these radii.
_NEAREST_SOLUTION, _FARTHEST_SOLUTION = 2.1, 2.4
#: Of that span, until nothing of a number is left.
HALVINGS = 60
#: What may be asked for, as `Coefficient.LIMIT` says; compared half a unit below.
WITHIN, ONCE = 0.5, 1.5


def ahead(c: float, q: float) -> tuple[float, float, float, float, float]:
    """(a1, a2, b0, b1, b2) of the first solution, at c, in units of the step; the step before was q.

    x_c = a1 x_1 + a2 x_2 + b0 xdot_c + b1 xdot_1 + b2 xdot_2 is exact up to t^4. With the last time at 0 and the one
    before at -q, each weight follows from the polynomial that all other terms vanish for: t^2 (t + q)^2, t (t + q)^2,
    t^2 (t + q), t^2 (2 t + 3 q).
    """
    b0 = c * (c + q) / (2.0 * (2.0 * c + q))
    b1 = (c + q) * (c * (c + q) - b0 * (3.0 * c + q)) / (q * q)
    b2 = c * (c * (c + q) - b0 * (3.0 * c + 2.0 * q)) / (q * q)
    a2 = c * (c * (2.0 * c + 3.0 * q) - 6.0 * b0 * (c + q)) / (q * q * q)
    return 1.0 - a2, a2, b0, b1, b2


def turned(c: float, q: float, b0: float) -> tuple[float, float, float, float, float]:
    """(u1, u2, u3, v1, v2) of the second solution, at 1, by the same polynomials.

    x = u1 x_1 + u2 x_2 + u3 x_c + b0 xdot + v1 xdot_1 + v2 xdot_2
    """
    far = c * (c + q)
    u3 = (1.0 + q) * (1.0 + q - 2.0 * b0 * (2.0 + q)) / (far * far)
    v1 = ((1.0 + q) * (1.0 + q - b0 * (3.0 + q)) - u3 * far * (c + q)) / (q * q)
    v2 = (1.0 + q - b0 * (3.0 + 2.0 * q) - u3 * far * c) / (q * q)
    u2 = (2.0 + 3.0 * q - 6.0 * b0 * (1.0 + q) - u3 * c * c * (2.0 * c + 3.0 * q)) / (q * q * q)
    return 1.0 - u2 - u3, u2, u3, v1, v2


def _radius_of(c: float) -> float:
    """Largest root of b0 z^2 + v1 z + v2: what is left per step of the fastest modes, at equal steps."""
    b0 = ahead(c, 1.0)[2]
    *_, v1, v2 = turned(c, 1.0, b0)
    return (abs(v1) + math.sqrt(v1 * v1 - 4.0 * b0 * v2)) / (2.0 * b0)


def _reach_of(radius: float) -> float:
    """The c that has this radius, by bisection: farther is smaller."""
    low, high = _NEAREST_SOLUTION, _FARTHEST_SOLUTION
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _radius_of(middle) > radius else (low, middle)
    return 0.5 * (low + high)


@dataclass(frozen=True)
class LookAhead(Ahead):
    """Fourth order, A-stable, with the spectral radius `radius` (rho_inf) from 0.81 to 0.83; two solves per step.

    The first is for a time t + c h beyond the end of the step, some 2.25 steps, by a two-step formula of order four,

        x_c = a1 x_1 + a2 x_2 + h (b0 xdot_c + b1 xdot_1 + b2 xdot_2)

    which would be unstable on its own. The second is for the end of the step, uses the first, and is also of order
    four,

        x   = u1 x_1 + u2 x_2 + u3 x_c + h (b0 xdot + v1 xdot_1 + v2 xdot_2)

    An A-stable multistep formula with one solve per step has at most order two (Dahlquist); with two solves the limit
    is order four (Daniel and Moore). The stage beyond the step is the idea of Cash's extended backward differentiation
    formulae; these weights were derived for this package, see `docs/theory/integrators.md`. c follows from the radius.
    For poses the formulas apply to the increment n and its rate, T(n)^-1 eta, both relative to the last pose.

    Source of the idea: J. R. Cash, On the integration of stiff systems of ODEs using extended backward differentiation
    formulae, Numerische Mathematik 34 (1980). Bounds: Hairer, Wanner, Solving ordinary differential equations II,
    sections V.1 and V.4.
    """

    radius: float = 0.82
    reach: float = field(init=False, repr=False, compare=False)
    order = 4

    def __post_init__(self) -> None:
        radius = finite("LookAhead: radius", self.radius)
        if not SMALLEST_RADIUS <= radius <= LARGEST_RADIUS:
            raise ArgumentError(
                f"LookAhead: radius must be from {SMALLEST_RADIUS:g} to {LARGEST_RADIUS:g}, got {radius:g}: "
                "outside this range, vibrations of spinning parts grow"
            )
        object.__setattr__(self, "radius", radius)
        object.__setattr__(self, "reach", _reach_of(radius))

    @property
    def name(self) -> str:  # type: ignore[override]
        """With its radius."""
        return f"look-ahead, rho_inf = {self.radius:g}"

    @property
    def numbers(self) -> tuple[float, ...]:  # type: ignore[override]
        """How far it looks ahead, in steps."""
        return (self.reach,)

    def functions(self, compiled: Callable[[Any], Any]) -> Functions:
        """Coefficients of a step, of Euler's formula, and of an error that is none of this formula."""
        once = TwoStep(*SINGLE_SOLUTION).combined(compiled)
        return Functions(_begin_with(compiled(ahead), compiled(turned), once), _restart_with(compiled(euler)), milne)

    def velocity_weights(self) -> tuple[float, float, float]:
        """Of the second solution."""
        b0 = ahead(self.reach, 1.0)[2]
        return b0, *turned(self.reach, 1.0, b0)[3:]

    def predicted(self, c: Any, past: Past) -> Any:
        """e1 eta_1 + e2 eta_2 + f1 acc_1 + f2 acc_2; ahead f1 = f2 = 0, for accelerations of stiff parts mislead."""
        return c[E1] * past.rate_1 + c[E2] * past.rate_2 + c[F1] * past.second_1 + c[F2] * past.second_2

    def known_value(self, c: Any, x_1: Any, x_2: Any, past: Past) -> Any:
        """a1 x_1 + a2 x_2 + b1 x_dot_1 + b2 x_dot_2."""
        return c[A1] * x_1 + c[A2] * x_2 + c[B1] * past.rate_1 + c[B2] * past.rate_2

    def known_increment(self, c: Any, n_1: Any, past: Past) -> Any:
        """The same with x_1 = 0, x_2 = -n_1 and its rate T(-n_1)^-1 eta_2."""
        return c[B1] * past.rate_1 + c[B2] * _rate_before(n_1, past) - c[A2] * n_1

    def known_rate(self, c: Any, past: Past) -> Any:
        """a1 eta_1 + a2 eta_2 + b1 acc_1 + b2 acc_2."""
        return c[A1] * past.rate_1 + c[A2] * past.rate_2 + c[B1] * past.second_1 + c[B2] * past.second_2

    def turned_prediction(self, c: Any, rate_c: Any, past: Past) -> Any:
        """Along the parabola through all three."""
        return c[W1] * past.rate_1 + c[W2] * past.rate_2 + c[W3] * rate_c

    def turned_value(self, c: Any, x_c: Any, x_1: Any, x_2: Any, past: Past) -> Any:
        """u1 x_1 + u2 x_2 + u3 x_c + v1 x_dot_1 + v2 x_dot_2."""
        return c[U1] * x_1 + c[U2] * x_2 + c[U3] * x_c + c[V1] * past.rate_1 + c[V2] * past.rate_2

    def turned_increment(self, c: Any, n_c: Any, n_1: Any, past: Past) -> Any:
        """The same of increments."""
        return c[U3] * n_c - c[U2] * n_1 + c[V1] * past.rate_1 + c[V2] * _rate_before(n_1, past)

    def turned_rate(self, c: Any, rate_c: Any, past: Past) -> Any:
        """u1 eta_1 + u2 eta_2 + u3 eta_c + v1 acc_1 + v2 acc_2."""
        before = c[U1] * past.rate_1 + c[U2] * past.rate_2 + c[V1] * past.second_1 + c[V2] * past.second_2
        return before + c[U3] * rate_c


def _rate_before(n_1: Any, past: Past) -> Any:
    """Of the increment, two steps ago."""
    return inverse_tangent_se3_small(-n_1) @ past.rate_2


# ---- coefficients of a step
def _begin_with(ahead: Any, turned: Any, once: Any) -> Any:
    def begin(c, numbers, h, old):
        """A usual step; the trapezoidal rule where there is no past, the two-step formula where it is to solve once."""
        if old == 0.0:
            c[AHEAD] = 0.0
            a1, a2, b0, b1, b2 = 1.0, 0.0, 0.5, 0.5, 0.0
            c[E1], c[E2], c[F1], c[F2], c[RATIO] = 1.0, 0.0, h, 0.0, 0.0
        elif c[LIMIT] > ONCE:
            alpha = h / old
            a1, a2, b0, b1, b2 = once(alpha, SINGLE_SOLUTION)
            b0, b1, b2 = b0 / alpha, b1 / alpha, b2 / alpha
            c[AHEAD] = 0.0
            c[E1], c[E2], c[F1], c[F2], c[RATIO] = 1.0, 0.0, h * (1.0 + 0.5 * alpha), -0.5 * h * alpha, alpha
        else:
            q = old / h
            reach = INNER_SOLUTION if c[LIMIT] > WITHIN else numbers[0]
            a1, a2, b0, b1, b2 = ahead(reach, q)
            u1, u2, u3, v1, v2 = turned(reach, q, b0)
            w2, w3 = (1.0 - reach) / (q * (q + reach)), (1.0 + q) / (reach * (reach + q))
            c[AHEAD], c[U1], c[U2], c[U3], c[V1], c[V2] = reach, u1, u2, u3, h * v1, h * v2
            c[W1], c[W2], c[W3] = 1.0 - w2 - w3, w2, w3
            c[E1], c[E2], c[F1], c[F2], c[RATIO] = 1.0 + reach / q, -reach / q, 0.0, 0.0, reach / q
        c[A1], c[A2], c[B1], c[B2] = a1, a2, h * b1, h * b2
        c0 = h * b0
        c[POSE], c[TWIST], c[ACCELERATION], c[MOVING] = c0, 1.0, 1.0 / c0, 1.0
        c[PER_POSE], c[PER_ACCELERATION] = 1.0 / c0, c0

    return begin


def _restart_with(euler: Any) -> Any:
    def restart(c, numbers, h, old):
        """Euler's implicit formula."""
        c[AHEAD] = c[RATIO] = 0.0
        euler(c, numbers, h, old)

    return restart
