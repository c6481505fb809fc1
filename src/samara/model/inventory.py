"""What a model is made of when it is compiled, so that a later change of it does not go unseen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from samara.model.model import Model
from samara.model.quantities.parameters import Parameter


class Inventory(NamedTuple):
    """Names of all parts, and how often what may change was changed."""

    nodes: tuple[str, ...]
    begun: tuple[int, ...]
    elements: tuple[str, ...]
    states: tuple[str, ...]
    parameters: tuple[str, ...]
    assignments: tuple[int, ...]


def inventory(model: Model, parameters: Iterable[Parameter]) -> Inventory:
    """Of a model as it is now, and of its named parameters, which are slow to find."""
    found = tuple(parameters)
    return Inventory(
        tuple(model.nodes),
        tuple([node.begun for node in model.nodes.values()]),
        tuple(model.elements),
        tuple(model.states),
        tuple([p.name for p in found]),
        tuple([p.assignments for p in found]),
    )


def changed(before: Inventory, now: Inventory) -> str:
    """The first part that has come, gone or changed, in words; empty if there is none."""
    if before == now:
        return ""
    for what in ("node", "element", "state"):
        old, new = getattr(before, f"{what}s"), getattr(now, f"{what}s")
        added, gone = [name for name in new if name not in old], [name for name in old if name not in new]
        if added or gone:
            return f"{what} {added[0]!r} was added" if added else f"{what} {gone[0]!r} was removed"
    for name, old, new in zip(now.nodes, before.begun, now.begun, strict=True):
        if old != new:
            return f"begin was called on node {name!r}"
    for name, old, new in zip(now.parameters, before.assignments, now.assignments, strict=True):
        if old != new:
            return f"parameter {name!r} was assigned a value: use set_parameter instead"
    return "its parts are in a different order"
