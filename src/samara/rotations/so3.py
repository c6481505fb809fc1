"""Rotations: exponential, logarithm and tangent maps of SO(3).

A rotation vector phi [rad] turns about its own direction by its own length. R = exp_so3(phi) is the matrix
R_AB of a frame B turned by phi from A: v_A = R_AB v_B. When phi changes in time, the angular velocity is

    w_AB_B = T(phi) phi_dot      in the axes of B: body, or "right"       T = tangent_so3
    w_AB_A = T(phi)^T phi_dot    in the axes of A: spatial, or "left"     T^T = spatial_tangent_so3

Functions without a suffix hold at any angle. Those with `_small` are polynomials of phi.phi, no root, no
trigonometry, for the increments of a time step. With x = |phi| and n terms, their truncation error is
about the first term left out: x^(2n+2) / (2n+2)! in the exponential and its tangent, 2 (x / 2 pi)^(2n+2) in
the inverse tangent (round-off, 1e-16, comes on top):

    | error at                    | 0.1 rad | 0.2 rad | 0.5 rad | 1 rad | 2 rad |
    | --------------------------- | ------- | ------- | ------- | ----- | ----- |
    | exp, 3 terms                | 2e-13   | 6e-11   | 1e-07   | 2e-05 | 6e-03 |
    | exp, 4 terms                | 3e-17   | 3e-14   | 3e-10   | 3e-07 | 3e-04 |
    | exp, 6 terms                | 1e-25   | 2e-21   | 7e-16   | 1e-11 | 2e-07 |
    | exp, 9 terms (default)      | 4e-39   | 4e-33   | 4e-25   | 4e-19 | 4e-13 |
    | inverse, 4 terms            | 2e-18   | 2e-15   | 2e-11   | 2e-08 | 2e-05 |
    | inverse, 11 terms (default) | 1e-43   | 2e-36   | 8e-27   | 1e-19 | 2e-12 |

A step of 4 degrees (90 steps per revolution) needs 4 terms, not 9: pass `terms` where operations count.
Every map is alpha I + beta skew(phi) + gamma phi phi^T, see `axial_matrix`.
Source: Bauchau & Trainelli, The vectorial parameterization of rotation, Nonlinear Dynamics 32, 2003.
"""

from typing import TypeAlias

import numpy as np

from .coefficients import (
    INVERSE_TERMS,
    TERMS,
    exp_coefficients,
    exp_coefficients_small,
    inverse_coefficient,
    inverse_coefficient_small,
)
from .scalars import Matrix, Scalar, Vector, VectorLike, arctan2, choose, horner, is_less
from .vectors import axial_matrix, dot


def rotation_x(angle: Scalar) -> Matrix:
    """R_AB of a frame B turned by `angle` [rad] about x from A."""
    s, c = np.sin(angle), np.cos(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def rotation_y(angle: Scalar) -> Matrix:
    """R_AB of a frame B turned by `angle` [rad] about y from A."""
    s, c = np.sin(angle), np.cos(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def rotation_z(angle: Scalar) -> Matrix:
    """R_AB of a frame B turned by `angle` [rad] about z from A."""
    s, c = np.sin(angle), np.cos(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def rotation_from_unit_quaternion(q: VectorLike) -> Matrix:
    """R of a quaternion (w, x, y, z) of unit length, a polynomial; `rotation_from_quaternion` takes any length."""
    w, x, y, z = q
    xx, yy, zz = 2.0 * x * x, 2.0 * y * y, 2.0 * z * z
    xy, xz, yz = 2.0 * x * y, 2.0 * x * z, 2.0 * y * z
    wx, wy, wz = 2.0 * w * x, 2.0 * w * y, 2.0 * w * z
    return np.array(
        [
            [1.0 - yy - zz, xy - wz, xz + wy],
            [xy + wz, 1.0 - xx - zz, yz - wx],
            [xz - wy, yz + wx, 1.0 - xx - yy],
        ]
    )


def exp_so3(phi: VectorLike) -> Matrix:
    """R = I + (sin x / x) skew(phi) + ((1 - cos x) / x^2) skew(phi)^2, x = |phi| [rad], any angle."""
    t = dot(phi, phi)
    b, c = exp_coefficients(t)
    return axial_matrix(phi, 1.0 - t * b, 1.0 - t * c, b)


def exp_so3_small(phi: VectorLike, terms: int = TERMS) -> Matrix:
    """The polynomial flavour of `exp_so3`: error below 1e-15 up to 1 rad with 9 terms (see module)."""
    t = dot(phi, phi)
    b, c = exp_coefficients_small(t, terms)
    return axial_matrix(phi, 1.0 - t * b, 1.0 - t * c, b)


def tangent_so3(phi: VectorLike) -> Matrix:
    """T = I - ((1 - cos x) / x^2) skew(phi) + ((x - sin x) / x^3) skew(phi)^2: w_body = T phi_dot, any angle.

    Singular at x = 2 pi, 4 pi, ...: there a rotation vector no longer is a coordinate.
    """
    t = dot(phi, phi)
    b, c = exp_coefficients(t)
    return axial_matrix(phi, 1.0 - t * c, -b, c)


def tangent_so3_small(phi: VectorLike, terms: int = TERMS) -> Matrix:
    """The polynomial flavour of `tangent_so3`: error below 1e-15 up to 1 rad with 9 terms."""
    t = dot(phi, phi)
    b, c = exp_coefficients_small(t, terms)
    return axial_matrix(phi, 1.0 - t * c, -b, c)


def spatial_tangent_so3(phi: VectorLike) -> Matrix:
    """T^T = I + ((1 - cos x) / x^2) skew(phi) + ((x - sin x) / x^3) skew(phi)^2: w_spatial = T^T phi_dot."""
    t = dot(phi, phi)
    b, c = exp_coefficients(t)
    return axial_matrix(phi, 1.0 - t * c, b, c)


def spatial_tangent_so3_small(phi: VectorLike, terms: int = TERMS) -> Matrix:
    """The polynomial flavour of `spatial_tangent_so3`: error below 1e-15 up to 1 rad with 9 terms."""
    t = dot(phi, phi)
    b, c = exp_coefficients_small(t, terms)
    return axial_matrix(phi, 1.0 - t * c, b, c)


def inverse_tangent_so3(phi: VectorLike) -> Matrix:
    """T^-1 = I + skew(phi) / 2 + d skew(phi)^2: phi_dot = T^-1 w_body.

    d = (1 - (x/2) cot(x/2)) / x^2, for angles x < 2 pi.
    """
    t = dot(phi, phi)
    d = inverse_coefficient(t)
    return axial_matrix(phi, 1.0 - t * d, 0.5, d)


def inverse_tangent_so3_small(phi: VectorLike, terms: int = INVERSE_TERMS) -> Matrix:
    """The polynomial flavour of `inverse_tangent_so3`: error below 1e-15 up to 1 rad with 11 terms."""
    t = dot(phi, phi)
    d = inverse_coefficient_small(t, terms)
    return axial_matrix(phi, 1.0 - t * d, 0.5, d)


def inverse_spatial_tangent_so3(phi: VectorLike) -> Matrix:
    """T^-T = I - skew(phi) / 2 + d skew(phi)^2: phi_dot = T^-T w_spatial, d as in `inverse_tangent_so3`."""
    t = dot(phi, phi)
    d = inverse_coefficient(t)
    return axial_matrix(phi, 1.0 - t * d, -0.5, d)


def inverse_spatial_tangent_so3_small(phi: VectorLike, terms: int = INVERSE_TERMS) -> Matrix:
    """The polynomial flavour of `inverse_spatial_tangent_so3`: below 1e-15 up to 1 rad with 11 terms."""
    t = dot(phi, phi)
    d = inverse_coefficient_small(t, terms)
    return axial_matrix(phi, 1.0 - t * d, -0.5, d)


def log_so3(R: Matrix) -> Vector:
    """Rotation vector phi [rad] with exp_so3(phi) = R and |phi| <= pi, accurate at every angle, pi included.

    The matrix 4 q q^T of the unit quaternion q = (w, x, y, z) is linear in R; any of its rows is parallel to
    q, and the one with the largest diagonal entry is far from zero. Then phi = 2 atan2(|u|, w) u / |u|, where
    u = (x, y, z).
    At an angle of exactly pi both signs are right; the largest component is returned positive.
    Source: Shepperd, Quaternion from rotation matrix, J. Guidance and Control 1(3), 1978.
    """
    trace = R[0, 0] + R[1, 1] + R[2, 2]
    wx, wy, wz = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    xy, xz, yz = R[1, 0] + R[0, 1], R[0, 2] + R[2, 0], R[2, 1] + R[1, 2]
    rest = 1.0 - trace
    row_w = (1.0 + trace, wx, wy, wz)
    row_x = (wx, rest + 2.0 * R[0, 0], xy, xz)
    row_y = (wy, xy, rest + 2.0 * R[1, 1], yz)
    row_z = (wz, xz, yz, rest + 2.0 * R[2, 2])
    x_over_y = is_less(R[1, 1], R[0, 0])
    z_largest = is_less(choose(x_over_y, R[0, 0], R[1, 1]), R[2, 2])
    row = _choose_all(x_over_y, row_x, row_y)
    row = _choose_all(z_largest, row_z, row)
    row = _choose_all(is_less(0.0, trace), row_w, row)
    w, x, y, z = _choose_all(is_less(row[0], 0.0), tuple(-q for q in row), row)
    return _vector_of_quaternion(w, (x, y, z))


def log_so3_below_pi(R: Matrix) -> Vector:
    """Rotation vector phi [rad] of R, for angles that stay away from pi, without the choices of `log_so3`.

    tan(|phi| / 2) = |a| / (1 + trace R) with a = 2 unskew(R). The error grows as 1e-16 / (pi - |phi|)^2.
    """
    a = (R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1])
    return _vector_of_quaternion(1.0 + R[0, 0] + R[1, 1] + R[2, 2], a)


_ARCTAN = [(-1.0) ** k / (2 * k + 1) for k in range(9)]
_TAN2_SWITCH = 0.01  # below it nine terms of arctan are exact to 1e-18; above it no digits cancel


def _vector_of_quaternion(w: Scalar, v: VectorLike) -> Vector:
    """Rotation vector 2 atan2(|v|, w) v / |v| of a quaternion (w, v) of any length, w >= 0."""
    v2, w2 = dot(v, v), w * w
    near = is_less(v2, _TAN2_SWITCH * w2)
    w_near = choose(near, w, 1.0)
    factor_near = horner(_ARCTAN, choose(near, v2, 0.0) / (w_near * w_near)) / w_near
    length = np.sqrt(choose(near, 1.0, v2))
    factor = 2.0 * choose(near, factor_near, arctan2(length, w) / length)
    return np.array([factor * v[0], factor * v[1], factor * v[2]])


_Row: TypeAlias = tuple[Scalar, ...]


def _choose_all(condition: object, if_true: _Row, if_false: _Row) -> _Row:
    return tuple(choose(condition, a, b) for a, b in zip(if_true, if_false, strict=True))
