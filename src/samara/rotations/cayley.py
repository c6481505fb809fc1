"""Cayley (Gibbs-Rodrigues) parameters of a rotation: g = 2 tan(x / 2) e, axis e, angle x.

Rational, so no trigonometry at all, and close to the rotation vector for small angles: g = phi (1 + x^2 / 12
+ ...). Singular at x = pi. With s = 4 / (4 + g.g):

    R   = I + s (skew(g) + skew(g)^2 / 2)
    w_A = G(g) g_dot,      G = s (I + skew(g) / 2)       spatial axes: `cayley_spatial_map`
    w_B = G(g)^T g_dot,    G^T = s (I - skew(g) / 2)     body axes: `cayley_body_map`

These are the incremental parameters of the updated Lagrangian form described by Morandini, Masarati and
Mantegazza (Performance improvements in real-time general-purpose multibody virtual experiment on rotorcraft
systems), who call them Gibbs-Rodriguez parameters; beams use them for relative rotations between their nodes.
"""

import numpy as np

from .scalars import Matrix, Scalar, Vector, VectorLike
from .vectors import axial_matrix, dot


def rotation_from_cayley(g: VectorLike) -> Matrix:
    """R = I + 4 / (4 + g.g) (skew(g) + skew(g)^2 / 2), orthogonal for every g."""
    t = dot(g, g)
    s, half = _scale(t)
    return axial_matrix(g, 1.0 - t * half, s, half)


def cayley_from_rotation(R: Matrix) -> Vector:
    """g = 4 unskew(R) / (1 + trace R). Singular at an angle of pi, where the denominator vanishes."""
    f = 2.0 / (1.0 + R[0, 0] + R[1, 1] + R[2, 2])
    return np.array([f * (R[2, 1] - R[1, 2]), f * (R[0, 2] - R[2, 0]), f * (R[1, 0] - R[0, 1])])


def half_cayley(g: VectorLike) -> Vector:
    """Parameters 2 tan(x / 4) e of half the rotation: g / (1 + sqrt(1 + g.g / 4)), rational but for a root."""
    return np.asarray(g) / (1.0 + np.sqrt(1.0 + 0.25 * dot(g, g)))


def cayley_spatial_map(g: VectorLike) -> Matrix:
    """G with w_AB_A = G g_dot: G = s (I + skew(g) / 2), s = 4 / (4 + g.g)."""
    s, half = _scale(dot(g, g))
    return axial_matrix(g, s, half)


def cayley_body_map(g: VectorLike) -> Matrix:
    """G^T with w_AB_B = G^T g_dot: G^T = s (I - skew(g) / 2), s = 4 / (4 + g.g)."""
    s, half = _scale(dot(g, g))
    return axial_matrix(g, s, -half)


def inverse_cayley_spatial_map(g: VectorLike) -> Matrix:
    """G^-1 with g_dot = G^-1 w_AB_A: G^-1 = I - skew(g) / 2 + g g^T / 4."""
    return axial_matrix(g, 1.0, -0.5, 0.25)


def inverse_cayley_body_map(g: VectorLike) -> Matrix:
    """G^-T with g_dot = G^-T w_AB_B: G^-T = I + skew(g) / 2 + g g^T / 4."""
    return axial_matrix(g, 1.0, 0.5, 0.25)


def _scale(t: Scalar) -> tuple[Scalar, Scalar]:
    """s = 4 / (4 + t) and s / 2, t = g.g."""
    half = 2.0 / (4.0 + t)
    return 2.0 * half, half
