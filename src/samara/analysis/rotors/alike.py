"""Whether the blades of a rotor are alike: the same forces act when they have changed places."""

from __future__ import annotations

import numpy as np
from scipy.sparse.linalg import lsmr

from samara.analysis.rotors.frame import RotorFrame
from samara.analysis.rotors.motion import Posture, exchanged_posture, read
from samara.rotations import Pose, compose_poses, exp_se3
from samara.solve import Simulation
from samara.solve.tangent import multipliers

#: Size of the motions that are tried, of the mechanism and in rad: of poses, and of twists by the rotor's speed; and
#: what forces may differ by, of the largest.
MOVED, FASTER, SAME = 1e-4, 1e-3, 1e-7
#: How far joints may be open, of the size of the mechanism.
CLOSED = 1e-6


def are_alike(sim: Simulation, frame: RotorFrame) -> bool:
    """Tries a motion near the present one, and the same 1 / N of a turn before with the blades exchanged.

    Reactions, which may be counted in any axes, are left out, and so are accelerations. A motion of no symmetry is
    taken, so that what differs between blades, drives or the support and the flow around it shows.
    """
    random = np.random.default_rng(0)
    with sim.state.plain():
        time, now = sim.state.time, _nearby(sim, read(sim), frame.speed, random)
        here, open_here = _forces(sim, now, time)
        there, open_there = _forces(
            sim, exchanged_posture(now, frame), time - 2.0 * np.pi / (frame.count * frame.speed)
        )
    fits = open_there <= 10.0 * open_here + CLOSED * sim.length
    return fits and bool(
        np.abs(frame.exchange() @ here - there).max(initial=0.0) <= SAME * np.abs(here).max(initial=1e-300)
    )


def _nearby(sim: Simulation, now: Posture, speed: float, random: np.random.Generator) -> Posture:
    unit, count = np.array([sim.length] * 3 + [1.0] * 3), len(now.R)
    moves = MOVED * np.concatenate([np.tile(unit, count), sim.state.scales])
    moves = moves * random.uniform(-1, 1, moves.size)
    n = moves.size
    G = sim.jacobian(1.0, 0.0, 0.0)[n + multipliers(sim)[0], :n]
    if G.shape[0]:
        moves = moves - lsmr(G, G @ moves, atol=1e-12, btol=1e-12)[0]  # joints stay closed
    R, p = now.R.copy(), now.p.copy()
    for k, xi in enumerate(moves[: 6 * count].reshape(-1, 6)):
        R[k], p[k] = compose_poses(Pose(R[k], p[k]), exp_se3(xi))
    twists = now.twists + FASTER * speed * unit * random.uniform(-1, 1, now.twists.shape)
    scale = FASTER * sim.state.scales
    values = now.values + scale * random.uniform(-1, 1, now.values.shape)
    return Posture(R, p, twists, values, now.rates + speed * scale * random.uniform(-1, 1, now.rates.shape))


def _forces(sim: Simulation, motion: Posture, time: float) -> tuple[np.ndarray, float]:
    """Of nodes and states in a motion, at a time, without accelerations and reactions; and how far joints are open."""
    s = sim.system
    s.state.set_time(time)
    for node, R, p, twist in zip(s.layout.free, motion.R, motion.p, motion.twists, strict=True):
        s.state.place(node, Pose(R, p))
        s.state.set_twist(node, twist)
    s.state.values = motion.values
    s.state.accelerations = 0.0
    rates = s.state.twists
    rates[6 * len(s.layout.free) :] = motion.rates
    s.state.twists = rates
    s.state.multipliers[:] = 0.0
    rows, n = s.state.residual(), s.layout.coordinates
    return rows[:n], float(np.abs(rows[n + multipliers(sim)[0]]).max(initial=0.0))
