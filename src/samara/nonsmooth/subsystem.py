"""A nonsmooth subsystem: points and bodies tied to nodes of a model, and their contact partners."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.arguments import not_negative, positive
from samara.elements.contact.contact import Contact
from samara.model import Model, ModelError, Node, Placement
from samara.model.model import require_model
from samara.model.quantities.placement import as_placement, as_vector
from samara.nonsmooth.moving import GROUND, Moving
from samara.rotations import Pose, rotation_from_axes


@dataclass(frozen=True)
class Guide:
    """A line that a point slides along, on a carrier of that name: from a point [m], along the z axis of a frame."""

    carrier: str
    point: np.ndarray
    axes: np.ndarray

    @property
    def along(self) -> np.ndarray:
        """Direction of the line, in axes of the carrier."""
        return self.axes[:, 2]

    def slide(self, moving: Moving, carriers: Mapping[str, Moving]) -> float:
        """How far along the line something is [m]."""
        R, p = carriers.get(self.carrier, GROUND).pose
        return float(self.along @ (R.T @ (moving.pose.p - p) - self.point))

    def at(self, carriers: Mapping[str, Moving], slide: float, rate: float) -> Moving:
        """The frame of a slider, its z axis along the line, and how it moves in the world."""
        carrier = carriers.get(self.carrier, GROUND)
        R, p = carrier.pose
        point = p + R @ (self.point + slide * self.along)
        velocity = carrier.velocity(point) + rate * (R @ self.along)
        return Moving(Pose(R @ self.axes, point), np.concatenate([velocity, carrier.twist[3:]]))


@dataclass(frozen=True)
class Member:
    """A point or a body of a subsystem.

    node: of the model it is tied to, by name. place: where on that node. mass [kg]. inertia: about its origin, in its
    own axes [kg m^2]; None for a point. compliance: of the tie [m/N, rad/(N m)]. guide: of a point that slides.
    """

    name: str
    node: str
    place: Placement
    mass: float
    inertia: np.ndarray | None = None
    compliance: float = 0.0
    guide: Guide | None = None

    @property
    def freedoms(self) -> int:
        if self.guide is not None:
            return 1
        return 3 if self.inertia is None else 6


def _inertia(given: Any) -> np.ndarray | None:
    """A positive symmetric matrix, from its moments or itself; None where it is none."""
    try:
        array = np.asarray(given, float)
    except (TypeError, ValueError):
        return None
    matrix = np.diag(array) if array.shape == (3,) else array
    good = matrix.shape == (3, 3) and np.isfinite(matrix).all() and np.allclose(matrix, matrix.T)
    return matrix if good and np.linalg.eigvalsh(matrix)[0] > 0.0 else None


class NonsmoothSubsystem:
    """Points and bodies with contacts, apart from a smooth model and tied to it: what `cosimulate` takes beside it.

        stops = NonsmoothSubsystem("stops", model)
        heel = stops.point("heel", blade, at=(0.3, 0, -0.1), mass=1.0)
        stops.add("droop", Contact(stops.carrier(hub), heel, place_a=..., restitution=0.8))
        results = cosimulate(model, stops, end=2.0, step=1e-4)

    name:  of the subsystem: its channels begin with it.
    model: the smooth model. It stays as it is.

    The mass of a point or body is added to that of the model; its weight follows from the model's gravity.
    """

    def __init__(self, name: str, model: Model) -> None:
        require_model("NonsmoothSubsystem", model)
        if not isinstance(name, str) or not name or name in model.nodes or name in model.elements:
            raise ModelError(f"NonsmoothSubsystem: name must be a string that the model has no node of, got {name!r}")
        self.name, self.smooth = name, model
        self._frames = Model(name)  # never compiled: names, places and checks of what is added
        self.members: dict[str, Member] = {}
        self.carriers: dict[str, str] = {}  # name of a node of the model, by that of its twin here
        self.contacts: list[Contact] = []

    @property
    def ground(self) -> Node:
        """What does not move."""
        return self._frames.ground

    def point(self, name: str, node: Node, at: Any = None, *, mass: float, compliance: float = 0.0) -> Node:
        """A point mass that stays together with a point of a node of the model.

        at: where, in the world, in the reference pose [m]; by default the origin of the node.
        """
        node = self._node(name, node)
        return self._tie(name, node, Placement(self._point(name, node, at)), mass, compliance=compliance)

    def body(
        self, name: str, node: Node, place: Any = None, *, mass: float, inertia: Any, compliance: float = 0.0
    ) -> Node:
        """A rigid body that stays together with a node of the model, also in its rotation.

        place: its frame, and its centre of mass, in the world in the reference pose; by default the node's frame.
        inertia: about its centre of mass, in its own axes [kg m^2], three moments or a symmetric matrix.
        """
        node, matrix = self._node(name, node), _inertia(inertia)
        if matrix is None:
            raise ModelError(
                f"{self.name}.{name}: inertia must be positive, three moments or a symmetric matrix, got {inertia!r}"
            )
        world = node.place if place is None else as_placement(place, f"{self.name}.{name}: place")
        return self._tie(name, node, world, mass, matrix, compliance)

    def slider(self, name: str, node: Node, at: Any = None, *, on: Node, along: Any, mass: float) -> Node:
        """A point mass that slides along a line of a carrier, and takes a point of a node of the model along with it.

        at:    where, in the world, in the reference pose [m]; by default the origin of the node.
        on:    what carries the line: `ground`, or what `carrier` gives.
        along: direction of the line, in the world, in the reference pose.

        The model's point stays in the plane across the line that goes through the slider: across the line it is free.
        For what hinges hold in the other directions already, where a `point` would hold the same thing twice.
        """
        node = self._node(name, node)
        point, direction = self._point(name, node, at), self._vector(name, "along", along)
        if not np.linalg.norm(direction) > 0.0:
            raise ModelError(f"{self.name}.{name}: along is a direction: it must not be zero")
        known = isinstance(on, Node) and self._frames.nodes.get(on.name) is on
        if not known or on.name in self.members:
            raise ModelError(f"{self.name}.{name}: on must be the subsystem's ground or a carrier, got {on!r}")
        frame = rotation_from_axes(z=direction, x=np.eye(3)[int(np.argmin(np.abs(direction)))])
        local = on.local(Placement(point, frame))
        guide = Guide(on.name, local.position, local.rotation)
        return self._tie(name, node, Placement(point), mass, guide=guide)

    def _tie(
        self,
        name: str,
        node: Node,
        world: Placement,
        mass: float,
        inertia: np.ndarray | None = None,
        compliance: float = 0.0,
        guide: Guide | None = None,
    ) -> Node:
        mass = positive(f"{self.name}.{name}: mass", mass)
        compliance = not_negative(f"{self.name}.{name}: compliance", compliance)
        twin = self._frames.node(name, world.position, world.rotation)
        self.members[name] = Member(name, node.name, node.local(world), mass, inertia, compliance, guide)
        return twin

    # ---- what users give
    def _node(self, name: str, node: Any) -> Node:
        """A node of the model that moves freely."""
        node = self.smooth.member(node, f"{self.name}.{name}: node")
        if not node.free:
            raise ModelError(f"{self.name}.{name}: node {node.name!r} has no motion of its own to be tied to")
        return node

    def _point(self, name: str, node: Node, at: Any) -> np.ndarray:
        return node.position if at is None else self._vector(name, "at", at)

    def _vector(self, name: str, what: str, given: Any) -> np.ndarray:
        try:
            return as_vector(given, what)
        except ValueError as error:
            raise ModelError(f"{self.name}.{name}: {error}") from None

    def carrier(self, node: Node) -> Node:
        """What stands for a node of the model here, as it moves: surfaces ride on it, and their forces act on it."""
        node = self.smooth.member(node, f"subsystem {self.name!r}: what carries")
        if node is self.smooth.ground:
            return self.ground
        twin = f"{node.name}.carrier"
        if twin not in self._frames.nodes:
            self._frames.node(twin, node.position, node.rotation)
            self.carriers[twin] = node.name
        return self._frames.nodes[twin]

    def add(self, name: str, contact: Contact) -> Contact:
        """A contact between nodes of the subsystem: surface on the first, shape on the second."""
        if not isinstance(contact, Contact):
            raise ModelError(f"{self.name}.{name}: a subsystem has contacts, got {contact!r}")
        for end, node in (("a", contact.a), ("b", contact.b)):
            self._frames.member(node, f"{self.name}.{name}: node {end}")
        if contact.b.name not in self.members:
            raise ModelError(
                f"{self.name}.{name}: node b of a contact is a point or a body of the subsystem, got {contact.b.name!r}"
            )
        self.contacts.append(self._frames.add(name, contact))
        return contact
