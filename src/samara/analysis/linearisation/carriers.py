"""Reference frames for small motions: carriers in steady motion, and the precession of a model."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

import numpy as np

from samara.analysis.linearisation.instant import followed
from samara.analysis.linearisation.linear import Linearisation
from samara.analysis.linearisation.turning_axes import TurningAxes
from samara.model import Node
from samara.rotations import Pose, ad, adjoint
from samara.solve import Simulation
from samara.solve.topology.parts import parts

#: Speeds [1/s, of the size of the mechanism and rad] that are rest.
REST = 1e-6
#: Carriers that are tried.
TRIED = 64


def carriers(sim: Simulation, lin: Linearisation, carrier: np.ndarray) -> Iterator[TurningAxes]:
    """Carriers for small motions: every node's own axes, otherwise one carrier per part, at rest or moving.

    carrier: of a steady precession, the only one; otherwise None.
    """
    own = [adjoint(Pose(R, p)) for R, p in zip(lin.R, lin.p, strict=True)]  # from own axes to the world
    if np.any(carrier):
        twists = np.array([np.linalg.solve(A, carrier) for A in own]).reshape(-1, 6)
        turns = np.linalg.norm(carrier[3:]) > REST
        name = f"a steady {'precession' if turns else 'motion'}, {_turning(carrier)}"
        yield TurningAxes(twists, lin.R, lin.p, name)
        return
    yield TurningAxes(lin.eta, lin.R, lin.p, "a steady motion, in the axes of the parts that move")
    choices, unit = [], np.array([1.0 / sim.length] * 3 + [1.0] * 3)
    numbers = {node: k for k, node in enumerate(sim.system.layout.free)}
    for part in parts(sim.model):
        inside = [numbers[node] for node in part.nodes]
        seen = [own[k] @ lin.eta[k] for k in inside]
        if any(np.abs((x - seen[0]) * unit).max() > REST for x in seen):  # else the part as a whole comes first
            seen.insert(0, np.zeros(6))
        seen.append(np.zeros(6))
        seen += [adjoint(sim.state.pose(node)) @ sim.state.twist(node) for node in part.held]
        apart = list[np.ndarray]()
        for x in seen:
            if all(np.abs((x - y) * unit).max() > REST for y in apart):
                apart.append(x)
        choices.append([(inside, x) for x in apart])
    for choice in islice(product(*choices), TRIED):
        twists = lin.eta.copy()
        for inside, x in choice:
            for k in inside:
                twists[k] = np.linalg.solve(own[k], x)
        if np.abs(twists - lin.eta).max(initial=0.0) > 0.0:
            words = dict.fromkeys(_turning(x) for _, x in choice)
            yield TurningAxes(twists, lin.R, lin.p, f"a steady motion, {' and '.join(words)}")


def _turning(carrier: np.ndarray) -> str:
    speed = float(np.linalg.norm(carrier[3:]))
    if speed <= REST:
        return "in axes that do not turn"
    return f"in axes that turn at {speed:.6g} rad/s about ({', '.join(f'{x:.3g}' for x in carrier[3:] / speed + 0.0)})"


def precession(sim: Simulation, eta: np.ndarray, acc: np.ndarray) -> np.ndarray:
    """Twist X (world) of a precession: exp(t X) H exp(t (eta - x)), x that in own axes.

        eta_dot = ad(x) eta,     eta_ddot = ad(x - eta) eta_dot

    The second equation is used if the first does not determine X, as for a single body, whose spin is ambiguous. Any
    remaining freedom is fixed by the node that turns least, such as a craft that carries the others.
    """
    nodes, unit = len(eta), np.array([1.0 / sim.length] * 3 + [1.0] * 3)
    pace = np.abs(eta * unit).max(initial=REST)
    slowest = sim.system.layout.free[int(np.argmin(np.linalg.norm(eta[:, 3:], axis=1)))]
    centre = adjoint(Pose(np.eye(3), sim.state.pose(slowest).p))
    tell = np.vstack([np.linalg.solve(adjoint(sim.state.pose(node)), centre) for node in sim.system.layout.free])
    along = np.linalg.solve(centre, adjoint(sim.state.pose(slowest)) @ sim.state.twist(slowest))

    def turned(twists: np.ndarray) -> np.ndarray:
        rows = [ad(x) @ A for x, A in zip(twists, np.vsplit(tell, nodes), strict=True)]
        return -np.vstack([unit[:, None] * row / unit for row in rows])

    rows, right = turned(eta) / pace, (unit * acc).ravel() / pace
    if np.linalg.matrix_rank(rows, 1e-6) < 6:
        y, y_dot = sim.state.twists[:, None], sim.state.accelerations[:, None]
        jerk = followed(sim, y, y_dot, sim.system.tangents.levels("acceleration", y, y_dot))[0][: 6 * nodes, 0]
        bent = np.concatenate([ad(x) @ a for x, a in zip(eta, acc, strict=True)])
        rows = np.vstack([rows, turned(acc) / pace**2])
        right = np.concatenate([right, np.tile(unit, nodes) * (jerk + bent) / pace**2])
    return centre @ (along + np.linalg.lstsq(rows, right - rows @ (unit * along), rcond=1e-6)[0] / unit)


def in_own_axes(sim: Simulation, node: Node, twist: np.ndarray) -> np.ndarray:
    """A twist given in world axes, in the axes of a node."""
    return np.linalg.solve(adjoint(sim.state.pose(node)), twist)
