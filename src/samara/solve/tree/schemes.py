"""Integrators for trees: explicit Runge-Kutta formulas with an error estimate, and a semi-implicit one.

    x_i = x_0 + h sum_j a_ij f(x_j),     x = x_0 + h sum_i b_i f(x_i),     error = h sum_i (b_i - b*_i) f(x_i)

Coordinates, speeds and scalar states are such x. A ball keeps its quaternion: its rotation vector theta against the
beginning of the step is integrated, which begins at zero in every step, so no attitude is singular and none drifts:

    R = R_0 exp(theta),     theta_dot = T(theta)^-1 w,     T^-1 = I + theta x / 2 + (theta x)^2 / 12 + ...

A steady rotation is exact. Source: H. Munthe-Kaas, High order Runge-Kutta methods on manifolds, Applied Numerical
Mathematics 29 (1999).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.complementarity.problem import MOST_FACETS
from samara.method.integrators import Scheme
from samara.model import ArgumentError
from samara.solve.tree.order_conditions import check_table

EXPLICIT, SEMI_IMPLICIT, IMPLICIT, TIME_STEPPING = 1, 2, 3, 4


@dataclass(frozen=True)
class TreeIntegrator(Scheme):
    """An explicit Runge-Kutta scheme for trees.

    name:   as shown in results and errors. order: of accuracy.
    a, b, c: its table; low: weights of an embedded formula of lower order, () where there is none.
    dense:  of each stage, coefficients of part, part^2, ... of its weight a part of the way through the step.
    method: how native code takes the step.
    """

    name: str
    order: int
    a: tuple[tuple[float, ...], ...]
    b: tuple[float, ...]
    c: tuple[float, ...]
    low: tuple[float, ...] = ()
    dense: tuple[tuple[float, ...], ...] = ()
    method: int = EXPLICIT
    formulations = ("recursive",)

    @property
    def stages(self) -> int:
        """Evaluations per step."""
        return len(self.b)

    @property
    def adapts(self) -> bool:  # type: ignore[override]
        """Whether it tells its error, so that the step may follow an accuracy."""
        return bool(self.low)

    def check(self) -> None:
        """Refuses a table that is none, or not of its order."""
        check_table(self)

    def fingerprint(self) -> list[float]:
        """Its tables, and how native code takes the step."""
        return [self.method, self.order, *self.table().ravel(), *self.dense_table().ravel()]

    def dense_table(self) -> np.ndarray:
        """Shape (stages, powers); no powers where there is no dense output."""
        return np.array(self.dense, float).reshape(self.stages, -1) if self.dense else np.zeros((self.stages, 0))

    def table(self) -> np.ndarray:
        """Rows a_i, then b, b - low and c, of shape (stages + 3, stages)."""
        found = np.zeros((self.stages + 3, self.stages))
        for i, row in enumerate(self.a):
            found[i, : len(row)] = row
        found[-3], found[-1] = self.b, self.c
        if self.low:
            found[-2] = np.subtract(self.b, self.low)
        return found


class RungeKutta4(TreeIntegrator):
    """The classical Runge-Kutta method of order four: the default for trees with a fixed step."""

    def __init__(self) -> None:
        super().__init__(
            "RungeKutta4",
            4,
            ((), (0.5,), (0.0, 0.5), (0.0, 0.0, 1.0)),
            (1 / 6, 1 / 3, 1 / 3, 1 / 6),
            (0.0, 0.5, 0.5, 1.0),
        )


class DormandPrince(TreeIntegrator):
    """Dormand-Prince: order five with an embedded formula of order four; first same as last.

    Dense output of order four, between the steps. Sources: J. R. Dormand, P. J. Prince, A family of embedded
    Runge-Kutta formulae, J. Comput. Appl. Math. 6 (1980); L. F. Shampine, Some practical Runge-Kutta formulas,
    Math. Comp. 46 (1986).
    """

    def __init__(self) -> None:
        b = (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0.0)
        super().__init__(
            "DormandPrince",
            5,
            (
                (),
                (1 / 5,),
                (3 / 40, 9 / 40),
                (44 / 45, -56 / 15, 32 / 9),
                (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
                (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
                b[:6],
            ),
            b,
            (0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0),
            (5179 / 57600, 0.0, 7571 / 16695, 393 / 640, -92097 / 339200, 187 / 2100, 1 / 40),
            (
                (1.0, -8048581381 / 2820520608, 8663915743 / 2820520608, -12715105075 / 11282082432),
                (0.0, 0.0, 0.0, 0.0),
                (0.0, 131558114200 / 32700410799, -68118460800 / 10900136933, 87487479700 / 32700410799),
                (0.0, -1754552775 / 470086768, 14199869525 / 1410260304, -10690763975 / 1880347072),
                (0.0, 127303824393 / 49829197408, -318862633887 / 49829197408, 701980252875 / 199316789632),
                (0.0, -282668133 / 205662961, 2019193451 / 616988883, -1453857185 / 822651844),
                (0.0, 40617522 / 29380423, -110615467 / 29380423, 69997945 / 29380423),
            ),
        )


class SemiImplicitEuler(TreeIntegrator):
    """Semi-implicit Euler: speeds first, then coordinates with the new speeds; order one, one evaluation per step.

    With a constant mass matrix and no dissipation, the energy error does not grow.

    s = s_0 + h s_dot(q_0, s_0),     q = q_0 + h s
    """

    def __init__(self) -> None:
        super().__init__("SemiImplicitEuler", 1, ((),), (1.0,), (0.0,), method=SEMI_IMPLICIT)


def friction_facets(who: str, given: Any) -> int:
    """Of the cones of friction, checked; `who` asks, in errors."""
    if isinstance(given, bool) or not isinstance(given, (int, np.integer)) or given < 0 or 0 < given < 3:
        raise ArgumentError(f"{who}: facets must be 3 or more, or 0 for exact cones, got {given!r}")
    if given > MOST_FACETS:
        raise ArgumentError(f"{who}: facets must be at most {MOST_FACETS}, got {given!r}: use 0, exact cones, instead")
    return int(given)


@dataclass(frozen=True)
class MoreauJean(TreeIntegrator):
    """Moreau-Jean time stepping for impacts and friction, at velocity-impulse level: order one, no event detection.

        H (s - s_0) = h (theta f + (1 - theta) f_0) + G^T p,     q = q_0 + h (theta s + (1 - theta) s_0)

    for all contacts that are closed at q_0 + h s_0 / 2, with impulses p from a complementarity problem: normals leave
    with -restitution times their speed of approach or faster, friction is in Coulomb's cone. Any number of impacts may
    occur within one step, including accumulation. Without contact it is of order two for theta = 1/2.

    theta:  1/2 to 1; 1/2 conserves energy, 1 is dissipative.
    facets: of the cones of friction; 0 for exact cones (`samara.complementarity`).

    Sources: J. J. Moreau, Unilateral contact and dry friction in finite freedom dynamics, CISM 302 (1988); M. Jean, The
    nonsmooth contact dynamics method, Comput. Methods Appl. Mech. Engrg. 177 (1999).
    """

    theta: float = 0.5
    facets: int = 0

    def __init__(self, theta: float = 0.5, *, facets: int = 0) -> None:
        if isinstance(theta, bool) or not isinstance(theta, (int, float)) or not 0.5 <= theta <= 1.0:
            raise ArgumentError(f"MoreauJean: theta must be from 1/2 to 1, got {theta!r}")
        facets = friction_facets("MoreauJean", facets)
        super().__init__("MoreauJean", 1, ((), (1.0,)), (1.0 - theta, theta), (0.0, 1.0), method=TIME_STEPPING)
        object.__setattr__(self, "theta", float(theta))
        object.__setattr__(self, "facets", facets)

    def fingerprint(self) -> list[float]:
        """With the facets of the cones."""
        return [*super().fingerprint(), self.facets]
