"""By how much ties of rates have slipped since the start: gears whose carrier tilts on its way to a balance.

Corrections of Newton's method satisfy a tie of rates to first order each. A shaft that turns in a carrier which tilts
at the same time slips by terms of third order. Against its carrier it has only turned about its axis, so that the tie
can be measured along another way between the same poses, the shortest as the carrier sees it:

    H_WC(s) = H_WC(0) exp(s xi_C),     H_CN(s) = H_CN(0) exp(s xi_N),     slip = integral of f(H(s), H'(s)) ds, s = 0..1

The carrier is a node without unknowns, if the element has one, else its last node.
"""

from __future__ import annotations

import numpy as np

from samara.model import Element, Node
from samara.rotations import Pose, compose_poses, exp_se3, inverse_pose, log_se3, relative_pose
from samara.rotations.se3 import adjoint_times
from samara.solve.simulation import Simulation
from samara.system.memory.blocks import ETA

#: Points of Gauss and Legendre; a slip above this is another number of turns, or a tie that depends on the way [rad].
GAUSS_POINTS, LARGEST_SLIP = 4, 0.01


def slips(sim: Simulation, start: np.ndarray, tied: set[int]) -> np.ndarray:
    """Of all rows: those of constraints of rates, and of the states, by coordinates, whose equations tie rates."""
    s, n = sim.system, sim.system.layout.coordinates
    first, here, found = 6 * len(s.layout.free), sim.state.copy(), np.zeros(s.unknowns.size)
    numbers = {x.name: first + k for k, x in enumerate(s.layout.states)}
    with sim.state.kept():
        for k, group in enumerate(s.groups):
            count, last = group.kind.constraint_count, group.kind.multiplier_count
            for number, element in enumerate(group.elements):
                rows = [n + int(group.multiplier[number]) + i for i in range(count, last)] if last else []
                rows += [numbers[x.name] for x in element.owned.values() if numbers[x.name] in tied]
                if rows and element.nodes():
                    found[rows] = _slip(sim, element, k, start, here)[rows]
    return np.where(np.abs(found) < LARGEST_SLIP, found, 0.0)


def _slip(sim: Simulation, element: Element, group: int, start: np.ndarray, here: np.ndarray) -> np.ndarray:
    """Of an element, along the way that its carrier sees as the shortest."""
    nodes = element.nodes()
    carrier = next((node for node in nodes if not node.free), nodes[-1])
    ends = [_poses(sim, nodes, state) for state in (start, here)]
    xi_C = log_se3(relative_pose(ends[0][carrier], ends[1][carrier])) if carrier.free else np.zeros(6)
    against = [{node: relative_pose(at[carrier], at[node]) for node in nodes} for at in ends]
    xi = {node: log_se3(relative_pose(against[0][node], against[1][node])) for node in nodes}
    now = sim.state.values
    sim.state.restore(start)
    begun, found = sim.state.values, np.zeros(sim.system.unknowns.size)
    change = now - begun
    for point, share in zip(*np.polynomial.legendre.leggauss(GAUSS_POINTS), strict=True):
        s = 0.5 * (1.0 + point)
        H_WC = compose_poses(ends[1 if not carrier.free else 0][carrier], exp_se3(s * xi_C))
        H_CN = {node: compose_poses(against[0][node], exp_se3(s * xi[node])) for node in nodes if node.free}
        sim.state.restore(here)
        sim.state.twists, sim.state.values = 0.0, begun + s * change
        for node, H in H_CN.items():
            sim.state.place(node, compose_poses(H_WC, H))
        sim.state.weigh(1.0, 0.0, 0.0)
        still, twists = sim.state.residual([group]), sim.state.twists
        twists[6 * len(sim.system.layout.free) :] = change
        sim.state.twists = twists
        for node, H in H_CN.items():
            sim.state.write(node, ETA, adjoint_times(inverse_pose(H), xi_C) + xi[node])
        found += 0.5 * share * (sim.state.residual([group]) - still)
    return found


def _poses(sim: Simulation, nodes: list[Node], state: np.ndarray) -> dict[Node, Pose]:
    """Where nodes are in a copy of the state."""
    sim.state.restore(state)
    return {node: sim.state.pose(node) for node in nodes}
