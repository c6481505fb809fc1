"""Pools of contacts. Asked by the layout of a system, and by the contacts of a step when they are set up."""

from __future__ import annotations

from typing import Any

from samara.model.element import Element


class Pooled(Element):
    """Stands for elements that are bound to other nodes of the model in each step."""

    def pool(self, model: Any) -> list[tuple[Element, int]]:
        """These elements, and how many of each."""
        raise NotImplementedError
