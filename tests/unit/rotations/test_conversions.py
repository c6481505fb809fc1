"""Quaternions, axes, rotation vectors and checks, against SciPy. 1e-15 is round-off of unit-size numbers."""

from itertools import permutations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from samara.rotations import (
    axis_angle_from_rotation,
    axis_angle_from_rotation_deg,
    check_rotation,
    log_so3,
    nearest_rotation,
    quaternion_from_rotation,
    rotation_between,
    rotation_from_axes,
    rotation_from_axis_angle,
    rotation_from_axis_angle_deg,
    rotation_from_quaternion,
    rotation_from_rotation_vector,
    rotation_vector_from_rotation,
)

ANGLES = [0.0, 1e-300, 1e-9, 1e-3, 1.0, 2.0, 3.0, np.pi - 1e-9, np.pi]


@pytest.mark.parametrize("angle", ANGLES)
def test_rotation_vector_round_trip(rng, angle):
    axes = rng.normal(size=(50, 3))
    phi = angle * axes / np.linalg.norm(axes, axis=1, keepdims=True)
    R = rotation_from_rotation_vector(phi)
    np.testing.assert_allclose(R, Rotation.from_rotvec(phi).as_matrix(), atol=1e-15)
    back = rotation_vector_from_rotation(R)
    np.testing.assert_allclose(rotation_from_rotation_vector(back), R, atol=2e-15)
    if angle < np.pi:
        np.testing.assert_allclose(back, phi, atol=3e-15)
        np.testing.assert_allclose(back, [log_so3(r) for r in R], atol=3e-15)


@pytest.mark.parametrize("angle", ANGLES)
def test_quaternions(rng, angle):
    axes = rng.normal(size=(50, 3))
    rotation = Rotation.from_rotvec(angle * axes / np.linalg.norm(axes, axis=1, keepdims=True))
    q = quaternion_from_rotation(rotation.as_matrix())
    assert np.all(q[:, 0] >= 0.0)
    np.testing.assert_allclose(np.linalg.norm(q, axis=1), 1.0, rtol=1e-15)
    np.testing.assert_allclose(rotation_from_quaternion(q), rotation.as_matrix(), atol=2e-15)
    np.testing.assert_allclose(rotation_from_quaternion(-3.0 * q), rotation.as_matrix(), atol=2e-15)
    if angle < np.pi:
        np.testing.assert_allclose(q, rotation.as_quat(canonical=True, scalar_first=True), atol=1e-15)


def test_zero_quaternion_is_refused():
    with pytest.raises(ValueError, match="length zero"):
        rotation_from_quaternion([0.0, 0.0, 0.0, 0.0])
    with pytest.raises(ValueError, match="quaternion must have shape"):
        rotation_from_quaternion([1.0, 0.0, 0.0])


def test_axis_angle(rng):
    axis, angle = np.array([1.0, 2.0, -2.0]) / 3.0, 1.2
    R = rotation_from_axis_angle(3.0 * axis, angle)
    np.testing.assert_allclose(R, Rotation.from_rotvec(angle * axis).as_matrix(), atol=1e-15)
    np.testing.assert_allclose(rotation_from_axis_angle_deg(axis, np.rad2deg(angle)), R, atol=1e-15)
    back, turned = axis_angle_from_rotation(R)
    np.testing.assert_allclose(back, axis, atol=1e-15)
    assert turned == pytest.approx(angle, rel=1e-15)
    assert axis_angle_from_rotation_deg(R)[1] == pytest.approx(np.rad2deg(angle), rel=1e-15)
    history = rotation_from_axis_angle([0.0, 0.0, 2.0], np.linspace(0.0, 3.0, 7))
    assert history.shape == (7, 3, 3)
    np.testing.assert_allclose(axis_angle_from_rotation(history)[1], np.linspace(0.0, 3.0, 7), atol=1e-15)


def test_axis_of_the_identity():
    axis, angle = axis_angle_from_rotation(np.eye(3))
    np.testing.assert_array_equal(axis, [1.0, 0.0, 0.0])
    assert angle == 0.0


def test_axis_must_not_be_zero():
    with pytest.raises(ValueError, match="axis must be finite and not zero"):
        rotation_from_axis_angle([0.0, 0.0, 0.0], 1.0)


@pytest.mark.parametrize(("first", "second"), list(permutations("xyz", 2)))
def test_two_axes(rng, first, second):
    i, j = "xyz".index(first), "xyz".index(second)
    for a, b in rng.normal(size=(20, 2, 3)):
        R = check_rotation(rotation_from_axes(**{first: 5.0 * a, second: b}), tolerance=1e-14)
        np.testing.assert_allclose(R[:, i], a / np.linalg.norm(a), atol=1e-15)
        assert R[:, j] @ b > 0.0, "the second axis is on its own side"
        assert abs(R[:, 3 - i - j] @ b) < 1e-13, "the second vector lies in the plane of the first two axes"
        # The frame's own axes give the frame back.
        np.testing.assert_allclose(rotation_from_axes(**{first: R[:, i], second: R[:, j]}), R, atol=1e-14)


def test_two_axes_errors():
    with pytest.raises(ValueError, match="exactly two"):
        rotation_from_axes(x=[1, 0, 0])
    with pytest.raises(ValueError, match="exactly two"):
        rotation_from_axes(x=[1, 0, 0], w=[0, 1, 0])
    with pytest.raises(ValueError, match="axes x and z are parallel"):
        rotation_from_axes(x=[1, 2, 3], z=[-2, -4, -6])
    with pytest.raises(ValueError, match="y must be finite"):
        rotation_from_axes(x=[1, 0, 0], y=[0, np.nan, 0])


@pytest.mark.parametrize(
    "angle", [0.0, 1e-9, 0.5, np.pi / 2, 2.0, 3.0, np.pi - 1e-6, np.pi - 1e-9, np.pi - 1e-13, np.pi]
)
def test_rotation_between(rng, angle):
    for u, w in rng.normal(size=(20, 2, 3)):
        e = np.cross(u, w) / np.linalg.norm(np.cross(u, w))
        v = 2.0 * Rotation.from_rotvec(angle * e).apply(u)
        R = check_rotation(rotation_between(u, v), tolerance=1e-14)
        np.testing.assert_allclose(R @ u / np.linalg.norm(u), v / np.linalg.norm(v), atol=3e-15)
        turned = np.linalg.norm(rotation_vector_from_rotation(R))
        assert turned == pytest.approx(angle, abs=1e-14), "the smallest rotation that does it"


@pytest.mark.parametrize("u", np.vstack([np.eye(3), -np.eye(3)]))
def test_rotation_between_opposite_axes(u):
    np.testing.assert_allclose(check_rotation(rotation_between(u, -u)) @ u, -u, atol=1e-15)
    np.testing.assert_array_equal(rotation_between(u, u), np.eye(3))


def test_nearest_rotation(rng):
    R = Rotation.random(rng=rng).as_matrix()
    np.testing.assert_allclose(nearest_rotation(3.0 * R), R, atol=2e-15)
    stretch = np.diag([1.0, 1.1, 0.9])
    np.testing.assert_allclose(nearest_rotation(R @ stretch), R, atol=2e-15)  # polar decomposition
    noisy = R + 1e-6 * rng.normal(size=(3, 3))
    check_rotation(nearest_rotation(noisy), tolerance=1e-14)
    best = np.linalg.norm(nearest_rotation(noisy) - noisy)
    for turn in 1e-7 * rng.normal(size=(20, 3)):
        assert np.linalg.norm(nearest_rotation(noisy) @ rotation_from_rotation_vector(turn) - noisy) >= best
    check_rotation(nearest_rotation(np.diag([1.0, 1.0, -0.9])))  # a reflection: still the nearest rotation


@pytest.mark.parametrize("matrix", [np.zeros((3, 3)), np.ones((3, 3)), np.full((3, 3), np.nan), np.eye(2)])
def test_nearest_rotation_needs_a_sensible_matrix(matrix):
    with pytest.raises(ValueError, match="nearest"):
        nearest_rotation(matrix)


def test_check_rotation_returns_the_matrix(rng):
    R = Rotation.random(rng=rng).as_matrix()
    np.testing.assert_array_equal(check_rotation(R.tolist()), R)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.eye(4), r"hub must have shape \(3, 3\), got \(4, 4\)"),
        (np.diag([1.0, np.inf, 1.0]), "not finite"),
        (np.diag([1.0, 1.001, 1.0]), "column y has length 1.001"),
        (
            np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 1e-3], [0.0, 0.0, np.sqrt(1 - 1e-6)]]),
            "columns y and z are not orth",
        ),
        (np.diag([1.0, 1.0, -1.0]), "left-handed"),
    ],
)
def test_check_rotation_names_what_is_wrong(matrix, message):
    with pytest.raises(ValueError, match=message):
        check_rotation(matrix, name="hub")
