"""Rates of algebraic states: derivatives of their solutions along the motion.

The value of such a state is an expression of the numbers in the block, whose own rates stand beside them: those of
coordinates are speeds, those of speeds the results, those of drives their rates.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from samara.recursive.graph.block import BASE_SIZE
from samara.rotations import skew
from samara.rotations.scalars import Scalar
from samara.tracing import Expr, tangents
from samara.tracing.kernels.lanes import Place

if TYPE_CHECKING:
    from samara.recursive.graph.kernel import TreeGraph

_TIME = ("time",)


def algebraic_rates(graph: TreeGraph, solved: Mapping[str, int]) -> dict[str, Expr]:
    """{state: rate}; not a number where a value follows accelerations, whose rates are unknown."""
    names = [state.name for state in graph.states if state.order == 0]
    if not names:
        return {}
    rates = _block_rates(graph)
    values = [solved[name] for name in names]
    seeds, unknown = {}, set()
    for i in list(graph.graph.live(values)):
        op, args = graph.graph.nodes[i]
        if op != "input" or not isinstance(args[0], Place) or args[0].kind != "lane":
            continue
        if args[0].position in rates:
            seeds[i] = {_TIME: graph.number_of(rates[args[0].position])}
        else:
            unknown.add(i)
    found = tangents(graph.graph, values, seeds, still=True)
    zero, nothing = graph.graph.const(0.0), graph.graph.const(float("nan"))
    return {
        name: Expr(graph.graph, nothing if unknown & set(graph.graph.live([value])) else tangent.get(_TIME, zero))
        for name, value, tangent in zip(names, values, found, strict=True)
    }


def _block_rates(graph: TreeGraph) -> dict[int, Scalar]:
    """{place in the block: its rate}, of all numbers whose rates are in the block too."""
    at = graph.block
    rates: dict[int, Scalar] = {at.time: 1.0, at.one: 0.0}
    for place, derivative, factor, _ in graph.moving():
        rates[place] = factor * graph.lane(derivative)
    for quaternion, spin in graph.balls():
        w, x, y, z = graph.lanes(quaternion, 4)
        a, b, c = graph.lanes(spin, 3)
        turned = (-x * a - y * b - z * c, w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a)
        rates |= {quaternion + k: 0.5 * value for k, value in enumerate(turned)}
    for k in range(graph.tree.speeds):
        rates[at.efforts + k] = 0.0
    for drive in at.drives:
        first = at.drive(drive)
        rates |= {first: graph.lane(first + 1), first + 1: graph.lane(first + 2)}
    for node in at.bases:
        rates |= _base_rates(graph, at.base(node))
    return rates


def _base_rates(graph: TreeGraph, first: int) -> dict[int, Scalar]:
    """Of the pose and twist of a prescribed node."""
    x = np.array(graph.lanes(first, BASE_SIZE), dtype=object)
    R = x[:9].reshape(3, 3)
    found = [*(R @ skew(x[15:18])).ravel(), *(R @ x[12:15]), *x[18:24]]
    return {first + k: value for k, value in enumerate(found)}
