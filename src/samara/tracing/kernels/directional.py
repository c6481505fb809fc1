"""Directional derivatives: from a function of numbers to the effect of a change of these numbers on its results.

Every input of the graph gets a tangent, read from the same position in another array (`Place` with a prime).
The results are the tangents of the results, exact, in one sweep for any number of inputs:

    f: x -> y        f': (x, x') -> y' = (df/dx) x'

Applied twice, it gives the second derivative along a curve: f'': (x, x', x'') -> y''.
"""

from __future__ import annotations

from samara.tracing.expressions.derivative import tangents
from samara.tracing.kernels.lanes import PRIME, Function, Place

_ALONG = ("along",)
#: Places whose numbers can change; the others are coefficients of the scheme and time, which are given.
_CHANGING = ("node", "state", "flat", "parameter", "lane", "vector")


def directional(function: Function) -> Function:
    """The derivative of all results of a function along the tangents of its inputs.

    Results go to the same places as those of the function: use other arrays. Results in lanes go to tangent lanes.
    A stored result is stored even where its derivative is zero.
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
