"""Parts of a model: nodes connected by elements, directly or through other nodes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from samara.model import Element, Model, Node
from samara.model.roles.inertia import RigidMass, total_mass
from samara.model.roles.shape import reach


@dataclass
class Part:
    """Nodes with unknowns that elements tie together, the nodes without unknowns that these tie them to, and these."""

    nodes: list[Node] = field(default_factory=list)
    held: list[Node] = field(default_factory=list)

    elements: list[Element] = field(default_factory=list)

    @property
    def length(self) -> float:
        """Size [m]: largest distance of a point at which an element acts from the centre of all; 1 for a mere point."""
        among = total_mass(self.elements, RigidMass)
        points = [point for element in self.elements for point in reach(element, among)]
        points += [node.position for node in self.nodes]
        size = float(np.linalg.norm(points - np.mean(points, axis=0), axis=1).max())
        return size if size > 0.0 else 1.0

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
        first = next((node for node in nodes if node.free), None)
        if first is not None:
            part = found[find(first.name)]
            part.elements.append(element)
            part.held += [node for node in nodes if not node.free and node not in part.held]
    return list(found.values())


def floating(model: Model) -> list[Node]:
    """The nodes of the first part that nothing ties to the ground or to a prescribed node; none if there is no such."""
    return next((part.nodes for part in parts(model) if not part.tied), [])
