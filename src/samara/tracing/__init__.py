"""Tracing: plain Python residuals become expression graphs, derivatives and native kernels."""

from samara.tracing.expressions.derivative import Tangent, tangents
from samara.tracing.expressions.expr import Expr, TracingError, Truth, hint
from samara.tracing.expressions.functions import absolute, cut, fmax, fmin, select, sign
from samara.tracing.expressions.graph import Graph
from samara.tracing.expressions.table import Curve, Surface, TracedCurve, TracedSurface

__all__ = [
    "Curve",
    "Expr",
    "Graph",
    "Surface",
    "Tangent",
    "TracedCurve",
    "TracedSurface",
    "TracingError",
    "Truth",
    "absolute",
    "cut",
    "fmax",
    "fmin",
    "hint",
    "select",
    "sign",
    "tangents",
]
