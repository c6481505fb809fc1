"""Vectors of three components, written out: no product by a structural zero enters a traced graph."""

from functools import reduce
from operator import add

import numpy as np

from .scalars import Matrix, Scalar, Vector, VectorLike


def dot(a: VectorLike, b: VectorLike) -> Scalar:
    """Scalar product a.b = sum a_i b_i, any length. No complex conjugate: it stays analytic."""
    return reduce(add, (x * y for x, y in zip(a, b, strict=True)))


def cross(a: VectorLike, b: VectorLike) -> Vector:
    """Vector product a x b, shape (3,)."""
    (a0, a1, a2), (b0, b1, b2) = a, b
    return np.array([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0])


def norm(v: VectorLike) -> Scalar:
    """Length |v| = sqrt(v.v). Its derivative is not defined at v = 0: guard with `choose`."""
    return np.sqrt(dot(v, v))


def skew(v: VectorLike) -> Matrix:
    """Matrix of the vector product, shape (3, 3): skew(v) @ u = v x u."""
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


def unskew(matrix: Matrix) -> Vector:
    """Vector of the skew-symmetric part of a matrix, shape (3,): unskew(skew(v)) = v."""
    m = matrix
    return np.array([0.5 * (m[2, 1] - m[1, 2]), 0.5 * (m[0, 2] - m[2, 0]), 0.5 * (m[1, 0] - m[0, 1])])


def axial_matrix(v: VectorLike, alpha: Scalar, beta: Scalar, gamma: Scalar | None = None) -> Matrix:
    """alpha I + beta skew(v) + gamma v v^T, shape (3, 3): the shape of every map in this package.

    Since skew(v)^2 = v v^T - (v.v) I, a polynomial I + b skew(v) + c skew(v)^2 is axial_matrix(v, 1 - c v.v,
    b, c): no 3x3 product is ever formed. `gamma` None means that the last term is absent.
    """
    bx, by, bz = beta * v[0], beta * v[1], beta * v[2]
    if gamma is None:
        return np.array([[alpha, -bz, by], [bz, alpha, -bx], [-by, bx, alpha]])
    cx, cy, cz = gamma * v[0], gamma * v[1], gamma * v[2]
    xy, xz, yz = cx * v[1], cx * v[2], cy * v[2]
    return np.array(
        [
            [alpha + cx * v[0], xy - bz, xz + by],
            [xy + bz, alpha + cy * v[1], yz - bx],
            [xz - by, yz + bx, alpha + cz * v[2]],
        ]
    )
