"""Nodes: the frames in motion that elements act between."""

from __future__ import annotations

from typing import Literal

import numpy as np

from samara.arguments import ModelError
from samara.model.frames.starting_motion import starting_motion
from samara.model.quantities.freezing import Frozen
from samara.model.quantities.placement import Placement, as_placement, as_vector
from samara.model.schema.drives import Drive, as_drives
from samara.rotations import exp_so3

NodeKind = Literal["dynamic", "static", "prescribed", "ground"]


class Motion(Frozen):
    """A prescribed motion: drives move the node from its reference pose, or from the pose set by `begin`.

    position: three drives, displacement in world axes [m].
    rotation: three drives, rotation vector in the node's axes there [rad]; ``(0, 0, lambda t: 30 * t)`` is a spin.
    """

    def __init__(self, position=(0.0, 0.0, 0.0), rotation=(0.0, 0.0, 0.0)) -> None:
        self.position: tuple[Drive, ...] = as_drives(position, "m", "Motion: position")
        self.rotation: tuple[Drive, ...] = as_drives(rotation, "rad", "Motion: rotation")
        if len(self.position) != 3 or len(self.rotation) != 3:
            raise ModelError("a prescribed motion needs three drives for position and three for rotation")
        for drive in self.drives:
            drive.freeze(f"{type(drive).__name__} of a Motion")
        self.freeze("a Motion")

    @property
    def drives(self) -> tuple[Drive, ...]:
        """All six."""
        return self.position + self.rotation

    @staticmethod
    def pose(R_WN, p_WN, values):
        """(R, p) in the world, from the reference pose and the values of the six drives."""
        return R_WN @ exp_so3(values[3:]), p_WN + values[:3]


class Node(Frozen):
    """A frame N with pose (R_WN, p_WN) and twist.

    dynamic:    has inertia (at least one `Body`). Six unknowns.
    static:     no inertia; its pose follows from the elements attached to it. Six unknowns.
    prescribed: follows a `Motion`. No unknowns.
    """

    _instead = "give it to model.node(...), or begin elsewhere by node.begin(...)"

    def __init__(
        self,
        name: str,
        kind: NodeKind,
        place: Placement,
        velocity=(0.0, 0.0, 0.0),
        angular_velocity=(0.0, 0.0, 0.0),
        motion: Motion | None = None,
    ) -> None:
        self.name, self.kind, self.place, self.motion = name, kind, place, motion
        self.velocity = self._vector(velocity, "velocity")
        self.angular_velocity = self._vector(angular_velocity, "angular_velocity")
        self.beginning = place  # pose in which it starts, as far as joints do not say otherwise
        self.begun = 0  # how often `begin` was called
        self.freeze(f"node {name!r}")

    def _vector(self, value, what: str) -> np.ndarray:
        try:
            return as_vector(value, f"node {self.name!r}: {what}")
        except ValueError as error:
            raise ModelError(str(error)) from None

    def begin(self, place: Placement | None = None, *, velocity=None, angular_velocity=None) -> None:
        """Sets another initial pose or motion, for simulations created from now on.

        The reference pose and everything attached to the node are unaffected; arguments not given keep their values.
        velocity, angular_velocity: in world axes [m/s, rad/s]. The ground cannot be moved. A prescribed node follows
        its `Motion` from the new pose; its velocity cannot be set.
        """
        if self.kind == "ground":
            raise ModelError("node 'ground' does not move: call begin on the nodes of the model, or prescribe one")
        if self.kind == "prescribed" and not (velocity is None and angular_velocity is None):
            raise ModelError(f"node {self.name!r} follows its Motion: set its velocity there, by the drives")
        put = object.__setattr__
        if place is not None:
            put(self, "beginning", as_placement(place, f"node {self.name!r}: place"))
        if velocity is not None:
            put(self, "velocity", self._vector(velocity, "velocity"))
        if angular_velocity is not None:
            put(self, "angular_velocity", self._vector(angular_velocity, "angular_velocity"))
        put(self, "begun", self.begun + 1)

    @property
    def free(self) -> bool:
        """Whether the node has unknowns."""
        return self.kind in ("dynamic", "static")

    @property
    def position(self) -> np.ndarray:
        """p_WN in the reference pose [m]."""
        return self.place.position

    @property
    def rotation(self) -> np.ndarray:
        """R_WN in the reference pose."""
        return self.place.rotation

    @property
    def start(self) -> Placement:
        """Pose in the world at t = 0 as described; a prescribed node may be away from its reference pose then.

        Excludes the `start` of joints: see `samara.system.start.start`.
        """
        if self.motion is None:
            return self.beginning
        begun = self.beginning
        R, p = Motion.pose(begun.rotation, begun.position, np.array([float(d(0.0)) for d in self.motion.drives]))
        return Placement(p, R)

    def local(self, place: Placement) -> Placement:
        """A placement given in the world, as seen from the node in the reference pose."""
        return self.place.inverse() @ place

    def velocity_at(self, point) -> np.ndarray:
        """Initial velocity, in world axes [m/s], of a point of the node given in the reference pose [m].

        For a prescribed node it follows from its `Motion`.
        """
        velocity, angular_velocity = starting_motion(self)
        return velocity + np.cross(angular_velocity, np.asarray(point, dtype=float) - self.position)

    def __repr__(self) -> str:
        return f"Node({self.name!r}, {self.kind}, position={self.position.tolist()})"
