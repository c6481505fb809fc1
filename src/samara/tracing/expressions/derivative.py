"""Sparse forward tangents: the derivative of a graph is more graph.

A direction is any hashable name. `seeds` gives the tangents of chosen nodes as ``{direction: node}``; the rule of
every operation propagates tangents. The result consists of nodes, so it can be differentiated again: this is
how the reactions ``G^T lambda`` of a joint get their Jacobian.

A node that is *cut* (`samara.tracing.cut`) starts a new direction, and its own tangent is substituted at the
end (the block chain rule). This pays off where many results depend on few intermediates with many inputs.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from samara.tracing.expressions.graph import Graph

#: {direction: node}; a direction is a hashable name, usually a tuple
Tangent = dict[Any, int]


def partials(g: Graph, i: int) -> list[tuple[int, int]]:
    """Pairs (argument, node of the partial derivative) of node i. Truth values and kinks have none."""
    op, args = g.nodes[i]
    if op == "mul":
        return [(args[0], args[1]), (args[1], args[0])]
    if op == "add":
        one = g.const(1.0)
        return [(args[0], one), (args[1], one)]
    if op == "sub":
        return [(args[0], g.const(1.0)), (args[1], g.const(-1.0))]
    if op == "neg":
        return [(args[0], g.const(-1.0))]
    if op == "div":
        inverse = g.div(g.const(1.0), args[1])
        return [(args[0], inverse), (args[1], g.neg(g.mul(i, inverse)))]
    if op in _RULES:
        return _RULES[op](g, i, *args)
    return []


def _sqrt(g, i, a):
    return [(a, g.div(g.const(0.5), i))]


def _atan2(g, i, y, x):
    inverse = g.div(g.const(1.0), g.add(g.mul(x, x), g.mul(y, y)))
    return [(y, g.mul(x, inverse)), (x, g.neg(g.mul(y, inverse)))]


def _pow(g, i, a, b):
    slope = g.mul(b, g.power(a, g.sub(b, g.const(1.0))))
    zero = g.const(0.0)
    grown = g.select(g.compare("eq", a, zero), zero, g.mul(i, g.unary("log", a)))  # here 0 log 0 is 0
    return [(a, slope), (b, grown)]


def _arc(sign: float):
    def rule(g, i, a):
        one = g.const(1.0)
        return [(a, g.div(g.const(sign), g.unary("sqrt", g.sub(one, g.mul(a, a)))))]

    return rule


def _branches(g: Graph, i: int) -> tuple[int, int, int] | None:
    """(condition, if true, if false) of an operation that selects one of two numbers, None for any other."""
    op, args = g.nodes[i]
    if op == "select":
        return args
    if op == "min":
        return g.compare("le", *args), *args
    if op == "max":
        return g.compare("le", args[1], args[0]), *args
    return None


_RULES = {
    "sqrt": _sqrt,
    "sin": lambda g, i, a: [(a, g.unary("cos", a))],
    "cos": lambda g, i, a: [(a, g.neg(g.unary("sin", a)))],
    "tan": lambda g, i, a: [(a, g.add(g.const(1.0), g.mul(i, i)))],
    "asin": _arc(1.0),
    "acos": _arc(-1.0),
    "atan": lambda g, i, a: [(a, g.div(g.const(1.0), g.add(g.const(1.0), g.mul(a, a))))],
    "exp": lambda g, i, a: [(a, i)],
    "log": lambda g, i, a: [(a, g.div(g.const(1.0), a))],
    "sinh": lambda g, i, a: [(a, g.unary("cosh", a))],
    "cosh": lambda g, i, a: [(a, g.unary("sinh", a))],
    "tanh": lambda g, i, a: [(a, g.sub(g.const(1.0), g.mul(i, i)))],
    "abs": lambda g, i, a: [(a, g.unary("sign", a))],
    "atan2": _atan2,
    "pow": _pow,
    "table1": lambda g, i, x, table, order: [(x, g.table1(x, table, order + 1))],
    "table2": lambda g, i, x, y, table, dx, dy, *component: [
        (x, g.table2(x, y, table, dx + 1, dy, *component)),
        (y, g.table2(x, y, table, dx, dy + 1, *component)),
    ],
}


def tangents(
    graph: Graph,
    outputs: Sequence[int],
    seeds: Mapping[int, Tangent],
    *,
    expansions: Sequence[Mapping[Hashable, Tangent]] = (),
    still: bool = False,
) -> list[Tangent]:
    """Tangents of the outputs in the final directions.

    seeds:       {node: {direction: node}}; these replace the node's own rule, so any node may be seeded.
    expansions:  levels of {direction: {next direction: node}}, applied to the results in order: directions that stand
                 that are combinations of others, such as the relative motion of two nodes.
    still:       whether a power or root of a constant is constant even where its slope is infinite, as in a contact
                 force where nothing touches.
    """
    full: dict[Hashable, Tangent] = {}  # those of the cuts
    carried: dict[int, Tangent] = {}  # nodes without a tangent are left out
    for i in graph.live(outputs, stop=seeds):
        if i in seeds:
            t = dict(seeds[i])
        elif not any(a in carried for a in graph.arguments(i)):
            continue
        elif (branches := _branches(graph, i)) is not None:
            t = _pick(graph, carried, full, *branches)
        else:
            t = _chain(graph, partials(graph, i), carried, still and graph.nodes[i].op in ("pow", "sqrt"))
        if not t:
            continue
        if i in graph.cuts and len(t) > 1:
            full[("cut", i)] = _shorter(graph, _expand(graph, t, full), expansions)
            t = {("cut", i): graph.const(1.0)}
        carried[i] = t
    return [_through(graph, _expand(graph, carried.get(i, {}), full), expansions) for i in outputs]


def _through(graph: Graph, tangent: Tangent, levels: Sequence[Mapping[Hashable, Tangent]]) -> Tangent:
    """Takes a tangent through all levels of expansion; directions that no level names stay."""
    for level in levels:
        tangent = _expand(graph, tangent, level)
    return tangent


def _shorter(graph: Graph, tangent: Tangent, levels: Sequence[Mapping[Hashable, Tangent]]) -> Tangent:
    """Takes a cut's tangent through the levels at once if that makes it no longer, else leaves it for the results."""
    final = _through(graph, tangent, levels)
    return final if len(final) <= len(tangent) else tangent


def _chain(graph: Graph, terms: Iterable[tuple[int, int]], carried: Mapping[int, Tangent], still: bool) -> Tangent:
    total: Tangent = {}
    zero = graph.const(0.0)
    for argument, slope in terms:
        if argument in carried:
            for direction, node in carried[argument].items():
                product = graph.mul(slope, node)
                if still:
                    product = graph.select(graph.compare("eq", node, zero), zero, product)
                _accumulate(graph, total, direction, product)
    return total


def _pick(
    graph: Graph, carried: Mapping[int, Tangent], full: dict[Hashable, Tangent], condition: int, a: int, b: int
) -> Tangent:
    """Tangent of a selection: the selected tangent, so that a nan in the other branch has no effect.

    A cut inside one branch appears as a direction whose tangent is also selected: zero times nan would be nan.
    """
    zero = graph.const(0.0)
    ta, tb = carried.get(a, {}), carried.get(b, {})
    total: Tangent = {}
    for d in dict.fromkeys([*ta, *tb]):
        picked = graph.select(condition, ta.get(d, zero), tb.get(d, zero))
        if d in full and not (d in ta and d in tb):
            inside = d in ta
            chosen = ("chosen", d, condition, inside)
            if chosen not in full:
                sides = [(f, (n, zero) if inside else (zero, n)) for f, n in full[d].items()]
                full[chosen] = {f: graph.select(condition, *pair) for f, pair in sides}
            d = chosen
        _accumulate(graph, total, d, picked)
    return total


def _expand(graph: Graph, tangent: Tangent, full: Mapping[Hashable, Tangent]) -> Tangent:
    total: Tangent = {}
    for direction, weight in tangent.items():
        if direction in full:
            for final, node in full[direction].items():
                _accumulate(graph, total, final, graph.mul(weight, node))
        else:
            _accumulate(graph, total, direction, weight)
    return total


def _accumulate(graph: Graph, total: Tangent, direction: Hashable, node: int) -> None:
    if direction in total:
        node = graph.add(total[direction], node)
    if graph.value(node) == 0.0:
        total.pop(direction, None)
    else:
        total[direction] = node
