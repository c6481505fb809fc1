"""Tabulated law."""

from __future__ import annotations

import numpy as np

from samara.elements.laws.law import Law
from samara.model import Record, number, record, table
from samara.tracing import Curve


class TableLaw(Law):
    """Tabulated effort [N or N m] against q [m or rad], with an optional linear damper in parallel.

        effort = curve(q) + damping rate,     V = integral of the curve from 0 to q (exact, for every interpolation)

    curve: a `samara.Curve`; its `interpolation` ("linear", "smooth", "spline") and `outside` ("hold" the end value,
    "linear") apply between and beyond the points. damping [N s/m or N m s/rad] >= 0. integral: of the curve, computed.
    """

    curve: Curve = table(unit="N or N m")
    damping: float = number(default=0.0, unit="N s/m or N m s/rad", nonnegative=True)
    integral: CurveIntegral = record(default=None)  # follows from the curve

    def __post_init__(self) -> None:
        if isinstance(self.curve, Curve):
            self.integral = CurveIntegral.of(self.curve)

    def elastic(self, q):
        return self.curve(q)

    def potential(self, q):
        return self.integral(q)

    def viscous(self, q, rate):
        return self.damping * rate


class CurveIntegral(Record):
    """The integral from 0 to x of a piecewise cubic curve.

    It is piecewise quartic and a table holds cubics, so it takes three tables: with s the distance from the origin of a
    piece and a its highest coefficient,

        integral(x) = [the terms up to s^3] + [a s^2 / 4] [s^2]
    """

    cubic: Curve = table()
    leading: Curve = table()
    square: Curve = table()

    @classmethod
    def of(cls, curve: Curve) -> CurveIntegral:
        """The integral of a curve, zero at x = 0."""
        origin, c0, c1, c2, c3 = curve._polynomials.T
        zero, one = np.zeros_like(origin), np.ones_like(origin)
        width = np.diff(curve.x)
        a0, a1, a2, a3 = (c[1:-1] for c in (c0, c1, c2, c3))
        area = width * (a0 + width * (a1 / 2 + width * (a2 / 3 + width * a3 / 4)))
        start = np.concatenate([[0.0, 0.0], np.cumsum(area)])  # the piece before the first point has its origin there

        def made(start: np.ndarray) -> CurveIntegral:
            return cls(
                _Pieces(curve.x, np.column_stack([origin, start, c0, c1 / 2, c2 / 3])),
                _Pieces(curve.x, np.column_stack([origin, zero, zero, c3 / 4, zero])),
                _Pieces(curve.x, np.column_stack([origin, zero, zero, one, zero])),
            )

        return made(start - made(start)(0.0))

    def __call__(self, x):
        return self.cubic(x) + self.leading(x) * self.square(x)


class _Pieces(Curve):
    """A curve given by its polynomials, rows (origin, c0, c1, c2, c3): one before, between and after the points."""

    def __init__(self, x: np.ndarray, polynomials: np.ndarray) -> None:
        self.x, self.y = x, polynomials[1:, 1]
        self.interpolation, self.outside = "linear", "linear"
        self._polynomials = polynomials

    def __repr__(self) -> str:
        return f"Curve({self.x.size} points, by polynomials)"
