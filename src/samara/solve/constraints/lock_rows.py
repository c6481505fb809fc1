"""Constraint rows of engaged locks, appended to the constraint Jacobian.

An engaged lock makes relative velocities zero. Its row for a direction d, an axis of its frame B, is

    translation:  d^T (v_b + w_b x r_b - v_a - w_a x r_a)        r: from the node to the origin of B
    rotation:     d^T (w_b - w_a)

with respect to the increments of both nodes, each in its own axes.
"""

from __future__ import annotations

import numpy as np

from samara.model import Engaged
from samara.rotations import cross
from samara.solve.report.wording import joint_point
from samara.solve.simulation import Simulation


def locks(sim: Simulation) -> list[Engaged]:
    """All locks of a model."""
    return [element for element in sim.model.elements.values() if isinstance(element, Engaged)]


def is_engaged(sim: Simulation, lock: Engaged) -> bool:
    """Whether its drive closes it now."""
    s = sim.system
    return bool(s.state.drive(lock.engagement())[0] > 0.5)


def held_by(lock: Engaged) -> int:
    """How many directions it holds."""
    _, positions, rotations = lock.held_axes()
    return sum(positions) + sum(rotations)


def lock_rows(sim: Simulation, lock: Engaged) -> np.ndarray:
    """Shape (held directions, coordinates)."""
    s, point = sim.system, joint_point(sim, lock)
    (a, b), (R_bF, positions, rotations) = lock.nodes(), lock.held_axes()
    axes = (s.state.pose(b).R @ R_bF).T
    rows = np.zeros((held_by(lock), s.layout.coordinates))
    for node, sign in ((a, -1.0), (b, 1.0)):
        if not node.free:
            continue
        R, r = s.state.pose(node).R, point - s.state.pose(node).p
        moves = [np.concatenate([R.T @ d, R.T @ cross(r, d)]) for d in axes[list(positions)]]
        turns = [np.concatenate([np.zeros(3), R.T @ d]) for d in axes[list(rotations)]]
        first = s.unknowns.first(node)
        rows[:, first : first + 6] += sign * np.array(moves + turns)
    return rows
