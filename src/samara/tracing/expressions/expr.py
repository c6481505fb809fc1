"""A traced number: behaves like a float in element code and records the operations applied to it."""

from __future__ import annotations

import numbers

import numpy as np

from samara.tracing.expressions.graph import Graph

_COURSE = "because the kernel has one fixed course of operations"


class TracingError(TypeError):
    """Element code used a traced number in a way that only a plain number allows."""


class Expr:
    """One node of a `Graph`, with the arithmetic of a number.

    NumPy object arrays carry these, and NumPy's functions call the methods of the same name, so ``np.sqrt(x)``,
    ``np.arctan2(y, x)``, ``A @ b`` and ``np.array([...])`` are all traced.
    """

    __slots__ = ("graph", "id")

    def __init__(self, graph: Graph, number: int) -> None:
        self.graph = graph
        self.id = number

    def _lift(self, other) -> int:
        """The node of another operand, as a number."""
        if isinstance(other, Expr):
            if other.graph is not self.graph:
                raise TracingError("a number of one trace was used in another: keep no traced numbers between calls")
            return other._numeric()
        return self.graph.const(other)

    def _numeric(self) -> int:
        return self.id

    def _new(self, number: int) -> Expr:
        return Expr(self.graph, number)

    def __repr__(self) -> str:
        op, args = self.graph.nodes[self.id]
        return f"{type(self).__name__}({op} {' '.join(map(str, args))})"

    # ---- arithmetic
    def __add__(self, other):
        return self._new(self.graph.add(self._numeric(), self._lift(other))) if _scalar(other) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other):
        return self._new(self.graph.sub(self._numeric(), self._lift(other))) if _scalar(other) else NotImplemented

    def __rsub__(self, other):
        return self._new(self.graph.sub(self._lift(other), self._numeric())) if _scalar(other) else NotImplemented

    def __mul__(self, other):
        return self._new(self.graph.mul(self._numeric(), self._lift(other))) if _scalar(other) else NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other):
        return self._new(self.graph.div(self._numeric(), self._lift(other))) if _scalar(other) else NotImplemented

    def __rtruediv__(self, other):
        return self._new(self.graph.div(self._lift(other), self._numeric())) if _scalar(other) else NotImplemented

    def __pow__(self, other):
        return self._new(self.graph.power(self._numeric(), self._lift(other))) if _scalar(other) else NotImplemented

    def __rpow__(self, other):
        return self._new(self.graph.power(self._lift(other), self._numeric())) if _scalar(other) else NotImplemented

    def __floordiv__(self, other):
        return (self / other).floor() if _scalar(other) else NotImplemented

    def __rfloordiv__(self, other):
        return (other / self).floor() if _scalar(other) else NotImplemented

    def __mod__(self, other):
        return self - other * (self // other) if _scalar(other) else NotImplemented

    def __rmod__(self, other):
        return other - self * (other // self) if _scalar(other) else NotImplemented

    def __neg__(self):
        return self._new(self.graph.neg(self._numeric()))

    def __pos__(self):
        return self._new(self._numeric())

    def __abs__(self):
        return self._unary("abs")

    # ---- functions (with the names that NumPy calls)
    def _unary(self, op: str) -> Expr:
        return self._new(self.graph.unary(op, self._numeric()))

    def _binary(self, op: str, other) -> Expr:
        return self._new(self.graph.binary(op, self._numeric(), self._lift(other)))

    def sqrt(self):
        return self._unary("sqrt")

    def sin(self):
        return self._unary("sin")

    def cos(self):
        return self._unary("cos")

    def tan(self):
        return self._unary("tan")

    def arcsin(self):
        return self._unary("asin")

    def arccos(self):
        return self._unary("acos")

    def arctan(self):
        return self._unary("atan")

    def exp(self):
        return self._unary("exp")

    def log(self):
        return self._unary("log")

    def sinh(self):
        return self._unary("sinh")

    def cosh(self):
        return self._unary("cosh")

    def tanh(self):
        return self._unary("tanh")

    def sign(self):
        return self._unary("sign")

    def absolute(self):
        return self._unary("abs")

    fabs = absolute

    def arctan2(self, other):
        return self._binary("atan2", other)

    def fmin(self, other):
        return self._binary("min", other)

    def fmax(self, other):
        return self._binary("max", other)

    def hypot(self, other):
        return (self * self + other * other).sqrt()

    def square(self):
        return self * self

    def reciprocal(self):
        return 1.0 / self

    def deg2rad(self):
        return self * (np.pi / 180.0)

    radians = deg2rad

    def rad2deg(self):
        return self * (180.0 / np.pi)

    degrees = rad2deg

    def log10(self):
        return self.log() * (1.0 / np.log(10.0))

    def log2(self):
        return self.log() * (1.0 / np.log(2.0))

    def floor(self):
        return self._unary("floor")

    def ceil(self):
        return -(-self).floor()

    __floor__, __ceil__ = floor, ceil

    def conjugate(self):
        return self

    @property
    def real(self) -> Expr:
        return self

    # ---- truth values
    def _compare(self, op: str, a: int, b: int) -> Truth:
        return Truth(self.graph, self.graph.compare(op, a, b))

    def __lt__(self, other):
        return self._compare("lt", self._numeric(), self._lift(other)) if _scalar(other) else NotImplemented

    def __le__(self, other):
        return self._compare("le", self._numeric(), self._lift(other)) if _scalar(other) else NotImplemented

    def __gt__(self, other):
        return self._compare("lt", self._lift(other), self._numeric()) if _scalar(other) else NotImplemented

    def __ge__(self, other):
        return self._compare("le", self._lift(other), self._numeric()) if _scalar(other) else NotImplemented

    def __eq__(self, other):
        return self._compare("eq", self._numeric(), self._lift(other)) if _scalar(other) else NotImplemented

    def __ne__(self, other):
        return ~self._compare("eq", self._numeric(), self._lift(other)) if _scalar(other) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def _truth(self) -> int:
        """The node of this truth value."""
        raise TracingError("a truth value is needed here, such as x > 0, and not a number")

    def _lift_truth(self, other) -> int:
        if isinstance(other, Expr):
            self._lift(other)  # of the same trace
            return other._truth()
        if isinstance(other, (bool, np.bool_)):
            return self.graph.const(float(other))
        raise TracingError(f"a truth value is needed here, such as x > 0, and not {other!r}")

    def __and__(self, other):
        return Truth(self.graph, self.graph.logical("and", self._truth(), self._lift_truth(other)))

    __rand__ = __and__

    def __or__(self, other):
        return Truth(self.graph, self.graph.logical("or", self._truth(), self._lift_truth(other)))

    __ror__ = __or__

    def __invert__(self):
        return Truth(self.graph, self.graph.logical("not", self._truth()))

    def select(self, if_true, if_false) -> Expr:
        """`if_true` where this truth value holds, else `if_false` (both are computed)."""
        return self._new(self.graph.select(self._truth(), self._lift(if_true), self._lift(if_false)))

    # ---- what cannot be traced
    def __bool__(self):
        raise TracingError(
            f"a branch or loop that depends on a simulated value cannot be traced into a kernel, {_COURSE}: write "
            "select(condition, a, b), fmin, fmax, sign (samara, not NumPy), & | ~ between conditions, or a table"
        )

    def _refuse_index(self, *_):
        raise TracingError(
            f"an index or count that depends on a simulated value cannot be traced into a kernel, {_COURSE}: write "
            "select(condition, a, b) or a table"
        )

    def _refuse_float(self, *_):
        raise TracingError(
            "a simulated value has no plain number while it is traced into a kernel: use NumPy's functions (np.sqrt, "
            "not math.sqrt), a table for interpolation, and np.array([...]) instead of filling an array of floats"
        )

    __int__ = __index__ = __round__ = __trunc__ = rint = _refuse_index
    __float__ = __complex__ = _refuse_float


class Truth(Expr):
    """A traced truth value: for `select`, ``&``, ``|`` and ``~``. In arithmetic it counts as 1 or 0."""

    __slots__ = ()

    def _truth(self) -> int:
        return self.id

    def _numeric(self) -> int:
        return self.graph.select(self.id, self.graph.const(1.0), self.graph.const(0.0))


def _scalar(x) -> bool:
    return isinstance(x, (Expr, float, int, numbers.Real, np.bool_))


def hint(error: BaseException) -> str | None:
    """Advice on an exception that only says that traced numbers are objects; None for any other."""
    text = str(error)
    if isinstance(error, TracingError):
        return None
    if any(sign in text for sign in ("no callable", "no attribute 'arctan2'", "no attribute 'hypot'")):
        return (
            "NumPy found a number without that function in an array of traced numbers. Either it cannot be traced, or "
            "the array mixes traced and plain numbers: then call it component by component"
        )
    if isinstance(error, TypeError) and ("dtype('O')" in text or "input types" in text):
        return (
            "this function takes plain numbers alone, and these are traced. Elementary functions, sums, products, @, "
            "np.cross and np.linalg.norm can be traced; inverses, eigenvalues and tests such as np.isnan cannot"
        )
    return None
