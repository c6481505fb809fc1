"""What an integrator is: the formulas of one scheme, and nothing of Newton's method, events or files.

A scheme gives two sorts of formulas.

*Coefficients of a step*: plain arithmetic on flat arrays, compiled natively as it is written (`Functions`). They set,
in `c`, what kernels and the driver go by,

    POSE, TWIST, ACCELERATION   c0, 1 and c2: pose, twist and acceleration for a unit of the unknown, which is a twist
    PER_POSE, PER_ACCELERATION  1 / c0, 1 / c2
    MOVING                      1
    E1, E2, F1, F2              of the prediction; a step that fails is tried again with some of them at zero;
                                states read F1 and F2 in any case

and whatever the scheme's own formulas read: A1, A2, B1, B2. STEP is set before.

*Formulas on nodes and scalar states*: methods, traced like elements and compiled W abreast (`integrators.walks`). Nodes
and states follow the same formulas: a state has a value, a rate and a second rate, a node an increment of its pose, a
twist and an acceleration.

Schemes whose formulas on nodes are the same share their kernels: what differs is coefficients.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple

from samara.solve.integrators.plain import check_attributes
from samara.system.memory.blocks import Coefficient

POSE, PER_POSE, ACCELERATION = (int(c) for c in (Coefficient.POSE, Coefficient.PER_POSE, Coefficient.ACCELERATION))

#: f(c, numbers, h, old): sets coefficients for a step h [s] after one of size old [s], 0 where there is no past.
Coefficients = Callable[[Any, Any, float, float], None]


class Functions(NamedTuple):
    """Coefficients of a step, as functions of (c, numbers, h, old); the driver keeps their addresses in this order."""

    begin: Coefficients  # of a usual step, and of a first one, where old = 0
    restart: Coefficients  # of a step that looks at no past: after an event, and where nothing else converges
    estimate: Coefficients  # of the error of the step taken (`march.local_error`): G1 to G3 and those after them


class Past(NamedTuple):
    """Twists and accelerations of a node, or rates and second rates of a state: of the last step and the one before."""

    rate_1: Any
    rate_2: Any
    second_1: Any
    second_2: Any


class Integrator(ABC):
    """A scheme.

    name:    as results and errors have it.
    radius:  asymptotic spectral radius rho_inf, 0 (annihilates the fastest modes) to 1 (keeps all of them).
    order:   of its error.
    numbers: what its coefficients are made with, `MOST_NUMBERS` at most; another one is not another scheme.

    A simulation calls the formulas with plain numbers first, and refuses what is wrong (`integrators.contract`).
    """

    name: str
    radius: float
    order: int = 2
    numbers: tuple[float, ...] = ()

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

    def examine(self) -> None:
        """Raises `ArgumentError` if something is wrong with the scheme by itself; a kind of schemes may add to it."""
        check_attributes(self)

    def stabilised(self) -> Integrator:
        """The scheme to take where every step ends with velocities put on the constraints."""
        return self
