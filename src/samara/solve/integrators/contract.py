"""Requirements on every scheme, checked with plain numbers before compilation.

Coefficients are set as for a step; the formulas must then be exact for a constant value, a constant rate and a linearly
growing rate, because otherwise they do not converge. Linear formulas are checked in more detail
(`integrators.consistency`); the spectral radius, the order and the
error estimate are measured (`integrators.measured`).
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
from typing import Any

import numpy as np

from samara.solve.integrators.integrator import Ahead, Functions, Integrator, Past
from samara.solve.integrators.measured import check_measured
from samara.solve.integrators.plain import (
    CONDITION_TOLERANCE,
    Flat,
    call,
    check_attributes,
    is_finite,
    numbers_as_given,
    plain,
    refuse,
    several,
    shown,
)
from samara.system.memory.blocks import COEFFICIENTS, Coefficient

#: Steps [s] to look at: the new one, and the one before, 0 where there is none.
TRIAL_STEP = 0.01
TRIAL_STEPS = (
    (TRIAL_STEP, 0.0),
    (TRIAL_STEP, TRIAL_STEP),
    (TRIAL_STEP, 2.0 * TRIAL_STEP),
    (1.9 * TRIAL_STEP, TRIAL_STEP),
)
#: Coefficients that a step has to set, whatever the scheme: kernels and the driver read them.
SET = ("POSE", "TWIST", "ACCELERATION", "MOVING", "PER_POSE", "PER_ACCELERATION", "F1", "F2")
ESTIMATED = ("G1", "G2", "G3", "IMPLICIT", "EXPLICIT", "LASTING")
#: What stands where there is no past, and must not be looked at.
NO_PAST = 7.0


def check_scheme(scheme: Integrator) -> None:
    """Refuses a scheme that does not keep the contract, by name, with what is wrong and the remedy."""
    check_attributes(scheme)
    frozen = dataclasses.is_dataclass(scheme) and type(scheme).__dataclass_params__.frozen
    (_check_once if frozen else _check)(scheme)


def _check(scheme: Integrator) -> None:
    _check_formulas(scheme)
    stabilised = call(scheme, "stabilised()", scheme.stabilised)
    if not isinstance(stabilised, Integrator):
        refuse(scheme, f"stabilised() must return an Integrator, such as the scheme itself, got {shown(stabilised)}")
    if stabilised is not scheme:
        _check_formulas(stabilised)


#: What cannot change is looked at once.
_check_once = functools.lru_cache(maxsize=64)(_check)


def _check_formulas(scheme: Integrator) -> None:
    scheme.examine()
    functions = plain_functions(scheme)
    for h, old in TRIAL_STEPS:
        _check_step(scheme, functions, "begin", h, old)
    _check_step(scheme, functions, "restart", TRIAL_STEP, 0.0)
    signature = "velocity_weights()"
    weights = several(scheme, signature, call(scheme, signature, scheme.velocity_weights), "now, before, two before")
    if sum(weights) <= 0.0:
        refuse(scheme, f"{signature} must return numbers with a sum above 0, got {shown(weights)}")
    if not isinstance(scheme, Ahead):
        check_measured(scheme, functions)


def plain_functions(scheme: Integrator) -> Functions:
    """Its functions as they are written."""
    signature = "functions(compiled)"

    def compiled(function: Any) -> Any:
        if not inspect.isfunction(plain(function)):
            refuse(scheme, f"{signature}: compiled(f) takes a function by itself, not a method, got {shown(function)}")
        return plain(function)

    found = call(scheme, signature, scheme.functions, compiled)
    fields = Functions._fields
    if not isinstance(found, tuple) or len(found) != len(fields) or not all(map(callable, found)):
        refuse(scheme, f"{signature} must return Functions({', '.join(fields)}), three functions, got {shown(found)}")
    made = Functions(*map(plain, found))
    for name, function in zip(fields, made, strict=True):
        if not inspect.isfunction(function):
            refuse(scheme, f"{name} of {signature} must be a function by itself, not a method, got {shown(function)}")
    return made


# ---- coefficients
def _check_step(scheme: Integrator, functions: Functions, name: str, h: float, old: float) -> None:
    c = np.full(COEFFICIENTS, np.nan).view(Flat)
    c[Coefficient.STEP] = h
    at = f"for a step of {h:g} s after one of {old:g} s" if old else f"for a step of {h:g} s without a past"
    _set(scheme, functions, name, c, h, old, SET, at)
    for known in ("TWIST", "MOVING"):
        if c[Coefficient[known]] != 1.0:
            refuse(scheme, f"{name}(c, numbers, h, old) must set {known} to 1, and sets {c[Coefficient[known]]:g} {at}")
    for one, per in (("POSE", "PER_POSE"), ("ACCELERATION", "PER_ACCELERATION")):
        a, b = c[Coefficient[one]], c[Coefficient[per]]
        if a <= 0.0 or abs(a * b - 1.0) > CONDITION_TOLERANCE:
            words = f"{one} to a positive number and {per} to 1 / {one}, and sets {a:g} and {b:g}"
            refuse(scheme, f"{name}(c, numbers, h, old) must set {words} {at}")
    ahead = _reach(scheme, c, name, at)
    _check_states(scheme, c, ahead * h, old, f"with what {name} sets {at}")
    _check_nodes(scheme, c, ahead * h, old, f"with what {name} sets {at}")
    if isinstance(scheme, Ahead) and c[Coefficient.AHEAD] != 0.0:
        _check_turned(scheme, c, h, old, f"with what {name} sets {at}")
    _set(scheme, functions, "estimate", c.copy(), h, old, ESTIMATED, at)


def _set(
    scheme: Integrator, functions: Functions, name: str, c: Any, h: float, old: float, names: Any, at: str
) -> None:
    signature = f"{name}(c, numbers, h, old)"
    call(scheme, signature, getattr(functions, name), c, numbers_as_given(scheme), np.float64(h), np.float64(old))
    for known in names:
        value = c[Coefficient[known]]
        if not np.isfinite(value):
            wrong = "leaves it as it was, or sets nan" if np.isnan(value) else f"sets {value:g}"
            refuse(scheme, f"{signature} must set {known} to a finite number, and {wrong} {at}")


def _reach(scheme: Integrator, c: Any, name: str, at: str) -> float:
    """Where the formulas lead to, in steps."""
    if not isinstance(scheme, Ahead):
        return 1.0
    reach = c[Coefficient.AHEAD]
    if not is_finite(reach) or reach < 0.0 or reach == 1.0:
        refuse(
            scheme, f"{name}(c, numbers, h, old) must set AHEAD to 0 or a positive number, not 1, got {reach:g} {at}"
        )
    return float(reach) or 1.0


# ---- formulas
SIGNATURES = {
    "predicted": "predicted(c, past)",
    "known_value": "known_value(c, x_1, x_2, past)",
    "known_increment": "known_increment(c, n_1, past)",
    "known_rate": "known_rate(c, past)",
    "value": "value(c, known, rate)",
    "rate": "rate(c, known, value)",
    "second": "second(c, known, rate)",
    "turned_prediction": "turned_prediction(c, rate_c, past)",
    "turned_value": "turned_value(c, x_c, x_1, x_2, past)",
    "turned_increment": "turned_increment(c, n_c, n_1, past)",
    "turned_rate": "turned_rate(c, rate_c, past)",
}
#: Motions that have to be met, by the power of time of the value.
MOTIONS = ("a constant value", "a constant rate", "a rate that grows evenly")


def _check_states(scheme: Integrator, c: Any, h: float, old: float, at: str) -> None:
    """Values 1, t and t^2 / 2: the past is at 0 and -old, the new step at h."""
    for power, motion in enumerate(MOTIONS):
        (x_1, rate_1, second_1), (x_2, rate_2, second_2), (x, rate, second) = (
            _motion(power, t) for t in (0.0, -old, h)
        )
        if not old:
            x_2 = rate_2 = second_2 = NO_PAST
        past = Past(rate_1, rate_2, second_1, second_2)
        _formula(scheme, "predicted", c, past, at=at)
        if power < 2:
            known = _formula(scheme, "known_value", c, x_1, x_2, past, at=at)
            value = _formula(scheme, "value", c, known, rate, at=at)
            _require(scheme, "known_value and value", "value", value, x, max(abs(x_1), abs(x)), f"{motion} {at}")
            back = _formula(scheme, "rate", c, known, value, at=at)
            _require(scheme, "rate", "rate", back, rate, 1.0, f"{motion} {at}")
        known = _formula(scheme, "known_rate", c, past, at=at)
        found = _formula(scheme, "second", c, known, rate, at=at)
        _require(scheme, "known_rate and second", "second rate", found, second, max(1.0, rate / h), f"{motion} {at}")


def _motion(power: int, t: float) -> tuple[float, float, float]:
    """Value, rate and second rate of 1, t or t^2 / 2."""
    return ((1.0, 0.0, 0.0), (t, 1.0, 0.0), (0.5 * t * t, t, 1.0))[power]


def _check_nodes(scheme: Integrator, c: Any, h: float, old: float, at: str) -> None:
    """A constant twist."""
    twist, zero, nothing = np.linspace(0.5, 1.0, 6), np.zeros(6), np.full(6, NO_PAST)
    past = Past(twist, twist, zero, zero) if old else Past(twist, nothing, zero, nothing)
    for method in ("predicted", "known_rate"):
        _formula(scheme, method, c, past, at=at)
    known = _formula(scheme, "known_increment", c, old * twist if old else nothing, past, at=at)
    found = _formula(scheme, "value", c, known, twist, at=at)
    _require(scheme, "known_increment and value", "increment", found, h * twist, h, f"a constant twist {at}")


def _check_turned(scheme: Ahead, c: Any, h: float, old: float, at: str) -> None:
    """The same of the second solution, after a first one that is exact."""
    reach = c[Coefficient.AHEAD] * h
    for power, motion in enumerate(MOTIONS):
        (x_1, rate_1, second_1), (x_2, rate_2, second_2), (x_c, rate_c, _), (x, rate, second) = (
            _motion(power, t) for t in (0.0, -old, reach, h)
        )
        past = Past(rate_1, rate_2, second_1, second_2)
        found = _formula(scheme, "turned_prediction", c, rate_c, past, at=at)
        _require(scheme, "turned_prediction", "rate", found, rate, 1.0, f"{motion} {at}")
        known = _formula(scheme, "turned_value", c, x_c, x_1, x_2, past, at=at)
        value = _formula(scheme, "value", c, known, rate, at=at)
        _require(scheme, "turned_value and value", "value", value, x, max(abs(x_1), abs(x)), f"{motion} {at}")
        known = _formula(scheme, "turned_rate", c, rate_c, past, at=at)
        found = _formula(scheme, "second", c, known, rate, at=at)
        _require(scheme, "turned_rate and second", "second rate", found, second, max(1.0, rate / h), f"{motion} {at}")
    twist, zero = np.linspace(0.5, 1.0, 6), np.zeros(6)
    past = Past(twist, twist, zero, zero)
    known = _formula(scheme, "turned_increment", c, reach * twist, old * twist, past, at=at)
    found = _formula(scheme, "value", c, known, twist, at=at)
    _require(scheme, "turned_increment and value", "increment", found, h * twist, h, f"a constant twist {at}")


def _formula(scheme: Integrator, method: str, c: Any, *arguments: Any, at: str) -> Any:
    """What a formula gives: a finite number, or six of them where its arguments are."""
    signature, last = SIGNATURES[method], arguments[-1]
    found = call(scheme, signature, getattr(scheme, method), c, *arguments)
    count = np.size(last.rate_1 if isinstance(last, Past) else last)
    if not (is_finite(found) if count == 1 else np.shape(found) == (count,) and all(map(is_finite, found))):
        wanted = "a finite number" if count == 1 else f"an array of {count} finite numbers for a node"
        words = f"{signature} must return {wanted}, got {shown(found)} {at}"
        refuse(scheme, f"{words}; look for a coefficient that it reads and nobody sets")
    return found


def _require(scheme: Integrator, methods: str, what: str, found: Any, wanted: Any, size: float, at: str) -> None:
    if np.max(np.abs(found - wanted)) > CONDITION_TOLERANCE * size:
        k = int(np.argmax(np.abs(np.atleast_1d(found - wanted))))
        got, exact = np.atleast_1d(found)[k], np.atleast_1d(wanted)[k]
        refuse(scheme, f"{methods} must meet {at}: the {what} is {exact:.10g}, and they give {got:.10g}")
