"""Functions that element code may use besides arithmetic and NumPy's elementary functions, on plain and traced numbers.

All of them also take arrays, plain or traced, and broadcast them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.tracing.expressions.expr import Expr


def _objects(*values: Any) -> bool:
    """Whether one of the values is an array of traced numbers."""
    return any(isinstance(v, np.ndarray) and v.dtype == object for v in values)


def select(condition: Any, if_true: Any, if_false: Any) -> Any:
    """`if_true` where the condition holds, else `if_false`. Both are computed: guard square roots and divisions."""
    if type(if_true) is float and type(if_false) is float and isinstance(condition, bool):
        return if_true if condition else if_false
    if isinstance(condition, Expr):
        if isinstance(if_true, np.ndarray) or isinstance(if_false, np.ndarray):
            return np.frompyfunc(condition.select, 2, 1)(if_true, if_false)
        return condition.select(if_true, if_false)
    if _objects(condition):
        return np.frompyfunc(select, 3, 1)(condition, if_true, if_false)
    if isinstance(if_true, Expr) or isinstance(if_false, Expr):
        return if_true if condition else if_false
    return np.where(condition, if_true, if_false)[()]


def fmin(a: Any, b: Any) -> Any:
    """The smaller of two numbers (compared by real part if complex)."""
    if type(a) is float and type(b) is float:
        return a if a <= b else b
    if isinstance(a, Expr) and not isinstance(b, np.ndarray):
        return a.fmin(b)
    if isinstance(b, Expr) and not isinstance(a, np.ndarray):
        return Expr(b.graph, b.graph.const(a)).fmin(b)
    if _objects(a, b) or isinstance(a, Expr) or isinstance(b, Expr):
        return np.frompyfunc(fmin, 2, 1)(a, b)
    return select(np.real(a) <= np.real(b), a, b)


def fmax(a: Any, b: Any) -> Any:
    """The larger of two numbers (compared by real part if complex)."""
    if type(a) is float and type(b) is float:
        return a if a >= b else b
    if isinstance(a, Expr) and not isinstance(b, np.ndarray):
        return a.fmax(b)
    if isinstance(b, Expr) and not isinstance(a, np.ndarray):
        return Expr(b.graph, b.graph.const(a)).fmax(b)
    if _objects(a, b) or isinstance(a, Expr) or isinstance(b, Expr):
        return np.frompyfunc(fmax, 2, 1)(a, b)
    return select(np.real(a) >= np.real(b), a, b)


def sign(a: Any) -> Any:
    """-1, 0 or 1."""
    if isinstance(a, Expr):
        return a.sign()
    return np.frompyfunc(sign, 1, 1)(a) if _objects(a) else np.sign(np.real(a))


def absolute(a: Any) -> Any:
    """|a|, analytic away from zero (so that complex steps work)."""
    return abs(a) if isinstance(a, Expr) or _objects(a) else select(np.real(a) < 0, -a, a)


def cut(values: Any) -> Any:
    """Marks intermediates for the block chain rule: differentiation starts a new direction at each of them.

    Useful for a few numbers that depend on many unknowns and that many results depend on. Does not change values.
    """
    for value in np.asarray(values).ravel():
        if isinstance(value, Expr):
            value.graph.cuts.add(value.id)
    return values
