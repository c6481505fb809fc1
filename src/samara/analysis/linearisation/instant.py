"""Small motions at one instant of any motion, and their rates, exact for rotating and curved constraints.

A small motion is y = (xi, delta eta): displacements in own axes and values of states, changes of twists and rates of
states. The constraints allow those with

    G xi = 0,     (G eta)' = 0            the derivative of the constraints, and of their rates, along y

and y_dot = (xi_dot, delta eta_dot) follows from the equations of motion and the constraints' second derivatives,

    xi_dot = delta eta - ad(eta) xi,      [M G^T; G 0] (delta eta_dot, delta lam) = -(r', gamma')

with exact derivatives. Unlike in `first_order`, no basis is assumed constant, so a bearing may turn; the rates of the
basis move massless damped parts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import splu

from samara.analysis.linearisation.linear import Linearisation, along, split, with_dense
from samara.solve import Simulation
from samara.solve.linear_systems.first_order import first_order
from samara.solve.linear_systems.null_spaces import null_space, pseudo_inverse
from samara.solve.mechanism.tangent_space import multipliers
from samara.solve.start.accelerations import acceleration_slopes, orders, without_light


@dataclass(frozen=True)
class Instant:
    """Small motions at an instant, one column for each state.

    pose, twist: xi with values of states; delta eta with their rates. acceleration: delta eta_dot.
    spin, gain:  ad(eta) and ad(eta_dot) of the motion itself.
    """

    pose: np.ndarray
    twist: np.ndarray
    acceleration: np.ndarray
    spin: np.ndarray
    gain: np.ndarray

    @property
    def motions(self) -> np.ndarray:
        """y, shape (2 n, m)."""
        return np.vstack([self.pose, self.twist])

    @property
    def rate(self) -> np.ndarray:
        """xi_dot, with rates of states."""
        return self.twist - self.spin @ self.pose

    @property
    def second(self) -> np.ndarray:
        """xi_ddot = delta eta_dot - ad(eta) xi_dot - ad(eta_dot) xi."""
        return self.acceleration - self.spin @ self.rate - self.gain @ self.pose

    def combined(self, amounts: np.ndarray) -> Instant:
        """Combinations of these motions, a column each."""
        return Instant(self.pose @ amounts, self.twist @ amounts, self.acceleration @ amounts, self.spin, self.gain)


def instant(sim: Simulation) -> Instant:
    """A basis of all small motions about the present motion, which is not changed."""
    lin = with_dense(sim)
    spin, gain = along(lin.eta, len(lin.M)), along(lin.acc, len(lin.M))
    turn, bend = _turning(sim, lin, spin, gain)
    C, K, E = lin.C + 2.0 * lin.M @ turn, lin.K + lin.C @ turn + lin.M @ bend, lin.E + lin.D @ turn
    found = first_order(replace(lin, C=C, K=K, E=E))
    pose = found.pose[0]
    twist = found.rate[0] + turn @ pose + spin @ pose
    order = np.argsort(np.concatenate(multipliers(sim)))
    fit = pseudo_inverse(np.vstack([lin.G, lin.D])[order])
    with sim.state.plain():
        levels, gamma = sim.system.tangents.levels, np.zeros((0, pose.shape[1]))
        if order.size:
            twist = twist - fit @ levels("velocity", pose, twist)
            gamma = levels("acceleration", pose, twist)
        acceleration, twist, pose = followed(sim, pose, twist, gamma)
    return Instant(pose, twist, acceleration, spin, gain)


def _turning(sim: Simulation, lin: Linearisation, spin, gain) -> tuple[np.ndarray, np.ndarray]:
    """Theta and Theta_2 of a rotating basis N of the unconstrained motions: Theta N = N_dot, Theta_2 N = N_ddot.

    xi = N q has xi_dot = N q_dot + N_dot q, which moves massless damped parts. From the constraints' rates,

        G N_dot = -(G_dot N),     G N_ddot = -(G_ddot N + 2 G_dot N_dot)
    """
    n = len(lin.M)
    if not lin.G.shape[0]:
        return np.zeros((n, n)), np.zeros((n, n))
    N, inverse = null_space(lin.G), pseudo_inverse(lin.G)
    holonomic, _ = multipliers(sim)
    with sim.state.plain():
        levels = sim.system.tangents.levels
        N_1 = -inverse @ levels("velocity", N, spin @ N)[holonomic]
        twist = N_1 + spin @ N
        N_2 = -inverse @ (levels("acceleration", N, twist)[holonomic] + lin.G @ (spin @ N_1 + gain @ N))
    return N_1 @ N.T, N_2 @ N.T


def followed(sim: Simulation, pose, twist, gamma) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Accelerations, with rates of first-order states and values of algebraic states."""
    s, n = sim.system, sim.system.layout.coordinates
    static, _ = orders(sim)
    order = np.array([2] * (6 * len(s.layout.free)) + [state.order for state in s.layout.states])
    pose, twist = np.where((order == 0)[:, None], 0.0, pose), np.where((order < 2)[:, None], 0.0, twist)
    with sim.state.tied_by_rates():
        by_pose, by_twist, _ = split(sim)
    rows = np.vstack([by_pose[:n, :n] @ pose + by_twist[:n, :n] @ twist, gamma])
    with sim.state.kept():
        slopes = acceleration_slopes(sim, order, static)
    x = -without_light(sim, splu(csc_matrix(s.pattern.matrix(slopes))).solve, slopes, static, rows)[:n]
    x[static] = 0.0
    second, first, zero = ((order == k)[:, None] for k in (2, 1, 0))
    return np.where(second, x, 0.0), np.where(first, x, twist), np.where(zero, x, pose)
