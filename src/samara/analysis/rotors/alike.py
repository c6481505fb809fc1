"""Whether the blades of a rotor are alike: the same forces act when they have changed places."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse.linalg import lsmr

from samara.analysis.rotors.frame import RotorFrame
from samara.analysis.rotors.motion import Posture, exchanged_posture, read
from samara.rotations import Pose, exp_se3
from samara.solve import Simulation
from samara.solve.mechanism.tangent_space import multipliers

#: Size of the motions that are tried, of the mechanism and in rad: of poses, and of twists by the rotor's speed; and
#: what forces may differ by, of those on the same node.
MOVED, FASTER, SAME = 1e-4, 1e-3, 1e-7
#: Rounding of poses, of the size of the mechanism.
ROUNDING = 1e-13
#: How far joints may be open, of the size of the mechanism.
CLOSED = 1e-6


def alike(sim: Simulation, frames: Sequence[RotorFrame]) -> list[RotorFrame]:
    """Those of a rotor's frames in which its blades are alike.

    Tries a motion near the present one, and the same 1 / N of a turn before with the blades exchanged. Reactions, which
    may be counted in any axes, are left out. A motion of no symmetry is taken, accelerations too, so that what differs
    between blades, drives or the support and the flow around it shows.
    """
    if not frames or frames[0].count < 2:
        return []
    found, turn = [], 2.0 * np.pi / (frames[0].count * frames[0].speed)
    with sim.state.plain():
        random = np.random.default_rng(0)
        time, now = sim.state.time, _nearby(sim, read(sim), frames[0].speed, random)
        gains = frames[0].speed * FASTER * random.uniform(-1, 1, frames[0].size) * _rates(sim, frames[0].speed)
        here, open_here = _forces(sim, now, gains, time)
        limit = _limits(sim, here)
        for frame in frames:
            P = frame.exchange()
            there, open_there = _forces(sim, exchanged_posture(now, frame), P @ gains, time - turn)
            fits = open_there <= 10.0 * open_here + CLOSED * sim.length
            if fits and bool((np.abs(P @ here - there) <= np.maximum(limit, abs(P) @ limit)).all()):
                found.append(frame)
    return found


def _limits(sim: Simulation, forces: np.ndarray) -> np.ndarray:
    """What forces may differ by: of the largest at the same node, moments by the mechanism's size, and rounding."""
    n, nodes = forces.size, 6 * len(sim.system.layout.free)
    unit = np.concatenate([np.tile([1.0] * 3 + [sim.length] * 3, nodes // 6), np.ones(n - nodes)])
    own = np.abs(forces)
    own[:nodes] = np.repeat((own / unit)[:nodes].reshape(-1, 6).max(axis=1, initial=0.0), 6) * unit[:nodes]
    size = np.concatenate(
        [np.tile([sim.length] * 3 + [1.0] * 3, nodes // 6), sim.state.scales + np.abs(sim.state.values)]
    )
    stiffness = abs(sim.jacobian(1.0, 0.0, 0.0)[:n, :n]) @ size
    return SAME * own + ROUNDING * stiffness


def _nearby(sim: Simulation, now: Posture, speed: float, random: np.random.Generator) -> Posture:
    unit, count = np.array([sim.length] * 3 + [1.0] * 3), len(now.R)
    moves = MOVED * np.concatenate([np.tile(unit, count), sim.state.scales])
    moves = moves * random.uniform(-1, 1, moves.size)
    n = moves.size
    G = sim.jacobian(1.0, 0.0, 0.0)[n + multipliers(sim)[0], :n]
    if G.shape[0]:
        moves = moves - lsmr(G, G @ moves, atol=1e-12, btol=1e-12)[0]  # joints stay closed
    by = exp_se3(moves[: 6 * count].reshape(-1, 6).T)  # all nodes at once
    R, p = np.einsum("nij,jkn->nik", now.R, by.R), now.p + np.einsum("nij,jn->ni", now.R, by.p)
    twists = now.twists + FASTER * speed * unit * random.uniform(-1, 1, now.twists.shape)
    scale = FASTER * sim.state.scales
    values = now.values + scale * random.uniform(-1, 1, now.values.shape)
    return Posture(R, p, twists, values, now.rates + speed * scale * random.uniform(-1, 1, now.rates.shape))


def _rates(sim: Simulation, speed: float) -> np.ndarray:
    """Of the coordinates: sizes of the mechanism, rad and scales of states, times the rotor's speed."""
    return speed * np.concatenate(
        [np.tile([sim.length] * 3 + [1.0] * 3, len(sim.system.layout.free)), sim.state.scales]
    )


def _forces(sim: Simulation, motion: Posture, gains: np.ndarray, time: float) -> tuple[np.ndarray, float]:
    """Of nodes and states in a motion with accelerations, at a time, without reactions; how far joints are open."""
    s = sim.system
    s.state.set_time(time)
    for node, R, p, twist in zip(s.layout.free, motion.R, motion.p, motion.twists, strict=True):
        s.state.place(node, Pose(R, p))
        s.state.set_twist(node, twist)
    s.state.values = motion.values
    s.state.accelerations = gains
    rates = s.state.twists
    rates[6 * len(s.layout.free) :] = motion.rates
    s.state.twists = rates
    s.state.multipliers[:] = 0.0
    rows, n = s.state.residual(), s.layout.coordinates
    return rows[:n], float(np.abs(rows[n + multipliers(sim)[0]]).max(initial=0.0))
