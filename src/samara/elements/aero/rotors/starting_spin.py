"""Initial rotation of a rotor, from the description of its model."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from samara.elements.families import Held, Starting
from samara.model import Element, Node, Placement
from samara.model.frames.starting_motion import rate_at_start, starting_motion, value_at

#: Part of a joint's axis along the shaft from which on it turns it.
ALONG = 0.5


def starting_spin(craft: Node, hub: Node, disk: Placement, elements: Iterable[Element]) -> float:
    """Speed of the hub against the craft about z of a disk on the craft, as described [rad/s].

    What a joint between them prescribes or starts with, else the motions of both nodes. Nothing where a run-up begins
    at rest, or where other parts turn the hub.
    """
    shaft = disk.rotation[:, 2]
    said = [spin for element in elements if isinstance(element, Held) for spin in _by_joint(element, craft, hub, shaft)]
    if said:
        return said[0]
    z = craft.start.rotation @ shaft
    return float(z @ (starting_motion(hub)[1] - starting_motion(craft)[1]))


def spin_across(craft: Node, hub: Node, disk: Placement, elements: Iterable[Element]) -> float:
    """Speed of the hub against the craft across z of a disk on the craft, as described [rad/s]."""
    shaft, fastest = disk.rotation[:, 2], 0.0
    for joint in (element for element in elements if isinstance(element, Held)):
        if {joint.a.name, joint.b.name} == {craft.name, hub.name}:
            place = joint.place_a if joint.a is craft else joint.place_b
            along = float(place.rotation[:, 2] @ shaft)
            fastest = max(fastest, abs(_speed_of(joint)) * float(np.sqrt(max(1.0 - along**2, 0.0))))
    turning = starting_motion(hub)[1] - starting_motion(craft)[1]
    z = craft.start.rotation @ shaft
    return max(fastest, float(np.linalg.norm(turning - (z @ turning) * z)))


def _speed_of(joint: Held) -> float:
    """What a joint prescribes or starts with about its own axis [rad/s]."""
    prescribed = joint.prescribes()
    if prescribed is not None:
        what, drive = prescribed
        return value_at(drive, 0.0) if what == "rate" else rate_at_start(drive)
    start = joint.start if isinstance(joint, Starting) else None
    return float(start["angle_rate"][0]) if start and "angle_rate" in start else 0.0


def _by_joint(joint: Held, craft: Node, hub: Node, shaft: np.ndarray) -> list[float]:
    """What a joint says of the speed, if it is one between the two."""
    if {joint.a.name, joint.b.name} != {craft.name, hub.name}:
        return []
    place, sense = (joint.place_a, 1.0) if joint.a is craft else (joint.place_b, -1.0)
    cosine = float(place.rotation[:, 2] @ shaft)
    if abs(cosine) < ALONG:
        return []
    start = joint.start if isinstance(joint, Starting) else None
    if joint.prescribes() is None and not (start and "angle_rate" in start):
        return []
    return [sense * cosine * _speed_of(joint)]
