"""Checks that a Runge-Kutta table is valid and has its stated order.

    sum_i b_i Phi_i(t) = 1 / gamma(t),     Phi_i([t_1 ... t_m]) = prod_k sum_j a_ij Phi_j(t_k)

for every rooted tree t with as many nodes as the order or fewer; gamma is the product of the sizes of all its subtrees.
Source: Hairer, Noersett, Wanner, Solving ordinary differential equations I, 2nd ed., 1993, section II.2.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from samara.arguments import text, whole
from samara.model import ArgumentError

if TYPE_CHECKING:
    from samara.solve.tree.schemes import TreeIntegrator

#: How closely conditions are met, relative to their terms: tables written with ten digits do.
CONDITION_TOLERANCE = 1e-9
#: Of formulas whose conditions are looked at; those of the next orders are many.
HIGHEST_ORDER = 8

#: A rooted tree: the trees that hang on its root.
Tree = tuple[Any, ...]


def check_table(scheme: TreeIntegrator) -> None:
    """Refuses a table by the name of its scheme, with the condition that fails."""
    who = f"integrator {text('integrator of trees: name', scheme.name)!r}"
    order = whole(f"{who}: order", scheme.order)
    if order > HIGHEST_ORDER:
        raise ArgumentError(f"{who}: order is {HIGHEST_ORDER} at most, got {order}")
    stages = len(scheme.b)
    for name, row in (("c", scheme.c), ("low", scheme.low)):
        if len(row) != stages and (name == "c" or row):
            raise ArgumentError(f"{who}: {name} must have as many numbers as b, {stages}, and has {len(row)}")
    if len(scheme.a) != stages:
        raise ArgumentError(f"{who}: a must have a row for each of the {stages} stages, and has {len(scheme.a)}")
    for i, row in enumerate(scheme.a):
        if len(row) > i and any(row[i:]):
            raise ArgumentError(f"{who}: row {i} of a must have {i} numbers at most: the formula is explicit")
    every = [*itertools.chain(*scheme.a), *scheme.b, *scheme.c, *scheme.low, *itertools.chain(*scheme.dense)]
    if not np.isfinite(np.array(every, float)).all():
        raise ArgumentError(f"{who}: its table must have finite numbers")
    _check_conditions(scheme, who, stages)


def _check_conditions(scheme: TreeIntegrator, who: str, stages: int) -> None:
    a = np.zeros((stages, stages))
    for i, row in enumerate(scheme.a):
        a[i, : min(len(row), i)] = row[:i]
    for i, (total, c) in enumerate(zip(a.sum(axis=1), scheme.c, strict=True)):
        if abs(total - c) > CONDITION_TOLERANCE * (1.0 + np.abs(a[i]).sum()):
            raise ArgumentError(f"{who}: row {i} of a adds up to {total:.10g}, and must to c = {c:.10g}")

    def require(weights: Any, name: str, order: int) -> None:
        for tree in trees(order):
            terms, wanted = np.array(weights) * _weight(tree, a), 1.0 / _density(tree)
            if abs(terms.sum() - wanted) > CONDITION_TOLERANCE * (1.0 + np.abs(terms).sum()):
                _refuse_order(who, name, order, _size(tree), float(terms.sum()), wanted)

    require(scheme.b, "b", int(scheme.order))
    if scheme.low:
        require(scheme.low, "low", 1)
        if np.allclose(scheme.low, scheme.b, rtol=0.0, atol=CONDITION_TOLERANCE):
            raise ArgumentError(f"{who}: low must differ from b, or the error is always 0: leave it out")
    if scheme.dense:
        if len(scheme.dense) != stages:
            raise ArgumentError(f"{who}: dense must have a row for each of the {stages} stages")
        whole_step = [sum(row) for row in scheme.dense]
        if not np.allclose(
            whole_step, scheme.b, rtol=0.0, atol=CONDITION_TOLERANCE * max(1.0, np.abs(scheme.dense).max())
        ):
            raise ArgumentError(f"{who}: rows of dense must add up to b: the whole of a step is its end")


def _refuse_order(who: str, name: str, order: int, size: int, found: float, wanted: float) -> NoReturn:
    what = f"{name} adds up to {found:.10g}" if size == 1 else f"a condition of {name} gives {found:.10g}"
    remedy = "a constant rate would be integrated wrongly" if size == 1 else f"let order be {size - 1}, or mend it"
    raise ArgumentError(f"{who}: it is of order {size - 1}, not {order}: {what}, and must {wanted:.10g}; {remedy}")


# ---- rooted trees
@functools.cache
def _of_size(size: int) -> tuple[Tree, ...]:
    """All of so many nodes, each once."""
    found = {tuple(sorted(branches, key=repr)) for branches in _forests(size - 1)}
    return tuple(sorted(found, key=repr))


def _forests(size: int) -> Iterator[Tree]:
    """Trees of so many nodes together."""
    if size == 0:
        yield ()
    for first in range(1, size + 1):
        for tree, rest in itertools.product(_of_size(first), _forests(size - first)):
            yield (tree, *rest)


def trees(order: int) -> Iterator[Tree]:
    """All with so many nodes or fewer, small ones first."""
    for size in range(1, order + 1):
        yield from _of_size(size)


def _size(tree: Tree) -> int:
    return 1 + sum(map(_size, tree))


def _density(tree: Tree) -> int:
    return _size(tree) * math.prod(map(_density, tree))


def _weight(tree: Tree, a: np.ndarray) -> np.ndarray:
    found = np.ones(len(a))
    for branch in tree:
        found *= a @ _weight(branch, a)
    return found
