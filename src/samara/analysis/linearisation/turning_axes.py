"""Small motions seen from a moving carrier: nodes in relative rotation, described in common non-rotating axes.

In own axes, a bearing between parts in relative rotation allows a different motion at every instant. Described from a
carrier in steady motion, exp(t X), from an instant on, with x = Ad(H_0^-1) X its twist in the node's axes then,

    xi = T z,     T = Ad(H^-1 H_0 exp(t x)),     T_dot = T ad(x) - ad(eta) T
    T_ddot = (ad(eta)^2 - ad(eta_dot)) T - 2 ad(eta) T ad(x) + T ad(x)^2

anything fixed in the carrier stays constant: joints on a shaft held by the carrier allow the same z at every instant.
At the instant itself T = 1. The equations M xi_ddot + C xi_dot + K xi = 0 become

    M T z_ddot + (C T + 2 M T_dot) z_dot + (K T + C T_dot + M T_ddot) z = 0

and constraints likewise; scalar states are unchanged. For a node that moves with the carrier, x = eta and T = 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import block_diag, csr_matrix, identity

from samara.analysis.linearisation.linear import Linearisation
from samara.rotations import Pose, ad, adjoint, compose_poses, exp_se3, relative_pose
from samara.solve.linear_systems.first_order import FirstOrder


@dataclass(frozen=True)
class TurningAxes:
    """Carrier of small motions: its twist in the axes (R, p) that each node has at the beginning.

    name: description in words.
    """

    twists: np.ndarray
    R: np.ndarray
    p: np.ndarray
    name: str = ""

    def matrices(self, lin: Linearisation, time: float = 0.0) -> tuple[csr_matrix, csr_matrix, csr_matrix]:
        """T, T_dot, T_ddot some time [s] after the beginning, where the small motions are those of `lin`."""
        blocks: tuple[list[np.ndarray], ...] = ([], [], [])
        for k, x in enumerate(self.twists):
            V, W, bent = ad(x), ad(lin.eta[k]), ad(lin.acc[k])
            there = compose_poses(Pose(self.R[k], self.p[k]), exp_se3(time * x))
            T = adjoint(relative_pose(Pose(lin.R[k], lin.p[k]), there)) if time else np.eye(6)
            blocks[0].append(T)
            blocks[1].append(T @ V - W @ T)
            blocks[2].append((W @ W - bent) @ T - 2.0 * W @ T @ V + T @ V @ V)
        rest = lin.M.shape[0] - 6 * len(self.twists)
        ends = (identity(rest), csr_matrix((rest, rest)), csr_matrix((rest, rest)))
        T, T_1, T_2 = (
            csr_matrix(block_diag([*b, *([end] if rest else [])])) for b, end in zip(blocks, ends, strict=True)
        )
        return T, T_1, T_2

    def seen(self, lin: Linearisation, time: float = 0.0) -> Linearisation:
        """The equations of `lin` about z."""
        if not time and not self.against(lin):
            return lin
        T, T_1, T_2 = self.matrices(lin, time)
        C, K, E = lin.C @ T + 2.0 * lin.M @ T_1, lin.K @ T + lin.C @ T_1 + lin.M @ T_2, lin.E @ T + lin.D @ T_1
        return replace(
            lin, M=T.T @ lin.M @ T, C=T.T @ C, K=T.T @ K, G=lin.G @ T, D=lin.D @ T, E=E, reactions=T.T @ lin.reactions
        )

    def own(self, lin: Linearisation, found: FirstOrder) -> FirstOrder:
        """Motions in own axes again, at the beginning."""
        _, T_1, T_2 = self.matrices(lin)
        rate, second = list(found.rate), list(found.second)
        for k, (z, z_dot) in enumerate(zip(found.pose, found.rate, strict=True)):
            rate[k] = rate[k] + T_1 @ z
            second[k] = second[k] + 2.0 * T_1 @ z_dot + T_2 @ z
        return replace(found, rate=(rate[0], rate[1]), second=(second[0], second[1]))

    def against(self, lin: Linearisation) -> bool:
        """Whether some node of the present motion moves relative to the carrier, or does not keep its twist."""
        return bool(np.abs(self.twists - lin.eta).max(initial=0.0) > 0.0 or np.any(lin.acc))
