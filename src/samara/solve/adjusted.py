"""What the assembly had to change of the start that a model describes: which nodes, and by how much."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.rotations import Pose, adjoint_times, log_so3, relative_pose
from samara.system.blocks import ETA, POSITION, ROTATION

if TYPE_CHECKING:
    from samara.model import Node
    from samara.solve.simulation import Simulation
    from samara.system.pair import Pair
    from samara.system.system import System

#: Changes below this part of the size of the mechanism, of a rad and of the largest speeds are rounding.
ROUNDING = 1e-9
#: A velocity that was given contradicts the joints if it had to change by more than this part of the largest speed; so
#: do coordinates of a start that are off by more than this part of the size of the mechanism, or so many rad.
CONTRADICTION = 1e-6
#: As many nodes are named in a warning.
NAMED = 3


class ChangedStart(UserWarning):
    """Velocities or starts of joints that a model gives, and that its joints do not allow, had to change."""


@dataclass(frozen=True)
class Change:
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


@dataclass(frozen=True)
class Adjusted:
    """All that had to change, the largest changes of velocities first; and what starts of joints miss, in words."""

    nodes: tuple[Change, ...] = ()
    misses: tuple[str, ...] = ()

    @property
    def contradictions(self) -> tuple[str, ...]:
        """What the model gave and did not get, one text each."""
        return (*(str(change) for change in self.nodes if change.contradicts), *self.misses)

    def note(self) -> str:
        """One sentence on the contradictions, the worst by name; nothing if there are none."""
        found = self.contradictions
        if not found:
            return ""
        more = f"; and {len(found) - NAMED} more" if len(found) > NAMED else ""
        return f"the joints do not allow the start as given, it was changed: {'; '.join(found[:NAMED])}{more}"


def warn_of_changes(sim: Simulation, stacklevel: int) -> None:
    """A `ChangedStart` warning if something that was given had to change."""
    if note := sim.adjusted.note():
        warnings.warn(
            f"model {sim.model.name!r}: {note} (give velocities that fit the joints, or rates by their `start`; "
            "`samara check` lists all changes)",
            ChangedStart,
            stacklevel=stacklevel + 1,
        )


Motion = dict[str, tuple[Pose, np.ndarray]]


def motion(system: System) -> Motion:
    """Pose and velocities in world axes, (v, w), of the nodes with unknowns as they are now."""
    return {node.name: _motion(system, node) for node in system.free}


def keep_velocities(system: System, before: Motion) -> None:
    """Velocities in world axes as they were before the nodes were moved: a node that turns does not turn them along."""
    for node in system.free:
        (H_0, eta), R = before[node.name], system.read(node, ROTATION, 9).reshape(3, 3)
        if not np.array_equal(R, H_0.R):
            system.write(node, ETA, np.concatenate([R.T @ eta[:3], R.T @ eta[3:]]))


def adjusted(sim: Simulation, before: Motion) -> Adjusted:
    """What is different now."""
    now, length = motion(sim.system), sim.length
    speeds = np.array([eta for moving in (before, now) for _, eta in moving.values()]).reshape(-1, 2, 3)
    v, w = np.abs(speeds).max(axis=(0, 2), initial=0.0)
    speed = max(v, length * w)
    sizes = np.array([length, 1.0, speed, speed / length])
    found = []
    for name, (H, eta) in now.items():
        H_0, eta_0 = before[name]
        parts = (H.p - H_0.p, log_so3(H_0.R.T @ H.R), eta[:3] - eta_0[:3], eta[3:] - eta_0[3:])
        changes = np.array([np.linalg.norm(part) for part in parts])
        if (changes > ROUNDING * sizes).any():
            given = np.array([np.abs(eta_0[:3]).max(), np.abs(eta_0[3:]).max()]) > ROUNDING * sizes[2:]
            contradicts = bool((given & (changes[2:] > CONTRADICTION * sizes[2:])).any())
            changes[changes <= ROUNDING * sizes] = 0.0
            position, rotation, velocity, angular = map(float, changes)
            found.append(Change(name, position, rotation, velocity, angular, contradicts))
    found.sort(key=lambda change: -max(change.velocity, length * change.angular_velocity))
    lost = [
        after for pair in sim.system.placed.pairs if (after := _miss(sim, pair, now)) and not _miss(sim, pair, before)
    ]
    return Adjusted(tuple(found), tuple(lost))


def _miss(sim: Simulation, pair: Pair, moving: Motion) -> str:
    """What is not as the start of joints says, in words."""
    poses, twists = [], []
    for node in (pair.a, pair.b):
        H, eta = moving.get(node.name) or _motion(sim.system, node)
        poses.append(H)
        twists.append(np.concatenate([H.R.T @ eta[:3], H.R.T @ eta[3:]]))
    H_ba = relative_pose(poses[1], poses[0])
    twist = adjoint_times(H_ba, twists[0]) - twists[1]
    return pair.miss(H_ba, twist, CONTRADICTION * max(1.0, sim.length), named=True)


def _motion(system: System, node: Node) -> tuple[Pose, np.ndarray]:
    R, twist = system.read(node, ROTATION, 9).reshape(3, 3), system.read(node, ETA, 6)
    return Pose(R, system.read(node, POSITION, 3)), np.concatenate([R @ twist[:3], R @ twist[3:]])
