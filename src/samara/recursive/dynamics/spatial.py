"""Spatial (screw) operators on plain or traced numbers: the algebra used by the recursion.

A twist (v, w) holds the velocity of a frame's origin [m/s] and its angular velocity [rad/s], a wrench (f, n) the force
[N] and the moment about that origin [N m], translation first, in axes of one frame. With a x for `skew(a)`:

    extended rotation       R6 = [[R, 0], [0, R]]                       v(0) = R6 v(m),  F(0) = R6 F(m)            (1)
    extended translation    T(a) = [[I, -a x], [0, I]]                  v_c = T(a) v,    F = T(a)^T F_c            (2)
    extended cross product  Omega(a) = [[a2 x, a1 x], [0, a2 x]]        Omega(a) b = -Omega(b) a                   (3)
    S(b) = [[0, b1 x], [b1 x, b2 x]]                                    Omega(a)^T b = S(b) a                      (4)
    kinematic operator      X(d, R) = R6^T T(d)                         X_dot = -Omega(v) X = -X Omega(v0)       (5, 6)
    inertia                 M = [[m I, -m c x], [m c x, J_c - m c x c x]]                                          (7)

d: place of the moving frame in axes of the fixed one; v, v0: twist of the moving frame against the fixed one, at its
own origin in its own axes, and at the fixed origin in fixed axes.

Source: V. D. Palacios, E. Olguin, Non-inertial modeling and efficient simulation of a miniature R/C helicopter using
the Body Decomposition Approach, equations 1 to 8. Errata: equation 7 prints I_c - m [r_c x] in its last block, where
the product of two such matrices belongs; the rate of the local Jacobian after equation 22 misses a dot on its first
term, and the residual acceleration below it is that of the text, X (a + Omega(v) lambda q_dot).
"""

from __future__ import annotations

import numpy as np

from samara.rotations import Pose, cross, skew
from samara.rotations.scalars import Matrix, Vector, VectorLike

Wrench = tuple[Vector, Vector]


def extended_rotation(R: Matrix) -> Matrix:
    """R6: the axes of both halves of a screw change by R."""
    zero = np.zeros((3, 3))
    return np.block([[R, zero], [zero, R]])


def extended_translation(a: VectorLike) -> Matrix:
    """T(a): a twist as seen at a point that is further by a; its transpose brings a wrench back."""
    return np.block([[np.eye(3), -skew(a)], [np.zeros((3, 3)), np.eye(3)]])


def extended_cross(a: VectorLike) -> Matrix:
    """Omega(a): Omega(a) b = (a2 x b1 + a1 x b2, a2 x b2)."""
    turning = skew(a[3:])
    return np.block([[turning, skew(a[:3])], [np.zeros((3, 3)), turning]])


def momentum_cross(b: VectorLike) -> Matrix:
    """S(b), skew-symmetric: Omega(a)^T b = S(b) a."""
    first = skew(b[:3])
    return np.block([[np.zeros((3, 3)), first], [first, skew(b[3:])]])


def kinematic_operator(d: VectorLike, R: Matrix) -> Matrix:
    """X(d, R): a twist at the fixed origin in fixed axes becomes one at the moving origin in moving axes."""
    return extended_rotation(np.asarray(R).T) @ extended_translation(d)


def twist_cross(a: tuple[Vector, Vector], b: tuple[Vector, Vector]) -> tuple[Vector, Vector]:
    """Omega(a) b of two twists given as pairs (v, w)."""
    return cross(a[1], b[0]) + cross(a[0], b[1]), cross(a[1], b[1])


def wrench_from(pose: Pose, f: Vector, n: Vector) -> Wrench:
    """A wrench on the frame that stands at `pose` in another, about the origin and in axes of that other: X^T F."""
    force = pose.R @ f
    return force, pose.R @ n + cross(pose.p, force)


def add_wrench(wrenches: dict[int, Wrench], key: int, wrench: Wrench) -> None:
    """Adds to what stands at a key."""
    old = wrenches.get(key)
    wrenches[key] = wrench if old is None else (old[0] + wrench[0], old[1] + wrench[1])
