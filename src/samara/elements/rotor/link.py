"""Links: massless bars with a ball joint at each end."""

from __future__ import annotations

from typing import Any

from samara.elements.joints.point_constraints.distance import Distance
from samara.elements.springs.strut import Strut
from samara.model import Model, Node, Placement
from samara.model.model import require_model


def add_link(
    model: Model,
    name: str,
    a: Node,
    b: Node,
    ends: tuple[Any, Any],
    *,
    length: Any = None,
    stiffness: Any = None,
    damping: Any = 0.0,
) -> Distance | Strut:
    """Adds a massless link with ball joints, from a point of a to a point of b: a pitch link, an actuator.

    ends:      the two points in the world, in the reference pose [m].
    length:    a drive [m]; by default the distance in the reference pose.
    stiffness: [N/m]; None for a rigid link (`Distance`, one equation), otherwise an elastic one (`Strut`) with
               `damping` [N s/m].
    """
    require_model("add_link", model)
    model.member(a, f"link {name!r}: a")
    model.member(b, f"link {name!r}: b")
    if stiffness is not None:
        return model.add(name, Strut(a, b, ends=ends, length=length, stiffness=stiffness, damping=damping))
    place_a, place_b = a.local(Placement(ends[0])), b.local(Placement(ends[1]))
    return model.add(name, Distance(a, b, place_a=place_a, place_b=place_b, length=length))
