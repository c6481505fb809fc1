"""The expression graph: every operation once, constants folded, arguments before results.

A node is a tuple ``(operation, argument, ...)`` whose arguments are the numbers of earlier nodes. Equal tuples are the
same node (hash-consing), so common subexpressions are shared from the moment they are written, and the order of the
nodes is an order of evaluation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import NamedTuple

#: Functions of one number that a kernel may call, with their plain-Python meaning.
UNARY: dict[str, Callable[[float], float]] = {
    "sqrt": math.sqrt,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "exp": math.exp,
    "log": math.log,
    "abs": abs,
    "sign": lambda x: math.copysign(1.0, x) if x else 0.0,
}
#: Functions of two numbers.
BINARY: dict[str, Callable[[float, float], float]] = {
    "atan2": math.atan2,
    "pow": math.pow,
    "min": min,
    "max": max,
}
#: Comparisons give truth values, which only `select` and the logical operations take.
COMPARE: dict[str, Callable[[float, float], bool]] = {
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "eq": lambda a, b: a == b,
}
LOGICAL = ("and", "or", "not")
#: Operations that are not arithmetic on other nodes.
LEAVES = ("const", "input")
#: Table look-ups: (operation, x, [y,] table, order...). The trailing orders of differentiation are plain integers.
TABLES = ("table1", "table2")


class Node(NamedTuple):
    """One operation and the numbers of its arguments (for a leaf: its value or name)."""

    op: str
    args: tuple


class Graph:
    """A growing list of distinct operations."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self._number: dict[tuple, int] = {}
        self.cuts: set[int] = set()  # nodes at which differentiation starts a fresh direction

    def __len__(self) -> int:
        return len(self.nodes)

    # ---- leaves
    def _node(self, op: str, *args) -> int:
        key = (op, *args)
        number = self._number.get(key)
        if number is None:
            number = len(self.nodes)
            self.nodes.append(Node(op, args))
            self._number[key] = number
        return number

    def const(self, value: float) -> int:
        """The node of a constant (the two zeros are one)."""
        value = float(value)
        return self._node("const", value if value else 0.0)

    def input(self, name) -> int:
        """The node of an input, known by any hashable name."""
        return self._node("input", name)

    def value(self, i: int) -> float | None:
        """The number of a constant node, None for any other."""
        node = self.nodes[i]
        return node.args[0] if node.op == "const" else None

    def arguments(self, i: int) -> tuple[int, ...]:
        """The nodes that node i is computed from."""
        op, args = self.nodes[i]
        if op in LEAVES:
            return ()
        if op == "table1":
            return args[:2]
        if op == "table2":
            return args[:3]
        return args

    # ---- arithmetic, folded
    def add(self, a: int, b: int) -> int:
        x, y = self.value(a), self.value(b)
        if x is not None and y is not None:
            return self.const(x + y)
        if x == 0.0:
            return b
        if y == 0.0:
            return a
        if self.nodes[b].op == "neg":
            return self.sub(a, self.nodes[b].args[0])
        if self.nodes[a].op == "neg":
            return self.sub(b, self.nodes[a].args[0])
        return self._node("add", min(a, b), max(a, b))

    def sub(self, a: int, b: int) -> int:
        x, y = self.value(a), self.value(b)
        if x is not None and y is not None:
            return self.const(x - y)
        if y == 0.0:
            return a
        if x == 0.0:
            return self.neg(b)
        if a == b:
            return self.const(0.0)
        if self.nodes[b].op == "neg":
            return self.add(a, self.nodes[b].args[0])
        return self._node("sub", a, b)

    def neg(self, a: int) -> int:
        x = self.value(a)
        if x is not None:
            return self.const(-x)
        op, args = self.nodes[a]
        if op == "neg":
            return args[0]
        if op == "sub":
            return self._node("sub", args[1], args[0])
        return self._node("neg", a)

    def mul(self, a: int, b: int) -> int:
        x, y = self.value(a), self.value(b)
        if x is not None and y is not None:
            return self.const(x * y)
        for p, q, c in ((a, b, x), (b, a, y)):
            if c == 0.0:
                return self.const(0.0)
            if c == 1.0:
                return q
            if c == -1.0:
                return self.neg(q)
            if self.nodes[p].op == "neg":
                return self.neg(self.mul(self.nodes[p].args[0], q))
        return self._node("mul", min(a, b), max(a, b))

    def div(self, a: int, b: int) -> int:
        x, y = self.value(a), self.value(b)
        if y is not None and y != 0.0:
            return self.mul(a, self.const(1.0 / y)) if x is None else self.const(x / y)
        if x == 0.0 and y is None:
            return self.const(0.0)
        if self.nodes[a].op == "neg":
            return self.neg(self.div(self.nodes[a].args[0], b))
        return self._node("div", a, b)

    def power(self, a: int, b: int) -> int:
        y = self.value(b)
        if y is not None and y == int(y) and abs(y) <= 16:
            return self._integer_power(a, int(y))
        if y == 0.5:
            return self.unary("sqrt", a)
        return self.binary("pow", a, b)

    def _integer_power(self, a: int, n: int) -> int:
        if n < 0:
            return self.div(self.const(1.0), self._integer_power(a, -n))
        result, square = self.const(1.0), a
        while n:
            if n & 1:
                result = self.mul(result, square)
            n >>= 1
            if n:
                square = self.mul(square, square)
        return result

    def unary(self, op: str, a: int) -> int:
        x = self.value(a)
        return self._node(op, a) if x is None else self.const(UNARY[op](x))

    def binary(self, op: str, a: int, b: int) -> int:
        x, y = self.value(a), self.value(b)
        if x is not None and y is not None:
            return self.const(BINARY[op](x, y))
        if a == b and op in ("min", "max"):
            return a
        return self._node(op, a, b)

    # ---- truth values
    def compare(self, op: str, a: int, b: int) -> int:
        x, y = self.value(a), self.value(b)
        if x is not None and y is not None:
            return self.const(1.0 if COMPARE[op](x, y) else 0.0)
        return self._node(op, a, b)

    def logical(self, op: str, *args: int) -> int:
        values = [self.value(a) for a in args]
        if op == "not":
            return self._node("not", *args) if values[0] is None else self.const(1.0 - values[0])
        absorbing = 0.0 if op == "and" else 1.0
        if absorbing in values:
            return self.const(absorbing)
        live = [a for a, v in zip(args, values, strict=True) if v is None]
        return self._node(op, *live) if len(live) == 2 else live[0] if live else args[0]

    def select(self, condition: int, a: int, b: int) -> int:
        c = self.value(condition)
        if c is not None:
            return a if c else b
        return a if a == b else self._node("select", condition, a, b)

    # ---- tables
    def table1(self, x: int, table: int, order: int = 0) -> int:
        """Derivative of the given order of a one-dimensional table at x."""
        return self.const(0.0) if order > 3 else self._node("table1", x, table, order)

    def table2(self, x: int, y: int, table: int, dx: int = 0, dy: int = 0) -> int:
        """Mixed derivative of a two-dimensional table (piecewise bilinear) at (x, y)."""
        return self.const(0.0) if max(dx, dy) > 1 else self._node("table2", x, y, table, dx, dy)

    # ---- whole-graph questions
    def live(self, outputs: Iterable[int]) -> list[int]:
        """All nodes that the outputs depend on, in order of evaluation (dead code is what is missing)."""
        seen: set[int] = set()
        stack = list(outputs)
        while stack:
            i = stack.pop()
            if i not in seen:
                seen.add(i)
                stack.extend(self.arguments(i))
        return sorted(seen)

    def operations(self, outputs: Iterable[int]) -> int:
        """Number of arithmetic operations behind the outputs."""
        return sum(self.nodes[i].op not in LEAVES for i in self.live(outputs))
