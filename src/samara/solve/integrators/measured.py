"""Properties of a scheme, measured in steps with plain numbers: spectral radius, order and error estimate.

    x forced to 0, equal steps          (x', x'', x'_1, x''_1) -> the next: its largest eigenvalue is the radius
    x' = -x  and  x'' = -x, from 0 to 1      the error decreases with the step size at the stated order
    x = t^3 / 6, whose past is known         the error constants of the formula and of its comparison formula

Linear two-step formulas are checked in more detail beforehand (`integrators.consistency`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from samara.rotations.scalars import LEAST_DIVISOR
from samara.solve.integrators.consistency import RADIUS_TOLERANCE
from samara.solve.integrators.integrator import ESTIMATED_ORDER, Functions, Integrator, Past
from samara.solve.integrators.plain import call, numbers_as_given, refuse
from samara.system.memory.blocks import COEFFICIENTS, Coefficient

#: Steps from 0 to 1, and half as long ones.
STEP_COUNTS = (16, 32)
#: How far a measured order may be from the one that is declared: the next terms of the error are a tenth here.
ORDER_TOLERANCE = 0.5
#: Errors that are rounding, and error constants as good as none.
ROUNDING_ERROR, NO_ERROR_CONSTANT = 1e-12, 1e-6
#: How closely error constants are to be told.
CONSTANT_TOLERANCE = 1e-3


def check_measured(scheme: Integrator, functions: Functions) -> None:
    """Refuses a scheme that does not have its radius or order, or tells another error than it makes."""
    _check_radius(scheme, functions)
    _check_order(scheme, functions)
    if scheme.adapts:
        _check_estimate(scheme, functions)


def _coefficients(scheme: Integrator, functions: Functions, h: float, old: float) -> np.ndarray:
    c = np.zeros(COEFFICIENTS)
    c[Coefficient.STEP] = h
    with np.errstate(all="ignore"):
        functions.begin(c, numbers_as_given(scheme), h, old)
    return c


def samples(scheme: Integrator, functions: Functions) -> list[float]:
    """Coefficients and formulas of a first step, a usual one, and one after a shorter one."""
    found, past = list[float](), Past(0.7, 0.3, -0.4, 0.9)
    for old in (0.0, 1.0, 0.6):
        c = _coefficients(scheme, functions, 1.0, old)
        known = scheme.known_value(c, 0.2, 0.5, past), scheme.known_rate(c, past)
        found += [
            *c,
            *known,
            scheme.predicted(c, past),
            scheme.value(c, known[0], 0.8),
            scheme.second(c, known[1], 0.8),
        ]
    return [float(number) for number in found]


def _check_radius(scheme: Integrator, functions: Functions) -> None:
    c, columns = _coefficients(scheme, functions, 1.0, 1.0), []
    for rate_1, second_1, rate_2, second_2 in np.eye(4):
        past = Past(rate_1, rate_2, second_1, second_2)
        rate = scheme.rate(c, scheme.known_value(c, 0.0, 0.0, past), 0.0)
        columns.append([rate, scheme.second(c, scheme.known_rate(c, past), rate), rate_1, second_1])
    radius = float(np.abs(np.linalg.eigvals(np.array(columns).T)).max())
    if radius > scheme.radius + RADIUS_TOLERANCE:
        remedy = f"let radius be {radius:.4g}" if radius <= 1.0 + RADIUS_TOLERANCE else "more than 1 lets them grow"
        refuse(
            scheme,
            f"radius is {scheme.radius:g}, but where a value is held, as constraints and stiff springs do, its rates "
            f"are multiplied by {radius:.4g} in each step: {remedy}",
        )


def _check_order(scheme: Integrator, functions: Functions) -> None:
    decay = np.exp(-1.0) * np.array([1.0, -1.0])
    turn = np.array([np.cos(1.0), -np.sin(1.0)])
    for motion, start, end, power in (("x' = -x", (-1.0, 1.0), decay, 1), ("x'' = -x", (0.0, -1.0), turn, 2)):
        errors = [np.abs(_run(scheme, functions, count, start, power) - end).max() for count in STEP_COUNTS]
        order = float(np.log2(errors[0] / max(errors[1], LEAST_DIVISOR)))
        if not (errors[1] < ROUNDING_ERROR or order > scheme.order - ORDER_TOLERANCE):
            refuse(
                scheme,
                f"it is of order {order:.1f}, not {scheme.order}, on {motion}: errors {errors[0]:.3g} and "
                f"{errors[1]:.3g} at t = 1 with {STEP_COUNTS[0]} and {STEP_COUNTS[1]} steps; mend the formulas, or let "
                "order be less",
            )


def _run(scheme: Integrator, functions: Functions, count: int, start: tuple[float, float], power: int) -> np.ndarray:
    """Value and rate at t = 1 of the motion from x = 1 whose derivative of that power is -x."""
    h = 1.0 / count
    first, usual = (_coefficients(scheme, functions, h, old) for old in (0.0, h))
    (x, rate, second), (x_1, rate_1, second_1) = (1.0, *start), (0.0, 0.0, 0.0)
    for k in range(count):
        c, past = first if k == 0 else usual, Past(rate, rate_1, second, second_1)
        value = _line(scheme.value, c, scheme.known_value(c, x, x_1, past))
        change = _line(scheme.second, c, scheme.known_rate(c, past))
        highest = (0.0, 1.0) if power == 1 else change  # as known + factor x'
        (x_1, rate_1, second_1) = x, rate, second
        rate = -(value[0] + highest[0]) / (value[1] + highest[1])
        x, second = value[0] + value[1] * rate, change[0] + change[1] * rate
    return np.array([x, rate])


def _line(formula: Callable[..., Any], c: Any, known: Any) -> tuple[Any, Any]:
    """A formula of the new rate, as known + factor rate."""
    at_rest = formula(c, known, 0.0)
    return at_rest, formula(c, known, 1.0) - at_rest


def _check_estimate(scheme: Integrator, functions: Functions) -> None:
    if scheme.order != ESTIMATED_ORDER:
        refuse(scheme, f"adapts is for schemes of order {ESTIMATED_ORDER}, not {scheme.order}: let adapts be False")
    signature = "estimate(c, numbers, h, old)"
    for h, old in ((1.0, 0.0), (1.0, 1.0), (1.0, 1.5), (1.0, 0.6)):
        c = _coefficients(scheme, functions, h, old)
        past = Past(0.0, 0.5 * old**2, 0.0, -old) if old else Past(0.0, 0.0, 0.0, 0.0)
        known = scheme.known_value(c, 0.0, -(old**3) / 6.0, past)
        error = scheme.value(c, known, 0.5 * h * h) - h**3 / 6.0
        call(scheme, signature, functions.estimate, c, numbers_as_given(scheme), h, old)
        G1, G2, G3, implicit, explicit = (c[Coefficient[k]] for k in ("G1", "G2", "G3", "IMPLICIT", "EXPLICIT"))
        other = G1 * past.rate_1 + G2 * past.rate_2 + G3 * past.second_1 - h**3 / 6.0
        at = f"for a step of {h:g} s after one of {old:g} s" if old else f"for a step of {h:g} s without a past"
        if abs(error) < NO_ERROR_CONSTANT or error * other > 0.0:
            refuse(
                scheme,
                f"{signature} compares x = t^3 / 6, which the formula misses by {error:.4g}, with one that misses it "
                f"by {other:.4g} {at}: of that no error can be told, so let adapts be False",
            )
        for name, told, made in (("IMPLICIT", implicit, abs(error)), ("EXPLICIT", explicit, abs(other))):
            if abs(told - made) > CONSTANT_TOLERANCE * made:
                refuse(
                    scheme,
                    f"{signature} must set {name} to {made:.6g}, by which x = t^3 / 6 is missed {at}, and sets "
                    f"{told:.6g}; or let adapts be False",
                )
