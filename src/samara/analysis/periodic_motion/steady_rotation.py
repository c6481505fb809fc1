"""Steady rotation: the deformed shape that turns as a whole at a constant speed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import splu

from samara.analysis.linearisation.linear import along, split, write_steady
from samara.arguments import finite, names, positive, whole
from samara.model import Model, ModelError, Node
from samara.model.quantities.placement import as_vector
from samara.rotations import cross
from samara.solve import Diverged, Simulation, SingularModel
from samara.solve.as_simulation import as_simulation
from samara.solve.constraints.release import release
from samara.solve.linear.culprits import require_finite
from samara.solve.report.diagnosis import owner
from samara.system.memory.blocks import ACC, ETA
from samara.system.system import System

#: What is wrong with a state that does not come to rest, and what helps.
ENDLESS = (
    "what flows in there or drives it does not end, or asks for another speed; lead it off, give the speed at which it "
    "balances, or let it run in time by transient(...)"
)
#: Part of what a state of its size makes of an equation that may be left of it at rest; less, in units of balances
#: (W), is rounding where no state acts on it.
UNMET = 1e-6
#: Part of the speed, times the size of the mechanism, by which constraints may be missed.
HELD = 1e-6


def steady_rotation(
    model: Model | System | Simulation,
    speed: float,
    axis=(0.0, 0.0, 1.0),
    *,
    point=(0.0, 0.0, 0.0),
    carried: Iterable[str] = (),
    time: float = 0.0,
    tolerance: float = 1e-10,
    iterations: int = 50,
) -> Simulation:
    """Finds the steady rotation (relative equilibrium) of a model about an axis; returns the simulation in that state.

        r(H, eta(H), 0, lam) = 0,     eta = (R^T (Omega x (p - p_0)), R^T Omega)

    Every node has the twist of one rigid rotation, constant in its own axes, so its rate is zero; scalar states rest.
    Newton's method on the poses, states and multipliers; twists follow each correction, and so does the Jacobian,
    J_p + J_t ad(eta).

    speed [rad/s]; axis and point [m]: in the world.
    carried:   fixed or prescribed nodes at rest that are to rotate as well: ["ground"] for a blade clamped to the
    ground.
    time:      at which drives are evaluated [s].
    tolerance: of the last correction, relative to the size of the mechanism and in rad.

    A prescribed node must be at rest or move with the rotation; other motions, and joints that prevent the rotation,
    are rejected. A model with fixed and rotating parts has no such state: see `periodic`. With loads that are not
    symmetric about the axis (gravity normal to it) there is no steady state either: the result then balances forces at
    this instant only, and `modes` rejects it. A model free to spin keeps its azimuth.
    """
    speed, time = finite("steady_rotation: speed", speed), finite("steady_rotation: time", time)
    tolerance = positive("steady_rotation: tolerance", tolerance)
    iterations = whole("steady_rotation: iterations", iterations)
    axis = as_vector(axis, "axis")
    if not np.any(axis):
        raise ModelError("steady rotation: axis is a direction, it must not be zero")
    omega, origin = speed * axis / np.linalg.norm(axis), as_vector(point, "point")
    sim = as_simulation("steady_rotation", model)
    s = sim.system
    s.state.set_time(time)
    _carry(sim, omega, origin, names("steady_rotation: carried", carried, "") if carried else ())
    release(sim)
    nodes = 6 * len(s.layout.free)
    size, worst = np.inf, 0
    for _ in range(iterations):
        twists = np.array([_turning(sim, node, omega, origin) for node in s.layout.free])
        write_steady(sim, twists)
        by_pose, by_twist, _ = split(sim)
        with sim.state.plain():
            sim.state.weigh(1.0, 0.0, 0.0)
            rows = sim.state.residual()
        J = by_pose.tolil()
        J[:, :nodes] = by_pose[:, :nodes] + by_twist[:, :nodes] @ along(twists, nodes)
        neutral = np.zeros(s.unknowns.size)
        unit = axis / np.linalg.norm(axis)
        neutral[:nodes] = np.concatenate([_turning(sim, node, unit, origin) for node in s.layout.free])
        x = _correction(sim, csc_matrix(J), rows, neutral)
        size, worst = sim.move(x)
        if not np.isfinite(size):
            break
        if size < tolerance:
            write_steady(sim, np.array([_turning(sim, node, omega, origin) for node in s.layout.free]))
            _require_held(sim, abs(speed))
            _require_rest(sim, J)
            return sim
    raise Diverged(
        f"model {s.model.name!r}: no steady rotation at {speed:g} rad/s after {iterations} iterations; "
        + (
            f"{owner(sim, worst)} still changes by {size:.2g} of its size: {ENDLESS}"
            if nodes <= worst < s.layout.coordinates
            else f"the pose still changes by {size:.2g} at {owner(sim, worst)}; go up to this speed in steps"
        )
    )


def _require_rest(sim: Simulation, J: Any) -> None:
    """Refuses states whose equations are not met at rest: nothing in reach can balance them."""
    s = sim.system
    first, last = 6 * len(s.layout.free), s.layout.coordinates
    with sim.state.plain():
        sim.state.weigh(1.0, 0.0, 0.0)
        rows = np.abs(sim.state.residual()[first:last])
    sizes = np.array([state.scale for state in s.layout.states])
    within = abs(csc_matrix(J)[first:last, :])[:, first:last] @ sizes  # what a state of its size makes of the equation
    with np.errstate(over="ignore"):
        left = rows / np.maximum(within, np.finfo(float).tiny)
    worst = int(np.argmax(left)) if left.size else 0
    if left.size and left[worst] > UNMET and rows[worst] > UNMET:
        raise SingularModel(
            f"model {s.model.name!r} has no steady rotation: the equation of {owner(sim, first + worst)} is not met at "
            f"rest: {ENDLESS}"
        )


def _require_held(sim: Simulation, speed: float) -> None:
    """Refuses a rotation that joints do not allow."""
    with sim.state.plain():
        slips = np.abs(sim.state.level("velocity"))
    worst = int(np.argmax(slips)) if slips.size else 0
    if slips.size and slips[worst] > HELD * speed * max(1.0, sim.length):
        who = sim.system.unknowns.owner(sim.system.layout.coordinates + worst)
        raise ModelError(
            f"model {sim.model.name!r} cannot rotate as a whole: {who} prevents it. Name fixed nodes "
            f"that are to rotate as well, carried=['ground'] for a blade clamped to the ground; for a model "
            f"with fixed and rotating parts use periodic(...)"
        )


def _turning(sim: Simulation, node: Node, omega: np.ndarray, origin: np.ndarray) -> np.ndarray:
    """Twist of a node that turns along, in its own axes."""
    R, p = sim.state.pose(node)
    return np.concatenate([R.T @ cross(omega, p - origin), R.T @ omega])


def _carry(sim: Simulation, omega: np.ndarray, origin: np.ndarray, carried: tuple[str, ...]) -> None:
    """Gives carried nodes their twist; refuses prescribed ones that move in another way."""
    s = sim.system
    held = {node.name: node for node in s.layout.held}
    for name in carried:
        if name not in held:
            raise ModelError(f"{name!r} cannot be carried: the nodes without unknowns are {', '.join(held)}")
    for name, node in held.items():
        expected, has = _turning(sim, node, omega, origin), s.state.read(node, ETA, 6)
        if name in carried:
            s.state.write(node, ETA, expected)
            s.state.write(node, ACC, np.zeros(6))
        elif np.any(has) and np.abs(has - expected).max() > 1e-6 * max(np.abs(has).max(), np.abs(expected).max()):
            raise ModelError(
                f"node {name!r} is prescribed and does not turn with the rotation asked for: its twist is {has}, "
                f"not {expected} (m/s, rad/s in its own axes): give the speed at which it turns, or set the parameter "
                "that holds its speed first"
            )
        elif not np.any(has):
            s.state.write(node, ACC, np.zeros(6))


def _correction(sim: Simulation, J: csc_matrix, rows: np.ndarray, neutral: np.ndarray) -> np.ndarray:
    """x with J x = rows; a model that is free to spin does not move along the rotation itself."""
    require_finite(sim.system, J.data, sim.time)
    if np.abs(J @ neutral).max() > 1e-9 * (abs(J) @ np.abs(neutral)).max():
        try:
            x = splu(J).solve(rows)
        except RuntimeError:
            x = np.full(rows.size, np.nan)
        if not np.isfinite(x).all():
            raise SingularModel(
                f"model {sim.model.name!r} has several steady rotations nearby, or none: a part can "
                f"move relative to the rotation without mass or stiffness in that direction"
            )
        return x
    dense = np.vstack([J.toarray(), neutral])
    right = np.append(rows, 0.0)
    size = np.abs(dense).max(axis=1)
    size[size == 0.0] = 1.0
    dense, right = dense / size[:, None], right / size
    width = np.linalg.norm(dense, axis=0)
    width[width == 0.0] = 1.0
    return np.linalg.lstsq(dense / width, right, rcond=1e-13)[0] / width
