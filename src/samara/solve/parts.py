"""Parts of a model: nodes that elements tie together, directly or through others."""

from __future__ import annotations

from collections.abc import Iterable

from samara.model import Element, Model, Node


def parts(model: Model, elements: Iterable[Element] | None = None) -> list[tuple[list[Node], bool]]:
    """Nodes with unknowns that the elements (all by default) tie together, and whether that part is tied to a node
    without unknowns; in the order of the model's nodes."""
    group = {name: {name} for name, node in model.nodes.items() if node.free}
    tied: set[str] = set()
    for element in model.elements.values() if elements is None else elements:
        nodes = element.nodes()
        free = [node.name for node in nodes if node.free]
        if len(free) < len(nodes):
            tied.update(free)
        joined = set().union(*(group[name] for name in free))
        for name in joined:
            group[name] = joined
    found: dict[int, list[Node]] = {}
    for name, members in group.items():
        found.setdefault(id(members), []).append(model.nodes[name])
    return [(nodes, any(node.name in tied for node in nodes)) for nodes in found.values()]


def floating(model: Model) -> list[Node]:
    """The nodes of the first part that nothing ties to the ground or to a prescribed node; none if there is no such."""
    return next((nodes for nodes, tied in parts(model) if not tied), [])
