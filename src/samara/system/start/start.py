"""Where a model starts: its reference pose, displaced by the `start` values of its joints.

The reference pose is the one in which the model is described: nodes are where `model.node` put them, or where
`node.begin` placed them. From there:

1. Nodes and the elements that hold them form a tree. It grows from what has a prescribed motion (the ground, prescribed
   nodes), and, for a free-floating assembly, from its first node. Joints with a start come first, then all other
   elements in order of stiffness: a node moves with its stiffest connection. Elements that would close a loop are
   not in the tree.
2. Along the tree, outward, a joint with a start places what is behind it as one rigid piece, and gives it the motion
   that corresponds to its rates:

       H_Wb = H_Wa H_ab(start),     eta_b = Ad(H_ba) eta_a + the twist of b against a

   A velocity given to the joint's own node counts relative to its carrier in the reference pose. It turns with
   the piece and is kept along the freedoms whose rates are not named:

       eta_b = Ad(H_ba) eta_a + xi_b + least consistent change,     xi_b = eta_b,given - Ad(H_ba,ref) eta_a,given

   Velocities given to other nodes turn with the piece; their difference from that of the joint's own node is
   kept;
3. Loop closures are checked. A joint without a start, or whose start names nothing, is left to the assembly, which
   holds what the others name (`samara.solve.start.held_starts`). Contradictory starts are rejected, and so are
   starts that tear a rigid piece apart.

Without any start, nodes begin as described in the model.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from samara.elements.families import Starting
from samara.model import Drive, Element, Grip, ModelError, Node
from samara.rotations import Pose, adjoint, adjoint_times, compose_poses, cross, inverse_pose, relative_pose
from samara.system.memory.blocks import ETA, POSITION, ROTATION
from samara.system.start.node_pair import Pair

if TYPE_CHECKING:
    from samara.system.system import System

#: Relative displacement of two nodes below which they still form one piece [m, rad].
TOGETHER = 1e-9
#: Weight of a velocity that was not given relative to one that was, where both cannot be kept.
OPEN = 1e-5
#: Fraction of a velocity attributed to rounding.
ROUNDING = 1e-12
#: Change of a given velocity, relative to the largest speed, above which it counts as not kept.
KEPT = 1e-6


class Start(NamedTuple):
    """Pose H_WN of a node and its velocity and angular velocity, all in world axes [m/s, rad/s]."""

    pose: Pose
    v: np.ndarray
    w: np.ndarray

    @property
    def twist(self) -> np.ndarray:
        """(v, w) in the node's axes."""
        return np.concatenate([self.pose.R.T @ self.v, self.pose.R.T @ self.w])


class Carry(NamedTuple):
    """Motion of a piece: a displacement of the world, and a rigid motion (v at the world's origin, w)."""

    pose: Pose
    v: np.ndarray
    w: np.ndarray

    def take(self, node: Node) -> Start:
        """Pose and velocity of a node of the piece at the start."""
        pose = compose_poses(self.pose, reference(node))
        v, w = self.pose.R @ node.velocity, self.pose.R @ node.angular_velocity
        return Start(pose, v + self.v + cross(self.w, pose.p), w + self.w)


class Own(NamedTuple):
    """Given twist of a node relative to its carrier, in its own axes, and which of the six components were given."""

    given: np.ndarray
    twist: np.ndarray


STAY = Carry(Pose(np.eye(3), np.zeros(3)), np.zeros(3), np.zeros(3))


def reference(node: Node) -> Pose:
    """Pose from which starts of joints displace the node: its reference pose, or where `begin` placed it."""
    return Pose(node.beginning.rotation, node.beginning.position)


@dataclass(frozen=True)
class PlacedNodes:
    """How the nodes of a system were placed: the joints involved, the numbers used, and the result.

    overruled: description of given node velocities that the starts of joints do not allow.
    """

    pairs: list[Pair]
    numbers: tuple
    motion: np.ndarray
    overruled: tuple[str, ...] = ()
    everywhere: np.ndarray | None = None  # poses and twists of all nodes


#: Before nodes are first placed.
NOWHERE = PlacedNodes([], (), np.zeros((0, ETA + 6)))


def place_nodes(system: System, before: PlacedNodes = NOWHERE) -> PlacedNodes:
    """Writes the initial poses and motions of all nodes, for the current inputs and parameters.

    before: the previous placement; reused if it follows from the same numbers.
    """
    nodes = list(system.model.nodes.values())
    at = system.layout.blocks(nodes)[:, None] + np.arange(ETA + 6) * system.layout.width
    numbers = _numbers(system)
    if before.everywhere is not None and before.numbers == numbers:
        system.arrays.state[at] = before.everywhere
        return before
    joints = _starting(system)
    starts, pairs = {node.name: STAY.take(node) for node in nodes}, []
    overruled: tuple[str, ...] = ()
    if any(joint.start is not None for joint in joints):
        tree = StartTree(system, joints, _state_at_start(system))
        starts, pairs, overruled = tree.starts, list(tree.pairs.values()), tuple(tree.overruled)
    found = np.array(
        [[*start.pose.R.ravel(), *start.pose.p, *start.twist] for start in (starts[n.name] for n in nodes)]
    )
    system.arrays.state[at] = found
    return PlacedNodes(pairs, numbers, _free_motion(system), overruled, found)


def placed_at(system: System, part: float) -> dict[str, Pose]:
    """Poses of the nodes a fraction of the way from the reference pose to the start."""
    joints = _starting(system)
    return {name: start.pose for name, start in StartTree(system, joints, _state_at_start(system), part).starts.items()}


def _starting(system: System) -> list[Starting]:
    """Joints that may determine where their nodes start."""
    return [element for element in system.model.elements.values() if isinstance(element, Starting)]


def is_as_placed(system: System) -> bool:
    """Whether no node has been moved since it was placed."""
    return np.array_equal(system.placed.motion, _free_motion(system))


def place_again(system: System) -> None:
    """Places the nodes again if starts of joints may depend on numbers that have changed, and no node was moved."""
    placed = system.placed
    if placed.pairs and placed.numbers != _numbers(system) and is_as_placed(system):
        system.placed = place_nodes(system)


def _numbers(system: System) -> tuple:
    """Values of inputs and parameters, and how often each node was given another initial pose."""
    begun = (node.begun for node in system.model.nodes.values())
    return (*system.state.inputs, *(p.value for p in system.parameters.named.values()), *begun)


def _free_motion(system: System) -> np.ndarray:
    """Poses and twists of the nodes with unknowns."""
    return system.state.components(ROTATION, ETA + 6)


class StartTree:
    """Nodes in the order of placement.

    part: fraction of the way from the reference pose to the start.
    """

    def __init__(self, system: System, joints: list[Starting], state: np.ndarray, part: float = 1.0) -> None:
        self._system, self._state, self._part = system, state, part
        self.model = system.model
        together: dict[frozenset[str], list[Starting]] = {}
        for joint in joints:
            together.setdefault(frozenset((joint.a.name, joint.b.name)), []).append(joint)
        started = {key: found for key, found in together.items() if any(j.start is not None for j in found)}
        holding = [e for e in self.model.elements.values() if self._multipliers(e)]
        returns = all(isinstance(e, Starting) and e.returning for e in holding)
        self.pairs = {key: Pair(found, self._signals, returns) for key, found in started.items()}
        self._used: set[Pair] = set()
        self.starts: dict[str, Start] = {}
        self._carried: dict[str, Carry] = {}
        self._given: dict[str, np.ndarray] = {}  # twists in the reference pose, without the rates named in starts
        self.overruled: list[str] = []
        self._place_all()
        if part == 1.0:
            self._check_loops()
            self._check_pieces()

    # ---- the tree
    def _edges(self) -> Iterator[tuple[Node, Node]]:
        """Pairs of nodes that hold each other: those of joints with a start first, then by stiffness."""
        yield from ((pair.a, pair.b) for pair in self.pairs.values())
        others = [e for e in self.model.elements.values() if len(e.nodes()) > 1]
        for element in sorted(others, key=self._firmness, reverse=True):  # ties keep their order
            yield from pairwise(element.nodes())

    def _firmness(self, element: Element) -> tuple[int, int]:
        return int(element.grip), self._multipliers(element)

    def _multipliers(self, element: Element) -> int:
        return self._system.multiplier_count(element)

    def _neighbours(self) -> dict[str, list[Node]]:
        """The tree: edges that join pieces not yet connected (Kruskal)."""
        leader = {name: name if node.free else "ground" for name, node in self.model.nodes.items()}
        near: dict[str, list[Node]] = {name: [] for name in leader}

        def find(name: str) -> str:
            while leader[name] != name:
                leader[name] = name = leader[leader[name]]
            return name

        for a, b in self._edges():
            first, second = find(a.name), find(b.name)
            if first != second:
                leader[second] = first
                near[a.name].append(b)
                near[b.name].append(a)
        return near

    def _place_all(self) -> None:
        near = self._neighbours()
        nodes = self.model.nodes.values()
        for root in (*(n for n in nodes if not n.free), *(n for n in nodes if n.free)):
            if root.name in self.starts:
                continue
            self.starts[root.name], self._carried[root.name] = self._root(root), STAY
            self._given[root.name], driven = self.starts[root.name].twist, root.motion is not None
            front = [root]
            while front:
                parent = front.pop()
                for child in near[parent.name]:
                    if child.name not in self.starts:
                        self._place(parent, child, driven)
                        front.append(child)

    def _root(self, node: Node) -> Start:
        if node.motion is None:
            return STAY.take(node)
        at = self._system.layout.block(node) + np.arange(ETA + 6) * self._system.layout.width
        block = self._state[at]
        pose, twist = Pose(block[ROTATION : ROTATION + 9].reshape(3, 3), block[POSITION : POSITION + 3]), block[ETA:]
        return Start(pose, pose.R @ twist[:3], pose.R @ twist[3:])

    # ---- one step outward
    def _place(self, parent: Node, child: Node, driven: bool) -> None:
        """driven: whether the piece moves with a prescribed node, as nodes without a given velocity are assumed to."""
        pair = self.pairs.get(frozenset((parent.name, child.name)))
        along = adjoint_times(relative_pose(reference(child), reference(parent)), self._given[parent.name])
        given = np.repeat([np.any(child.velocity), np.any(child.angular_velocity)], 3)
        open_to = ~given & (driven or pair is not None)
        self._given[child.name] = np.where(open_to, along, STAY.take(child).twist)
        own = Own(given, self._given[child.name] - along)
        sizes = np.abs([self._given[child.name], along]).reshape(2, 2, 3).max(axis=(0, 2))
        own.twist[np.abs(own.twist) <= ROUNDING * np.repeat(sizes, 3)] = 0.0
        carry = self._carried[parent.name] if pair is None else self._carry(pair, self.starts[parent.name], child, own)
        self._carried[child.name], self.starts[child.name] = carry, carry.take(child)

    def _carry(self, pair: Pair, parent: Start, child: Node, own: Own) -> Carry:
        """Motion of the piece behind a pair that gives the child its pose and twist."""
        self._used.add(pair)
        H_ba, twist = pair.solve(relative_pose(reference(pair.b), reference(pair.a)), self._part)
        if own.twist.any():
            twist = self._keeping(pair, H_ba, child, own)
        if child is pair.a:
            pose, eta = compose_poses(parent.pose, H_ba), adjoint_times(inverse_pose(H_ba), parent.twist + twist)
        else:
            pose, eta = compose_poses(parent.pose, inverse_pose(H_ba)), adjoint_times(H_ba, parent.twist) - twist
        moved = compose_poses(pose, inverse_pose(reference(child)))
        w = pose.R @ eta[3:] - moved.R @ child.angular_velocity
        v = pose.R @ eta[:3] - moved.R @ child.velocity
        return Carry(moved, v - cross(w, pose.p), w)

    def _keeping(self, pair: Pair, H_ba: Pose, child: Node, own: Own) -> np.ndarray:
        """Twist of a pair that keeps the velocity given to its outer node, as far as the pair allows."""
        turn = adjoint(H_ba) if child is pair.a else -np.eye(6)  # from child against parent to the pair
        basis = turn / np.where(own.given, 1.0, OPEN)
        twist = pair.keeping(H_ba, turn @ own.twist, basis)
        # named rates are added to a velocity that has none of them, and may be part of one that was given
        bare = pair.keeping(H_ba, turn @ own.twist, basis, named=False)
        lost = [np.where(own.given, np.linalg.solve(turn, found) - own.twist, 0.0) for found in (twist, bare)]
        if all(np.abs(change).max() > KEPT * np.abs(own.twist).max() for change in lost):
            sizes = zip(("velocity", "angular velocity"), np.split(lost[0], 2), ("m/s", "rad/s"), strict=True)
            parts = [f"{name} by {np.linalg.norm(x):.3g} {unit}" for name, x, unit in sizes if np.any(x)]
            self.overruled.append(f"node {child.name!r}: {', '.join(parts)}, by the start of {pair.lead.name!r}")
        return twist

    # ---- loops
    def _check_loops(self) -> None:
        for pair in (p for p in self.pairs.values() if p.names_something and p not in self._used):
            a, b = self.starts[pair.a.name], self.starts[pair.b.name]
            H_ba = relative_pose(b.pose, a.pose)
            if miss := pair.miss(H_ba, adjoint_times(H_ba, a.twist) - b.twist):
                raise ModelError(
                    f"model {self.model.name!r}: starts of joints contradict each other around a loop: {miss}; change "
                    "them, or leave one of the loop out and the assembly closes it"
                )

    def _check_pieces(self) -> None:
        for element in self.model.elements.values():
            led = isinstance(element, Starting) and frozenset(node.name for node in element.nodes()) in self.pairs
            if element.grip is not Grip.SOLID or led:
                continue
            for a, b in pairwise(element.nodes()):
                one, two = self._carried[a.name].pose, self._carried[b.name].pose
                apart = compose_poses(one, reference(b)).p - compose_poses(two, reference(b)).p
                if np.abs(one.R - two.R).max() > TOGETHER or np.abs(apart).max() > TOGETHER * (1 + np.abs(two.p).max()):
                    raise ModelError(
                        f"element {element.name!r} holds nodes {a.name!r} and {b.name!r} together, and the start of a "
                        "joint beside it would tear them apart: describe them where they start, without that start"
                    )

    # ---- values at t = 0
    def _signals(self, joint: Starting) -> list[tuple[float, float]]:
        """(value, rate) of its drives."""
        first = [self._system.layout.signal(leaf) for leaf in joint.leaves() if isinstance(leaf, Drive)]
        return [(float(self._state[k]), float(self._state[k + 1])) for k in first]


def _state_at_start(system: System) -> np.ndarray:
    """A state in which drives and prescribed nodes have their values at t = 0."""
    with system.state.kept():
        system.state.set_time(0.0)
        return system.state.copy()
