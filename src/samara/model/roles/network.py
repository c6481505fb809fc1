"""Elements of networks. Asked by the check of networks, and by what stores at their junctions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from samara.model.element import Element
from samara.model.junction import Connection


class Networked(Element):
    """Connects junctions of networks."""

    def connections(self) -> list[Connection]:
        """How it connects them."""
        raise NotImplementedError


def connections(elements: Iterable[Element]) -> Iterator[tuple[Networked, Connection]]:
    """All connections of elements, each with its element."""
    for element in elements:
        if isinstance(element, Networked):
            yield from ((element, connection) for connection in element.connections())
