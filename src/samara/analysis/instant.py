"""Small motions at one instant of any motion, and where they go: exact where constraints turn and bend.

A small motion is y = (xi, delta eta): displacements in own axes and values of states, changes of twists and rates of
states. The constraints allow those with

    G xi = 0,     (G eta)' = 0            the derivative of the constraints, and of their rates, along y

and y_dot = (xi_dot, delta eta_dot) follows from the equations of motion and the constraints' second derivatives,

    xi_dot = delta eta - ad(eta) xi,      [M G^T; G 0] (delta eta_dot, delta lam) = -(r', gamma')

all derivatives exact. Unlike `first_order` no basis is taken as constant, so that a bearing may turn.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import splu

from samara.analysis.linear import along, linearise, split
from samara.analysis.reduction import first_order
from samara.solve import Simulation
from samara.solve.assemble import acceleration_slopes, orders
from samara.solve.tangent import multipliers
from samara.system.tangents import Change


@dataclass(frozen=True)
class Instant:
    """Small motions at an instant, as many as there are states, a column each.

    pose, twist: xi with values of states; delta eta with their rates. acceleration: delta eta_dot.
    spin:        ad(eta) of the motion itself.
    """

    pose: np.ndarray
    twist: np.ndarray
    acceleration: np.ndarray
    spin: np.ndarray

    @property
    def motions(self) -> np.ndarray:
        """y, shape (2 n, m)."""
        return np.vstack([self.pose, self.twist])

    @property
    def flow(self) -> np.ndarray:
        """y_dot, alike."""
        return np.vstack([self.twist - self.spin @ self.pose, self.acceleration])

    def combined(self, amounts: np.ndarray) -> Instant:
        """Combinations of these motions, a column each."""
        return Instant(self.pose @ amounts, self.twist @ amounts, self.acceleration @ amounts, self.spin)

    def changes(self) -> list[Change]:
        """One by one."""
        columns = zip(self.pose.T, self.twist.T, self.acceleration.T, strict=True)
        return [Change(pose=p, twist=t, acceleration=a) for p, t, a in columns]


def instant(sim: Simulation) -> Instant:
    """A basis of all small motions about the present one, which is left as it is."""
    lin = linearise(sim)
    found, spin = first_order(lin), along(lin.eta, len(lin.M))
    pose, rate = found.pose[0], found.rate[0]
    twist = rate + spin @ pose
    order = np.argsort(np.concatenate(multipliers(sim)))
    fit = np.linalg.pinv(np.vstack([lin.G, lin.D])[order], rcond=1e-10)
    with sim.state.plain():
        tangents, gamma = sim.system.tangents, np.zeros((len(order), pose.shape[1]))
        for k in range(pose.shape[1]):
            if order.size:
                twist[:, k] -= fit @ tangents.level("velocity", Change(pose=pose[:, k], twist=twist[:, k]))
                gamma[:, k] = tangents.level("acceleration", Change(pose=pose[:, k], twist=twist[:, k]))
        acceleration, twist, pose = _followed(sim, pose, twist, gamma)
    return Instant(pose, twist, acceleration, spin)


def _followed(sim: Simulation, pose, twist, gamma) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Accelerations; with them rates of states of order one, and values of those of order zero."""
    s, n = sim.system, sim.system.layout.coordinates
    static, _ = orders(sim)
    order = np.array([2] * (6 * len(s.layout.free)) + [state.order for state in s.layout.states])
    pose, twist = np.where((order == 0)[:, None], 0.0, pose), np.where((order < 2)[:, None], 0.0, twist)
    by_pose, by_twist, _ = split(sim)
    rows = np.vstack([by_pose[:n, :n] @ pose + by_twist[:n, :n] @ twist, gamma])
    with sim.state.kept():
        matrix = csc_matrix(s.pattern.matrix(acceleration_slopes(sim, order, static)))
    x = -splu(matrix).solve(rows)[:n]
    x[static] = 0.0
    second, first, zero = ((order == k)[:, None] for k in (2, 1, 0))
    return np.where(second, x, 0.0), np.where(first, x, twist), np.where(zero, x, pose)
