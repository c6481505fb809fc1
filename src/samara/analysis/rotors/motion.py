"""Whether a motion comes back: what a model does at two instants, compared with its blades exchanged."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import diags

from samara.analysis.rotors.frame import RotorFrame
from samara.rotations import Pose, exp_so3, log_se3
from samara.solve import Simulation
from samara.solve.topology.parts import parts

#: Force of a displacement that is rounding, of those that cancel.
FELT = 1e-10


@dataclass(frozen=True)
class Posture:
    """Poses (R, p) of the nodes with unknowns in the world, twists in own axes (nodes, 6), states and their rates."""

    R: np.ndarray
    p: np.ndarray
    twists: np.ndarray
    values: np.ndarray
    rates: np.ndarray

    def turned(self, angle: float) -> Posture:
        """The same with everything turned about the world's z axis [rad]."""
        R = exp_so3(np.array([0.0, 0.0, angle]))
        return replace(self, R=R @ self.R, p=self.p @ R.T)


def read(sim: Simulation) -> Posture:
    """What a simulation does now."""
    s = sim.system.state
    nodes = 6 * len(sim.system.layout.free)
    twists = s.twists + s.carried
    return Posture(s.rotations.copy(), s.positions.copy(), twists[:nodes].reshape(-1, 6), s.values, twists[nodes:])


def exchanged_posture(now: Posture, frame: RotorFrame) -> Posture:
    """The same told of the blades by the places where they were 1 / N of a turn before."""
    P = frame.exchange()
    nodes = 6 * len(now.R)
    twists, states = np.split(P @ np.concatenate([now.twists.ravel(), now.rates]), [nodes])
    values = (P @ np.concatenate([np.zeros(nodes), now.values]))[nodes:]
    R, p = now.R.copy(), now.p.copy()
    for k, row in enumerate(frame.blades):
        to = frame.blades[(k + 1) % frame.count]
        for i, j in zip(row[row < nodes][::6] // 6, to[to < nodes][::6] // 6, strict=True):
            turn = P[6 * j : 6 * j + 3, 6 * i : 6 * i + 3].toarray()
            R[j], p[j] = now.R[i] @ turn.T, now.p[i]
    for node in frame.others:
        k = node.first // 6
        R[k] = now.R[k] @ exp_so3(-frame.rotor.sense * 2.0 * np.pi / frame.count * node.axis)
    return Posture(R, p, twists.reshape(-1, 6), values, states)


def elsewhere(sim: Simulation) -> np.ndarray:
    """Displacements of the model's parts as a whole, along axes of the world, that no force and no joint feels.

    Columns of xi, own axes; none for a model that something holds in its place, three for one that flies in free air.
    """
    s, n = sim.system, sim.system.layout.coordinates
    nodes, R = 6 * len(s.layout.free), s.state.rotations
    unit = np.concatenate([np.tile([sim.length] * 3 + [1.0] * 3, nodes // 6), s.state.scales])
    J = sim.jacobian(1.0, 0.0, 0.0)[:, :n]
    J = diags(np.append(unit[:nodes], np.ones(J.shape[0] - nodes))) @ J  # forces and couples as work
    whole = abs(J) @ unit
    columns = []
    for part in parts(sim.model):
        numbers = [s.layout.free.index(node) for node in part.nodes]
        for axis in np.eye(3):
            xi = np.zeros(n)
            for k in numbers:
                xi[6 * k : 6 * k + 3] = R[k].T @ axis
            forces, size = np.abs(J @ xi), abs(J) @ np.abs(xi)
            size[:nodes] = size[:nodes].max(initial=0.0)  # of equations of states and joints each has a unit of its own
            size[nodes:] = whole[nodes:] / sim.length
            if (forces <= FELT * size).all():
                columns.append(xi)
    return np.array(columns).reshape(-1, n).T


def as_a_whole(sim: Simulation) -> np.ndarray:
    """Displacements and turns of each part that nothing ties to the ground, as a whole: columns of xi, own axes."""
    s, found = sim.system, []
    for part in parts(sim.model):
        if part.tied:
            continue
        numbers = [s.layout.free.index(node) for node in part.nodes]
        for turn in (False, True):
            for axis in np.eye(3):
                xi = np.zeros(s.layout.coordinates)
                for k in numbers:
                    R, p = s.state.rotations[k], s.state.positions[k]
                    xi[6 * k : 6 * k + 6] = np.concatenate(
                        [R.T @ (np.cross(axis, p) if turn else axis), R.T @ axis * turn]
                    )
                found.append(xi)
    return np.array(found).reshape(-1, s.layout.coordinates).T


def apart(sim: Simulation, before: Posture, after: Posture, frame: RotorFrame | None) -> np.ndarray:
    """y from one instant to a later one, blades exchanged: displacements, then changes of twists, see `transition`.

    What flies free may have flown on: its displacement as a whole does not count.
    """
    after = after if frame is None else exchanged_posture(after, frame)
    return between(before, replace(after, p=after.p - _flown(sim, after.p - before.p)))


def between(before: Posture, after: Posture) -> np.ndarray:
    """y from one posture to another."""
    turned = np.einsum("nji,njk->ikn", before.R, after.R)
    way = np.einsum("nji,nj->in", before.R, after.p - before.p)
    moved = log_se3(Pose(turned, way)).T  # of all nodes at once
    twists = (after.twists - before.twists).ravel()
    return np.concatenate([moved.ravel(), after.values - before.values, twists, after.rates - before.rates])


def _flown(sim: Simulation, way: np.ndarray) -> np.ndarray:
    """That part of displacements in the world which is one of a free part as a whole."""
    found, R = np.zeros_like(way), sim.system.state.rotations
    for xi in elsewhere(sim).T:
        moved = np.einsum("nij,nj->ni", R, xi[: 6 * len(R)].reshape(-1, 6)[:, :3])
        found += moved * (moved * way).sum() / (moved**2).sum()
    return found
