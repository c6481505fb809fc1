"""Tables of one and two variables: look-up with exact slopes, as one operation of a kernel.

`Curve` is piecewise cubic, `Surface` piecewise bilinear. Each packs itself into a flat array of doubles that the native
look-up reads; element code calls the table like a function, with plain or traced numbers.
"""

from __future__ import annotations

import numbers
from bisect import bisect_right
from typing import Literal

import numpy as np

from samara.tracing.expressions.expr import Expr, TracingError
from samara.tracing.expressions.slopes import cubics, smooth_slopes, spline_slopes

#: Values at a point of a surface: as many as a vector of doubles holds on common CPUs.
MOST_COMPONENTS = 4
#: Doubles before the buckets of a packed surface; and the maximum number of buckets on an axis.
HEAD, MOST_BUCKETS = 12, 2048

Interpolation = Literal["linear", "smooth", "spline"]
Outside = Literal["hold", "linear"]


def plain_numbers(values, what: str = "") -> np.ndarray:
    """A copy as an array of numbers; rejects parameters, whose later changes would be missed."""
    try:
        array = np.array(values)
    except ValueError:  # rows of different lengths
        raise _not_real(values, what) from None
    if array.dtype == object:
        for value in array.ravel():
            if hasattr(value, "__float__") and not isinstance(value, (numbers.Real, Expr)):
                raise ValueError(f"{what} must be plain numbers, got {value!r}, which would not be followed".strip())
            if isinstance(value, bool) or not isinstance(value, (numbers.Real, Expr)):
                raise _not_real(values, what)
    elif array.dtype.kind not in "iuf":  # complex numbers would lose a part, booleans are not numbers
        raise _not_real(values, what)
    try:
        return array.astype(float, copy=False)
    except OverflowError:
        raise ValueError(f"{what} must be finite numbers, got one that is too large".strip()) from None


def _not_real(values: object, what: str) -> ValueError:
    text = " ".join(repr(values).split())
    shown = text if len(text) < 80 else f"{text[:77]}..."
    return ValueError(f"{what} must be real numbers, in rows of equal length, got {shown}".strip())


def _own(values) -> np.ndarray:
    """A private copy."""
    array = plain_numbers(values, "the points of a table")
    array.flags.writeable = False
    return array


def _refuse_traced(*values) -> None:
    if any(isinstance(v, Expr) for v in values):
        raise TracingError(
            "a table met a traced number: make the table a field of the element, declared by table(), so that its "
            "points become data of the kernel"
        )


class Curve:
    """y(x) through points, as polynomials between breakpoints.

    interpolation: "linear"; "smooth" keeps the shape of the data (monotone cubics, one continuous derivative);
                   "spline" has two continuous derivatives and may overshoot.
    outside:       "hold" the end value, or continue with the end slope ("linear").

    Packed as ``[breakpoints m, x_1 .. x_m, then m + 1 polynomials (origin, c0, c1, c2, c3)]``: the first and last
    polynomials are the outside ones, so that the look-up has no special case.
    """

    def __init__(self, x, y, interpolation: Interpolation = "linear", outside: Outside = "hold") -> None:
        self.x, self.y = _own(x), _own(y)
        self.interpolation, self.outside = interpolation, outside
        if self.x.ndim != 1 or self.x.shape != self.y.shape or self.x.size < 2:
            raise ValueError("a table needs at least two points, as many x as y")
        if not np.all(np.isfinite(self.x) & np.isfinite(self.y)):
            raise ValueError("a table has a gap: every x and y must be a finite number")
        if not np.all(np.diff(self.x) > 0):
            bad = int(np.argmax(np.diff(self.x) <= 0))
            raise ValueError(f"the x of a table must increase: {self.x[bad]:g} is followed by {self.x[bad + 1]:g}")
        self._polynomials = self._pieces()

    def __repr__(self) -> str:
        return f"Curve({self.x.size} points, {self.interpolation})"

    def _pieces(self) -> np.ndarray:
        x, y = self.x, self.y
        if self.interpolation == "linear":
            c = np.column_stack([y[:-1], np.diff(y) / np.diff(x), np.zeros(x.size - 1), np.zeros(x.size - 1)])
        else:
            slopes = {"smooth": smooth_slopes, "spline": spline_slopes}.get(self.interpolation)
            if slopes is None:
                raise ValueError(f"interpolation {self.interpolation!r}: choose linear, smooth or spline")
            c = cubics(x, y, slopes(x, y))
        if self.outside not in ("hold", "linear"):
            raise ValueError(f"outside {self.outside!r}: choose hold or linear")
        inside = np.column_stack([x[:-1], c])
        h = x[-1] - x[-2]
        end_slope = c[-1, 1] + h * (2 * c[-1, 2] + 3 * h * c[-1, 3])
        keep = float(self.outside == "linear")
        before = [x[0], y[0], keep * c[0, 1], 0.0, 0.0]
        after = [x[-1], y[-1], keep * end_slope, 0.0, 0.0]
        return np.vstack([before, inside, after])

    def pack(self) -> np.ndarray:
        """The flat array that the native look-up reads."""
        return np.concatenate([[self.x.size], self.x, self._polynomials.ravel()])

    def derivative(self, x: float, order: int) -> float:
        """Derivative of order 0 to 3 at a plain (or complex) number."""
        _refuse_traced(x)
        origin, c0, c1, c2, c3 = self._polynomials[bisect_right(self.x, np.real(x))]
        s = x - origin
        return (
            c0 + s * (c1 + s * (c2 + s * c3)),
            c1 + s * (2 * c2 + s * 3 * c3),
            2 * c2 + 6 * s * c3,
            6 * c3 + 0 * s,
        )[order]

    def __call__(self, x):
        return self.derivative(x, 0)


class Surface:
    """z(x, y) on a grid, bilinear in each cell, held outside the grid; z[i, j, k] for up to four values at each point.

    Packed for look-up without a search: an axis is divided into equal buckets, each of which stores its first cell.

        head        for x, then for y: [place of the buckets, last bucket, origin, buckets per unit, place of the cells]
                    (places count from the head), then [place of z, doubles per row]
        buckets     the cell in which each begins (or the one before, since edges are rounded)
        cells       [end (not a number for the last), start, 1 / width]
        z           in rows of constant x; for several values, four per point

    Integers are stored as such, in the bits of a double.
    """

    def __init__(self, x, y, z) -> None:
        self.x, self.y, self.z = _own(x), _own(y), _own(z)
        grid = self.z.shape[:2]
        if self.z.ndim not in (2, 3) or grid != self.x.shape + self.y.shape or min(grid) < 2:
            raise ValueError("a two-dimensional table needs z[len(x), len(y)] with at least two values of each")
        if not 1 <= self.components <= MOST_COMPONENTS:
            raise ValueError(f"a two-dimensional table has up to {MOST_COMPONENTS} values per point: {self.components}")
        if not all(np.all(np.isfinite(a)) for a in (self.x, self.y, self.z)):
            raise ValueError("a table has a gap: every x, y and z must be a finite number")
        for name, axis in (("x", self.x), ("y", self.y)):
            if not np.all(np.diff(axis) > 0):
                raise ValueError(f"the {name} of a table must increase")

    def __repr__(self) -> str:
        several = f", {self.components} values" if self.components > 1 else ""
        return f"Surface({self.x.size} x {self.y.size} points{several})"

    @property
    def components(self) -> int:
        """Number of values per point."""
        return self.z.shape[2] if self.z.ndim == 3 else 1

    @classmethod
    def joined(cls, *surfaces: Surface) -> Surface:
        """Several tables as one with several values, on all their points: the same functions in one look-up."""
        if any(s.z.ndim == 3 for s in surfaces):
            raise ValueError("tables of several values at a point cannot be joined")
        x, y = (np.unique(np.concatenate([getattr(s, axis) for s in surfaces])) for axis in "xy")
        return cls(x, y, np.stack([s._on_grid(x, y) for s in surfaces], axis=2))

    def _on_grid(self, x, y) -> np.ndarray:
        """Values z[i, j] at all x[i] and y[j], with one value per point."""
        rows = np.array([np.interp(x, self.x, column) for column in self.z.T])
        return np.array([np.interp(y, self.y, column) for column in rows.T])

    def pack(self) -> np.ndarray:
        """The flat array that the native look-up reads."""
        width = 1 if self.components == 1 else MOST_COMPONENTS
        z = np.zeros((*self.z.shape[:2], width))
        z[:, :, : self.components] = self.z.reshape(*self.z.shape[:2], -1)
        parts, head, at = [], [], HEAD
        for axis in (self.x, self.y):
            buckets, scale = _buckets(axis)
            ends = np.append(axis[1:-1], np.nan)  # nothing lies beyond it
            cells = np.column_stack([ends, axis[:-1], 1.0 / np.diff(axis)]).ravel()
            head += [_whole(at), _whole(buckets.size - 1), axis[0], scale, _whole(at + buckets.size)]
            parts += [_whole(buckets), cells]
            at += buckets.size + cells.size
        head += [_whole(at), _whole(z[0].size)]
        return np.concatenate([np.ravel(part) for part in (*head, *parts, z)])

    def derivative(self, x: float, y: float, dx: int, dy: int) -> float:
        """Mixed derivative (each order 0 or 1) at plain (or complex) numbers."""
        _refuse_traced(x, y)
        i, s, ds = _cell(self.x, x)
        j, t, dt = _cell(self.y, y)
        z = self.z
        wx = (-ds, ds) if dx else (1 - s, s)
        wy = (-dt, dt) if dy else (1 - t, t)
        return sum(wx[a] * wy[b] * z[i + a, j + b] for a in (0, 1) for b in (0, 1))

    def __call__(self, x, y):
        return self.derivative(x, y, 0, 0)


def _cell(axis: np.ndarray, value):
    """(cell, fraction of it, slope of the fraction), held at the ends."""
    i = min(max(bisect_right(axis, np.real(value)) - 1, 0), axis.size - 2)
    width = axis[i + 1] - axis[i]
    if np.real(value) < axis[0]:
        return i, 0.0, 0.0
    if np.real(value) > axis[-1]:
        return i, 1.0, 0.0
    return i, (value - axis[i]) / width, 1.0 / width


def _whole(values) -> np.ndarray:
    """Integers in the bits of doubles."""
    return np.atleast_1d(np.asarray(values, np.int64)).view(float)


def _buckets(axis: np.ndarray) -> tuple[np.ndarray, float]:
    """The cell in which each of many equal intervals of an axis begins, and the number of intervals per unit.

    They are no longer than the shortest cell, if `MOST_BUCKETS` allows it: then each contains at most one point.
    """
    span = axis[-1] - axis[0]
    count = int(min(np.ceil(span / np.diff(axis).min() * (1 - 1e-9)), MOST_BUCKETS))
    edges = axis[0] + span * (np.arange(count) - 1e-9) / count
    return np.clip(np.searchsorted(axis, edges, side="right") - 1, 0, axis.size - 2), count / span


class TracedCurve:
    """A `Curve` known to a kernel by the address of its packed array."""

    def __init__(self, address: Expr) -> None:
        self.address = address

    def __call__(self, x):
        g = self.address.graph
        return Expr(g, g.table1(self.address._lift(x), self.address.id))


class TracedSurface:
    """A `Surface` known to a kernel by the address of its packed array."""

    def __init__(self, address: Expr, components: int = 1, array: bool = False) -> None:
        self.address, self.components, self.array = address, components, array

    def __call__(self, x, y):
        g, lift, n = self.address.graph, self.address._lift, self.components
        found = [Expr(g, g.table2(lift(x), lift(y), self.address.id, 0, 0, k, n)) for k in range(n)]
        return np.array(found) if self.array else found[0]
