"""Discrete laws. Asked by the clock, the memory and the order of sampled laws when a system or a run is set up."""

from __future__ import annotations

from samara.model.element import Element
from samara.model.sampled import SampledLaw


class Sampled(Element):
    """May have a discrete law that is called at sample instants."""

    def sampling(self) -> SampledLaw | None:
        """The law; None for what is continuous."""
        raise NotImplementedError


def sampled_law(element: Element) -> SampledLaw | None:
    """The discrete law of an element; None for what is continuous."""
    return element.sampling() if isinstance(element, Sampled) else None
