"""The integrator interface: the formulas of one scheme, independent of Newton's method, events and files.

A scheme provides two kinds of formulas.

*Coefficients of a step*: plain arithmetic on flat arrays, compiled to native code as written (`Functions`). They set,
in `c`, the values that kernels and the driver use,

    POSE, TWIST, ACCELERATION   c0, 1 and c2: pose, twist and acceleration per unit of the unknown, which is a twist
    PER_POSE, PER_ACCELERATION  1 / c0, 1 / c2
    MOVING                      1
    E1, E2, F1, F2              of the predictor; a failed step is repeated with some of them set to zero;
                                states read F1 and F2 in any case

and those that the scheme's own formulas read: A1, A2, B1, B2, and also U1 to W3 for schemes that solve once. STEP is
set beforehand.

*Formulas for nodes and scalar states*: methods, traced like elements and compiled for W lanes (`integrators.walks`).
Nodes and states use the same formulas: a state has a value, a rate and a second rate; a node has a pose increment, a
twist and an acceleration.

Schemes with the same node formulas share their kernels and differ only in coefficients.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple

from samara.method.integrators import Scheme
from samara.rotations import inverse_tangent_se3_small, tangent_se3_small
from samara.rotations.scalars import LEAST_DIVISOR
from samara.solve.integrators.plain import check_attributes
from samara.system.memory.blocks import Coefficient

POSE, PER_POSE, ACCELERATION = (int(c) for c in (Coefficient.POSE, Coefficient.PER_POSE, Coefficient.ACCELERATION))
F1, F2, RATIO = (int(c) for c in (Coefficient.F1, Coefficient.F2, Coefficient.RATIO))

#: f(c, numbers, h, old): sets coefficients for a step h [s] after one of size old [s], 0 where there is no past.
Coefficients = Callable[[Any, Any, float, float], None]


#: Of schemes that tell their error: that of the formula which they are compared with (`redundant.local_error`).
ESTIMATED_ORDER = 2


class Functions(NamedTuple):
    """Coefficients of a step, as functions of (c, numbers, h, old); the driver keeps their addresses in this order."""

    begin: Coefficients  # of a usual step, and of a first one, where old = 0
    restart: Coefficients  # of a step that looks at no past: after an event, and where nothing else converges
    estimate: Coefficients  # of the error of the step taken (`redundant.local_error`): G1 to G3 and those after them


class Past(NamedTuple):
    """Twists and accelerations of a node, or rates and second rates of a state, at the last step and the one before."""

    rate_1: Any
    rate_2: Any
    second_1: Any
    second_2: Any


class Integrator(Scheme, ABC):
    """A scheme.

    name:    as used in results and errors.
    radius:  asymptotic spectral radius rho_inf, 0 (annihilates the fastest modes) to 1 (keeps all of them).
    order:   order of accuracy.
    numbers: parameters of its coefficients, at most `MOST_NUMBERS`; changing one does not make a different scheme.
    solutions: number of solutions per step: 1, or 2 (`Ahead`), which has a different table of verbs.
    adapts:  whether it has an error estimate, so that the step size can follow an accuracy; second-order schemes do
             unless they set `adapts = False`.

    A simulation first calls the formulas with plain numbers and rejects invalid ones (`integrators.contract`).
    """

    name: str
    radius: float
    order: int = 2
    numbers: tuple[float, ...] = ()
    solutions: int = 1

    @property
    def adapts(self) -> bool:  # type: ignore[override]
        """Whether its estimate is of the order that local errors are compared by."""
        return self.order == ESTIMATED_ORDER

    @abstractmethod
    def functions(self, compiled: Callable[[Any], Any]) -> Functions:
        """Coefficients of a step. What they call has to go through `compiled`."""

    @abstractmethod
    def velocity_weights(self) -> tuple[float, float, float]:
        """How a position looks at the velocities now, a step and two steps before, at constant step, by its size."""

    @abstractmethod
    def predicted(self, c: Any, past: Past) -> Any:
        """Twist or rate to begin with."""

    @abstractmethod
    def known_value(self, c: Any, x_1: Any, x_2: Any, past: Past) -> Any:
        """What of the value of a state is known before its rate is."""

    @abstractmethod
    def known_increment(self, c: Any, n_1: Any, past: Past) -> Any:
        """The same of the increment of a pose. Seen from the last pose, the one before was at -n_1."""

    @abstractmethod
    def known_rate(self, c: Any, past: Past) -> Any:
        """The same of what a twist or rate follows from its own derivative by."""

    def value(self, c: Any, known: Any, rate: Any) -> Any:
        """Value or increment from the rate: x = known + c0 rate."""
        return known + c[POSE] * rate

    def rate(self, c: Any, known: Any, value: Any) -> Any:
        """The rate that makes this value."""
        return (value - known) * c[PER_POSE]

    def second(self, c: Any, known: Any, rate: Any) -> Any:
        """Acceleration from the twist, or second rate from the rate: rate = known + second / c2."""
        return (rate - known) * c[ACCELERATION]

    def guessed(self, c: Any, known: Any, eta: Any) -> Any:
        """The unknown of a node to begin with, of a twist that was predicted; known: of its increment."""
        return eta

    def unknown(self, c: Any, known: Any, n: Any, eta: Any) -> Any:
        """The unknown of a node that has this increment and twist."""
        return eta

    def twist(self, n: Any, unknown: Any) -> Any:
        """And the other way round."""
        return unknown

    def ratio(self, c: Any) -> Any:
        """Of the step that is predicted to the one before, 0 without a past: it is in the prediction's coefficients."""
        return -2.0 * c[F2] / (c[F1] + c[F2] + LEAST_DIVISOR)

    def check(self) -> None:
        """Refuses a scheme that does not keep the contract."""
        from samara.solve.integrators.contract import check_scheme

        check_scheme(self)

    def fingerprint(self) -> list[float]:
        """What its formulas make of some steps."""
        from samara.solve.integrators.contract import plain_functions
        from samara.solve.integrators.measured import samples

        return samples(self, plain_functions(self))

    def examine(self) -> None:
        """Raises `ArgumentError` if something is wrong with the scheme by itself; a kind of schemes may add to it."""
        check_attributes(self)

    def stabilised(self) -> Integrator:
        """The scheme to take where every step ends with velocities put on the constraints."""
        return self


class Ahead(Integrator):
    """A scheme that solves twice per step: first at time c h, beyond the end of the step, then, using that, at the end.

    The formulas of an `Integrator` are those of the first solution; its coefficient AHEAD is c, or 0 in a step that is
    solved once: the first step, and a restart. If something jumps before c h, the driver sets LIMIT to 1 and requests
    the coefficients again; c must then be below 1. If nothing else converges, LIMIT is 2 and AHEAD must be 0. Both
    solutions have the same c0 and c2 and therefore use the same factors.

    The unknown is the rate of the increment rather than the twist; they differ by third-order terms,

        eta = T(n) n_dot,     H = H_1 exp(n)
    """

    solutions = 2
    adapts = False
    formulations = ("redundant",)

    def guessed(self, c: Any, known: Any, eta: Any) -> Any:
        """T(n)^-1 eta, with the n that eta would make."""
        return inverse_tangent_se3_small(self.value(c, known, eta)) @ eta

    def unknown(self, c: Any, known: Any, n: Any, eta: Any) -> Any:
        """The rate of the increment, from the increment: sharper than from the twist."""
        return self.rate(c, known, n)

    def twist(self, n: Any, unknown: Any) -> Any:
        """T(n) n_dot."""
        return tangent_se3_small(n) @ unknown

    def ratio(self, c: Any) -> Any:
        """To the time of the first solution; the prediction has no coefficients that tell it."""
        return c[RATIO]

    @abstractmethod
    def turned_prediction(self, c: Any, rate_c: Any, past: Past) -> Any:
        """Twist or rate at the end of the step to begin with, from that at c h."""

    @abstractmethod
    def turned_value(self, c: Any, x_c: Any, x_1: Any, x_2: Any, past: Past) -> Any:
        """What of the value of a state is known before its rate is; x_c: its value at c h."""

    @abstractmethod
    def turned_increment(self, c: Any, n_c: Any, n_1: Any, past: Past) -> Any:
        """The same of the increment of a pose; n_c: that at c h, from the last pose on."""

    @abstractmethod
    def turned_rate(self, c: Any, rate_c: Any, past: Past) -> Any:
        """The same of what a twist or rate follows from its own derivative by."""
