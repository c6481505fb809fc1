"""Checks that the weights of a linear two-step formula define a valid integrator.

In units of the old step the last time is 0, the one before -1 and the new one alpha. A formula

    x(alpha) = a1 x(0) + a2 x(-1) + b0 xdot(alpha) + b1 xdot(0) + b2 xdot(-1)

is *consistent* if it is exact for x = 1 and x = t, and of order q if it is also exact for t^2 to t^q:

    a1 + a2 = 1,   b0 + b1 + b2 = alpha + a2,   a2 (-1)^p + p (b0 alpha^(p-1) + b2 (-1)^(p-1)) = alpha^p

With equal steps the formula is zero-stable if the roots of z^2 = a1 z + a2, which are 1 and -a2, have modulus at most 1
and are distinct. Per step, the fastest modes are multiplied by the largest root of b0 z^2 + b1 z + b2:
rho_inf.
Source: Hairer, Noersett, Wanner, Solving ordinary differential equations I, 2nd ed., 1993, sections III.2 to III.5.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from samara.solve.integrators.integrator import Integrator
from samara.solve.integrators.plain import CONDITION_TOLERANCE, call, numbers_as_given, refuse, several

WEIGHTS = "weights(alpha, numbers)"
#: Ratios of steps to look at. Where steps are equal, the last one before an event or the end is not.
STEP_RATIOS = (1.0, 0.5, 1.9)
#: How closely the radius is to be told: a double root moves by the square root of a change in its weights.
RADIUS_TOLERANCE = 1e-3


def check_weights(scheme: Integrator, weights: Callable[..., Any]) -> None:
    """Refuses weights that are inconsistent, of a lower order, unstable at equal steps, or of another radius."""
    for alpha in STEP_RATIOS:
        found = call(scheme, WEIGHTS, weights, np.float64(alpha), numbers_as_given(scheme))
        five = several(scheme, WEIGHTS, found, "a1, a2, b0, b1, b2")
        _check_exact(scheme, alpha, five)
        if alpha == 1.0:
            _check_stable(scheme, *five)


def _check_exact(scheme: Integrator, alpha: float, five: tuple[float, ...]) -> None:
    a1, a2, b0, b1, b2 = five
    at = f"at alpha = {alpha:g}, {WEIGHTS} gives"
    if b0 <= 0.0:
        refuse(scheme, f"{at} b0 = {b0:.10g}, and it must be above 0: the new rate is what is solved for")
    if abs(a1 + a2 - 1.0) > CONDITION_TOLERANCE * (1.0 + abs(a1) + abs(a2)):
        refuse(scheme, f"{at} a1 + a2 = {a1 + a2:.10g}, and it must be 1: what is at rest would move")
    total, size = b0 + b1 + b2, abs(b0) + abs(b1) + abs(b2)
    if abs(total - alpha - a2) > CONDITION_TOLERANCE * (size + alpha + abs(a2)):
        refuse(
            scheme,
            f"{at} b0 + b1 + b2 = {total:.10g}, and it must be alpha + a2 = {alpha + a2:.10g}: a constant speed would "
            "be integrated to a wrong place; the b are in units of the old step",
        )
    for p in range(2, int(scheme.order) + 1):
        terms = a2 * (-1.0) ** p, p * b0 * alpha ** (p - 1), p * b2 * (-1.0) ** (p - 1)
        if abs(sum(terms) - alpha**p) > CONDITION_TOLERANCE * (sum(map(abs, terms)) + alpha**p):
            refuse(
                scheme,
                f"it is of order {p - 1}, not {scheme.order}: {at} x = {sum(terms):.10g} for the motion x = t^{p}, "
                f"and it must be alpha^{p} = {alpha**p:.10g}; mend the weights, or let order be {p - 1}",
            )


def _check_stable(scheme: Integrator, a1: float, a2: float, b0: float, b1: float, b2: float) -> None:
    if not -1.0 + CONDITION_TOLERANCE < a2 <= 1.0 + CONDITION_TOLERANCE:
        refuse(
            scheme,
            f"{WEIGHTS} gives a2 = {a2:.10g} at equal steps, and it must be above -1 and at most 1: errors would grow, "
            "for -a2 is a root of z^2 = a1 z + a2",
        )
    radius = float(np.abs(np.roots([b0, b1, b2])).max(initial=0.0))
    if abs(radius - scheme.radius) > RADIUS_TOLERANCE:
        remedy = (
            f"let radius be {radius:.4g}"
            if radius <= 1.0 + RADIUS_TOLERANCE
            else "more than 1 lets the fastest modes grow"
        )
        refuse(
            scheme,
            f"radius is {scheme.radius:g}, but the largest root of b0 z^2 + b1 z + b2 at equal steps, which it "
            f"stands for, is {radius:.4g}: {remedy}",
        )
