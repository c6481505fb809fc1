"""How a rotor turns at the start, as its model describes it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from samara.elements.families import Held, Starting
from samara.model import Drive, Element, Input, Motion, Node, Parameter, Placement

#: Time over which the rate of a drive is taken [s]; part of a joint's axis along the shaft from which on it turns it.
SHORT, ALONG = 1e-6, 0.5


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
    return float(z @ (_angular_velocity(hub) - _angular_velocity(craft)))


def _by_joint(joint: Held, craft: Node, hub: Node, shaft: np.ndarray) -> list[float]:
    """What a joint says of the speed, if it is one between the two."""
    if {joint.a.name, joint.b.name} != {craft.name, hub.name}:
        return []
    place, sense = (joint.place_a, 1.0) if joint.a is craft else (joint.place_b, -1.0)
    cosine = float(place.rotation[:, 2] @ shaft)
    if abs(cosine) < ALONG:
        return []
    prescribed = joint.prescribes()
    if prescribed is not None:
        what, drive = prescribed
        now = value_at(drive, 0.0)
        return [sense * cosine * (now if what == "rate" else (value_at(drive, SHORT) - now) / SHORT)]
    start = joint.start if isinstance(joint, Starting) else None
    return [sense * cosine * float(start["angle_rate"][0])] if start and "angle_rate" in start else []


def _angular_velocity(node: Node) -> np.ndarray:
    """In world axes at t = 0 [rad/s]."""
    if node.motion is None:
        return node.angular_velocity
    begun, drives = node.beginning, node.motion.drives
    before, after = (
        Motion.pose(begun.rotation, begun.position, np.array([value_at(drive, t) for drive in drives]))[0]
        for t in (0.0, SHORT)
    )
    turned = after @ before.T
    return (
        0.5 * np.array([turned[2, 1] - turned[1, 2], turned[0, 2] - turned[2, 0], turned[1, 0] - turned[0, 1]]) / SHORT
    )


def value_at(drive: Drive, t: float) -> float:
    """Of a drive, with the parameters' present values and what inputs hold until they are fed."""
    return float(drive.rebuild(iter([_present(leaf) for leaf in drive.leaves()]))(t))


def _present(leaf: Any) -> Any:
    if isinstance(leaf, Input):
        return float(leaf.initial)
    return float(leaf) if isinstance(leaf, Parameter) else leaf
