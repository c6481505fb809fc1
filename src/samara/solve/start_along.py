"""How a consistent start moves with a parameter: poses, velocities, then accelerations and multipliers.

The assembly moves nodes as little as it can. About a start that fits, that is to first order

    xi' = -P g',     eta' = -P (G v)',     [M G^T; G 0] (acc', lam') = -(r', gamma')

with P the assembly's own projection on the constraints. What has no mass stays in balance (`solve.balance`).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from samara.model import Parameter
from samara.solve.assemble import (
    acceleration_slopes,
    factorised,
    is_constraint,
    is_elastic,
    only,
    orders,
    projector,
)
from samara.solve.balance import balance_along
from samara.solve.errors import SolveError
from samara.solve.simulation import Simulation
from samara.system.tangents import Change


def start_along(sim: Simulation, change: Change) -> np.ndarray:
    """Tangent of the whole state after `assemble`, without carriers, along parameters and inputs."""
    s, n = sim.system, sim.system.layout.coordinates
    _refuse_starts(sim, change)
    pose, twist = np.zeros(n), np.zeros(n)
    with sim.state.kept():
        if s.layout.multiplier_count:
            joints, shapes = only(sim, is_constraint), only(sim, is_elastic)
            sim.state.weigh(1.0, 1.0, 1.0, moving=0.0)
            gaps = s.tangents.residual(change)
            pose = -_projected(projector(sim, joints, shapes, moving=0.0), gaps[n:], n)
            slips = s.tangents.level("velocity", replace(change, pose=pose))
            twist = -_projected(projector(sim, joints, shapes, moving=1.0), slips, n)
    with sim.state.kept():
        static, order = orders(sim)
        pose, twist = balance_along(sim, change, pose, twist)
        sim.state.weigh(0.0, 0.0, 1.0)
        moved = replace(change, pose=pose, twist=twist)
        rows = np.concatenate([s.tangents.residual(moved)[:n], s.tangents.level("acceleration", moved)])
        x = -factorised(sim, acceleration_slopes(sim, order, static), redundant=False)(rows)
        x[:n][static] = 0.0
        scalars = order == 1
        scalars[: 6 * len(s.layout.free)] = False
        twist = np.where(scalars, x[:n], twist)
        values = (order == 0) & (np.arange(n) >= 6 * len(s.layout.free))
        pose = np.where(values, x[:n], pose)
        acceleration = np.where(order == 2, x[:n], 0.0)
        s.tangents.set(replace(change, pose=pose, twist=twist, acceleration=acceleration, multipliers=x[n:]))
    return s.tangents.state.copy()


def _projected(apply, rows: np.ndarray, n: int) -> np.ndarray:
    if not rows.any():
        return np.zeros(n)
    return apply(np.concatenate([np.zeros(n), rows]))[:n]


def _refuse_starts(sim: Simulation, change: Change) -> None:
    """A start of a joint that is a parameter says where nodes begin: that is not followed."""
    for pair in sim.system.placed.pairs:
        for joint in pair.joints:
            for value in (joint.start or {}).values():
                for leaf in np.ravel(np.asarray(value, dtype=object)):
                    if isinstance(leaf, Parameter) and leaf.name in change.parameters:
                        raise SolveError(
                            f"element {joint.name!r}: its start follows parameter {leaf.name!r}, and derivatives of "
                            "starts are not known: differentiate by another parameter, or give the start as a number"
                        )
