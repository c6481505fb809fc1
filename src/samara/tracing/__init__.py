"""Tracing: plain Python residuals become expression graphs, derivatives and native kernels."""

from samara.tracing.derivative import Tangent, tangents
from samara.tracing.expr import Expr, TracingError, Truth, hint
from samara.tracing.functions import absolute, cut, fmax, fmin, select, sign
from samara.tracing.graph import Graph
from samara.tracing.table import Curve, Surface, TracedCurve, TracedSurface

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
