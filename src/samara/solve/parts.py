"""Parts of a model: nodes that elements tie together, directly or through others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from samara.model import Element, Model, Node


@dataclass
class Part:
    """Nodes with unknowns that elements tie together, and the nodes without unknowns that these tie them to."""

    nodes: list[Node] = field(default_factory=list)
    held: list[Node] = field(default_factory=list)

    @property
    def tied(self) -> bool:
        """Whether it is tied to the ground or to a prescribed node."""
        return bool(self.held)


def parts(model: Model, elements: Iterable[Element] | None = None) -> list[Part]:
    """The parts that the elements (all by default) make of a model, in the order of its nodes."""
    elements = list(model.elements.values() if elements is None else elements)
    root = {name: name for name, node in model.nodes.items() if node.free}

    def find(name: str) -> str:
        while root[name] != name:
            root[name] = name = root[root[name]]
        return name

    for element in elements:
        names = [node.name for node in element.nodes() if node.free]
        for name in names[1:]:
            root[find(name)] = find(names[0])
    found: dict[str, Part] = {}
    for name in root:
        found.setdefault(find(name), Part()).nodes.append(model.nodes[name])
    for element in elements:
        nodes = element.nodes()
        for free in (node for node in nodes if node.free):
            held = found[find(free.name)].held
            held += [node for node in nodes if not node.free and node not in held]
    return list(found.values())


def floating(model: Model) -> list[Node]:
    """The nodes of the first part that nothing ties to the ground or to a prescribed node; none if there is no such."""
    return next((part.nodes for part in parts(model) if not part.tied), [])
