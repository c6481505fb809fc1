"""The expression graph: every operation once, constants folded, arguments before results.

A node is a tuple ``(operation, argument, ...)`` whose arguments are the numbers of earlier nodes. Equal tuples are the
same node (hash-consing), so common subexpressions are shared from the moment they are written, and the order of the
nodes is an order of evaluation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable
from typing import NamedTuple

import numpy as np

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
    "sinh": math.sinh,
    "cosh": math.cosh,
    "tanh": math.tanh,
    "abs": abs,
    "floor": lambda x: float(math.floor(x)),
    "sign": lambda x: math.copysign(1.0, x) if x else 0.0,
}
#: Functions of two numbers.
BINARY: dict[str, Callable[[float, float], float]] = {
    "atan2": math.atan2,
    "pow": math.pow,
    "min": lambda a, b: a if a <= b else b,
    "max": lambda a, b: a if b <= a else b,
}
#: The same for arguments at which Python raises an exception and a kernel gives inf or nan.
_LIMITS = {"asin": np.arcsin, "acos": np.arccos, "pow": np.power}
#: Comparisons give truth values, which only `select` and the logical operations take.
COMPARE: dict[str, Callable[[float, float], bool]] = {
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "eq": lambda a, b: a == b,
}
LOGICAL = ("and", "or", "not")
#: Operations that are not arithmetic on other nodes.
LEAVES = ("const", "input")
#: Number of a node's entries that are nodes, if not all: leaves have none, look-ups end in orders of derivatives.
_NODE_ARGUMENTS = {"const": 0, "input": 0, "table1": 2, "table2": 3}
_TRUTHS = frozenset((*COMPARE, *LOGICAL))


class GraphNode(NamedTuple):
    """One operation and the numbers of its arguments (for a leaf: its value or name)."""

    op: str
    args: tuple


def _same(a: object, b: object) -> bool:
    return a == b or a is b if isinstance(a, (bool, int, float, str, tuple)) else type(a) is type(b)


class Graph:
    """A growing list of distinct operations."""

    def __init__(self) -> None:
        self.nodes: list[GraphNode] = []
        self._number: dict[tuple, int] = {}
        self._constants: dict[int, float] = {}
        self.cuts: set[int] = set()  # nodes at which differentiation starts a new direction
        self.atoms: set[int] = set()  # nodes with a meaning beyond what they are computed from: not simplified away

    def __len__(self) -> int:
        return len(self.nodes)

    def alike(self, other: Graph) -> bool:
        """Whether both graphs have the same operations on the same numbers, in the same order; tables are equal."""
        return len(self) == len(other) and all(
            a.op == b.op and len(a.args) == len(b.args) and all(map(_same, a.args, b.args))
            for a, b in zip(self.nodes, other.nodes, strict=True)
        )

    # ---- leaves
    def _node(self, op: str, *args) -> int:
        key = (op, args)
        number = self._number.get(key)
        if number is None:
            number = self._number[key] = len(self.nodes)
            self.nodes.append(GraphNode(op, args))
        return number

    def const(self, value: float) -> int:
        """The node of a constant (the two zeros are one node, and so are all nans)."""
        value = float(value)
        number = self._node("const", (value if value == value else math.nan) if value else 0.0)
        self._constants[number] = value if value else 0.0
        return number

    def input(self, name) -> int:
        """The node of an input, identified by any hashable name."""
        return self._node("input", name)

    def value(self, i: int) -> float | None:
        """The number of a constant node, None for any other."""
        return self._constants.get(i)

    def is_truth(self, i: int) -> bool:
        """Whether node i is a truth value, which arithmetic does not accept."""
        return self.nodes[i].op in _TRUTHS

    def arguments(self, i: int) -> tuple[int, ...]:
        """The nodes that node i is computed from."""
        op, args = self.nodes[i]
        return args[: _NODE_ARGUMENTS[op]] if op in _NODE_ARGUMENTS else args

    def _is(self, op: str, i: int) -> bool:
        """Whether node i is this operation and may be simplified."""
        return self.nodes[i].op == op and i not in self.atoms

    # ---- arithmetic, folded
    def add(self, a: int, b: int) -> int:
        """a + b."""
        constants = self._constants
        if a in constants:
            if b in constants:
                return self.const(constants[a] + constants[b])
            if constants[a] == 0.0:
                return b
        elif b in constants and constants[b] == 0.0:
            return a
        if self._is("neg", b):
            return self.sub(a, self.nodes[b].args[0])
        if self._is("neg", a):
            return self.sub(b, self.nodes[a].args[0])
        if self._is_one(a, b):
            return self.const(1.0)
        return self._node("add", a, b) if a <= b else self._node("add", b, a)

    def _is_one(self, a: int, b: int) -> bool:
        """Whether these are the squares of the sine and cosine of one angle."""
        if not (self._is("mul", a) and self._is("mul", b)):
            return False
        (p, q), (r, s) = self.nodes[a].args, self.nodes[b].args
        if p != q or r != s or self.nodes[p].args != self.nodes[r].args:
            return False
        return (self._is("sin", p) and self._is("cos", r)) or (self._is("cos", p) and self._is("sin", r))

    def sub(self, a: int, b: int) -> int:
        """a - b."""
        constants = self._constants
        if b in constants:
            if a in constants:
                return self.const(constants[a] - constants[b])
            if constants[b] == 0.0:
                return a
        elif a in constants and constants[a] == 0.0:
            return self.neg(b)
        if a == b:
            return self.const(0.0)
        if self._is("neg", b):
            return self.add(a, self.nodes[b].args[0])
        return self._node("sub", a, b)

    def neg(self, a: int) -> int:
        """-a."""
        if a in self._constants:
            return self.const(-self._constants[a])
        args = self.nodes[a].args
        if self._is("neg", a):
            return args[0]
        if self._is("sub", a):
            return self._node("sub", args[1], args[0])
        return self._node("neg", a)

    def mul(self, a: int, b: int) -> int:
        """a b."""
        constants = self._constants
        if b in constants:
            a, b = b, a
        if a in constants:
            x = constants[a]
            if b in constants:
                return self.const(x * constants[b])
            if x == 1.0:
                return b
            if x == 0.0:
                return a
            if x == -1.0:
                return self.neg(b)
        if self._is("neg", a):
            return self.neg(self.mul(self.nodes[a].args[0], b))
        if self._is("neg", b):
            return self.neg(self.mul(a, self.nodes[b].args[0]))
        return self._node("mul", a, b) if a <= b else self._node("mul", b, a)

    def div(self, a: int, b: int) -> int:
        """a / b; division by a constant becomes a multiplication."""
        x, y = self.value(a), self.value(b)
        if y:
            if x is not None:
                return self.const(x / y)
            if math.isfinite(1.0 / y):
                return self.mul(a, self.const(1.0 / y))
        if x == 0.0 and y is None:
            return a
        if self._is("neg", a):
            return self.neg(self.div(self.nodes[a].args[0], b))
        return self._node("div", a, b)

    def power(self, a: int, b: int) -> int:
        """a to the power b; small integer powers become products."""
        y = self.value(b)
        if y is not None and abs(y) <= 16 and y == int(y):
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
        """A function of one number."""
        x = self.value(a)
        return self._node(op, a) if x is None else self.const(_fold(op, UNARY[op], x))

    def binary(self, op: str, a: int, b: int) -> int:
        """A function of two numbers."""
        x, y = self.value(a), self.value(b)
        if x is not None and y is not None:
            return self.const(_fold(op, BINARY[op], x, y))
        if a == b and op in ("min", "max"):
            return a
        if op == "atan2" and (angle := self._angle_of(a, b)) is not None:
            return angle
        return self._node(op, a, b)

    def _angle_of(self, sine: int, cosine: int) -> int | None:
        """The angle within half a turn whose sine and cosine these are, if both are of one angle; else None."""
        turned_back = self._is("neg", sine)
        s = self.nodes[sine].args[0] if turned_back else sine
        if not (self._is("sin", s) and self._is("cos", cosine)) or self.nodes[s].args != self.nodes[cosine].args:
            return None
        x = self.nodes[s].args[0]
        x = self.neg(x) if turned_back else x
        turns = self.unary("floor", self.add(self.mul(x, self.const(0.5 / math.pi)), self.const(0.5)))
        return self.sub(x, self.mul(turns, self.const(2.0 * math.pi)))

    # ---- truth values
    def compare(self, op: str, a: int, b: int) -> int:
        """A truth value: a < b, a <= b or a == b (a constant 1 or 0 if already known)."""
        x, y = self.value(a), self.value(b)
        if x is not None and y is not None:
            return self.const(1.0 if COMPARE[op](x, y) else 0.0)
        return self._node(op, a, b)

    def logical(self, op: str, *args: int) -> int:
        """A truth value from others; constants (1 or 0) are folded."""
        values = [self.value(a) for a in args]
        if op == "not":
            if values[0] is not None:
                return self.const(1.0 - values[0])
            return self.nodes[args[0]].args[0] if self.nodes[args[0]].op == "not" else self._node("not", *args)
        absorbing = 0.0 if op == "and" else 1.0
        if absorbing in values:
            return self.const(absorbing)
        live = [a for a, v in zip(args, values, strict=True) if v is None]
        return self._node(op, *live) if len(live) == 2 else live[0] if live else args[0]

    def select(self, condition: int, a: int, b: int) -> int:
        """a where the condition holds, else b."""
        c = self.value(condition)
        if c is not None:
            return a if c else b
        return a if a == b else self._node("select", condition, a, b)

    # ---- tables
    def table1(self, x: int, table: int, order: int = 0) -> int:
        """Derivative of the given order of a one-dimensional table at x."""
        return self.const(0.0) if order > 3 else self._node("table1", x, table, order)

    def table2(
        self, x: int, y: int, table: int, dx: int = 0, dy: int = 0, component: int = 0, components: int = 1
    ) -> int:
        """Mixed derivative of a component of a two-dimensional table (piecewise bilinear) at (x, y)."""
        if max(dx, dy) > 1:
            return self.const(0.0)
        return self._node("table2", x, y, table, dx, dy, component, components)

    # ---- whole-graph questions
    def live(self, outputs: Iterable[int], stop: Container[int] = ()) -> list[int]:
        """All nodes that the outputs depend on, in order of evaluation; dead code is left out.

        The search does not go below nodes in `stop`.
        """
        outputs = list(outputs)
        nodes, limited = self.nodes, _NODE_ARGUMENTS
        wanted = bytearray(max(outputs, default=-1) + 1)
        for i in outputs:
            wanted[i] = 1
        for i in range(len(wanted) - 1, -1, -1):  # arguments come before results
            if wanted[i] and i not in stop:
                op, args = nodes[i]
                for a in args[: limited[op]] if op in limited else args:
                    wanted[a] = 1
        return [i for i, w in enumerate(wanted) if w]

    def operations(self, outputs: Iterable[int]) -> int:
        """Number of arithmetic operations behind the outputs."""
        return sum(self.nodes[i].op not in LEAVES for i in self.live(outputs))


def _fold(op: str, function: Callable[..., float], *values: float) -> float:
    """Evaluates the function now; where Python raises an exception, what a kernel would return."""
    try:
        return function(*values)
    except (ValueError, OverflowError):
        with np.errstate(all="ignore"):
            return float((_LIMITS.get(op) or getattr(np, op))(*values))
