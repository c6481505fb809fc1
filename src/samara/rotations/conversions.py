"""Rotations as users give and read them: vectors, axes, quaternions, matrices of uncertain quality.

Plain NumPy floats: these functions check their input and serve the edges of the package, model building and
results, not the inside of an element. The conversions of rotation vectors, quaternions and axis-angle accept
leading axes, so that a time history converts in one call. Matrices are R_AB: columns are the axes of B in A,
v_A = R_AB v_B. Euler angles have a file of their own.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .vectors import axial_matrix, cross

FloatArray = NDArray[np.float64]

_AXES = "xyz"


def check_rotation(R: ArrayLike, tolerance: float = 1e-9, name: str = "rotation") -> FloatArray:
    """Return R as a float array, shape (3, 3), or raise ValueError that says what is wrong with it.

    `tolerance` bounds the error of the columns' lengths and of the cosines between them.
    """
    matrix = np.asarray(R, dtype=float)
    if matrix.shape != (3, 3):
        raise ValueError(f"{name} must have shape (3, 3), got {matrix.shape}")
    rows = matrix.tolist()
    if _skewness(*rows) <= tolerance and _triple(*rows) > 0.0:
        return matrix  # nearly always; what follows finds the words
    if not np.all(np.isfinite(matrix)):
        raise ValueError(f"{name} has entries that are not finite:\n{matrix}")
    lengths = np.linalg.norm(matrix, axis=0)
    for axis, length in zip(_AXES, lengths, strict=True):
        if abs(length - 1.0) > tolerance:
            raise ValueError(f"{name}: column {axis} has length {length:.12g}, not 1")
    for i, j in ((0, 1), (1, 2), (2, 0)):
        cosine = matrix[:, i] @ matrix[:, j]
        if abs(cosine) > tolerance:
            pair = f"{_AXES[i]} and {_AXES[j]}"
            raise ValueError(f"{name}: columns {pair} are not orthogonal, cosine {cosine:.3g}")
    if np.linalg.det(matrix) < 0.0:
        raise ValueError(f"{name} is left-handed (determinant -1): a reflection, not a rotation")
    return matrix


def _skewness(a: list[float], b: list[float], c: list[float]) -> float:
    """Largest entry of R^T R - 1, of three rows; infinite where they are not finite. Plain numbers are quicker."""
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = a, b, c
    products = (
        ax * ax + bx * bx + cx * cx - 1.0,
        ay * ay + by * by + cy * cy - 1.0,
        az * az + bz * bz + cz * cz - 1.0,
        ax * ay + bx * by + cx * cy,
        ay * az + by * bz + cy * cz,
        az * ax + bz * bx + cz * cx,
    )
    return max(map(abs, products)) if all(map(math.isfinite, products)) else math.inf


def _triple(a: list[float], b: list[float], c: list[float]) -> float:
    """a . (b x c)."""
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])


def nearest_rotation(matrix: ArrayLike) -> FloatArray:
    """The rotation R that minimises |R - matrix| (Frobenius norm), shape (3, 3).

    With the singular value decomposition U S V^T: R = U diag(1, 1, det(U V^T)) V^T.
    Source: Kabsch, A solution for the best rotation to relate two sets of vectors, Acta Cryst. A32, 1976.
    """
    given = np.asarray(matrix, dtype=float)
    if given.shape != (3, 3) or not np.all(np.isfinite(given)):
        raise ValueError(f"nearest_rotation needs a finite matrix of shape (3, 3), got\n{given}")
    U, S, Vt = np.linalg.svd(given)
    if S[1] <= 1e-12 * S[0] or S[0] == 0.0:
        raise ValueError(f"no nearest rotation: the matrix has rank below 2, singular values {S}")
    return U @ np.diag([1.0, 1.0, np.sign(np.linalg.det(U @ Vt))]) @ Vt


def quaternion_from_rotation(R: ArrayLike) -> FloatArray:
    """Unit quaternion (w, x, y, z), w >= 0, shape (..., 4), from R, shape (..., 3, 3).

    Accurate at every angle: the matrix 4 q q^T is linear in R, and its row with the largest diagonal entry
    is normalised.
    Source: Shepperd, Quaternion from rotation matrix, J. Guidance and Control 1(3), 1978.
    """
    r = _shaped(R, (3, 3), "rotation")
    trace = np.trace(r, axis1=-2, axis2=-1)
    K = np.empty((*r.shape[:-2], 4, 4))
    K[..., 0, 0] = 1.0 + trace
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        K[..., i + 1, i + 1] = 1.0 + 2.0 * r[..., i, i] - trace
        K[..., 0, i + 1] = K[..., i + 1, 0] = r[..., k, j] - r[..., j, k]
        K[..., j + 1, k + 1] = K[..., k + 1, j + 1] = r[..., k, j] + r[..., j, k]
    largest = np.argmax(np.diagonal(K, axis1=-2, axis2=-1), axis=-1)
    q = np.take_along_axis(K, largest[..., None, None], axis=-2)[..., 0, :]
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    return np.where(q[..., :1] < 0.0, -q, q)


def rotation_from_quaternion(q: ArrayLike) -> FloatArray:
    """R, shape (..., 3, 3), from a quaternion (w, x, y, z) of any length but zero, shape (..., 4).

    R = (w^2 - u.u) I + 2 u u^T + 2 w skew(u), u = (x, y, z), for unit length.
    """
    given = _shaped(q, (4,), "quaternion")
    length = np.linalg.norm(given, axis=-1, keepdims=True)
    if np.any(length == 0.0):
        raise ValueError("a quaternion of length zero is not a rotation")
    unit = given / length
    w, u = unit[..., 0], unit[..., 1:]
    R = 2.0 * u[..., :, None] * u[..., None, :]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        R[..., i, i] = 1.0 - 2.0 * (u[..., j] ** 2 + u[..., k] ** 2)
        R[..., k, j] += 2.0 * w * u[..., i]
        R[..., j, k] -= 2.0 * w * u[..., i]
    return R


def rotation_from_rotation_vector(phi: ArrayLike) -> FloatArray:
    """R, shape (..., 3, 3), from rotation vectors phi [rad], shape (..., 3).

    Through the quaternion (cos(x/2), sin(x/2) phi / x), x = |phi|.
    """
    vector = _shaped(phi, (3,), "rotation vector")
    half = 0.5 * np.linalg.norm(vector, axis=-1, keepdims=True)
    q = np.concatenate([np.cos(half), 0.5 * np.sinc(half / np.pi) * vector], axis=-1)
    return rotation_from_quaternion(q)


def rotation_vector_from_rotation(R: ArrayLike) -> FloatArray:
    """Rotation vectors [rad] of length 0 to pi, shape (..., 3), from R, shape (..., 3, 3), any angle."""
    q = quaternion_from_rotation(R)
    sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, q[..., :1])
    turned = sine > 0.0
    return np.where(turned, angle / np.where(turned, sine, 1.0), 2.0) * q[..., 1:]


def rotation_from_axis_angle(axis: ArrayLike, angle: ArrayLike) -> FloatArray:
    """R, shape (..., 3, 3), of a turn by `angle` [rad], shape (...), about `axis`, shape (..., 3)."""
    return rotation_from_rotation_vector(_unit(axis, "axis") * np.asarray(angle, dtype=float)[..., None])


def rotation_from_axis_angle_deg(axis: ArrayLike, angle_deg: ArrayLike) -> FloatArray:
    """As `rotation_from_axis_angle`, angle in degrees."""
    return rotation_from_axis_angle(axis, np.deg2rad(np.asarray(angle_deg, dtype=float)))


def axis_angle_from_rotation(R: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Unit axis, shape (..., 3), and angle from 0 to pi [rad], shape (...). The identity has axis x."""
    phi = rotation_vector_from_rotation(R)
    angle = np.linalg.norm(phi, axis=-1, keepdims=True)
    turned = angle > 0.0
    axis = np.where(turned, phi / np.where(turned, angle, 1.0), [1.0, 0.0, 0.0])
    return axis, angle[..., 0]


def axis_angle_from_rotation_deg(R: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """As `axis_angle_from_rotation`, angle in degrees."""
    axis, angle = axis_angle_from_rotation(R)
    return axis, np.rad2deg(angle)


def rotation_from_axes(**axes: ArrayLike) -> FloatArray:
    """R_AB from two axes of B given in A, any length: `rotation_from_axes(z=shaft, x=outboard)`.

    Any two of x, y, z. The order of the call counts: the first axis is taken exactly; the second lies in the
    plane of both vectors, on its own side, made orthogonal to the first. The third completes a right-handed
    frame.
    """
    if len(axes) != 2 or not set(axes) <= set(_AXES):
        raise ValueError(f"rotation_from_axes needs exactly two of x, y, z, got {sorted(axes)}")
    (first, a), (second, b) = axes.items()
    i, j = _AXES.index(first), _AXES.index(second)
    e_i, towards = _unit(a, first, (3,)), _unit(b, second, (3,))
    across = cross(e_i, towards)
    if np.linalg.norm(across) < 1e-10:
        raise ValueError(f"axes {first} and {second} are parallel: they do not define a frame")
    e_k = across / np.linalg.norm(across)
    R = np.empty((3, 3))
    R[:, i], R[:, j] = e_i, cross(e_k, e_i)
    R[:, 3 - i - j] = e_k if (j - i) % 3 == 1 else -e_k
    return R


def rotation_between(u: ArrayLike, v: ArrayLike) -> FloatArray:
    """The smallest rotation R, shape (3, 3), that turns u to the direction of v: R u / |u| = v / |v|.

    R = I + K + K^2 / (1 + u.v), K = skew(u x v), for unit vectors at less than 90 degrees. Beyond, half a
    turn about an axis orthogonal to u comes first, so that opposite vectors lose no digits; exactly opposite
    ones turn about any such axis.
    """
    start, end = _unit(u, "u", (3,)), _unit(v, "v", (3,))
    if start @ end >= 0.0:
        return _rotation_between_near(start, end)
    normal = cross(start, end)
    if np.linalg.norm(normal) < 1e-15:
        normal = cross(start, np.eye(3)[np.argmin(np.abs(start))])
    normal -= start * (start @ normal)
    normal /= np.linalg.norm(normal)
    half_turn = 2.0 * np.outer(normal, normal) - np.eye(3)
    return _rotation_between_near(-start, end) @ half_turn


def _rotation_between_near(start: FloatArray, end: FloatArray) -> FloatArray:
    axis = cross(start, end)
    cosine = float(start @ end)
    return axial_matrix(axis, cosine, 1.0, 1.0 / (1.0 + cosine))


def _shaped(value: ArrayLike, tail: tuple[int, ...], name: str) -> FloatArray:
    array = np.asarray(value, dtype=float)
    if array.shape[array.ndim - len(tail) :] != tail or array.ndim < len(tail):
        raise ValueError(f"{name} must have shape (..., {', '.join(map(str, tail))}), got {array.shape}")
    return array


def _unit(value: ArrayLike, name: str, shape: tuple[int, ...] | None = None) -> FloatArray:
    vector = _shaped(value, (3,), name)
    if shape is not None and vector.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, got {vector.shape}")
    length = np.linalg.norm(vector, axis=-1, keepdims=True)
    if not np.all(np.isfinite(length)) or np.any(length == 0.0):
        raise ValueError(f"{name} must be finite and not zero, got {vector}")
    return vector / length
