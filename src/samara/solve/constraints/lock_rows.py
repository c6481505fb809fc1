"""What locks hold, as rows beside the gradient of the constraints.

An engaged lock makes relative velocities zero. Its row for a direction d, an axis of its frame B, is

    translation:  d^T (v_b + w_b x r_b - v_a - w_a x r_a)        r: from the node to the origin of B
    rotation:     d^T (w_b - w_a)

by the increments of both nodes, in their own axes.
"""

from __future__ import annotations

from typing import cast

import numpy as np

from samara.elements.joints.lock import Lock
from samara.rotations import cross
from samara.solve.report.wording import joint_point
from samara.solve.simulation import Simulation


def locks(sim: Simulation) -> list[Lock]:
    """All locks of a model."""
    return [cast(Lock, element) for element in sim.model.elements.values() if element.engagement() is not None]


def is_engaged(sim: Simulation, lock: Lock) -> bool:
    """Whether its drive closes it now."""
    s = sim.system
    return bool(s.state.drive(lock.engagement())[0] > 0.5)


def held_by(lock: Lock) -> int:
    """How many directions it holds."""
    return sum(lock.hold_position) + sum(lock.hold_rotation)


def lock_rows(sim: Simulation, lock: Lock) -> np.ndarray:
    """Shape (held directions, coordinates)."""
    s, point = sim.system, joint_point(sim, lock)
    place = lock.place_b
    R_b = s.state.pose(lock.b).R
    axes = (R_b if place is None else R_b @ place.rotation).T
    rows = np.zeros((held_by(lock), s.layout.coordinates))
    for node, sign in ((lock.a, -1.0), (lock.b, 1.0)):
        if not node.free:
            continue
        R, r = s.state.pose(node).R, point - s.state.pose(node).p
        moves = [np.concatenate([R.T @ d, R.T @ cross(r, d)]) for d in axes[list(lock.hold_position)]]
        turns = [np.concatenate([np.zeros(3), R.T @ d]) for d in axes[list(lock.hold_rotation)]]
        first = s.unknowns.first(node)
        rows[:, first : first + 6] += sign * np.array(moves + turns)
    return rows
