"""Directional derivatives: from a function of numbers to what a change of these numbers does to its results.

Every input of the graph gets a twin, its tangent, read from the same place of another array (`Place` with a prime).
The results are the tangents of the results, exact, in one sweep whatever the number of inputs:

    f: x -> y        f': (x, x') -> y' = (df/dx) x'

Twice, it is the second derivative along a curve: f'': (x, x', x'') -> y''.
"""

from __future__ import annotations

from samara.tracing.expressions.derivative import tangents
from samara.tracing.kernels.lanes import PRIME, Function, Place

_ALONG = ("along",)
#: Places that numbers can change at; the others are coefficients of the scheme and time, which are given.
_CHANGING = ("node", "state", "flat", "parameter", "lane", "vector")


def directional(function: Function) -> Function:
    """The derivative of all results of a function along the tangents of its inputs.

    Results go where those of the function go: give it other arrays. Those of lanes go to the tangents' lanes. A result
    that is stored is stored also where its derivative is zero.
    """
    g = function.graph
    seeds = {}
    for i in list(g.live(node for _, node in function.outputs)):
        op, args = g.nodes[i]
        if op == "input" and args[0].kind.rstrip(PRIME) in _CHANGING:
            seeds[i] = {_ALONG: g.input(Place(args[0].kind + PRIME, *args[0][1:]))}
    found = tangents(g, [node for _, node in function.outputs], seeds, still=True)
    outputs = []
    for (place, _), tangent in zip(function.outputs, found, strict=True):
        lane = place.kind.startswith("lane")
        kind = place.kind + PRIME if lane else place.kind
        stored = lane or place.kind in ("output", "entry")  # entries so that they stay one beside the other
        if tangent or stored:
            outputs.append((Place(kind, *place[1:]), tangent.get(_ALONG, g.const(0.0))))
    return Function(function.name + "_along", g, outputs, function.order + 1)
