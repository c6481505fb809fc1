"""What element code may use besides arithmetic and NumPy's elementary functions, on plain and on traced numbers."""

from __future__ import annotations

import numpy as np

from samara.tracing.expr import Expr


def select(condition, if_true, if_false):
    """`if_true` where the condition holds, else `if_false`. Both are computed: guard square roots and divisions."""
    if isinstance(condition, Expr):
        return condition.select(if_true, if_false)
    if isinstance(if_true, Expr) or isinstance(if_false, Expr):
        return if_true if condition else if_false
    return np.where(condition, if_true, if_false)[()]


def fmin(a, b):
    """The smaller of two numbers (of complex ones, by real part)."""
    if isinstance(a, Expr):
        return a.fmin(b)
    if isinstance(b, Expr):
        return b.fmin(a)
    return select(np.real(a) <= np.real(b), a, b)


def fmax(a, b):
    """The larger of two numbers (of complex ones, by real part)."""
    if isinstance(a, Expr):
        return a.fmax(b)
    if isinstance(b, Expr):
        return b.fmax(a)
    return select(np.real(a) >= np.real(b), a, b)


def sign(a):
    """-1, 0 or 1."""
    return a.sign() if isinstance(a, Expr) else np.sign(np.real(a))


def absolute(a):
    """|a|, analytic away from zero (so that complex steps work)."""
    return abs(a) if isinstance(a, Expr) else select(np.real(a) < 0, -a, a)


def cut(values):
    """Marks intermediates for the block chain rule: differentiation starts a fresh direction at each of them.

    Worth it for a few numbers that depend on many unknowns and that many results depend on. Does not change values.
    """
    array = np.asarray(values)
    for value in array.ravel():
        if isinstance(value, Expr):
            value.graph.cuts.add(value.id)
    return values
