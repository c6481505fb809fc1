"""The forward recursion over the segments of a tree, on plain or traced numbers: poses, twists, accelerations.

With X_i the kinematic operator from the parent's outer frame to that of segment i, and S_i the twist of its freedom per
unit of speed, constant in the outer frame:

    eta_i = X_i eta_parent + S_i s_i
    a_i   = X_i a_parent + Omega(eta_i) S_i s_i + S_i s_dot_i

A floating base moves with a velocity V in world axes, which is not part of the twists: accelerations are the same seen
from a carrier moving with the base at any constant speed. Flight at constant velocity is therefore identical to rest,
to the last digit; aerodynamic loads use V in addition to the twists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from samara.model import Node
from samara.recursive.dynamics.spatial import twist_cross
from samara.recursive.tree import IDENTITY, Attached, Segment, Tree
from samara.rotations import Pose, compose_poses, cross, inverse_pose
from samara.rotations.scalars import Scalar, Vector, VectorLike

ZERO = np.zeros(3)


@dataclass(frozen=True)
class FrameMotion:
    """Pose in the world, twist against the carrier and its rate, all of the latter in own axes; V: of the carrier."""

    pose: Pose
    v: Vector
    w: Vector
    dv: Vector
    dw: Vector
    V: Vector


REST = FrameMotion(IDENTITY, ZERO, ZERO, ZERO, ZERO, ZERO)


class Given(Protocol):
    """The numbers of a tree at an instant."""

    def coordinate(self, segment: Segment) -> Sequence[Scalar]:
        """Of a segment, driven ones too."""
        ...

    def speed(self, segment: Segment) -> Sequence[Scalar]:
        """Of a segment, prescribed ones too."""
        ...

    def known_acceleration(self, segment: Segment) -> Sequence[Scalar]:
        """Rate of the speed of a segment that follows a drive."""
        ...

    def base(self, node: Node) -> FrameMotion:
        """Of the ground or of a prescribed node."""
        ...


@dataclass
class SegmentMotion:
    """A segment at an instant.

    pose: of its outer frame seen from the parent's. v, w: twist, in outer axes. rate: S s, the freedom's own twist.
    bias: Omega(eta) S s; with the accelerations of all free segments zero, what is left of its own.
    """

    segment: Segment
    pose: Pose
    v: Vector
    w: Vector
    rate: tuple[Vector, Vector]
    bias: tuple[Vector, Vector]


def own_twist(segment: Segment, speed: VectorLike) -> tuple[Vector, Vector]:
    """S s: (velocity, angular velocity) of the outer frame against the inner one, in outer axes."""
    freedom = segment.freedom
    if freedom.kind == "ball":
        return ZERO, np.array(list(speed), dtype=object)
    along = np.array([(segment.sign * speed[0] if i == freedom.axis else 0.0) for i in range(3)], dtype=object)
    if freedom.kind == "slide":
        return along, ZERO
    return (freedom.pitch * along if freedom.kind == "screw" else ZERO), along


def outward_pose(segment: Segment, q: Sequence[Scalar]) -> Pose:
    """Pose of the outer frame seen from the parent's outer frame, or from the base node."""
    coordinate = q if segment.freedom.kind == "ball" else [segment.sign * q[0]]
    return compose_poses(segment.fixed, segment.freedom.pose(coordinate))


def carried_on(pose: Pose, v: Any, w: Any) -> tuple[Vector, Vector]:
    """X (v, w): a parent's twist, or its rate, at the origin of a frame of that pose and in its axes."""
    return pose.R.T @ (v + cross(w, pose.p)), pose.R.T @ w


class Recursion:
    """All segments at an instant, and the resulting motion of the nodes."""

    def __init__(self, tree: Tree, given: Given) -> None:
        self.tree, self.given = tree, given
        self.motions: list[SegmentMotion] = []
        self._carriers: list[Vector] = []
        self._world: dict[int, Pose] = {}
        self._bases: dict[str, FrameMotion] = {}
        for segment in tree.segments:
            self._add(segment)

    def base(self, node: Node) -> FrameMotion:
        """Motion of the ground or of a prescribed node."""
        if node.name not in self._bases:
            self._bases[node.name] = self.given.base(node)
        return self._bases[node.name]

    def _add(self, segment: Segment) -> None:
        pose = outward_pose(segment, self.given.coordinate(segment))
        speed = self.given.speed(segment)
        if segment.parent < 0:
            base = self.base(segment.base)
            v, w, V = base.v, base.w, base.V
        else:
            parent = self.motions[segment.parent]
            v, w, V = parent.v, parent.w, self._carriers[segment.parent]
        v, w = carried_on(pose, v, w)
        rate = own_twist(segment, speed)
        if segment.floating:  # the axes of the slides are those of the world, for nothing below them turns
            V, rate = V + rate[0], (ZERO, ZERO)
        v, w = v + rate[0], w + rate[1]
        self._carriers.append(V)
        self.motions.append(SegmentMotion(segment, pose, v, w, rate, twist_cross((v, w), rate)))

    # ---- where things are
    def carrier(self, number: int) -> Vector:
        """Velocity of the carrier of a segment, in world axes [m/s]."""
        return self._carriers[number]

    def world_pose(self, number: int) -> Pose:
        """Of the outer frame of a segment, in the world."""
        if number not in self._world:
            motion = self.motions[number]
            parent = motion.segment.parent
            under = self.base(motion.segment.base).pose if parent < 0 else self.world_pose(parent)
            self._world[number] = compose_poses(under, motion.pose)
        return self._world[number]

    def carrier_velocity(self, number: int) -> Vector:
        """Velocity of a segment's carrier, in the axes of its outer frame."""
        return self.world_pose(number).R.T @ self._carriers[number]

    def node_pose(self, node: Node) -> Pose:
        """In the world."""
        at = self.tree.attached[node.name]
        under = self.base(at.base).pose if at.segment < 0 else self.world_pose(at.segment)
        return compose_poses(under, at.pose)

    def node_twist(self, node: Node) -> tuple[Vector, Vector]:
        """(v, w) against the carrier, in the node's axes."""
        at = self.tree.attached[node.name]
        under = self.base(at.base) if at.segment < 0 else self.motions[at.segment]
        return carried_on(at.pose, under.v, under.w)

    def node_carrier(self, node: Node) -> Vector:
        """V: velocity of the carrier, in world axes."""
        at = self.tree.attached[node.name]
        return self.base(at.base).V if at.segment < 0 else self._carriers[at.segment]

    def node_acceleration(self, node: Node, accelerations: Sequence[tuple[Vector, Vector]]) -> tuple[Vector, Vector]:
        """Rate of its twist; accelerations: of all segments."""
        at = self.tree.attached[node.name]
        if at.segment < 0:
            base = self.base(at.base)
            return carried_on(at.pose, base.dv, base.dw)
        return carried_on(at.pose, *accelerations[at.segment])

    def carried(self, node: Node, accelerations: Sequence[tuple[Vector, Vector]]) -> tuple[Vector, Vector]:
        """What accelerations of segments are at a node that moves, in its axes."""
        at = self.tree.attached[node.name]
        return carried_on(at.pose, *accelerations[at.segment])

    def relative_pose(self, a: Node, e: Node) -> Pose:
        """Pose of node a seen from node e, along the tree: what is common to both ways is not looked at."""
        at_a, at_e = self.tree.attached[a.name], self.tree.attached[e.name]
        common, up_a, up_e = self._ways(at_a, at_e)
        if common is None:
            return compose_poses(inverse_pose(self.node_pose(e)), self.node_pose(a))
        down_a = compose_poses(self._along(up_a), at_a.pose)
        down_e = compose_poses(self._along(up_e), at_e.pose)
        return compose_poses(inverse_pose(down_e), down_a)

    def relative_twist(self, a: Node, e: Node) -> tuple[Vector, Vector] | None:
        """Twist of node a against node e, in axes of e and at its origin; None if they are of different trees."""
        at_a, at_e = self.tree.attached[a.name], self.tree.attached[e.name]
        common, up_a, up_e = self._ways(at_a, at_e)
        if common is None:
            return None
        to_e = inverse_pose(compose_poses(self._along(up_e), at_e.pose))  # of the common frame, seen from e
        v, w = self._against(up_a)
        v_e, w_e = self._against(up_e)
        v, w = v - v_e, w - w_e  # at the common frame's origin, in its axes
        w = to_e.R @ w
        return to_e.R @ v + cross(to_e.p, w), w

    def _ways(self, a: Attached, e: Attached) -> tuple[int | None, list[int], list[int]]:
        """The segment that both hang on (-1 for a base), and the segments from there to each."""
        up_a, up_e = self.tree.inward(a.segment), self.tree.inward(e.segment)
        while up_a and up_e and up_a[-1] == up_e[-1]:
            up_a, up_e, last = up_a[:-1], up_e[:-1], up_a[-1]
            common: int | None = last
            if not (up_a and up_e and up_a[-1] == up_e[-1]):
                return common, up_a[::-1], up_e[::-1]
        return (-1, up_a[::-1], up_e[::-1]) if a.base is e.base else (None, [], [])

    def _along(self, way: Sequence[int]) -> Pose:
        H = IDENTITY
        for number in way:
            H = compose_poses(H, self.motions[number].pose)
        return H

    def _against(self, way: Sequence[int]) -> tuple[Vector, Vector]:
        """Twist of the end of a way against its beginning, at its beginning and in axes of that."""
        H, v, w = IDENTITY, ZERO, ZERO
        for number in way:
            motion = self.motions[number]
            H = compose_poses(H, motion.pose)
            turned = H.R @ motion.rate[1]
            v, w = v + H.R @ motion.rate[0] + cross(H.p, turned), w + turned
        return v, w

    # ---- accelerations
    def accelerations(
        self, found: Mapping[int, Sequence[Scalar]], gravity: Vector | None = None
    ) -> list[tuple[Vector, Vector]]:
        """a_i of all segments, from the rates of the speeds of the free ones.

        gravity: in world axes [m/s^2]; then a_i are those against free fall.
        """
        result: list[tuple[Vector, Vector]] = []
        for motion in self.motions:
            segment = motion.segment
            dv, dw = self.under(segment, result, gravity)
            own = own_twist(segment, found[segment.number] if segment.free else self.given.known_acceleration(segment))
            result.append((dv + motion.bias[0] + own[0], dw + motion.bias[1] + own[1]))
        return result

    def under(
        self, segment: Segment, found: Sequence[tuple[Vector, Vector]], gravity: Vector | None
    ) -> tuple[Vector, Vector]:
        """What the parent's acceleration makes of that of a segment."""
        pose = self.motions[segment.number].pose
        if segment.parent >= 0:
            return carried_on(pose, *found[segment.parent])
        base = self.base(segment.base)
        dv = base.dv if gravity is None else base.dv - base.pose.R.T @ gravity
        return carried_on(pose, dv, base.dw)
