"""How a node moves at the start, as its model describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from samara.model.quantities.parameters import Parameter
from samara.model.schema.drives import Drive, Input
from samara.rotations import rotation_vector_from_rotation

if TYPE_CHECKING:
    from samara.model.frames.node import Node

#: Time between two values of a drive of which its rate is taken [s], and weights of four of them: an error of the
#: third order, 1e-8 of the rate for a wave of 30 rad/s.
SHORT, WEIGHTS = 1e-4, np.array([-11.0, 18.0, -9.0, 2.0]) / 6.0
#: Speed that is rounding of that [m/s, rad/s].
STILL = 1e-12


def starting_motion(node: Node) -> tuple[np.ndarray, np.ndarray]:
    """Velocity and angular velocity at t = 0 in world axes [m/s, rad/s]: as given, or those of a prescribed motion."""
    if node.motion is None:
        return node.velocity, node.angular_velocity
    begun, motion, times = node.beginning, node.motion, SHORT * np.arange(len(WEIGHTS))
    values = [np.array([value_at(drive, t) for drive in motion.drives]) for t in times]
    poses = [motion.pose(begun.rotation, begun.position, one) for one in values]
    velocity = WEIGHTS @ [p for _, p in poses] / SHORT
    turned = [rotation_vector_from_rotation(R @ poses[0][0].T) for R, _ in poses]  # exact for a steady spin
    return _beyond_rounding(velocity), _beyond_rounding(WEIGHTS @ turned / SHORT)


def _beyond_rounding(speeds: np.ndarray) -> np.ndarray:
    return np.where(np.abs(speeds) > STILL, speeds, 0.0)


def rate_at_start(drive: Drive) -> float:
    """Of a drive, at t = 0 [1/s]."""
    return float(WEIGHTS @ [value_at(drive, t) for t in SHORT * np.arange(len(WEIGHTS))]) / SHORT


def value_at(drive: Drive, t: float) -> float:
    """Of a drive, with the parameters' present values and what inputs hold until they are fed."""
    return float(drive.rebuild(iter([_present(leaf) for leaf in drive.leaves()]))(t))


def _present(leaf: Any) -> Any:
    if isinstance(leaf, Input):
        return float(leaf.initial)
    return float(leaf) if isinstance(leaf, Parameter) else leaf
