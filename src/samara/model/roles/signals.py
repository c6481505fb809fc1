"""Blocks. Asked by the check of scalar states."""

from __future__ import annotations

from samara.model.element import Element
from samara.model.quantities.state import State


class Defining(Element):
    """Says the value of states by itself: no other element has a part in their equations."""

    def defines(self) -> list[State]:
        """These states, of its own or shared."""
        raise NotImplementedError
