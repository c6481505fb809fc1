"""Pitch link."""

from __future__ import annotations

from typing import Any

from samara.elements.joints.point_constraints.distance import Distance
from samara.elements.rotor.link import add_link
from samara.elements.rotor.swashplate import Swashplate
from samara.elements.springs.strut import Strut
from samara.model import Model, ModelError, Node


def add_pitch_link(
    model: Model,
    name: str,
    swashplate: Swashplate,
    blade: Node,
    *,
    azimuth: float,
    horn: Any,
    stiffness: Any = None,
    damping: Any = 0.0,
) -> Distance | Strut:
    """Adds a pitch link from the rotating plate to a blade's horn.

    azimuth: of the blade in the reference pose [rad], about the plate's z axis, measured from its x axis.
    horn:    end of the pitch horn, in the world, in the reference pose [m].
    stiffness, damping: [N/m, N s/m]; None: a rigid link, one equation. See `add_link`.
    """
    if not isinstance(swashplate, Swashplate):
        raise ModelError(
            f"pitch link {name!r}: swashplate must be the object returned by add_swashplate(...), got {swashplate!r}"
        )
    ends = (swashplate.attachment(azimuth), horn)
    return add_link(model, name, swashplate.rotating, blade, ends, stiffness=stiffness, damping=damping)
