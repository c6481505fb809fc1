"""Blades and wings in the air. Asked by declared rotors, by trim for stall, and by the scene."""

from __future__ import annotations

import numpy as np

from samara.model.element import Element
from samara.model.frames.node import Node
from samara.model.quantities.placement import Placement


class LiftingSurface(Element):
    """A blade, a wing or a fin with stations along its span."""

    def sections(self) -> list[tuple[float, Node, Placement]]:
        """Along the span in the reference pose: x [m], the node that carries the section, its frame there."""
        raise NotImplementedError

    def flow_channels(self) -> tuple[str, str]:
        """Channels of the angle of attack [rad] and of the Mach number at its stations."""
        raise NotImplementedError


def section_points(element: Element) -> list[tuple[Node, np.ndarray]]:
    """(node, point in its axes [m]) of the sections of a lifting surface; none of all else."""
    if not isinstance(element, LiftingSurface):
        return []
    return [(node, frame.position) for _, node, frame in element.sections()]
