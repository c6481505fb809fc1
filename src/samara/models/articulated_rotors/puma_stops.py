"""Stops of the Puma's rotor as a nonsmooth subsystem: a point below each blade's root between two planes of the hub."""

from __future__ import annotations

import numpy as np

from samara.elements.contact.contact import Contact
from samara.elements.joints.revolute import Revolute
from samara.model import Model, Placement
from samara.models.articulated_rotors.puma import BLADES
from samara.models.articulated_rotors.puma_sailing import ANTIFLAP_DEG, DROOP_DEG
from samara.nonsmooth.subsystem import NonsmoothSubsystem
from samara.rotations import rotation_from_axes

#: Where the point is, out from the flap hinge [m]; its mass [kg]. Stand-ins: the paper's figure 3 prints no numbers.
REACH, MASS = 0.3, 1.0


def nonsmooth_stops(model: Model, restitution: float = 0.8, *, mass: float = MASS) -> NonsmoothSubsystem:
    """Droop and anti-flap stops of a `puma-sailing` that was built with ``stops="none"``, for `cosimulate`.

    Each blade has a point on the line along the blade, outboard of its flap hinge. The point drives a slider that moves
    up and down on the hub between two planes, which it touches at flap angles of -10 and +10 degrees; lag moves the
    point only across that line. Stand-ins: the position of the point, and its mass.
    """
    stops = NonsmoothSubsystem("stops", model)
    for k in range(BLADES):
        blade = f"blade_{k + 1}"
        flap = model.elements[f"{blade}.flap"]
        assert isinstance(flap, Revolute)
        hinge = flap.a.place @ flap.place_a
        out = _outward(model, blade, hinge)
        up = np.cross(hinge.rotation[:, 2], out)  # the way of a growing flap angle
        at, hub = hinge.position + REACH * out, stops.carrier(model.nodes["hub"])
        heel = stops.slider(f"{blade}_heel", flap.b, at, on=hub, along=up, mass=mass)
        for name, degrees, sign in (("droop", DROOP_DEG, 1.0), ("antiflap", ANTIFLAP_DEG, -1.0)):
            height = REACH * np.sin(np.radians(degrees)) * up
            normal = rotation_from_axes(z=sign * up, x=hinge.rotation[:, 2])
            plane = hub.local(Placement(hinge.position + height, normal))
            stops.add(f"{blade}_{name}", Contact(hub, heel, place_a=plane, restitution=restitution))
    return stops


def _outward(model: Model, blade: str, hinge: Placement) -> np.ndarray:
    """Unit vector from the hinge along the blade, normal to the hinge axis, in the reference pose."""
    parts = [node.position - hinge.position for name, node in model.nodes.items() if name.startswith(f"{blade}.")]
    away, axis = max(parts, key=lambda part: float(np.linalg.norm(part))), hinge.rotation[:, 2]
    away = away - (away @ axis) * axis
    return away / np.linalg.norm(away)
