"""Changes that the assembly made to the initial conditions of a model: which nodes, and by how much."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.rotations import Pose, adjoint_times, cross, log_so3, relative_pose
from samara.solve.topology.parts import parts
from samara.system.memory.blocks import ETA, POSITION, ROTATION

if TYPE_CHECKING:
    from samara.model import Model, Node
    from samara.solve.simulation import Simulation
    from samara.system.start.node_pair import Pair
    from samara.system.system import System

#: Changes below this part of the size of the mechanism, of a rad and of the largest speeds are rounding.
SMALLEST_CHANGE = 1e-9
#: A velocity that was given contradicts the joints if it had to change by more than this part of the largest speed; so
#: do coordinates of a start that are off by more than this part of the size of the mechanism, or so many rad.
CONTRADICTING_CHANGE = 1e-6
#: As many nodes are named in a warning.
NAMED = 3


class ChangedStart(UserWarning):
    """The initial velocities or joint starts of a model are inconsistent with its joints and had to be changed."""


@dataclass(frozen=True)
class StartChange:
    """What had to change of a node, as lengths of vectors: place [m], turn [rad], and velocities [m/s, rad/s].

    contradicts: whether a velocity that was given, and not left at zero, had to change.
    """

    node: str
    position: float
    rotation: float
    velocity: float
    angular_velocity: float
    contradicts: bool

    def __str__(self) -> str:
        parts = {
            "position": (self.position, "m"),
            "rotation": (self.rotation, "rad"),
            "velocity": (self.velocity, "m/s"),
            "angular velocity": (self.angular_velocity, "rad/s"),
        }
        return f"node {self.node!r}: " + ", ".join(f"{n} by {x:.3g} {unit}" for n, (x, unit) in parts.items() if x)

    def pose(self) -> str:
        """How far it was moved and turned, in words."""
        parts = [f"{x:.3g} {unit}" for x, unit in ((self.position, "m"), (self.rotation, "rad")) if x]
        return f"node {self.node!r} by {' and '.join(parts)}"


@dataclass(frozen=True)
class Adjusted:
    """All that had to change, the largest changes of velocities first, and in words:

    misses:    what starts of joints asked for and did not get.
    overruled: velocities that nodes were given and that starts of joints do not allow.
    closed:    nodes that were moved to close joints that were drawn open, one of each joint, the farthest first.
    balanced:  nodes without mass that were moved into balance, the farthest first.
    locks:     a sentence on locks that would hold the same if they were engaged together.
    """

    nodes: tuple[StartChange, ...] = ()
    misses: tuple[str, ...] = ()
    overruled: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    balanced: tuple[str, ...] = ()
    locks: str = ""

    @property
    def contradictions(self) -> tuple[str, ...]:
        """What the model gave and did not get, one text each."""
        return (*self.misses, *self.overruled, *(str(change) for change in self.nodes if change.contradicts))

    def note(self) -> str:
        """One sentence on the contradictions, the worst by name; nothing if there are none."""
        found = self.contradictions
        if not found:
            return ""
        more = f"; and {len(found) - NAMED} more" if len(found) > NAMED else ""
        return f"the given start is inconsistent with the joints and was changed: {'; '.join(found[:NAMED])}{more}"

    def notes(self) -> tuple[str, ...]:
        """All that is worth to be known of the start, a sentence each."""
        closed = _first("assembly moved", self.closed)
        balanced = _first("the equilibrium of massless parts moved", self.balanced)
        return tuple(filter(None, [self.note(), closed, balanced, self.locks]))


def _first(what: str, found: tuple[str, ...]) -> str:
    """A sentence on the first of them, and how many more there are."""
    more = f"; and {len(found) - 1} more" if len(found) > 1 else ""
    return f"{what} {found[0]}{more}" if found else ""


def warn_of_changes(sim: Simulation, stacklevel: int) -> None:
    """A `ChangedStart` warning if something that was given had to change."""
    if note := sim.adjusted.note():
        remedy = "give values that the loop permits, start away from dead centre, or omit a start"
        if sim.adjusted.overruled or any(change.contradicts for change in sim.adjusted.nodes):
            remedy = "give velocities consistent with the joints, or rates by their `start`"
        warnings.warn(
            f"model {sim.model.name!r}: {note} ({remedy}; `samara check` lists all changes)",
            ChangedStart,
            stacklevel=stacklevel + 1,
        )


Motion = dict[str, tuple[Pose, np.ndarray]]


def motion(system: System) -> Motion:
    """Pose and velocities in world axes, (v, w), of the nodes with unknowns as they are now."""
    moving = system.state.components(ROTATION, ETA + 6)
    return {node.name: _in_the_world(row) for node, row in zip(system.layout.free, moving, strict=True)}


def change_of_pose(H_0: Pose, H: Pose) -> tuple[float, float]:
    """How far [m] and by which angle [rad] a node was moved."""
    return float(np.linalg.norm(H.p - H_0.p)), float(np.linalg.norm(log_so3(H_0.R.T @ H.R)))


def keep_velocities(system: System, before: Motion) -> None:
    """Velocities in world axes as they were before the nodes were moved: a node that turns does not turn them along.

    Those that come from starts of joints are rigid motions of whole pieces, and go on as such: v + w x (p - p_before).
    """
    own = _own_velocities(system.model) if system.placed.pairs else {}
    for node in system.layout.free:
        (H_0, eta), R = before[node.name], system.state.pose(node).R
        v, w, way = eta[:3], eta[3:], system.state.pose(node).p - H_0.p
        if np.array_equal(R, H_0.R) and not way.any():
            continue
        if system.placed.pairs and not any(own[node.name]):
            v = v + cross(w, way)
        system.state.write(node, ETA, np.concatenate([R.T @ v, R.T @ w]))


def _own_velocities(model: Model) -> dict[str, tuple[bool, bool]]:
    """Whether nodes were given a velocity and an angular velocity of their own, not that of the part they fly with."""
    found = {}
    for part in parts(model):
        first = part.nodes[0]
        for node in part.nodes:
            v, w = node.velocity, node.angular_velocity
            if not part.tied and node is not first:
                way = node.beginning.position - first.beginning.position
                v, w = v - first.velocity - cross(first.angular_velocity, way), w - first.angular_velocity
            speed = np.abs(node.velocity).max() + np.abs(first.velocity).max()
            spin = np.abs(node.angular_velocity).max() + np.abs(first.angular_velocity).max()
            found[node.name] = (
                bool(np.abs(v).max() > SMALLEST_CHANGE * speed),
                bool(np.abs(w).max() > SMALLEST_CHANGE * spin),
            )
    return found


def adjusted(sim: Simulation, before: Motion, overruled: tuple[str, ...] = ()) -> Adjusted:
    """What is different now; `overruled`: by starts of joints already, in words."""
    now, length = motion(sim.system), sim.length
    speeds = np.array([eta for moving in (before, now) for _, eta in moving.values()]).reshape(-1, 2, 3)
    v, w = np.abs(speeds).max(axis=(0, 2), initial=0.0)
    speed = max(v, length * w)
    sizes = np.array([length, 1.0, speed, speed / length])
    found, own = [], _own_velocities(sim.model) if sim.system.placed.pairs else {}
    for name, (H, eta) in now.items():
        H_0, eta_0 = before[name]
        if np.array_equal(eta, eta_0) and np.array_equal(H.R, H_0.R) and np.array_equal(H.p, H_0.p):
            continue
        velocities = (np.linalg.norm(part) for part in np.split(eta - eta_0, 2))
        changes = np.array([*change_of_pose(H_0, H), *velocities])
        if (changes > SMALLEST_CHANGE * sizes).any():
            given = np.abs(eta_0.reshape(2, 3)).max(axis=1) > SMALLEST_CHANGE * sizes[2:]
            if sim.system.placed.pairs:  # what starts of joints make of it is not given
                given &= own[name]
            contradicts = bool((given & (changes[2:] > CONTRADICTING_CHANGE * sizes[2:])).any())
            changes[changes <= SMALLEST_CHANGE * sizes] = 0.0
            position, rotation, velocity, angular = map(float, changes)
            found.append(StartChange(name, position, rotation, velocity, angular, contradicts))
    found.sort(key=lambda change: -max(change.velocity, length * change.angular_velocity))
    lost = [
        text
        for pair in sim.system.placed.pairs
        if (found_now := missed(sim, pair, now)) and not missed(sim, pair, before)
        for text in found_now
    ]
    return Adjusted(tuple(found), tuple(lost), overruled)


def against(system: System, pair: Pair, moving: Motion) -> tuple[Pose, np.ndarray]:
    """Pose and twist of the node a of a pair of joints against its node b."""
    poses, twists = [], []
    for node in (pair.a, pair.b):
        H, eta = moving.get(node.name) or _motion(system, node)
        poses.append(H)
        twists.append(np.concatenate([H.R.T @ eta[:3], H.R.T @ eta[3:]]))
    H_ba = relative_pose(poses[1], poses[0])
    return H_ba, adjoint_times(H_ba, twists[0]) - twists[1]


def missed(sim: Simulation, pair: Pair, moving: Motion) -> list[str]:
    """What is not as the start of joints says, in words."""
    return pair.asked_and_got(*against(sim.system, pair, moving), CONTRADICTING_CHANGE * max(1.0, sim.length))


def _motion(system: System, node: Node) -> tuple[Pose, np.ndarray]:
    return _in_the_world(system.state.read(node, ROTATION, ETA + 6))


def _in_the_world(block: np.ndarray) -> tuple[Pose, np.ndarray]:
    """Pose and velocities in world axes, from the first components of a node's block."""
    R, p, twist = block[ROTATION : ROTATION + 9].reshape(3, 3), block[POSITION : POSITION + 3], block[ETA : ETA + 6]
    return Pose(R, p), np.concatenate([R @ twist[:3], R @ twist[3:]])
