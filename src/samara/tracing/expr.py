"""A traced number: behaves like a float in element code and writes down what was done with it."""

from __future__ import annotations

import numbers

from samara.tracing.graph import Graph


class TracingError(TypeError):
    """Element code asked a traced number for something only a plain number knows."""


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
        if isinstance(other, Expr):
            if other.graph is not self.graph:
                raise TracingError("a number of one trace was used in another: do not keep traced numbers between calls")
            return other.id
        return self.graph.const(other)

    def _new(self, number: int) -> Expr:
        return Expr(self.graph, number)

    def __repr__(self) -> str:
        op, args = self.graph.nodes[self.id]
        return f"Expr({op} {' '.join(map(str, args))})"

    # ---- arithmetic
    def __add__(self, other):
        return self._new(self.graph.add(self.id, self._lift(other))) if _scalar(other) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other):
        return self._new(self.graph.sub(self.id, self._lift(other))) if _scalar(other) else NotImplemented

    def __rsub__(self, other):
        return self._new(self.graph.sub(self._lift(other), self.id)) if _scalar(other) else NotImplemented

    def __mul__(self, other):
        return self._new(self.graph.mul(self.id, self._lift(other))) if _scalar(other) else NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other):
        return self._new(self.graph.div(self.id, self._lift(other))) if _scalar(other) else NotImplemented

    def __rtruediv__(self, other):
        return self._new(self.graph.div(self._lift(other), self.id)) if _scalar(other) else NotImplemented

    def __pow__(self, other):
        return self._new(self.graph.power(self.id, self._lift(other))) if _scalar(other) else NotImplemented

    def __rpow__(self, other):
        return self._new(self.graph.power(self._lift(other), self.id)) if _scalar(other) else NotImplemented

    def __neg__(self):
        return self._new(self.graph.neg(self.id))

    def __pos__(self):
        return self

    def __abs__(self):
        return self._unary("abs")

    # ---- functions (the names that NumPy looks for)
    def _unary(self, op: str) -> Expr:
        return self._new(self.graph.unary(op, self.id))

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

    def sign(self):
        return self._unary("sign")

    def arctan2(self, other):
        return self._new(self.graph.binary("atan2", self.id, self._lift(other)))

    def fmin(self, other):
        return self._new(self.graph.binary("min", self.id, self._lift(other)))

    def fmax(self, other):
        return self._new(self.graph.binary("max", self.id, self._lift(other)))

    def hypot(self, other):
        return (self * self + other * other).sqrt()

    def conjugate(self):
        return self

    # ---- truth values
    def _compare(self, op: str, a: int, b: int) -> Expr:
        return self._new(self.graph.compare(op, a, b))

    def __lt__(self, other):
        return self._compare("lt", self.id, self._lift(other))

    def __le__(self, other):
        return self._compare("le", self.id, self._lift(other))

    def __gt__(self, other):
        return self._compare("lt", self._lift(other), self.id)

    def __ge__(self, other):
        return self._compare("le", self._lift(other), self.id)

    def __eq__(self, other):
        return self._compare("eq", self.id, self._lift(other)) if _scalar(other) else NotImplemented

    def __ne__(self, other):
        return ~self._compare("eq", self.id, self._lift(other)) if _scalar(other) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __and__(self, other):
        return self._new(self.graph.logical("and", self.id, self._lift(other)))

    __rand__ = __and__

    def __or__(self, other):
        return self._new(self.graph.logical("or", self.id, self._lift(other)))

    __ror__ = __or__

    def __invert__(self):
        return self._new(self.graph.logical("not", self.id))

    def select(self, if_true, if_false) -> Expr:
        """`if_true` where this truth value holds, else `if_false` (both are computed)."""
        return self._new(self.graph.select(self.id, self._lift(if_true), self._lift(if_false)))

    # ---- what cannot be traced
    def _refuse(self, *_):
        raise TracingError(
            "a branch, loop or index that depends on a simulated value cannot be traced into a kernel, because the "
            "kernel has one fixed course of operations: write select(condition, a, b), fmin, fmax or a table instead"
        )

    __bool__ = __float__ = __int__ = __index__ = __complex__ = _refuse  # type: ignore[assignment]
    __iter__ = __len__ = None  # type: ignore[assignment]


def _scalar(x) -> bool:
    return isinstance(x, (Expr, numbers.Real))
