"""Rigid motions: poses, twists, and the exponential map of SE(3).

A pose H_AB = (R_AB, p_AB) places frame B in A: p_AQ = R_AB p_BQ + p_AB (positions in m). A twist eta = (v, w)
stacks velocity [m/s] and angular velocity [rad/s], translation first, in the axes of the moving frame and at
its origin:

    hat(eta) = [[skew(w), v], [0, 0]]          H^-1 H_dot = hat(eta)                    body twist

A motion increment n = (d, phi) [m, rad] gives H = exp_se3(n), and H^-1 dH = hat(T(n) dn) with

    T(n)    = I - ad(n) / 2 + ad(n)^2 / 6 - ... (-1)^k ad(n)^k / (k+1)!     tangent_se3
    T(n)^-1 = I + ad(n) / 2 + ad(n)^2 / 12 - ad(n)^4 / 720 + ...            inverse_tangent_se3

(body, "right" trivialisation; the other one swaps the signs of the odd powers). One idea gives all of it in
closed form: SE(3) is SO(3) over the dual numbers phi + eps d, so the upper right block of T(n) is the
derivative of the rotation's tangent map in the direction d. `_small` functions are polynomials; their errors
are those of the module `so3`, times about |d| in the block that couples translation to rotation.
Sources: Sonneville, Cardona & Bruls, Geometrically exact beam finite element formulated on SE(3), Comput.
Methods Appl. Mech. Eng. 268, 2014; Iserles, Munthe-Kaas, Norsett & Zanna, Lie-group methods, Acta Numerica 9,
2000.
"""

from typing import NamedTuple

import numpy as np

from .coefficients import (
    INVERSE_TERMS,
    TERMS,
    exp_coefficients,
    exp_coefficients_small,
    exp_slopes,
    exp_slopes_small,
    inverse_coefficient,
    inverse_coefficient_small,
    inverse_slope,
    inverse_slope_small,
)
from .scalars import Matrix, Scalar, Vector, VectorLike
from .so3 import log_so3, log_so3_below_pi
from .vectors import axial_matrix, cross, dot, skew


class Pose(NamedTuple):
    """Pose H_AB of frame B in A: R_AB, shape (3, 3), and p_AB [m], shape (3,), in the axes of A."""

    R: Matrix
    p: Vector


def compose_poses(H_AB: Pose, H_BC: Pose) -> Pose:
    """H_AC = H_AB H_BC."""
    R_AB, p_AB = H_AB
    R_BC, p_BC = H_BC
    return Pose(R_AB @ R_BC, R_AB @ p_BC + p_AB)


def inverse_pose(H_AB: Pose) -> Pose:
    """H_BA = (R_AB^T, -R_AB^T p_AB)."""
    R_AB, p_AB = H_AB
    return Pose(R_AB.T, -(R_AB.T @ p_AB))


def relative_pose(H_WA: Pose, H_WB: Pose) -> Pose:
    """H_AB = H_WA^-1 H_WB, without the loss of digits of inverting first when both are far from W."""
    R_WA, p_WA = H_WA
    R_WB, p_WB = H_WB
    return Pose(R_WA.T @ R_WB, R_WA.T @ (p_WB - p_WA))


def transform_point(H_AB: Pose, p_BQ: Vector) -> Vector:
    """p_AQ = R_AB p_BQ + p_AB [m]."""
    R_AB, p_AB = H_AB
    return R_AB @ p_BQ + p_AB


def homogeneous(H_AB: Pose) -> Matrix:
    """The 4x4 matrix [[R, p], [0, 1]]."""
    R_AB, p_AB = H_AB
    X = np.full((4, 4), 0.0, dtype=np.result_type(R_AB, p_AB))
    X[:3, :3], X[:3, 3], X[3, 3] = R_AB, p_AB, 1.0
    return X


def hat_se3(eta: VectorLike) -> Matrix:
    """The 4x4 matrix [[skew(w), v], [0, 0]] of a twist eta = (v, w)."""
    v, w = eta[:3], skew(eta[3:])
    X = np.full((4, 4), 0.0, dtype=np.result_type(np.asarray(v), w))
    X[:3, :3], X[:3, 3] = w, v
    return X


def adjoint(H_AB: Pose) -> Matrix:
    """Ad(H_AB) = [[R, skew(p) R], [0, R]], shape (6, 6): eta_A = Ad(H_AB) eta_B for a twist.

    A wrench F = (f, m) goes the other way: F_B = Ad(H_AB)^T F_A.
    """
    R_AB, p_AB = H_AB
    return _upper(R_AB, np.stack([cross(p_AB, R_AB[:, j]) for j in range(3)], axis=1))


def adjoint_times(H_AB: Pose, eta_B: VectorLike) -> Vector:
    """Ad(H_AB) eta_B = (R v + p x R w, R w), shape (6,), without forming the matrix."""
    R_AB, p_AB = H_AB
    w = R_AB @ np.asarray(eta_B[3:])
    return np.concatenate([R_AB @ np.asarray(eta_B[:3]) + cross(p_AB, w), w])


def adjoint_transpose_times(H_AB: Pose, F_A: VectorLike) -> Vector:
    """Ad(H_AB)^T F_A = (R^T f, R^T (m - p x f)), shape (6,): wrench (f, m) moved from A's origin to B's."""
    R_AB, p_AB = H_AB
    f, m = np.asarray(F_A[:3]), np.asarray(F_A[3:])
    return np.concatenate([R_AB.T @ f, R_AB.T @ (m - cross(p_AB, f))])


def ad(eta: VectorLike) -> Matrix:
    """ad(eta) = [[skew(w), skew(v)], [0, skew(w)]], shape (6, 6): the Lie bracket [eta, xi] = ad(eta) xi."""
    return _upper(skew(eta[3:]), skew(eta[:3]))


def ad_times(eta: VectorLike, xi: VectorLike) -> Vector:
    """ad(eta) xi = (w x xi_v + v x xi_w, w x xi_w), shape (6,)."""
    v, w = eta[:3], eta[3:]
    return np.concatenate([cross(w, xi[:3]) + cross(v, xi[3:]), cross(w, xi[3:])])


def ad_transpose_times(eta: VectorLike, F: VectorLike) -> Vector:
    """ad(eta)^T F = (f x w, f x v + m x w), shape (6,), for a wrench or momentum F = (f, m).

    Newton-Euler in body axes: M eta_dot - ad(eta)^T M eta = wrench.
    """
    v, w, f, m = eta[:3], eta[3:], F[:3], F[3:]
    return np.concatenate([cross(f, w), cross(f, v) + cross(m, w)])


def exp_se3(n: VectorLike) -> Pose:
    """H = exp(hat(n)), n = (d, phi) [m, rad]: R = exp_so3(phi), p = T_spatial(phi) d, any angle."""
    t = dot(n[3:], n[3:])
    return _exp(n, t, *exp_coefficients(t))


def exp_se3_small(n: VectorLike, terms: int = TERMS) -> Pose:
    """The polynomial flavour of `exp_se3`: error below 1e-15 (times |d| in p) up to 1 rad with 9 terms."""
    t = dot(n[3:], n[3:])
    return _exp(n, t, *exp_coefficients_small(t, terms))


def log_se3(H: Pose) -> Vector:
    """n = (d, phi) [m, rad] with exp_se3(n) = H and |phi| <= pi, shape (6,)."""
    return _log(log_so3(H[0]), H[1])


def log_se3_below_pi(H: Pose) -> Vector:
    """As `log_se3`, with fewer operations, for rotations that stay away from pi."""
    return _log(log_so3_below_pi(H[0]), H[1])


def tangent_se3(n: VectorLike) -> Matrix:
    """T, shape (6, 6), with H^-1 dH = hat(T(n) dn) for H = exp_se3(n), any angle."""
    t = dot(n[3:], n[3:])
    b, c = exp_coefficients(t)
    return _tangent(n, t, b, c, *exp_slopes(t, b, c))


def tangent_se3_small(n: VectorLike, terms: int = TERMS) -> Matrix:
    """The polynomial flavour of `tangent_se3`: error below 1e-15 (times 1 + |d|) up to 1 rad with 9 terms."""
    t = dot(n[3:], n[3:])
    b, c = exp_coefficients_small(t, terms)
    if terms == 1:
        return _tangent(n, t, b, c, None, None)
    return _tangent(n, t, b, c, *exp_slopes_small(t, terms))


def inverse_tangent_se3(n: VectorLike) -> Matrix:
    """T^-1, shape (6, 6), with dn = T(n)^-1 zeta where H^-1 dH = hat(zeta), any angle below 2 pi."""
    t = dot(n[3:], n[3:])
    d = inverse_coefficient(t)
    return _inverse_tangent(n, t, d, inverse_slope(t, d))


def inverse_tangent_se3_small(n: VectorLike, terms: int = INVERSE_TERMS) -> Matrix:
    """The polynomial flavour of `inverse_tangent_se3`: below 1e-15 (times 1 + |d|) up to 1 rad, 11 terms."""
    t = dot(n[3:], n[3:])
    d = inverse_coefficient_small(t, terms)
    return _inverse_tangent(n, t, d, None if terms == 1 else inverse_slope_small(t, terms))


def inverse_tangent_small(n: VectorLike) -> Matrix:
    """I + ad(n) / 2 + ad(n)^2 / 12, shape (6, 6): T(n)^-1 up to ad(n)^4 / 720, 1e-7 for |n| = 0.1."""
    return inverse_tangent_se3_small(n, terms=1)


def _upper(diagonal: Matrix, corner: Matrix) -> Matrix:
    """[[diagonal, corner], [0, diagonal]]."""
    X = np.full((6, 6), 0.0, dtype=np.result_type(diagonal, corner))
    X[:3, :3], X[3:, 3:], X[:3, 3:] = diagonal, diagonal, corner
    return X


def _exp(n: VectorLike, t: Scalar, b: Scalar, c: Scalar) -> Pose:
    """p = d + b phi x d + c phi x (phi x d), with phi x (phi x d) = phi (phi.d) - t d."""
    d, phi = n[:3], n[3:]
    a = 1.0 - t * c
    b_cross = cross(phi, d)
    along = c * dot(phi, d)
    p = np.array([a * d[i] + b * b_cross[i] + along * phi[i] for i in range(3)])
    return Pose(axial_matrix(phi, 1.0 - t * b, a, b), p)


def _log(phi: Vector, p: VectorLike) -> Vector:
    """d = T_spatial(phi)^-1 p = p - phi x p / 2 + k phi x (phi x p)."""
    t = dot(phi, phi)
    k = inverse_coefficient(t)
    a = 1.0 - t * k
    turn = cross(phi, p)
    along = k * dot(phi, p)
    return np.array([a * p[i] - 0.5 * turn[i] + along * phi[i] for i in range(3)] + list(phi))


def _tangent(n: VectorLike, t: Scalar, b: Scalar, c: Scalar, b_slope: Scalar | None, c_slope: Scalar | None) -> Matrix:
    """Diagonal blocks I - b K + c K^2, K = skew(phi); corner their derivative along d, with dt = 2 phi.d."""
    d, phi = n[:3], n[3:]
    phi_d = dot(phi, d)
    odd = _combine(-b, d, None if b_slope is None else -2.0 * phi_d * b_slope, phi)
    even = _combine(c, d, None if c_slope is None else phi_d * c_slope, phi)
    return _upper(axial_matrix(phi, 1.0 - t * c, -b, c), _corner(phi, odd, even))


def _inverse_tangent(n: VectorLike, t: Scalar, k: Scalar, k_slope: Scalar | None) -> Matrix:
    """Diagonal blocks I + K / 2 + k K^2, K = skew(phi); corner their derivative along d."""
    d, phi = n[:3], n[3:]
    odd = [0.5 * x for x in d]
    even = _combine(k, d, None if k_slope is None else dot(phi, d) * k_slope, phi)
    return _upper(axial_matrix(phi, 1.0 - t * k, 0.5, k), _corner(phi, odd, even))


def _combine(f: Scalar, a: VectorLike, g: Scalar | None, b: VectorLike) -> list[Scalar]:
    """f a + g b; `g` None means that the term is absent."""
    if g is None:
        return [f * a[i] for i in range(3)]
    return [f * a[i] + g * b[i] for i in range(3)]


def _corner(phi: VectorLike, odd: VectorLike, even: VectorLike) -> Matrix:
    """skew(odd) + K E + E K, K = skew(phi), E = skew(even): K E + E K = phi e^T + e phi^T - 2 (phi.e) I."""
    x, y, z = phi[0] * even[0], phi[1] * even[1], phi[2] * even[2]
    xy = phi[0] * even[1] + phi[1] * even[0]
    xz = phi[0] * even[2] + phi[2] * even[0]
    yz = phi[1] * even[2] + phi[2] * even[1]
    return np.array(
        [
            [-2.0 * (y + z), xy - odd[2], xz + odd[1]],
            [xy + odd[2], -2.0 * (x + z), yz - odd[0]],
            [xz - odd[1], yz + odd[0], -2.0 * (x + y)],
        ]
    )
