"""Friction by reactions. Asked by the tree of the recursive formulation, by redundant constraints and statics."""

from __future__ import annotations

from samara.model.element import Element


class Frictional(Element):
    """May have friction that depends on its reaction."""

    def has_friction(self) -> bool:
        """Whether it has any."""
        raise NotImplementedError


def has_friction(element: Element) -> bool:
    """Whether an element has friction that depends on its reaction."""
    return isinstance(element, Frictional) and element.has_friction()
