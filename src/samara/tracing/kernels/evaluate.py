"""Evaluates a graph on plain numbers, operation by operation: for one-off evaluations, and as a reference."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from samara.tracing.expressions.graph import BINARY, COMPARE, UNARY
from samara.tracing.kernels.lanes import Function

_ARITHMETIC: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b if b else float("nan"),
    "neg": lambda a: -a,
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "not": lambda a: not a,
    "select": lambda c, a, b: a if c else b,
}
_OPERATIONS: dict[str, Callable[..., Any]] = {**_ARITHMETIC, **UNARY, **BINARY, **COMPARE}


def evaluate(function: Function, read: Callable[[Any], float]) -> list[float]:
    """Results in the order of the outputs. read: the value of an input, by its name. Tables are not supported."""
    g = function.graph
    values: dict[int, Any] = {}
    for i in g.live(node for _, node in function.outputs):
        op, args = g.nodes[i]
        if op == "const":
            values[i] = args[0]
        elif op == "input":
            values[i] = read(args[0])
        else:
            values[i] = _OPERATIONS[op](*(values[a] for a in args))
    return [float(values[node]) for _, node in function.outputs]
