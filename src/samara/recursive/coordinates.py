"""Coordinates and speeds of a tree from the poses and twists of nodes."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from samara.model import Node
from samara.recursive.dynamics.recursion import own_twist
from samara.recursive.graph.block import TreeBlock
from samara.recursive.graph.kernel import TreeGraph
from samara.recursive.tree import Hanging, Segment, Tree
from samara.rotations import Pose, adjoint_times, compose_poses, inverse_pose, quaternion_from_rotation
from samara.system.memory.blocks import CARRIER, ETA, POSITION, ROTATION
from samara.system.system import System


class TreeNumbers(Protocol):
    """A block of a tree and the system that it is read from; native code is not needed."""

    tree: Tree
    system: System
    graph: TreeGraph
    places: TreeBlock
    block: np.ndarray

    @property
    def coordinates(self) -> np.ndarray:
        """q, a view of the block."""
        ...

    @property
    def speeds(self) -> np.ndarray:
        """s, a view of the block."""
        ...


def read_nodes(compiled: TreeNumbers) -> None:
    """Sets coordinates, speeds and states to those in the memory of the system.

    Where nodes are not quite on the joints, or do not move quite as these allow, the nearest motion counts.
    """
    reader = _Reader(compiled)
    for hanging in compiled.tree.hangings:
        reader.read(hanging)
    layout, state = compiled.system.layout, compiled.system.arrays.state
    for scalar in compiled.graph.states:
        block, place = layout.state_block(scalar), compiled.places.state(scalar.name)
        for part in range(scalar.order):
            compiled.block[place + part] = state[block + part * layout.width]


class _Reader:
    """What joints have between the nodes as they are."""

    def __init__(self, compiled: TreeNumbers) -> None:
        self.compiled, self.q, self.s = compiled, compiled.coordinates, compiled.speeds

    def read(self, hanging: Hanging) -> None:
        """Coordinates and speeds of one joint, or of a base that floats."""
        inner = compose_poses(self._pose(hanging.mother), hanging.near)
        outer = compose_poses(self._pose(hanging.node), hanging.far)
        H = compose_poses(inverse_pose(inner), outer)
        self._coordinates(hanging.segments, H)
        away = adjoint_times(inverse_pose(hanging.far), self._twist(hanging.node))
        along = adjoint_times(inverse_pose(compose_poses(hanging.near, H)), self._twist(hanging.mother))
        self._speeds(hanging.segments, away - along)

    def _coordinates(self, chain: list[Segment], H: Pose) -> None:
        turns = [s for s in chain if s.freedom.kind == "turn"]
        for k, segment in enumerate(chain):
            kind, axis = segment.freedom.kind, segment.freedom.axis
            if segment.drive is not None:
                continue
            if kind == "ball":
                self.q[segment.q : segment.q + 4] = quaternion_from_rotation(H.R)
            elif kind == "screw":
                self.q[segment.q] = segment.sign * H.p[axis] / float(segment.freedom.pitch)
            elif kind == "slide":  # along axes that have been turned, or not
                p = H.R.T @ H.p if any(s in chain[:k] for s in turns) else H.p
                self.q[segment.q] = segment.sign * p[axis]
            else:
                self.q[segment.q] = segment.sign * _angle(H.R, [s.freedom.axis for s in turns], turns.index(segment))

    def _speeds(self, chain: list[Segment], twist: np.ndarray) -> None:
        """By least squares; twist: of the outer frame against the mother, in its own axes."""
        columns, places, beyond = [], [], Pose(np.eye(3), np.zeros(3))
        for segment in reversed(chain):
            to_outer = inverse_pose(beyond)
            for k, unit in enumerate(np.eye(segment.freedom.speeds)):
                column = adjoint_times(to_outer, np.concatenate(own_twist(segment, unit)).astype(float))
                if segment.free:
                    columns.append(column)
                    places.append(segment.v + k)
                else:
                    twist = twist - column * self._known_speed(segment)
            q = self._coordinate(segment)
            beyond = compose_poses(
                segment.freedom.pose(q if segment.freedom.kind == "ball" else segment.sign * q), beyond
            )
        if columns:
            self.s[places] = np.linalg.lstsq(np.array(columns).T, twist, rcond=None)[0]

    # ---- what is known
    def _signal(self, drive: object, order: int) -> float:
        system = self.compiled.system
        return float(system.arrays.state[system.layout.signal(drive) + order])  # type: ignore[arg-type]

    def _coordinate(self, segment: Segment) -> np.ndarray:
        if segment.drive is None:
            return self.q[segment.q : segment.q + segment.freedom.coordinates]
        return np.array([segment.scale * self._signal(segment.drive, 0) + segment.offset])

    def _known_speed(self, segment: Segment) -> float:
        if segment.rate is not None:
            return segment.scale * self._signal(segment.rate, 0)
        return segment.scale * self._signal(segment.drive, 1)

    def _pose(self, node: Node) -> Pose:
        read = self.compiled.system.state.read
        return Pose(read(node, ROTATION, 9).reshape(3, 3), read(node, POSITION, 3))

    def _twist(self, node: Node) -> np.ndarray:
        """Against the world, in own axes."""
        read = self.compiled.system.state.read
        twist = read(node, ETA, 6).copy()
        twist[:3] += read(node, ROTATION, 9).reshape(3, 3).T @ read(node, CARRIER, 3)
        return twist


def _angle(R: np.ndarray, axes: list[int], which: int) -> float:
    """One of the angles of a rotation about one axis, or about two: R_i(a) R_j(b) [rad]."""
    if len(axes) == 1:
        j, k = (axes[0] + 1) % 3, (axes[0] + 2) % 3
        return float(np.arctan2(R[k, j] - R[j, k], R[j, j] + R[k, k]))
    i, j = axes
    m, sign = 3 - i - j, 1.0 if (i + 1) % 3 == j else -1.0
    if which == 0:  # the image of axis j is turned about i alone
        return float(np.arctan2(sign * R[m, j], R[j, j]))
    return float(np.arctan2(sign * R[i, m], R[i, i]))
