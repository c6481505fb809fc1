"""Freedoms: what a joint leaves free, as an explicit map from coordinates to the pose of frame B seen from frame A.

A joint is its constraint; beside that it may say which motions satisfy it, a product of elementary ones from A to B:

    X_AB(q) = X_1(q_1) X_2(q_2) ...

| freedom | pose of its outer frame in its inner one   | speeds                            | coordinates     |
| ------- | ------------------------------------------ | --------------------------------- | --------------- |
| turn    | turned by q about an axis                  | q_dot [rad/s]                     | angle [rad]     |
| slide   | moved by q along an axis                   | q_dot [m/s]                       | length [m]      |
| screw   | turned by q about z and moved by `pitch` q | q_dot [rad/s]                     | angle [rad]     |
| ball    | turned by a unit quaternion (w, x, y, z)   | angular velocity, outer axes [rad/s] | quaternion   |

All have a constant twist per unit of speed in their outer frame. A contract test holds map and constraint together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from samara.rotations import Pose, compose_poses, rotation_x, rotation_y, rotation_z
from samara.rotations.scalars import VectorLike
from samara.rotations.so3 import rotation_from_unit_quaternion

_UNITS = {"turn": "rad", "screw": "rad", "slide": "m", "ball": "1"}


@dataclass(frozen=True)
class JointFreedom:
    """One elementary motion. name: of its coordinate, as the joint reports it; axis: 0, 1, 2 for x, y, z.

    pitch: of a screw, its advance along z by angle [m/rad].
    drive: what its coordinate follows; None where it is free. Of a turn or a slide.
    """

    kind: Literal["turn", "slide", "screw", "ball"]
    name: str
    axis: int = 2
    pitch: Any = 0.0
    drive: Any = None

    @property
    def coordinates(self) -> int:
        """How many numbers say where it is."""
        return 4 if self.kind == "ball" else 1

    @property
    def speeds(self) -> int:
        """How many numbers say how it moves: its degrees of freedom."""
        return 3 if self.kind == "ball" else 1

    @property
    def unit(self) -> str:
        """Of its coordinates."""
        return _UNITS[self.kind]

    @property
    def speed_unit(self) -> str:
        """Of its speeds."""
        return "m/s" if self.kind == "slide" else "rad/s"

    def pose(self, q: VectorLike) -> Pose:
        """Pose of the outer frame seen from the inner one; `q` has as many numbers as it has coordinates."""
        zero = np.zeros(3)
        if self.kind == "ball":
            return Pose(rotation_from_unit_quaternion(q), zero)
        along = np.eye(3)[self.axis]
        if self.kind == "slide":
            return Pose(np.eye(3), along * q[0])
        R = (rotation_x, rotation_y, rotation_z)[self.axis](q[0])
        return Pose(R, zero if self.kind == "turn" else along * (self.pitch * q[0]))


def turn(name: str = "angle", axis: int = 2, drive: Any = None) -> JointFreedom:
    """A rotation about an axis."""
    return JointFreedom("turn", name, axis, drive=drive)


def slide(name: str = "displacement", axis: int = 2, drive: Any = None) -> JointFreedom:
    """A displacement along an axis."""
    return JointFreedom("slide", name, axis, drive=drive)


def ball(name: str = "rotation") -> JointFreedom:
    """Any rotation."""
    return JointFreedom("ball", name)


#: A body that nothing holds: displaced along the axes of A, then turned.
FREE = (slide("position.x", 0), slide("position.y", 1), slide("position.z", 2), ball())


def pose_of(freedoms: Iterable[JointFreedom], coordinates: Sequence[VectorLike]) -> Pose:
    """X_AB of a joint: the product of its freedoms, each with its coordinates."""
    H = Pose(np.eye(3), np.zeros(3))
    for freedom, q in zip(freedoms, coordinates, strict=True):
        H = compose_poses(H, freedom.pose(q))
    return H
