"""Euler angles in every order, both ways.

The name of an order is three axis letters, and its case has SciPy's meaning:

- **upper case is intrinsic**: each turn is about an axis of the frame that the turns before it have moved.
  "ZYX" with (yaw, pitch, roll) is the aerospace sequence, R_AB = Rz(yaw) Ry(pitch) Rx(roll).
- **lower case is extrinsic**: each turn is about an axis of the fixed frame A.
  "xyz" with (roll, pitch, yaw) is the same rotation: extrinsic angles are the intrinsic ones read backwards.

Twelve orders in each case: three different axes (Tait-Bryan: XYZ, XZY, YXZ, YZX, ZXY, ZYX) or the first
repeated (proper Euler: XYX, XZX, YXY, YZY, ZXZ, ZYZ). Two adjacent equal letters or mixed case are errors.

Ranges of the result: first and third angle in [-pi, pi]; second in [-pi/2, pi/2] for three different axes, in
[0, pi] for a repeated one. At gimbal lock (second angle at an end of its range) only the sum or the
difference of the other two is defined: the third is returned as zero. "At" means closer than 1e-12 rad; the
rotation is reproduced to that there, and to round-off everywhere else, however close to the lock.

Arrays may have leading axes: angles (..., 3), matrices (..., 3, 3), so a time history converts in one call.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

_LOCK = 1e-12  # sine of the distance to gimbal lock below which the angles are no longer told apart


def rotation_from_euler(order: str, angles: ArrayLike) -> NDArray[np.float64]:
    """R_AB, shape (..., 3, 3), from three angles [rad], shape (..., 3), in the named order (see module)."""
    axes, extrinsic = _parse(order)
    turns = np.asarray(angles, dtype=float)
    if turns.shape[-1:] != (3,):
        raise ValueError(f"angles must have shape (..., 3), got {turns.shape}")
    first, second, third = (_turn(axis, turns[..., k]) for k, axis in enumerate(axes))
    return third @ second @ first if extrinsic else first @ second @ third


def euler_from_rotation(order: str, R_AB: ArrayLike) -> NDArray[np.float64]:
    """Three angles [rad], shape (..., 3), in the named order, from R_AB, shape (..., 3, 3).

    The second angle comes from an arctangent, not an arcsine, and the third from what is left after the first
    is undone: no digits are lost near gimbal lock.
    """
    axes, extrinsic = _parse(order)
    R = np.asarray(R_AB, dtype=float)
    if R.shape[-2:] != (3, 3):
        raise ValueError(f"rotation must have shape (..., 3, 3), got {R.shape}")
    # An extrinsic sequence is the intrinsic one of the reversed axes with the angles reversed.
    i, j, last = axes[::-1] if extrinsic else axes
    k = 3 - i - j
    sign = 1.0 if (j - i) % 3 == 1 else -1.0  # (i, j, k) right-handed or not
    repeated = last == i
    # First angle from the column of the last axis, which the last turn does not move.
    y, x = (R[..., j, i], -sign * R[..., k, i]) if repeated else (-sign * R[..., j, k], R[..., k, k])
    locked = np.hypot(y, x) < _LOCK
    at_lock = 0.0 if extrinsic else np.arctan2(sign * R[..., k, j], R[..., j, j])
    alpha = np.where(locked, at_lock, np.arctan2(y, x))
    M = np.swapaxes(_turn(i, alpha), -1, -2) @ R  # what is left: turn about j by beta, then the last one
    if repeated:
        beta = np.arctan2(-sign * M[..., k, i], M[..., i, i])
        gamma = np.arctan2(-sign * M[..., j, k], M[..., j, j])
    else:
        beta = np.arctan2(sign * M[..., i, k], M[..., k, k])
        gamma = np.arctan2(sign * M[..., j, i], M[..., j, j])
    if not extrinsic:
        gamma = np.where(locked, 0.0, gamma)
    return np.stack([gamma, beta, alpha] if extrinsic else [alpha, beta, gamma], axis=-1)


def rotation_from_euler_deg(order: str, angles_deg: ArrayLike) -> NDArray[np.float64]:
    """As `rotation_from_euler`, angles in degrees."""
    return rotation_from_euler(order, np.deg2rad(np.asarray(angles_deg, dtype=float)))


def euler_from_rotation_deg(order: str, R_AB: ArrayLike) -> NDArray[np.float64]:
    """As `euler_from_rotation`, angles in degrees."""
    return np.rad2deg(euler_from_rotation(order, R_AB))


def _parse(order: str) -> tuple[tuple[int, int, int], bool]:
    """Axis numbers, and whether the sequence is extrinsic."""
    letters = order.upper()
    if len(letters) != 3 or not set(letters) <= set("XYZ"):
        raise ValueError(f"Euler order must be three of the letters x, y, z, got {order!r}")
    if order not in (letters, letters.lower()):
        raise ValueError(f"Euler order must be upper case (intrinsic) or lower case (extrinsic): {order!r}")
    if letters[0] == letters[1] or letters[1] == letters[2]:
        raise ValueError(f"Euler order must not repeat an axis in adjacent places, got {order!r}")
    first, second, third = ("XYZ".index(letter) for letter in letters)
    return (first, second, third), order != letters


def _turn(axis: int, angle: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rotation about a coordinate axis, shape (..., 3, 3)."""
    j, k = (axis + 1) % 3, (axis + 2) % 3
    s, c = np.sin(angle), np.cos(angle)
    R = np.zeros((*np.shape(angle), 3, 3))
    R[..., axis, axis] = 1.0
    R[..., j, j], R[..., j, k], R[..., k, j], R[..., k, k] = c, -s, s, c
    return R
