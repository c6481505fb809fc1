"""What an integrator is: the formulas of one scheme, and nothing of Newton's method, events or files.

A scheme gives two sorts of formulas.

*Coefficients of a step*: plain arithmetic on flat arrays, compiled natively as it is written (`Functions`). They set,
in `c`, what kernels and the driver go by,

    POSE, TWIST, ACCELERATION   pose, twist and acceleration for a unit of the unknown, which is a twist
    E1, E2, F1, F2              of the prediction; a step that fails is tried again with some of them at zero

and whatever the scheme's own formulas read: A1, A2, B1, B2. STEP is set before.

*Formulas on nodes and scalar states*: methods, traced like elements and compiled W abreast (`integrators.walks`). A node
and a state follow the same formulas: a state has a value, a rate and a second rate, a node an increment of its pose, a
twist and an acceleration. The increment is seen from the last pose, so its last value is zero, and the one before -n_1.

Schemes whose formulas on nodes are the same share their kernels: what differs is coefficients.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple

from samara.system.blocks import Coefficient

POSE, PER_POSE = int(Coefficient.POSE), int(Coefficient.PER_POSE)

#: f(c, numbers, h, old): sets coefficients for a step h [s] after one of size old [s], 0 where there is no past.
Coefficients = Callable[[Any, Any, float, float], None]
#: Numbers that a scheme may have: they have room in the settings of a run.
MOST_NUMBERS = 4


class Functions(NamedTuple):
    """Coefficients of a step, as functions of (c, numbers, h, old); the driver keeps their addresses in this order."""

    begin: Coefficients  # of a usual step, and of a first one, where old = 0
    restart: Coefficients  # of a step that looks at no past: after an event, and where nothing else converges
    estimate: Coefficients  # of the error of the step taken (`march.local_error`): G1 to G3 and those after them


class Integrator(ABC):
    """A scheme.

    name:    as results and errors have it.
    radius:  asymptotic spectral radius rho_inf, 0 (annihilates the fastest modes) to 1 (keeps all of them).
    order:   of its error.
    numbers: what its coefficients are made with, `MOST_NUMBERS` at most; another one is not another scheme.
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
    def predicted(self, c: Any, rate_1: Any, rate_2: Any, second_1: Any, second_2: Any) -> Any:
        """Twist or rate to begin with, from those of the last two steps and their derivatives."""

    @abstractmethod
    def known(self, c: Any, x_1: Any, x_2: Any, rate_1: Any, rate_2: Any) -> Any:
        """What of x is known before its rate is: x = known + c0 rate."""

    @abstractmethod
    def known_increment(self, c: Any, n_1: Any, eta_1: Any, eta_2: Any) -> Any:
        """The same of the increment of a pose, n = known + c0 eta."""

    def value(self, c: Any, known: Any, rate: Any) -> Any:
        """x from its rate."""
        return known + c[POSE] * rate

    def derivative(self, c: Any, known: Any, x: Any) -> Any:
        """The rate from x."""
        return (x - known) * c[PER_POSE]

    def stabilised(self) -> Integrator:
        """The scheme to take where every step ends with velocities put on the constraints."""
        return self
