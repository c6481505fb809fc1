"""Set points from a table."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

import numpy as np

from samara.blocks.checks import finite_numbers, switch
from samara.blocks.trajectories.trajectory import Trajectory
from samara.model import number, numbers, setting
from samara.tracing import Expr, select


class TableTrajectory(Trajectory):
    """A trajectory through points at given times: piecewise linear, or a cubic spline with zero end velocities.

    times [s], values: at least two each, of equal number. smoothly: whether to use the spline.
    """

    times: Any = setting(default=None)
    values: Any = setting(default=None)
    smoothly: Any = setting(default=True)
    knots: Any = numbers(default=(), init=False)  # times, and where each piece begins, with its polynomial
    pieces: Any = numbers(default=(), init=False)
    begin: float = number(default=0.0, unit="s", init=False)
    duration: float = number(default=0.0, unit="s", init=False)

    def prepare(self) -> None:
        who = type(self).__name__
        t, q = (finite_numbers(who, name, getattr(self, name)) for name in ("times", "values"))
        if t.ndim != 1 or t.shape != q.shape or t.size < 2:
            raise self.refuse(
                f"give at least two times, and as many values; got times of shape {t.shape} and values "
                f"of shape {q.shape}"
            )
        if not (np.diff(t) > 0).all():
            raise self.refuse("times must increase")
        if switch(who, "smoothly", self.smoothly):
            from scipy.interpolate import CubicSpline  # takes a while to load

            rows = CubicSpline(t, q, bc_type="clamped").c.T
        else:
            slopes = np.diff(q) / np.diff(t)
            rows = np.column_stack([0.0 * slopes, 0.0 * slopes, slopes, q[:-1]])
        still = np.array([[0.0, 0.0, 0.0, q[0]], [0.0, 0.0, 0.0, q[-1]]])
        origins = np.array([t[0], *t[:-1], t[-1]])
        pieces = np.column_stack([origins, np.vstack([still[:1], rows, still[1:]])])
        self.keep(knots=t, pieces=pieces, begin=float(t[0]), duration=float(t[-1] - t[0]))

    def end(self):
        return self.begin + self.duration

    def output(self, x, u, h):
        origin, a, b, c, d = self._piece(u[0])
        s = u[0] - origin
        return [d + s * (c + s * (b + s * a)), c + s * (2.0 * b + 3.0 * a * s), 2.0 * b + 6.0 * a * s]

    def _piece(self, t: Any) -> list:
        """Where the piece begins that a time lies in, and its polynomial."""
        knots, pieces = self.knots.tolist(), self.pieces.tolist()
        if not isinstance(t, Expr):
            return pieces[bisect_right(knots, t)]
        found = pieces[0]
        for knot, piece in zip(knots, pieces[1:], strict=True):
            found = [select(t >= knot, new, old) for new, old in zip(piece, found, strict=True)]
        return found
