"""What starts of joints say is held while the rest of a loop closes.

Coordinates q and rates that a `start` names become conditions beside the constraints, for the relative pose and twist
of the two nodes of a joint:

    q(H_ba) = q_start,     dq/dt = q_rate_start,     d(H_ba) = (Ad(H_ba) xi_a - xi_b) H_ba

with increments xi of both nodes in their own axes. Of a part that floats freely its first node is held as well: a loop
does not close by moving the craft.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from samara.rotations import adjoint
from samara.solve.adjusted import Motion, against, missed, motion
from samara.solve.parts import parts
from samara.solve.simulation import Simulation
from samara.solve.tangent import weights

#: Conditions of which less than this lies across the constraints and the others cannot be met: they are let go.
DEPENDENT = 1e-9


class HeldStarts:
    """The starts that are as their joints say before the assembly: after a static solution they are history.

    Velocities of a first node are held where a start tells its part how to move: else all that were given count alike.
    """

    def __init__(self, sim: Simulation, before: Motion) -> None:
        self._sim = sim
        self._pairs = [p for p in sim.system.placed.pairs if p.names_something and not missed(sim, p, before)]
        holding = [e for e in sim.model.elements.values() if e.elastic or sim.system.multiplier_count(e)]
        floating = [p for p in parts(sim.model, holding) if not p.tied and len(p.nodes) > 1]
        told = {node.name for pair in self._pairs for node in (pair.a, pair.b)}
        self._still = [part.nodes[0] for part in floating]
        self._steady = [part.nodes[0] for part in floating if told & {node.name for node in part.nodes}]

    def __bool__(self) -> bool:
        return bool(self._pairs or self._still)

    def way(self) -> float:
        """The longest way of a coordinate from the reference pose [rad, sizes of the mechanism]."""
        return max((pair.way(self._sim.length) for pair in self._pairs), default=0.0)

    def conditions(self, rates: bool, part: float = 1.0, starts: bool = True) -> tuple[np.ndarray, np.ndarray]:
        """How far coordinates or rates are from what is asked for, and their gradient, shape (rows, coordinates).

        part: of the way of the coordinates from the reference pose.
        starts: whether joints are asked, or first nodes alone.
        """
        s = self._sim.system
        now = motion(s)
        left, slopes = [np.zeros(0)], [np.zeros((0, s.layout.coordinates))]
        for pair in self._pairs if starts else ():
            H_ba, twist = against(s, pair, now)
            miss, by_twist = pair.named_rates(H_ba, twist) if rates else pair.named_places(H_ba, part)
            block = np.zeros((miss.size, s.layout.coordinates))
            for node, factor in ((pair.a, adjoint(H_ba)), (pair.b, -np.eye(6))):
                if node.free:
                    first = s.unknowns.first(node)
                    block[:, first : first + 6] += by_twist @ factor
            left.append(miss)
            slopes.append(block)
        for node in self._steady if rates else self._still:
            left.append(np.zeros(6))
            slopes.append(np.eye(6, s.layout.coordinates, s.unknowns.first(node)))
        return np.concatenate(left), np.concatenate(slopes)


def bordered(
    sim: Simulation, apply: Callable[[np.ndarray], np.ndarray], rows: np.ndarray, left: np.ndarray, H: np.ndarray
) -> np.ndarray:
    """Solves a projection with conditions H x = left on top; `apply` solves it without them, for given rows."""
    x, n = apply(rows), sim.system.layout.coordinates
    if not left.size:
        return x
    ways = np.zeros((left.size, rows.size))
    for k, condition in enumerate(H):
        ways[k, :n] = condition
        ways[k] = apply(ways[k].copy())
    size = np.linalg.norm(H / np.sqrt(weights(sim)), axis=1)
    size[size == 0.0] = 1.0
    across = H @ ways[:, :n].T / np.outer(size, size)
    u, sigma, vt = np.linalg.svd(across)
    free = sigma > DEPENDENT
    mu = vt[free].T @ ((u[:, free].T @ ((left - H @ x[:n]) / size)) / sigma[free]) / size
    return x + mu @ ways
