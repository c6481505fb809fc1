"""What an element says of a run. Asked by the warnings after it."""

from __future__ import annotations

from typing import Any

from samara.model.element import Element


class Doubting(Element):
    """Knows where its theory ends."""

    def doubts(self, results: Any) -> list[str]:
        """Sentences on a run in which it was asked for more than its theory knows, from the channels in `results`."""
        return []


class EnergyBooks(Element):
    """All that it takes and gives is counted: energies are differences of its potential, its heat and its supply.

    Where all elements of a model say so, energy that comes from nowhere is told after a run. Families of elements
    do; what is made of them gives `potential`, `dissipation` and `supply` where it has them.
    """
