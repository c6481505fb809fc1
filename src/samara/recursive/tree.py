"""A model as a tree: every body hangs on one joint, from the ground, a prescribed node, or a base that floats.

Joints become segments, one for each elementary freedom (`elements.geometry.freedoms`), from the inside out:

    X_parent,i = X_fixed X_i(q_i)        frames of a segment: where its motion begins, and where it ends

A node is fixed to the outer frame of a segment; a joint of several freedoms has segments without a body in between.
What joints do not hold floats: three slides along the axes of the world and a ball.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from samara.elements.families import Held
from samara.elements.geometry.freedoms import FREE, JointFreedom, pose_of
from samara.model import ArgumentError, Element, Model, ModelError, Node
from samara.model.model import require_model
from samara.model.roles.friction import has_friction
from samara.model.roles.inertia import Inertial, RigidMass
from samara.rotations import Pose, compose_poses, inverse_pose

#: Entries of a rotation that are so close to 0 or 1 are these numbers [1]: they then cost nothing.
ROUNDED_ENTRY = 4e-16
DIGITS = 15
IDENTITY = Pose(np.eye(3), np.zeros(3))


class TreeError(ModelError):
    """A model that is no tree, or has what a tree cannot take."""


@dataclass
class Segment:
    """One elementary motion and what is fixed to its outer frame.

    parent:   number of the segment that carries it; -1 for the ground or a prescribed node, which `base` then is.
    fixed:    pose of the frame where the motion begins, seen from the parent's outer frame or from the base node.
    sign:     -1 where the joint's node b carries its node a: the motion is that of a against b.
    q, v:     where its coordinates and speeds begin among those of the tree; -1 where it follows a drive.
    drive:    what it follows: a drive of the angle or length, else None; the coordinate is `scale` times its value,
              and `offset` more.
    rate:     the drive of its speed, where that is what is prescribed.
    floating: whether it is one of the slides of a base that floats: the velocity of that base is a carrier's.
    """

    number: int
    parent: int
    base: Node
    fixed: Pose
    freedom: JointFreedom
    joint: Element | None
    node: Node
    sign: float = 1.0
    q: int = -1
    v: int = -1
    drive: Any = None
    scale: float = 1.0
    offset: float = 0.0
    rate: Any = None
    floating: bool = False
    prescriber: Element | None = None

    @property
    def free(self) -> bool:
        """Whether its acceleration is to be found."""
        return self.drive is None and self.rate is None

    @property
    def name(self) -> str:
        """Of its coordinate."""
        return f"{self.node.name if self.joint is None else self.joint.name}.{self.freedom.name}"


@dataclass
class Attached:
    """Where a node is: fixed to the outer frame of a segment, or to a base (segment -1)."""

    segment: int
    base: Node
    pose: Pose


@dataclass
class Hanging:
    """A node and what it hangs on: a joint's frame `near` on its mother, segments, and the frame `far` on itself."""

    mother: Node
    near: Pose
    segments: list[Segment]
    far: Pose
    node: Node
    elements: list[Held]  # that hold it there; none of a base that floats


@dataclass
class Edge:
    """The joints between two nodes: one with an explicit map, and those that prescribe what it leaves free."""

    joint: Held
    prescribers: list[Held] = field(default_factory=list)


class Tree:
    """The bodies and joints of a model, in order from the inside out.

    cut:  names of joints that close loops, or one of them: left out of the tree, and held by their constraints.
    base: name of the node that a part which floats is described from; that of its heaviest body by default.
    """

    def __init__(self, model: Model, *, cut: Sequence[str] = (), base: str | None = None) -> None:
        require_model("Tree", model)
        model.check()
        self.model = model
        self.cut: list[Held] = self._cut(cut)
        self.segments: list[Segment] = []
        self.attached: dict[str, Attached] = {}
        self.hangings: list[Hanging] = []  # nodes that move, from the inside out
        self.holding: list[Held] = []  # elements that the tree stands for
        self._base = self._named_base(base)
        self._edges = self._find_edges()
        self._grow()
        self._refuse_flexible()
        self.bodies = [e for e in model.elements.values() if isinstance(e, RigidMass) and e.nodes()[0].free]
        self._check_inertia()
        self.coordinates = sum(s.freedom.coordinates for s in self.segments if s.drive is None)
        self.speeds = sum(s.freedom.speeds for s in self.segments if s.free)

    # ---- what the model has
    def _cut(self, names: Sequence[str]) -> list[Held]:
        """Joints by their names; a single one may stand by itself."""
        names = (names,) if isinstance(names, str) else names
        if not isinstance(names, Sequence):
            raise ArgumentError(f"Tree: cut must be names of joints, such as ('hinge',), got {names!r}")
        found: list[Held] = []
        for name in names:
            element = self.model.elements.get(name) if isinstance(name, str) else None
            if not isinstance(element, Held):
                raise TreeError(f"model {self.model.name!r} has no joint {name!r} to cut: give the name of one")
            if any(element is other for other in found):
                raise TreeError(f"joint {name!r} is named twice in cut: name it once")
            found.append(element)
        return found

    def _named_base(self, name: str | None) -> Node | None:
        if name is None:
            return None
        if not isinstance(name, str):
            raise ArgumentError(f"Tree: base must be the name of a node, got {name!r}")
        if name not in self.model.nodes or not self.model.nodes[name].free:
            raise TreeError(f"model {self.model.name!r} has no node {name!r} that moves freely: give the name of one")
        return self.model.nodes[name]

    def _find_edges(self) -> dict[frozenset[str], Edge]:
        """Joints by the two nodes that they hold together."""
        edges: dict[frozenset[str], Edge] = {}
        others: list[Held] = []
        for element in self.model.elements.values():
            if not isinstance(element, Held) or not (element.a.free or element.b.free):
                continue
            if has_friction(element):
                raise TreeError(
                    f"element {element.name!r} has friction that depends on its reaction, which the recursive "
                    "formulation does not have at hand: add a Torsion with a friction law instead, or take the "
                    "redundant formulation"
                )
            if element in self.cut:
                continue
            if _freedoms(element) is None:
                others.append(element)
                continue
            pair = _pair(element)
            if pair in edges:
                raise TreeError(
                    f"elements {edges[pair].joint.name!r} and {element.name!r} join the same two nodes, "
                    f"{element.a.name!r} and {element.b.name!r}: one of them would close a loop; cut it "
                    f"(cut=({element.name!r},)), or take the redundant formulation"
                )
            edges[pair] = Edge(element)
        for element in others:
            if not element.prescribes() or _pair(element) not in edges:
                raise TreeError(
                    f"element {element.name!r} ({type(element).__name__}) holds {element.a.name!r} and "
                    f"{element.b.name!r} by a constraint without an explicit map, so it belongs to no tree: cut it "
                    f"(cut=({element.name!r},)), or take the redundant formulation"
                )
            edges[_pair(element)].prescribers.append(element)
        return edges

    # ---- growth
    def _grow(self) -> None:
        neighbours: dict[str, list[tuple[str, Edge]]] = {}
        for edge in self._edges.values():
            a, b = edge.joint.a, edge.joint.b
            for near, far in ((a, b), (b, a)):
                neighbours.setdefault(near.name if near.free else "", []).append((far.name, edge))
        used: set[int] = set()
        for node in self.model.nodes.values():
            if not node.free:
                self.attached[node.name] = Attached(-1, node, IDENTITY)
        self._branch("", neighbours, used)
        floating = [node for node in self.model.nodes.values() if node.free]
        if self._base is not None and self._base.name in self.attached:
            raise TreeError(f"node {self._base.name!r} cannot be a base: joints hold it to the ground")
        # of bodies that float together the heaviest is the base: it turns least, whatever the order of the description
        masses: dict[str, float] = {}
        for element in (e for e in self.model.elements.values() if isinstance(e, RigidMass)):
            name = element.nodes()[0].name
            masses[name] = masses.get(name, 0.0) + element.total_mass()
        floating.sort(key=lambda node: -masses.get(node.name, 0.0))
        for node in ([self._base] if self._base is not None else []) + floating:
            if node.name not in self.attached:
                self._float(node)
                self._branch(node.name, neighbours, used)

    def _branch(self, start: str, neighbours: dict[str, list[tuple[str, Edge]]], used: set[int]) -> None:
        """All that hangs on a node, branch by branch; "" for all that is held."""
        stack: list[tuple[str, Iterator[tuple[str, Edge]]]] = [(start, iter(neighbours.get(start, ())))]
        while stack:
            near, ways = stack[-1]
            way = next(ways, None)
            if way is None:
                stack.pop()
                continue
            far, edge = way
            if id(edge) in used:
                continue
            used.add(id(edge))
            if far in self.attached:
                raise TreeError(self._loop(near, far, edge))
            self._hang(edge, far)
            stack.append((far, iter(neighbours.get(far, ()))))

    def _hang(self, edge: Edge, far: str) -> None:
        """Segments of a joint, and the node behind it."""
        joint = edge.joint
        outward = joint.b.name == far
        child, mother = (joint.b, joint.a) if outward else (joint.a, joint.b)
        place_near, place_far = (joint.place_a, joint.place_b) if outward else (joint.place_b, joint.place_a)
        carrier = self.attached[mother.name]
        near = Pose(place_near.rotation, place_near.position)
        far_pose = Pose(place_far.rotation, place_far.position)
        fixed = compose_poses(carrier.pose, near)
        freedoms = joint.freedoms() or ()
        self.holding += [joint, *edge.prescribers]
        made = self._chain(
            carrier.segment,
            carrier.base,
            fixed,
            freedoms if outward else freedoms[::-1],
            joint,
            child,
            1.0 if outward else -1.0,
        )
        for prescriber in edge.prescribers:
            self._prescribe(prescriber, joint, made)
        last = made[-1].number if made else carrier.segment
        begin = IDENTITY if made else fixed
        pose = compose_poses(begin, inverse_pose(far_pose))
        self._attach(Hanging(mother, near, made, far_pose, child, [joint, *edge.prescribers]), last, carrier.base, pose)

    def _float(self, node: Node) -> None:
        """A base: its coordinates are its position and rotation in the world."""
        ground = self.model.ground
        made = self._chain(-1, ground, IDENTITY, FREE, None, node, 1.0)
        for segment in made[:3]:
            segment.floating = True
        self._attach(Hanging(ground, IDENTITY, made, IDENTITY, node, []), made[-1].number, ground, IDENTITY)

    def _attach(self, hanging: Hanging, segment: int, base: Node, pose: Pose) -> None:
        self.attached[hanging.node.name] = Attached(segment, base, _rounded(pose))
        self.hangings.append(hanging)

    def _chain(
        self,
        parent: int,
        base: Node,
        fixed: Pose,
        freedoms: Sequence[JointFreedom],
        joint: Held | None,
        node: Node,
        sign: float,
    ) -> list[Segment]:
        made: list[Segment] = []
        for freedom in freedoms:
            segment = Segment(
                len(self.segments), parent, base, _rounded(fixed), freedom, joint, node, sign, drive=freedom.drive
            )
            self.segments.append(segment)
            made.append(segment)
            parent, fixed = segment.number, IDENTITY
        self._number()
        return made

    def _number(self) -> None:
        q = v = 0
        for segment in self.segments:
            segment.q = q if segment.drive is None else -1
            segment.v = v if segment.free else -1
            q += segment.freedom.coordinates if segment.drive is None else 0
            v += segment.freedom.speeds if segment.free else 0

    def _prescribe(self, prescriber: Held, joint: Held, made: Sequence[Segment]) -> None:
        """Finds the freedom that an element prescribes, and by how much its own frames are turned against it."""
        found = prescriber.prescribes()
        assert found is not None
        level, drive = found
        for segment in made:
            follows = _follows(prescriber, joint, segment.freedom)
            if follows is not None:
                if level == "rate" and not _turns_alone(prescriber, joint, segment.freedom):
                    raise TreeError(
                        f"element {prescriber.name!r} prescribes an angular velocity that is the rate of "
                        f"{segment.name} only while nothing else of {joint.name!r} turns: prescribe that of its last "
                        "axis, an angle, or take the redundant formulation"
                    )
                if not segment.free:
                    raise TreeError(
                        f"element {prescriber.name!r} prescribes {segment.name}, which is prescribed already"
                    )
                segment.prescriber, (segment.scale, angle) = prescriber, follows
                if level == "angle":
                    segment.drive, segment.offset = drive, -segment.scale * angle
                else:
                    segment.rate = drive
                self._number()
                return
        raise TreeError(
            f"element {prescriber.name!r} ({type(prescriber).__name__}) prescribes none of the freedoms of "
            f"{joint.name!r}: give both the same frames, or take the redundant formulation"
        )

    # ---- what is wrong
    def _loop(self, near: str, far: str, edge: Edge) -> str:
        """Which joints close a loop."""
        joints = [edge.joint.name, *self._joints_inward(near), *self._joints_inward(far)]
        once = [name for name in dict.fromkeys(joints) if joints.count(name) == 1]
        to_ground = not near or far not in {n.name for n in self.order}
        names = ", ".join(repr(name) for name in once)
        where = "a closed loop through the ground" if to_ground else "a closed loop"
        twice = next((n for n in (far, near) if n in self.model.nodes and self.model.nodes[n].free), far or near)
        return (
            f"model {self.model.name!r} is no tree: joints {names} form {where}, so "
            f"{twice!r} would hang on two parents; cut one of them (cut=({edge.joint.name!r},)), or take the "
            "redundant formulation"
        )

    def _joints_inward(self, name: str) -> list[str]:
        """Joints from a node to the base of its tree."""
        if not name or name not in self.attached:
            return []
        found, number = [], self.attached[name].segment
        while number >= 0:
            segment = self.segments[number]
            if segment.joint is not None:
                found.append(segment.joint.name)
            number = segment.parent
        return list(dict.fromkeys(found))

    def _refuse_flexible(self) -> None:
        for element in (e for e in self.model.elements.values() if isinstance(e, Inertial)):
            if not isinstance(element, RigidMass) and any(node.free for node in element.nodes()):
                raise TreeError(
                    f"element {element.name!r} ({type(element).__name__}) is a flexible or spread-out mass: the "
                    "recursive formulation is for rigid bodies; take the redundant formulation"
                )

    def _check_inertia(self) -> None:
        """Every joint must have mass behind it."""
        heavy = {self.attached[b.nodes()[0].name].segment for b in self.bodies}
        for segment in reversed(self.segments):
            if segment.number in heavy:
                heavy.add(segment.parent)
        for segment in self.segments:
            if segment.number not in heavy and segment.free:
                if segment.joint is None:
                    raise TreeError(
                        f"node {segment.node.name!r} has no inertia, and no joint holds it: add a Body or a joint, or "
                        "take the redundant formulation, which finds the balance of nodes without mass"
                    )
                raise TreeError(
                    f"node {segment.node.name!r}, which hangs on joint {segment.joint.name!r}, has no inertia, nor has "
                    "anything behind it: add a Body to it, or remove the joint"
                )

    # ---- what others ask
    @property
    def order(self) -> list[Node]:
        """Nodes that move, from the inside out."""
        return [hanging.node for hanging in self.hangings]

    def inward(self, segment: int) -> list[int]:
        """Segments from one to the base of its tree."""
        found = []
        while segment >= 0:
            found.append(segment)
            segment = self.segments[segment].parent
        return found

    @property
    def free_segments(self) -> list[Segment]:
        """Those whose accelerations are to be found."""
        return [s for s in self.segments if s.free]

    @property
    def coordinate_names(self) -> list[str]:
        """One for each coordinate: "hinge.angle", "craft.position.x", "craft.rotation.w"."""
        return [
            name
            for s in self.segments
            if s.drive is None
            for name in ([f"{s.name}.{c}" for c in "wxyz"] if s.freedom.kind == "ball" else [s.name])
        ]

    @property
    def speed_names(self) -> list[str]:
        """One for each degree of freedom."""
        return [
            name
            for s in self.free_segments
            for name in (
                [f"{s.node.name if s.joint is None else s.joint.name}.angular_velocity.{c}" for c in "xyz"]
                if s.freedom.kind == "ball"
                else [f"{s.name}_rate"]
            )
        ]


def _freedoms(element: Held) -> tuple[JointFreedom, ...] | None:
    """What a joint leaves free; `TreeError` names it where it cannot say so."""
    try:
        return element.freedoms()
    except ModelError as error:
        raise TreeError(f"element {element.name!r} ({type(element).__name__}): {error}") from None


def _pair(element: Held) -> frozenset[str]:
    """The two nodes of a joint; all that is held is one."""
    return frozenset(node.name if node.free else f"\0{node.name}" for node in (element.a, element.b))


def rounded_entry(x: float) -> float:
    """A number of a placement without the rounding near 0, 1 and -1."""
    for whole in (0.0, 1.0, -1.0):
        if abs(x - whole) < ROUNDED_ENTRY:
            return whole
    return x


def _rounded(H: Pose) -> Pose:
    """A pose without the rounding of its numbers: near 0 and 1, and of lengths beyond 15 digits of the largest."""
    R, p = np.array(H.R, float), np.array(H.p, float)
    for x in (0.0, 1.0, -1.0):
        R[np.abs(R - x) < ROUNDED_ENTRY] = x
    largest = float(np.abs(p).max(initial=0.0))
    if largest > 0.0:
        p = np.round(p, min(300, DIGITS - int(np.ceil(np.log10(largest))))) + 0.0
    return Pose(R, p)


def _follows(prescriber: Held, joint: Held, freedom: JointFreedom) -> tuple[float, float] | None:
    """How the prescriber's angle follows a coordinate, by 1 or -1, and that angle where it is zero; None if not."""
    angles = []
    for x in (0.0, 0.7):
        q = [np.array([1.0, 0.0, 0.0, 0.0]) if f.kind == "ball" else np.zeros(1) for f in joint.freedoms() or ()]
        for k, f in enumerate(joint.freedoms() or ()):
            if f is freedom or f == freedom:
                q[k] = np.array([x])
        if freedom.kind == "ball":
            return None
        H = pose_of(joint.freedoms() or (), q)
        angles.append(prescriber.prescribed_angle(_between(prescriber, joint, H)))
    turned = (angles[1] - angles[0] + np.pi) % (2.0 * np.pi) - np.pi
    return (float(np.sign(turned)), float(angles[0])) if abs(abs(turned) - 0.7) < 1e-9 else None


def _turns_alone(prescriber: Held, joint: Held, freedom: JointFreedom) -> bool:
    """Whether the prescribed angular velocity, about z of frame B, is the rate of that coordinate in any pose."""
    freedoms = joint.freedoms() or ()

    def rotation(x: float, moved: JointFreedom) -> np.ndarray:
        q = [np.array([0.3 + 0.2 * k]) for k in range(len(freedoms))]
        for k, f in enumerate(freedoms):
            if f is moved or f == moved:
                q[k] = q[k] + x
        return _between(prescriber, joint, pose_of(freedoms, q))

    for moved in freedoms:
        R, step = rotation(0.0, moved), 1e-6
        spin = R.T @ (rotation(step, moved) - rotation(-step, moved)) / (2.0 * step)
        along = abs(spin[1, 0])
        if abs(along - (1.0 if moved is freedom or moved == freedom else 0.0)) > 1e-6:
            return False
    return True


def _between(prescriber: Held, joint: Held, H_AB: Pose) -> np.ndarray:
    """R of the prescriber's frame on its b seen from that on its a, at a pose of the joint's frames."""
    pose = lambda place: Pose(place.rotation, place.position)  # noqa: E731
    H_ab = compose_poses(compose_poses(pose(joint.place_a), H_AB), inverse_pose(pose(joint.place_b)))
    if prescriber.a is not joint.a:
        H_ab = inverse_pose(H_ab)
    return prescriber.place_a.rotation.T @ H_ab.R @ prescriber.place_b.rotation
