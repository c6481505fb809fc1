"""Links graphs: computes the results of one graph in another, where its inputs are known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from samara.tracing.expressions.graph import BINARY, COMPARE, LOGICAL, UNARY, Graph

#: Operations of a graph that have their own methods.
_ARITHMETIC: dict[str, Callable[..., int]] = {
    "add": Graph.add,
    "sub": Graph.sub,
    "mul": Graph.mul,
    "div": Graph.div,
    "neg": Graph.neg,
}


def link(
    target: Graph,
    source: Graph,
    outputs: Sequence[int],
    read: Callable[[Any], int],
    known: Mapping[int, int] | None = None,
) -> list[int]:
    """Nodes of the target that are the outputs of the source; constants are folded again.

    read:  node in the target for an input of the source, by name.
    known: {node of the source: node of the target} for anything else known; what it was computed from is omitted.
    """
    known = known or {}
    found: dict[int, int] = {}
    for i in source.live(outputs, stop=known):
        if i in known:
            found[i] = known[i]
            continue
        op, args = source.nodes[i]
        if op == "const":
            found[i] = target.const(args[0])
        elif op == "input":
            found[i] = read(args[0])
        else:
            arguments = source.arguments(i)
            found[i] = _operation(target, op, [found[a] for a in arguments], args[len(arguments) :])
    return [found[i] for i in outputs]


def _operation(g: Graph, op: str, a: list[int], rest: tuple) -> int:
    if op in _ARITHMETIC:
        return _ARITHMETIC[op](g, *a)
    if op == "pow":
        return g.power(*a)
    if op in UNARY:
        return g.unary(op, *a)
    if op in BINARY:
        return g.binary(op, *a)
    if op in COMPARE:
        return g.compare(op, *a)
    if op in LOGICAL:
        return g.logical(op, *a)
    if op == "select":
        return g.select(*a)
    if op == "table1":
        return g.table1(*a, *rest)
    if op == "table2":
        return g.table2(*a, *rest)
    raise ValueError(f"operation {op!r} cannot be linked")
