"""Body decomposition: the equations of motion as sums over bodies, on plain or traced numbers.

One forward recursion gives for each body i its local Jacobian J_i (6 x n), its twist v_i = J_i s and its residual
acceleration a_i = J_dot_i s, in its own axes:

    J_i = X_i J_parent + S_i        v_i = X_i v_parent + S_i s_i        a_i = X_i a_parent + Omega(v_i) S_i s_i

and the body contributes

    H = sum J_i^T M_i J_i
    C = sum J_i^T (M_i J_dot_i - S(M_i v_i) J_i)
    h = sum J_i^T (M_i a_i - S(M_i v_i) v_i - m_i G_i - F_i)

so that H s_dot + h = tau, C s is the gyroscopic part of h, and H_dot - 2 C is skew-symmetric. Prescribed segments have
no column; their own motion is in v_i and a_i. S(.) is `spatial.momentum_cross`.

Source: V. D. Palacios, E. Olguin, equations 16 to 22; here X_i is that of the outer frame of a segment and S_i stands
in its axes, which are those of a general joint as well as of the Denavit-Hartenberg convention.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.model import Node
from samara.recursive.dynamics.recursion import Recursion, own_twist
from samara.recursive.dynamics.spatial import extended_cross, kinematic_operator, momentum_cross
from samara.recursive.tree import Tree
from samara.rotations import Pose
from samara.rotations.scalars import Matrix, Vector


@dataclass
class LocalJacobians:
    """J and J_dot of the outer frame of every segment, in its axes, shape (6, speeds)."""

    tree: Tree
    values: list[Matrix]
    rates: list[Matrix]

    def at(self, node: Node) -> tuple[Matrix, Matrix]:
        """J and J_dot of a node, in its own axes."""
        attached = self.tree.attached[node.name]
        if attached.segment < 0:
            zero = np.zeros((6, self.tree.speeds))
            return zero, zero
        X = _operator(attached.pose)
        return X @ self.values[attached.segment], X @ self.rates[attached.segment]


def local_jacobians(recursion: Recursion) -> LocalJacobians:
    """The recursion for J_i, and for its rate: J_dot_i = X_i J_dot_parent - Omega(S_i s_i) X_i J_parent."""
    tree = recursion.tree
    values: list[Matrix] = []
    rates: list[Matrix] = []
    for motion in recursion.motions:
        segment, X = motion.segment, _operator(motion.pose)
        none = np.full((6, tree.speeds), 0.0, dtype=object)
        J, J_dot = (X @ values[segment.parent], X @ rates[segment.parent]) if segment.parent >= 0 else (none, none)
        J_dot = J_dot - extended_cross(np.concatenate(motion.rate)) @ J
        J = J.copy()
        if segment.free:
            for k, unit in enumerate(np.eye(segment.freedom.speeds)):
                J[:, segment.v + k] = J[:, segment.v + k] + np.concatenate(own_twist(segment, unit))
        values.append(J)
        rates.append(J_dot)
    return LocalJacobians(tree, values, rates)


def _operator(H: Pose) -> Matrix:
    """X from a frame to one of that pose in it."""
    return kinematic_operator(H.p, H.R)


@dataclass
class Decomposition:
    """H, C and h of a tree: sums over its bodies."""

    H: Matrix
    C: Matrix
    h: Vector


def decompose(
    recursion: Recursion,
    inertias: Mapping[int, Matrix],
    loads: Mapping[int, Vector],
    gravity: Vector,
) -> Decomposition:
    """The sums of the body decomposition.

    inertias: 6x6, of the bodies fixed to each segment. loads: wrenches on them, without weight, in outer axes.
    """
    tree = recursion.tree
    n = tree.speeds
    jacobians = local_jacobians(recursion)
    still: dict[int, Any] = {s.number: [0.0] * s.freedom.speeds for s in tree.free_segments}
    residual = recursion.accelerations(still, gravity)
    H, C = np.full((n, n), 0.0, dtype=object), np.full((n, n), 0.0, dtype=object)
    h = np.full(n, 0.0, dtype=object)
    for number in sorted({*inertias, *loads}):
        J, J_dot, motion = jacobians.values[number], jacobians.rates[number], recursion.motions[number]
        if number in inertias:
            M, v = inertias[number], np.concatenate([motion.v, motion.w])
            # the carrier's velocity cancels out of h, not out of the matrix C
            whole = np.concatenate([motion.v + recursion.carrier_velocity(number), motion.w])
            H = H + J.T @ M @ J
            C = C + J.T @ (M @ J_dot - momentum_cross(M @ whole) @ J)
            h = h + J.T @ (M @ np.concatenate(residual[number]) - momentum_cross(M @ v) @ v)
        if number in loads:
            h = h - J.T @ loads[number]
    return Decomposition(H, C, h)
